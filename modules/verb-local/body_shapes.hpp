// SPDX-License-Identifier: Apache-2.0
//
// What the requests of local runtimes hold, as data: one table for all, since a port doesn't say whose it is.
#pragma once

#include "values.hpp"

namespace lnk::verb_local {

/// A request's body, an object.
bool check_request(Filter& filter, Value& body);

}  // namespace lnk::verb_local
