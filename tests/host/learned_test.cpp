// SPDX-License-Identifier: Apache-2.0
#include "launch/learned.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "machine.hpp"

namespace {

using namespace lnk::host;

struct Learning : Machine {
  std::string tool;
  Checked checked;

  explicit Learning(const std::string& list = "") {
    tool = program("bin/tool", "echo\n");
    checked = check_of("[files]\nread = [\"~/bin\"]\nwrite = [\"~/src\"]\n[env]\nset = { PATH = \"" + facts.home +
                       "/bin:/usr/bin:/bin\" }\n" + list);
  }
  std::string program(const std::string& name, const std::string& text) const {
    auto path = root.file("home/" + name, text);
    BOOST_REQUIRE(::chmod(path.c_str(), 0755) == 0);
    return path;
  }
  std::string toml(const LearnedPrograms& learned, bool is_whole = true) const {
    return learned.as_toml({checked.grants, checked.closed, is_whole});
  }
  /// What is printed can be put into a spec as it is.
  void taken(const std::string& text) const {
    const auto parsed = parse_spec(text, "s");
    for (const auto& error : parsed.errors) BOOST_ERROR(error.text());
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(learned)

BOOST_AUTO_TEST_CASE(programs_stand_in_order_of_first_use_with_who_started_them) {
  const Learning machine;
  const auto script = machine.program("bin/run", "#!/bin/sh\n");
  LearnedPrograms learned({"run", script});
  learned.add({script, "/usr/lib/lnk-sandbox/inner-stage", true});
  learned.add({"/bin/sh", "/usr/lib/lnk-sandbox/inner-stage", true});
  learned.add({"/usr/bin/env", "/bin/sh", true});
  learned.add({machine.tool, "/usr/bin/env", true});
  learned.add({"/usr/bin/env", "/usr/bin/make", true});
  learned.add({"/usr/bin/env", "/bin/sh", true});
  const auto text = machine.toml(learned);
  BOOST_TEST(text ==
             "[commands]\nallow = [\n  \"run\",  # the command itself\n  \"sh\",  # the interpreter of run; runs any code\n"
             "  \"env\",  # started by sh, make\n  \"tool\",  # started by env\n]\n");
  machine.taken(text);
}

BOOST_AUTO_TEST_CASE(what_the_sandbox_could_replace_is_not_offered) {
  const Learning machine;
  const auto made = machine.program("src/app/made", "echo\n");
  LearnedPrograms learned({"env", "/usr/bin/env"});
  learned.add({"/usr/bin/env", "", true});
  learned.add({made, "/usr/bin/env", true});
  learned.add({"/tmp/made", made, true});
  learned.add({"/proc/self/exe", "", true});
  learned.add({"relative", "", true});
  learned.add({"/opt/\xff", "", true});
  const auto text = machine.toml(learned);
  BOOST_TEST(
      text.find("# not offered: \"" + made + "\" (started by env): the sandbox can write it") != std::string::npos,
      text);
  BOOST_TEST(text.find("# not offered: \"/tmp/made\" (started by " + made + "): isn't there in the sandbox: /tmp inside") !=
                 std::string::npos,
             text);
  BOOST_TEST(
      text.find("# not offered: \"/proc/self/exe\": isn't there in the sandbox: it was started by a name of /proc") != std::string::npos,
      text);
  BOOST_TEST(text.find("# not offered: \"relative\": it is known by no path") != std::string::npos, text);
  BOOST_TEST(text.find("# not offered: \"/opt/\\xff\": isn't UTF-8") != std::string::npos, text);
  BOOST_TEST(text.starts_with("[commands]\nallow = [\n  \"env\",  # the command itself\n]\n"), text);
  machine.taken(text);
}

BOOST_AUTO_TEST_CASE(a_script_whose_interpreter_can_not_be_offered_is_not) {
  const Learning machine;
  const auto own = machine.program("src/app/python3", "echo\n");
  const auto script = machine.program("bin/script", "#!" + own + "\n");
  LearnedPrograms learned({});
  learned.add({script, "/usr/bin/make", true});
  learned.add({own, "/usr/bin/make", true});
  learned.add({machine.tool, "/usr/bin/make", true});
  const auto text = machine.toml(learned);
  BOOST_TEST(text.starts_with("[commands]\nallow = [\n  \"tool\",  # started by make\n]\n"), text);
  BOOST_TEST(text.find("# not offered: \"" + script + "\" (started by make): is a script that") != std::string::npos,
             text);
}

BOOST_AUTO_TEST_CASE(what_is_listed_already_is_not_offered_again) {
  const Learning machine("[commands]\nallow = [\"env\"]\n");
  LearnedPrograms learned({});
  learned.add({"/usr/bin/env", "", true});
  BOOST_TEST(machine.toml(learned) == "# Nothing to add to [commands] allow.\n");
  learned.add({machine.tool, "", true});
  BOOST_TEST(machine.toml(learned) ==
             "# In place of the [commands] that stands in the spec, with what it lists:\n[commands]\nallow = [\n"
             "  \"env\",\n  \"tool\",  # new\n]\n");
}

BOOST_AUTO_TEST_CASE(a_list_that_is_not_whole_says_so) {
  const Learning machine;
  LearnedPrograms learned({});
  learned.add({machine.tool, "/a\n[files]\nwrite = [\"~/\"]", true});
  const auto text = machine.toml(learned, false);
  BOOST_TEST(text.starts_with("# Not whole: programs are missing here.\n"), text);
  BOOST_TEST(text.find("\nwrite") == std::string::npos, text);  // a parent's name begins no line
  BOOST_TEST(learned.is_whole());
  for (int i = 0; i < 5000; ++i) learned.add({"/x" + std::to_string(i), "", true});
  BOOST_TEST(!learned.is_whole());
}

BOOST_AUTO_TEST_SUITE_END()
