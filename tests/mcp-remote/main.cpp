// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_MODULE mcp_remote
#include <boost/test/unit_test.hpp>
