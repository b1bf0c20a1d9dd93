// SPDX-License-Identifier: Apache-2.0
#include "modules/gate.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <string>
#include <vector>

#include "lnk/abi/probe.h"

using lnk::host::check_requirements;
using lnk::host::MachineCapability;
using lnk::host::parse_requirements;

namespace {

const std::vector<MachineCapability> kMachine = {
    {"linux.landlock", LNK_SUPPORTED, 4, 0, "asked the kernel", ""},
    {"linux.userns", LNK_DEGRADED, 0, 0, "", ""},
    {"linux.sealing", LNK_UNSUPPORTED, 0, ENOSYS, "", "boot Linux 6.14"},
    {"linux.watch", LNK_UNKNOWN, 9, 0, "", ""},
};

const char* const kSound[] = {
    "", "linux.landlock", "linux.landlock>=1", "linux.landlock>=4", "linux.userns", "linux.landlock>=4,linux.userns"};
const char* const kNoList[] = {",",
                               "linux.landlock,",
                               ",linux.userns",
                               "linux.landlock>=",
                               "linux.landlock>=x",
                               "linux.landlock>=1x",
                               "linux.landlock>4",
                               "linux.landlock >= 4",
                               "Linux.landlock",
                               ".landlock",
                               "linux.",
                               "linux..x",
                               "linux.landlock>=99999999999",
                               "linux.landlock>=-1"};

}  // namespace

BOOST_AUTO_TEST_SUITE(gate)

BOOST_DATA_TEST_CASE(what_the_machine_has_passes, boost::unit_test::data::make(kSound)) {
  BOOST_TEST(check_requirements(sample, kMachine).has_value());
}

BOOST_DATA_TEST_CASE(what_is_no_list_is_refused, boost::unit_test::data::make(kNoList)) {
  BOOST_TEST(!parse_requirements(sample).has_value());
  BOOST_TEST(!check_requirements(sample, kMachine).has_value());
}

BOOST_AUTO_TEST_CASE(a_level_too_low_is_told_with_what_was_found) {
  const auto refused = check_requirements("linux.userns,linux.landlock>=5", kMachine);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().text == "it needs linux.landlock>=5; found supported, level 4");
}

BOOST_AUTO_TEST_CASE(what_is_not_there_is_told_with_its_errno_and_mend) {
  const auto refused = check_requirements("linux.sealing", kMachine);
  BOOST_TEST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().text ==
             "it needs linux.sealing; found unsupported (Function not implemented); boot Linux 6.14");
  BOOST_TEST(refused.error().os_errno == ENOSYS);
}

BOOST_AUTO_TEST_CASE(what_could_not_be_tried_or_no_probe_knows_is_not_there) {
  BOOST_TEST(!check_requirements("linux.watch", kMachine).has_value());
  BOOST_TEST(!check_requirements("linux.moon", kMachine).has_value());
  BOOST_TEST(!check_requirements("linux.landlock", {}).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
