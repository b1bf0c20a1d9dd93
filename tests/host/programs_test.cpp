// SPDX-License-Identifier: Apache-2.0
#include "resolve/programs.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "launch/program_watch.hpp"
#include "machine.hpp"
#include "spec/shown.hpp"

namespace {

using namespace lnk::host;

struct ListMachine : Machine {
  ListMachine() { root.folder("home/bin"); }

  /// An executable file; its text is no ELF and so needs no loader.
  std::string program(const std::string& name, const std::string& text = "echo\n") const {
    auto path = root.file("home/" + name, text);
    BOOST_REQUIRE(::chmod(path.c_str(), 0755) == 0);
    return path;
  }
  [[nodiscard]] std::string list(const std::string& allow,
                                 const std::string& files = "read = [\"~/bin\"]\nwrite = [\"~/src\"]\n") const {
    return "[files]\n" + files + "[env]\nset = { PATH = \"" + facts.home +
           "/bin:/usr/bin:/bin\" }\n[commands]\nallow = [" + allow + "]\n";
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(programs)

BOOST_AUTO_TEST_CASE(a_name_is_looked_up_once_on_the_sandboxs_path) {
  const ListMachine machine;
  const auto tool = machine.program("bin/tool");
  machine.root.link("home/bin/alias", "tool");
  const auto checked = machine.check_of(machine.list("\"tool\", \"alias\", \"~/bin/tool\""));
  BOOST_TEST(checked.refusals == std::vector<std::string>(), boost::test_tools::per_element());
  BOOST_REQUIRE(checked.grants.commands.has_value());
  BOOST_REQUIRE(checked.grants.commands->size() == 2U);  // one path is listed once
  BOOST_TEST((*checked.grants.commands)[0].path == machine.facts.home + "/bin/alias");
  BOOST_TEST((*checked.grants.commands)[0].target == tool);
  BOOST_TEST((*checked.grants.commands)[1].written == "tool");
  machine.refuses(machine.list("\"no-such-program-here\""), "there is no such program on the sandbox's PATH");
  machine.refuses(machine.list("\"~/bin/none\""), "isn't there");
}

BOOST_AUTO_TEST_CASE(what_a_path_outside_finds_first_but_inside_does_not_is_passed_over) {
  const ListMachine machine;
  machine.program("bin/env");
  BOOST_TEST((*machine.check_of(machine.list("\"env\"")).grants.commands)[0].path == machine.facts.home + "/bin/env");
  const auto elsewhere = machine.check_of(machine.list("\"env\"", "write = [\"~/src\"]\n"));
  BOOST_TEST((*elsewhere.grants.commands)[0].path == "/usr/bin/env");
}

BOOST_AUTO_TEST_CASE(no_list_an_empty_one_and_one_are_three_things) {
  const ListMachine machine;
  BOOST_TEST(!machine.check_of("[files]\nread = [\"~/bin\"]\n").grants.commands.has_value());
  const auto none = machine.check_of("[commands]\nallow = []\n");
  BOOST_REQUIRE(none.grants.commands.has_value());
  BOOST_TEST(none.grants.commands->empty());
  BOOST_TEST(machine.check_of("[commands]\n").grants.commands.has_value());
}

BOOST_AUTO_TEST_CASE(a_folder_is_written_with_a_slash_and_a_file_without) {
  const ListMachine machine;
  machine.program("bin/tool");
  machine.root.file("home/bin/text");
  machine.allows(machine.list("\"~/bin/\", \"~/bin/tool\""));
  machine.refuses(machine.list("\"~/bin\""), "write a / at its end");
  machine.refuses(machine.list("\"~/bin/tool/\""), "is no folder");
  machine.refuses(machine.list("\"~/bin/text\""), "can't be executed");
}

BOOST_AUTO_TEST_CASE(what_the_sandbox_writes_is_not_listed) {
  const ListMachine machine;
  machine.program("src/app/tool");
  machine.program("src/lib/tool");
  machine.root.folder("home/src/other");
  machine.refuses(machine.list("\"~/src/app/tool\""), "the sandbox can write it");
  machine.refuses(machine.list("\"~/src/app/\""), "the sandbox can write it");
  const std::string held = "read = [\"~/bin\", \"~/src/app/tool\", \"~/src/lib\"]\nwrite = [\"~/src\"]\n";
  machine.allows(machine.list("\"~/src/app/tool\", \"~/src/lib/\", \"~/src/lib/tool\"", held));
  machine.root.folder("home/src/lib/build");
  machine.refuses(machine.list("\"~/src/lib/\"", "read = [\"~/src\"]\nwrite = [\"~/src/lib/build\"]\n"),
                  "holds \"" + machine.facts.home + "/src/lib/build\"");
  machine.allows(machine.list("\"~/src/lib/tool\"", "read = [\"~/src\"]\nwrite = [\"~/src/lib/build\"]\n"));
  machine.allows(machine.list("\"~/src/lib/\"", "read = [\"~/src\"]\nwrite = [\"~/src/other\"]\n"));
}

BOOST_AUTO_TEST_CASE(what_is_not_seen_inside_is_not_listed) {
  const ListMachine machine;
  machine.program("own/tool");
  machine.refuses(machine.list("\"~/own/tool\""), "isn't there in the sandbox");
  machine.allows(machine.list("\"~/own/tool\"", "read = [\"~/own\"]\n"));
  machine.refuses(machine.list("\"~/own/tool\"", "read = [\"~/\"]\nhide = [\"~/own\"]\n"), "is hidden");
  machine.program(".ssh/tool");
  machine.refuses(machine.list("\"~/.ssh/tool\"", "read = [\"~/\"]\n"), "is closed");
  // The home stands inside a wider grant as an empty one of the sandbox's own.
  machine.refuses(
      machine.list("\"" + machine.root.path().native() + "/\"", "read = [\"" + machine.root.path().native() + "\"]\n"),
      "holds \"" + machine.facts.home + "\", which the sandbox can write");
}

BOOST_AUTO_TEST_CASE(what_others_may_write_is_not_listed) {
  const ListMachine machine;
  const auto tool = machine.program("bin/tool");
  BOOST_REQUIRE(::chmod(tool.c_str(), 0757) == 0);
  machine.refuses(machine.list("\"tool\""), "may be written by others");
  BOOST_REQUIRE(::chmod(tool.c_str(), 0755) == 0);
  machine.allows(machine.list("\"tool\""));
}

BOOST_AUTO_TEST_CASE(a_file_with_another_name_is_not_listed) {
  const ListMachine machine;
  const auto tool = machine.program("bin/tool");
  machine.allows(machine.list("\"tool\", \"~/bin/\""));
  BOOST_REQUIRE(::link(tool.c_str(), (machine.facts.home + "/src/app/other").c_str()) == 0);
  machine.refuses(machine.list("\"tool\""), "has another name too");
  machine.refuses(machine.list("\"~/bin/\""), "has another name too");
}

BOOST_AUTO_TEST_CASE(a_script_goes_with_its_interpreter) {
  const ListMachine machine;
  machine.program("bin/tool", "#!/bin/sh\n");
  machine.refuses(machine.list("\"tool\""), "add to allow = [\"sh\"]");
  machine.allows(machine.list("\"tool\", \"sh\""));
  machine.allows(machine.list("\"tool\", \"/usr/bin/\""));
  machine.program("bin/inner", "#!/bin/sh\n");
  machine.program("bin/tool", "#!/usr/bin/env -S inner -x\n");
  machine.refuses(machine.list("\"tool\", \"sh\""), "both must be listed; add to allow = [\"env\", \"inner\"]");
  machine.refuses(machine.list("\"tool\", \"sh\", \"inner\""), "add to allow = [\"env\"]");
  machine.allows(machine.list("\"tool\", \"sh\", \"inner\", \"env\""));
  machine.program("bin/tool", "#!sh\n");
  machine.refuses(machine.list("\"tool\", \"sh\""), "absolute path");
  machine.program("bin/tool", "#!/" + std::string(300, 'x') + "\n");
  machine.refuses(machine.list("\"tool\""), "longer than the 255 bytes");
}

BOOST_AUTO_TEST_CASE(loaders_come_with_the_list) {
  const ListMachine machine;
  const auto loaders = machine.check_of(machine.list("\"env\"")).loaders;
  BOOST_REQUIRE(loaders.size() == 1U);
  BOOST_TEST(loaders[0] == resolve_links(loaders[0]));
  BOOST_TEST(machine.check_of(machine.list("\"~/bin/\"")).loaders.size() >= 1U);
  machine.program("bin/tool");
  BOOST_TEST(machine.check_of(machine.list("\"tool\"")).loaders.empty());
}

BOOST_AUTO_TEST_CASE(a_typed_program_leads_by_no_link_but_the_systems) {
  const ListMachine machine;
  machine.program("bin/tool");
  machine.root.link("home/bin/alias", "tool");
  const auto refusals_of = [&](const ProgramGrant& typed) {
    Spec flags;
    flags.files.read.push_back({"~/bin", PathBase::Home, "bin", false, {}});
    flags.commands.emplace();
    flags.commands->allow.push_back(typed);
    return check(resolve({{&flags, "", machine.facts.home}}, machine.facts), machine.facts, {}, {}).refusals;
  };
  BOOST_TEST(
      refusals_of({"bin/alias", "", {"bin/alias", PathBase::SpecFolder, "bin/alias", false, {}}, false, {}}).size() ==
      1U);
  BOOST_TEST(
      refusals_of({"bin/tool", "", {"bin/tool", PathBase::SpecFolder, "bin/tool", false, {}}, false, {}}).empty());
  BOOST_TEST(refusals_of({"/bin/sh", "", {"/bin/sh", PathBase::Root, "bin/sh", false, {}}, false, {}}).empty());
}

BOOST_AUTO_TEST_CASE(the_shortest_name_that_finds_the_file_is_written) {
  const ListMachine machine;
  const auto tool = machine.program("bin/tool");
  machine.root.link("home/bin/alias", "tool");
  const auto checked = machine.check_of(machine.list(""));
  const auto ground = ground_for_programs(checked.grants, checked.closed);
  BOOST_TEST(name_to_list(tool, machine.facts.home + "/bin/alias", ground) == "alias");
  BOOST_TEST(name_to_list(tool, tool, ground) == "tool");
  const auto other = machine.program("src/tool");
  BOOST_TEST(name_to_list(other, other, ground) == "~/src/tool");
  BOOST_TEST(name_to_list("/opt/x/y", "/opt/x/y", ground) == "/opt/x/y");
  BOOST_TEST(name_to_list("/opt/a*b", "/opt/a*b", ground).empty());
  BOOST_TEST(name_to_list("/opt/a\xff", "/opt/a\xff", ground).empty());
}

BOOST_AUTO_TEST_CASE(each_refused_program_is_said_once_and_not_without_end) {
  RefusedPrograms refused("spec.toml:12", {"/usr/bin/listed"});
  BOOST_TEST(refused.words_of("/usr/bin/curl") ==
             "refused to run /usr/bin/curl: not in [commands] allow (spec.toml:12)");
  BOOST_TEST(refused.words_of("/usr/bin/curl").empty());
  BOOST_TEST(refused.words_of("/a\x1b[2J") == "refused to run /a\\x1b[2J: not in [commands] allow (spec.toml:12)");
  BOOST_TEST(refused.words_of("/usr/bin/listed") ==
             "refused to run /usr/bin/listed: it was replaced since the run began, and [commands] allow (spec.toml:12) holds the "
             "file that was there; start the run again");
  for (std::size_t i = 3; i < kRefusedNamesMax; ++i) BOOST_TEST(!refused.words_of("/x" + std::to_string(i)).empty());
  BOOST_TEST(refused.words_of("/y").find("further programs") == 0U);
  BOOST_TEST(refused.words_of("/z").empty());
}

BOOST_AUTO_TEST_CASE(a_toml_string_holds_any_text) {
  BOOST_TEST(toml_string("git") == "\"git\"");
  BOOST_TEST(toml_string("a\"b\\c") == "\"a\\\"b\\\\c\"");
  BOOST_TEST(toml_string("a\nb\x1b") == "\"a\\U0000000ab\\U0000001b\"");
  BOOST_TEST(toml_string("caf\xc3\xa9 \xe2\x80\xae") == "\"caf\xc3\xa9 \\U0000202e\"");
  for (const std::string text : {"a\"b\\c\n\t\x7f", "\xe2\x80\xae\xef\xbb\xbf"}) {
    const auto parsed = parse_spec("[commands]\nallow = [" + toml_string(text) + "]\n", "s");
    BOOST_REQUIRE(parsed.ok());
    BOOST_TEST(parsed.spec.commands->allow[0].name == text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
