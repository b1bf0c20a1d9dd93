// SPDX-License-Identifier: Apache-2.0
//
// The verb alone, on scripts of events, with no host.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "lnk/abi/module.h"
#include "lnk/fake/script.hpp"

extern "C" const lnk_module_api lnk_module_v1_verb_open;

BOOST_AUTO_TEST_CASE(every_script_gives_the_actions_it_expects) {
  std::size_t scripts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LNK_SCRIPTS)) {
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    const auto results = lnk::fake::run_scripts(lnk_module_v1_verb_open, text.str());
    BOOST_REQUIRE_MESSAGE(results, entry.path().native());
    for (const auto& result : *results) {
      ++scripts;
      for (const auto& fault : result.faults)
        BOOST_ERROR(entry.path().filename().native() << ": " << result.name << ": " << fault);
    }
  }
  BOOST_TEST(scripts >= 30U);
}
