// SPDX-License-Identifier: Apache-2.0
#include "tools/store.hpp"

#include <sys/stat.h>

#include <boost/test/unit_test.hpp>

#include "../host/temporary_folder.hpp"

using namespace lnk::host;
using lnk::Code;

namespace {

ToolDefinition tool_of(const std::string& name) {
  ToolDefinition tool;
  tool.name = name;
  tool.argv = {"/usr/bin/true"};
  return tool;
}

unsigned mode_of(const std::string& path) {
  struct stat about {};
  BOOST_REQUIRE(::stat(path.c_str(), &about) == 0);
  return about.st_mode & 0777U;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_is_kept_for_its_owner_alone_and_removed_with_its_log) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder.path() / "settings");
  BOOST_REQUIRE(settings);
  BOOST_TEST(list_tools(*settings)->empty());
  const auto none = load_tool(*settings, "files");
  BOOST_TEST((!none && none.error().code == Code::Gone &&
              none.error().text.find("lnk-sandbox tool add files") != std::string::npos));
  for (const auto* name : {"a", "a-b", "files"}) BOOST_TEST(keep_tool(*settings, tool_of(name)).has_value());
  BOOST_TEST(open_tool_log(*settings, "files").has_value());
  BOOST_TEST(*list_tools(*settings) == (std::vector<std::string>{"a", "a-b", "files"}));
  BOOST_TEST(mode_of(folder / "settings/tools") == 0700U);
  BOOST_TEST(mode_of(folder / "settings/tools/files.json") == 0600U);
  BOOST_TEST(mode_of(folder / "settings/tools/files.log") == 0600U);
  BOOST_TEST(load_tool(*settings, "files")->argv.front() == "/usr/bin/true");
  BOOST_TEST(*remove_tool(*settings, "files"));
  BOOST_TEST(!*remove_tool(*settings, "files"));
  BOOST_TEST(!std::filesystem::exists(folder / "settings/tools/files.log"));
  BOOST_TEST(*list_tools(*settings) == (std::vector<std::string>{"a", "a-b"}));
}

BOOST_AUTO_TEST_CASE(one_that_is_not_whole_or_of_another_name_is_refused) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder.path() / "settings");
  BOOST_REQUIRE(settings);
  BOOST_REQUIRE(settings->write("tools/files.json", *tool_text(tool_of("other"))));
  BOOST_TEST(load_tool(*settings, "files").error().text.find("is of another tool") != std::string::npos);
  BOOST_REQUIRE(settings->write("tools/files.json", "{}"));
  const auto broken = load_tool(*settings, "files");
  BOOST_TEST((!broken && broken.error().text.find("tools/files.json") != std::string::npos &&
              broken.error().text.find("add it again") != std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_log_that_is_anothers_way_is_not_written) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder.path() / "settings");
  BOOST_REQUIRE(settings);
  BOOST_REQUIRE(keep_tool(*settings, tool_of("files")));
  const auto target = folder.file("target");
  static_cast<void>(folder.link("settings/tools/files.log", target));
  BOOST_TEST(!open_tool_log(*settings, "files"));
  std::filesystem::remove(folder / "settings/tools/files.log");
  BOOST_REQUIRE(::mkfifo((folder / "settings/tools/files.log").c_str(), 0600) == 0);
  BOOST_TEST(!open_tool_log(*settings, "files"));
  std::filesystem::remove(folder / "settings/tools/files.log");
  static_cast<void>(folder.file("settings/tools/files.log"));
  std::filesystem::permissions(folder / "settings/tools/files.log", std::filesystem::perms(0644));
  BOOST_TEST(!open_tool_log(*settings, "files"));
}

BOOST_AUTO_TEST_CASE(a_tool_that_changed_is_not_the_one_that_was_approved) {
  const TemporaryFolder folder;
  const auto settings = Settings::open(folder.path() / "settings");
  BOOST_REQUIRE(settings);
  BOOST_REQUIRE(keep_tool(*settings, tool_of("files")));
  const auto granted = granted_of(tool_of("files"));
  BOOST_TEST(load_granted_tool(*settings, granted).has_value());
  auto other = tool_of("files");
  other.argv.emplace_back("--more");
  BOOST_REQUIRE(keep_tool(*settings, other));
  const auto stale = load_granted_tool(*settings, granted);
  BOOST_TEST((!stale && stale.error().text.starts_with("snapshot-stale: ")));
}
