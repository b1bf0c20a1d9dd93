// SPDX-License-Identifier: Apache-2.0
#include "dot_files/find.hpp"

#include <sys/stat.h>

#include "dot_files/hook_text.hpp"
#include "dot_files_home.hpp"

namespace {

using namespace lnk::host;

using Names = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(find_dot_files)

BOOST_AUTO_TEST_CASE(missing_names_that_something_would_read_are_held) {
  const Home home;
  BOOST_TEST((home.held() == Names{"app/.git?", "app/.idea?", "app/.vscode?", "app/HEAD?"}), home.held());
}

BOOST_AUTO_TEST_CASE(what_is_there_is_held_as_it_is) {
  const Home home;
  home.repository("app");
  for (const char* name : {".envrc", ".vscode/tasks.json", ".husky/pre-commit", ".pre-commit-config.yaml", "lefthook.yml", ".lefthook-local.json"})
    home.folder.file(std::string("app/") + name);
  BOOST_TEST((home.held() == Names{"app/.envrc", "app/.git", "app/.husky", "app/.idea?", "app/.lefthook-local.json",
                                   "app/.pre-commit-config.yaml", "app/.vscode", "app/lefthook.yml"}),
             home.held());
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_opened_or_only_read_has_none) {
  Home home;
  home.repository("app");
  home.files = {home.written("app", true)};
  BOOST_TEST(home.held().empty());
  home.files = {home.written("app")};
  home.files[0].access = Access::Read;
  BOOST_TEST(home.held().empty());
  home.files = {home.written("missing")};
  BOOST_TEST(home.held().empty());
}

BOOST_AUTO_TEST_CASE(what_another_grant_closes_needs_no_holding) {
  Home home;
  home.repository("app");
  home.folder.folder("app/.vscode");
  home.files.push_back({Access::Read, home.app + "/.git", home.app + "/.git", FileKind::Folder, false, false});
  home.files.push_back({Access::Hide, home.app + "/.vscode", home.app + "/.vscode", FileKind::Folder, false, false});
  BOOST_TEST((home.held() == Names{"app/.idea?"}), home.held());
}

BOOST_AUTO_TEST_CASE(a_folder_inside_that_is_opened_stays_open) {
  Home home;
  home.repository("app/agent");
  home.files.push_back(home.written("app/agent", true));
  home.holds("app/.git?");
  home.holds_not("app/agent/.git");
}

BOOST_AUTO_TEST_CASE(nothing_is_put_into_the_home_or_a_shared_folder) {
  Home home;
  home.shared = home.app;
  home.folder.folder("app/.vscode");
  BOOST_TEST((home.held() == Names{"app/.vscode"}), home.held());
  home.files = {home.written("app/below")};
  home.folder.folder("app/below");
  home.holds("app/below/.git?");
}

BOOST_AUTO_TEST_CASE(a_protected_name_that_is_a_link_is_refused) {
  for (const char* name : {".git", ".vscode", ".envrc", ".husky", "lefthook.yml"}) {
    const Home home;
    home.folder.link(std::string("app/") + name, "elsewhere");
    home.refuses("is a link");
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_or_a_folder_without_entry_is_never_opened) {
  const Home home;
  BOOST_REQUIRE(::mkfifo((home.app + "/.git").c_str(), 0600) == 0);
  home.refuses("neither a folder nor a file");
  const Home other;
  other.folder.file("app/.git/HEAD", "ref: refs/heads/x\n");
  other.folder.folder("app/.git/objects");
  other.folder.folder("app/.git/refs");
  for (const char* name : {"config", "index", "commondir", "config.worktree"})
    BOOST_REQUIRE(::mkfifo((other.app + "/.git/" + name).c_str(), 0600) == 0);
  BOOST_REQUIRE(::mkfifo((other.app + "/.gitmodules").c_str(), 0600) == 0);
  other.holds("app/.git");
}

BOOST_AUTO_TEST_CASE(the_hooks_that_settings_name_are_held) {
  const Home home;
  home.repository("app");
  home.folder.file("app/scripts/hooks/pre-commit");
  home.git("config core.hooksPath scripts/hooks");
  home.holds("app/scripts/hooks");
  home.git("config core.hooksPath deep/er/hooks");
  home.holds("app/deep?");
  home.git("config core.hooksPath ../../elsewhere");
  BOOST_TEST((home.held() == Names{"app/.git", "app/.idea?", "app/.vscode?"}), home.held());
  home.git("config core.hooksPath " + home.app + "/scripts");
  home.holds("app/scripts");
  home.git("config core.hooksPath '~/app/scripts'");
  home.holds("app/scripts");
}

BOOST_AUTO_TEST_CASE(relative_hooks_are_those_of_every_folder_that_git_runs_them_in) {
  const Home home;
  home.repository("app");
  home.git("config core.hooksPath hooks");
  home.git("config core.worktree ../src");
  home.folder.file("app/src/.pre-commit-config.yaml");
  for (const char* name : {"app/src/hooks?", "app/hooks?", "app/src/.pre-commit-config.yaml"}) home.holds(name);
  home.holds_not("app/other/hooks?");
  home.git("config --unset core.worktree");
  home.holds_not("app/src/hooks?");
  // A push into it runs them in the git folder.
  home.git("config core.hooksPath ../pushed");
  home.holds("app/pushed?");
}

BOOST_AUTO_TEST_CASE(links_in_a_work_tree_that_settings_name_are_seen) {
  const Home home;
  home.repository("app");
  home.git("config core.hooksPath hooks");
  home.git("config core.worktree ../to");
  home.folder.folder("app/src");
  home.folder.link("app/to", "src");
  home.refuses("is a link");
}

BOOST_AUTO_TEST_CASE(links_at_any_depth_in_a_protected_folder_are_held_where_they_lead) {
  const Home home;
  home.folder.file("app/tools/task");
  home.folder.file("app/shared/deep/run");
  home.folder.file("app/last");
  home.folder.link("app/.vscode/a/b/task", "../../../tools/task");
  home.folder.link("app/.idea/shared", "../shared");
  home.folder.link("app/shared/deep/last", "../../last");
  for (const char* name : {"app/tools/task", "app/shared", "app/last"}) home.holds(name);
  home.holds_not("app/tools");
  home.folder.link("app/.vscode/round", ".");
  home.holds("app/tools/task");
}

BOOST_AUTO_TEST_CASE(a_protected_folder_that_can_not_be_looked_through_is_refused) {
  const Home deep;
  std::string way = "app/.vscode";
  for (int i = 0; i < 20; ++i) way += "/d";
  deep.folder.file(way + "/x");
  deep.refuses("deeper");
  const Home wide;
  for (int i = 0; i < 17000; ++i) wide.folder.file("app/.idea/" + std::to_string(i), "");
  wide.refuses("more than");
}

BOOST_AUTO_TEST_CASE(a_relative_hooks_folder_of_the_persons_is_taken_at_each_folder) {
  const Home home;
  home.folder.file(".gitconfig", "[core]\n\thooksPath = .githooks\n");
  home.folder.file("app/.githooks/post-checkout");
  home.holds("app/.githooks");
  const Home empty;
  empty.folder.file(".gitconfig", "[core]\n\thooksPath = .githooks\n");
  empty.holds("app/.githooks?");
}

BOOST_AUTO_TEST_CASE(hooks_in_the_folder_itself_or_by_a_link_are_refused) {
  const Home home;
  home.repository("app");
  home.git("config core.hooksPath .");
  home.refuses("written as a whole");
  home.git("config core.hooksPath to/hooks");
  home.folder.link("app/to", "elsewhere");
  home.refuses("is a link");
}

BOOST_AUTO_TEST_CASE(a_hook_that_is_a_link_is_held_where_it_leads) {
  const Home home;
  home.repository("app");
  home.folder.file("app/tools/check");
  home.folder.link("app/.git/hooks/pre-commit", "../../tools/check");
  home.holds("app/tools/check");
}

BOOST_AUTO_TEST_CASE(included_settings_are_held_whatever_their_condition) {
  const Home home;
  home.repository("app");
  home.folder.file("app/shared/gitconfig", "[include]\n\tpath = more\n[core]\n\thooksPath = from-shared\n");
  home.folder.file("app/shared/more", "[core]\n\thooksPath = from-more\n");
  home.folder.file("app/only", "");
  home.git("config include.path ../shared/gitconfig");
  home.git("config includeIf.gitdir:/nowhere/.path ../only");
  for (const char* name : {"app/shared/gitconfig", "app/shared/more", "app/only", "app/from-shared?", "app/from-more?"}) home.holds(name);
  home.git("config include.path ../missing");
  home.refuses("isn't there");
}

BOOST_AUTO_TEST_CASE(the_persons_settings_kept_in_a_written_folder_are_held) {
  const Home home;
  home.folder.file("app/dots/gitconfig", "[core]\n\thooksPath = dots/hooks\n");
  home.folder.link(".gitconfig", "app/dots/gitconfig");
  home.holds("app/dots/gitconfig");
  home.holds("app/dots/hooks?");
}

BOOST_AUTO_TEST_CASE(settings_that_include_themselves_or_go_on_are_refused_or_end) {
  const Home home;
  home.repository("app");
  home.git("config include.path config");
  home.holds("app/.git");
  for (int i = 0; i < 12; ++i)
    home.folder.file("chain" + std::to_string(i), "[include]\n\tpath = chain" + std::to_string(i + 1) + "\n");
  home.folder.file(".gitconfig", "[include]\n\tpath = chain0\n");
  const auto found = home.find();
  BOOST_REQUIRE(!found.refusals.empty());
  BOOST_TEST(found.refusals.front().find("deeper") != std::string::npos, found.refusals.front());
}

BOOST_AUTO_TEST_CASE(a_hook_managers_files_are_held_where_hooks_or_settings_call_it) {
  const Home home;
  home.repository("app");
  home.holds_not("app/.pre-commit-config.yaml?");
  home.folder.file("app/.git/hooks/pre-commit", "#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\nexec python3 -mpre_commit\n");
  home.holds("app/.pre-commit-config.yaml?");
  home.holds_not("app/lefthook.yml?");
  home.folder.file("app/.git/hooks/pre-push", "call_lefthook run pre-push\n");
  home.holds("app/lefthook.yml?");
  home.holds("app/.lefthook-local.toml?");
  home.git("config core.hooksPath .husky/_");
  home.holds("app/.husky?");
}

BOOST_AUTO_TEST_CASE(what_a_hook_manager_runs_and_reads_is_held_where_it_is_called) {
  const Home home;
  home.repository("app");
  for (const char* name : {".lefthook/pre-commit/check", ".config/lefthook.yml", ".overcommit.yml", "other.yaml", "prek.toml", "plain"})
    home.folder.file(std::string("app/") + name);
  for (const char* name : {"app/.lefthook", "app/.config/lefthook.yml", "app/.overcommit.yml", "app/other.yaml", "app/prek.toml"}) home.holds_not(name);
  home.folder.file("app/.git/hooks/pre-commit", "call_lefthook run \"pre-commit\" \"$@\"\n");
  for (const char* name : {"app/.lefthook", "app/.config/lefthook.yml", "app/.config/lefthook?", "app/.lefthook-local?"}) home.holds(name);
  home.folder.file("app/.git/hooks/pre-commit", "exec overcommit\n");
  home.holds("app/.overcommit.yml");
  home.holds("app/.git-hooks?");
  home.folder.file("app/.git/hooks/pre-commit", "ARGS=(hook-impl --config=other.yaml --hook-type=pre-commit)\nexec pre-commit \"${ARGS[@]}\" -c plain\n");
  for (const char* name : {"app/other.yaml", "app/plain", "app/.pre-commit-config.yaml?"}) home.holds(name);
  home.folder.file("app/.git/hooks/pre-commit", "prek hook-impl --config 'conf/new.toml' -c absent\n");
  for (const char* name : {"app/conf?", "app/prek.toml"}) home.holds(name);
  home.holds_not("app/absent?");
  // A hook that calls none names what it likes.
  home.folder.file("app/.git/hooks/pre-commit", "make --config=other.yaml\n");
  home.holds_not("app/other.yaml");
}

BOOST_AUTO_TEST_CASE(the_settings_that_a_hook_names_are_read_from_its_text) {
  const auto names = [](std::string_view text) {
    Names all;
    for (const auto& named : settings_named_in(text)) all.push_back(named.file + (named.is_sure ? "" : "?"));
    return all;
  };
  struct Case {
    std::string_view text;
    Names names;
  };
  const std::vector<Case> cases = {
      {"pre-commit run --config=a.yaml", {"a.yaml"}},
      {"pre-commit run --config a.yaml -c b.toml", {"a.yaml", "b.toml"}},
      {"pre-commit run -ca.yml --config=\"b c\"", {"a.yml", "b?"}},
      {"captainhook --configuration='x/captain.json'", {"x/captain.json"}},
      {"ARGS = ['hook-impl', '--config', 'it.yaml']", {"it.yaml"}},
      {"LEFTHOOK_CONFIG=mine.yml lefthook run; LEFTHOOK_CONFIG=\"two.yml\" x", {"mine.yml", "two.yml"}},
      {"git -c core.x=y status; sh -c 'make it'; x --config=$HOME/a.yml --config= -c -v", {"make?"}},
      {std::string_view("--config=a.yml\0--config=b.yml", 29), {"a.yml", "b.yml"}},
      {"--config", {}},
      {"", {}},
  };
  for (const auto& each : cases) BOOST_TEST((names(each.text) == each.names), each.text << ": " << names(each.text));
}

BOOST_AUTO_TEST_CASE(a_grant_inside_what_is_held_is_refused) {
  Home home;
  home.repository("app");
  home.files.push_back(home.written("app/.git/objects"));
  home.refuses("write ");
  home.files.pop_back();
  home.files.push_back(home.written("app/.vscode"));
  home.folder.folder("app/.vscode");
  home.refuses("written as a whole");
}

BOOST_AUTO_TEST_CASE(a_git_folder_is_written_only_where_it_is_opened) {
  Home home;
  home.git("init -q --bare", "bare");
  home.repository("app");
  // A repository at the folder goes before what its top may hold.
  home.folder.file("app/HEAD", "ref: refs/heads/main\n");
  home.folder.folder("app/objects");
  home.folder.folder("app/refs");
  home.holds("app/.git");
  for (const char* name : {"bare", "bare/hooks", "app/.git", "app/.git/hooks"}) {
    home.files = {home.written(name)};
    home.refuses("git folder");
    home.files = {home.written(name, true)};
    BOOST_TEST(home.held().empty());
  }
}

BOOST_AUTO_TEST_CASE(gitlinks_are_held_with_and_without_a_repository_there) {
  const Home home;
  home.repository("app");
  home.repository("app/libs/a");
  home.repository("app/libs/b");
  home.repository("app/libs/c");
  home.git("add libs");
  std::filesystem::remove_all(home.app + "/libs/b/.git");
  std::filesystem::remove_all(home.app + "/libs/c");
  home.git("config core.hooksPath .hooks", "app/libs/a");
  for (const char* name : {"app/libs/a/.git", "app/libs/b", "app/libs/c?", "app/libs/a/.hooks?"}) home.holds(name);
  home.git("update-index --index-version 4");
  home.holds("app/libs/b");
  home.git("update-index --split-index");
  home.holds("app/libs/b");
}

BOOST_AUTO_TEST_CASE(submodules_are_held_and_theirs) {
  const Home home;
  home.repository("inner");
  home.repository("lib");
  home.git("submodule --quiet add '" + (home.folder / "inner") + "' deep/inner", "lib");
  home.git("commit -q -m inner", "lib");
  home.repository("app");
  home.git("submodule --quiet add '" + (home.folder / "lib") + "' vendor/lib");
  home.git("submodule --quiet update --init --recursive");
  for (const char* name : {"app/.git", "app/vendor/lib/.git", "app/vendor/lib/deep/inner/.git"}) home.holds(name);
  home.folder.file("app/vendor/lib/hooks/x");
  home.folder.file("app/vendor/lib/.pre-commit-config.yaml");
  home.holds("app/vendor/lib/.pre-commit-config.yaml");
  home.git("config core.hooksPath hooks", "app/vendor/lib");
  home.holds("app/vendor/lib/hooks");
}

BOOST_AUTO_TEST_CASE(work_trees_below_the_top_and_beside_it_are_held) {
  Home home;
  home.repository("app");
  home.git("worktree add -q trees/one -b one");
  home.git("worktree add -q ../beside -b two");
  home.holds("app/trees/one/.git");
  // The work tree alone: what its .git points to isn't written.
  home.files = {home.written("beside")};
  BOOST_TEST((home.held() == Names{"beside/.git", "beside/.idea?", "beside/.vscode?"}), home.held());
  // In a wider grant it is, and lies at no folder's top.
  home.folder.folder("wide");
  std::filesystem::rename(home.app, home.folder / "wide/app");
  home.git("worktree repair ../../beside", "wide/app");
  home.files = {home.written("beside"), home.written("wide")};
  home.holds("wide/app/.git");
}

BOOST_AUTO_TEST_CASE(a_forged_pointer_opens_nothing) {
  Home home;
  home.repository("other");
  home.folder.file("app/.git", "gitdir: " + (home.folder / "other/.git") + "\n");
  BOOST_TEST((home.held() == Names{"app/.git", "app/.idea?", "app/.vscode?"}), home.held());
  home.files.push_back(home.written("other"));
  home.holds("other/.git");
  home.folder.file("app/.git", "gitdir: ../../../../../../../../dev/zero\n");
  home.holds("app/.git");
}

BOOST_AUTO_TEST_CASE(a_repository_around_the_folder_is_read_too) {
  Home home;
  home.repository("app");
  home.folder.folder("app/part");
  home.repository("app/part/linked");
  home.git("add part/linked");
  home.git("config core.hooksPath part/hooks");
  home.files = {home.written("app/part")};
  for (const char* name : {"app/part/.git?", "app/part/hooks?", "app/part/linked/.git"}) home.holds(name);
  // A HEAD there would stand in git's way.
  home.holds_not("app/part/HEAD?");
  BOOST_TEST(home.find().gaps.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
