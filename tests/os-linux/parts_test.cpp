// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_DYN_LINK
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

extern "C" {
#include "inside/config.h"
}
#include "launch/inside_config.hpp"
#include "launch/pin.hpp"
#include "lnk/abi/confiner.h"
#include "lnk/cpp/view.hpp"
#include "lnk/posix/memory_file.hpp"
#include "machine.hpp"
#include "survey/bubblewrap.hpp"
#include "survey/folder_walk.hpp"
#include "survey/landlock.hpp"

namespace {

using namespace lnk::os_linux;
namespace fs = std::filesystem;

class TempFolder {
 public:
  TempFolder() {
    std::string name = "/tmp/lnk-parts-XXXXXX";
    BOOST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~TempFolder() { fs::remove_all(path_); }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  std::string file(const std::string& name, mode_t mode = 0644) const {
    fs::create_directories(fs::path(*this / name).parent_path());
    std::ofstream(*this / name) << "x";
    BOOST_REQUIRE(::chmod((*this / name).c_str(), mode) == 0);
    return *this / name;
  }

 private:
  std::string path_;
};

std::vector<lnk_str> texts(std::initializer_list<std::string_view> all) {
  std::vector<lnk_str> out;
  for (const std::string_view text : all) out.push_back(lnk::to_str(text));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pins)

BOOST_AUTO_TEST_CASE(a_link_anywhere_in_a_path_is_refused) {
  const TempFolder folder;
  const std::string file = folder.file("real/file");
  fs::create_directory_symlink(folder / "real", folder / "link");
  fs::create_symlink(file, folder / "last");
  for (auto* open : {&pin, &pin_by_parts}) {
    auto held = open(file);
    BOOST_REQUIRE(held.has_value());
    BOOST_TEST((held->kind == FileKind::File));
    BOOST_TEST((open(folder / "real").value().kind == FileKind::Folder));
    for (const std::string& path : {folder / "link", folder / "link/file", folder / "last"}) {
      auto refused = open(path);
      BOOST_REQUIRE(!refused.has_value());
      BOOST_TEST(refused.error().os_errno == ELOOP);
      BOOST_TEST(!is_missing(refused.error()));
    }
    BOOST_TEST(is_missing(open(folder / "none").error()));
    BOOST_TEST(is_missing(open(file + "/below").error()));
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_is_told_apart_and_a_device_is_denied) {
  const TempFolder folder;
  BOOST_REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  BOOST_TEST((pin(folder / "pipe").value().kind == FileKind::Special));
  auto refused = pin("/dev/null");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == lnk::Code::Denied));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(surveys)

BOOST_AUTO_TEST_CASE(a_survey_is_read_back_as_it_was) {
  const Survey survey = lnk::test::debian();
  const std::string text = survey_json(survey);
  auto back = parse_survey(text);
  BOOST_REQUIRE(back.has_value());
  BOOST_TEST(survey_json(*back) == text);
  BOOST_TEST(text.find("\"keep\":true") != std::string::npos);
  for (const std::string& broken : {std::string(), text.substr(1), text.substr(0, text.size() - 1), std::string("{}"),
                                    std::string("{\"version\":2}")})
    BOOST_TEST(!parse_survey(broken).has_value());
}

BOOST_AUTO_TEST_CASE(what_failed_is_not_kept) {
  Survey survey = lnk::test::debian();
  survey.bubblewrap.problem = "no";
  BOOST_TEST(survey_json(survey).find("\"keep\":false") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(entries_that_others_cannot_read_are_closed) {
  const TempFolder folder;
  folder.file("open/readable");
  folder.file("open/owner", 0600);
  folder.file("open/group", 0640);
  folder.file("none", 0000);
  folder.file("shut/inside");
  folder.file("listless/inside", 0600);
  BOOST_REQUIRE(::chmod((folder / "shut").c_str(), 0700) == 0);
  BOOST_REQUIRE(::chmod((folder / "listless").c_str(), 0711) == 0);
  const auto closed = find_closed_entries(folder / ".");
  std::vector<std::string> names;
  for (const ClosedEntry& entry : closed)
    names.push_back(entry.path.substr((folder / "./").size()) + (entry.is_folder ? "/" : ""));
  const std::vector<std::string> wanted = {"listless/", "open/group", "open/owner", "shut/"};
  BOOST_TEST(names == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(proc_sys_is_always_read_only) {
  const auto entries = find_writable_proc_entries();
  BOOST_TEST((std::find(entries.begin(), entries.end(), "/proc/sys") != entries.end()));
}

BOOST_AUTO_TEST_CASE(a_bubblewrap_that_others_may_write_or_that_is_setuid_is_denied) {
  const TempFolder folder;
  const auto code_of = [](const std::string& path) {
    auto held = hold_bubblewrap(path);
    return held ? 0 : static_cast<int>(held.error().code);
  };
  BOOST_TEST(code_of(folder.file("good/bwrap", 0755)) == 0);
  BOOST_TEST(code_of(folder.file("setuid/bwrap", 04755)) == LNK_E_DENIED);
  BOOST_TEST(code_of(folder.file("loose/bwrap", 0775)) == LNK_E_DENIED);
  const std::string in_loose = folder.file("loose_folder/bwrap", 0755);
  BOOST_REQUIRE(::chmod((folder / "loose_folder").c_str(), 0777) == 0);
  BOOST_TEST(code_of(in_loose) == LNK_E_DENIED);
  fs::create_symlink(folder / "good/bwrap", folder / "link");
  BOOST_TEST(code_of(folder / "link") == LNK_E_DENIED);
  BOOST_TEST(code_of(folder / "none") == LNK_E_GONE);
}

BOOST_AUTO_TEST_CASE(a_refusal_names_the_layer_and_its_mend) {
  const Refusers none{}, kernel{true, false, false, false}, debian_key{false, true, false, false}, ubuntu{false, false, true, false},
      container{false, false, false, true};
  const auto says = [](const std::string& mend, const std::string& part) { return mend.find(part) != std::string::npos; };
  BOOST_TEST(says(mend_for("bwrap: Unknown option --ro-bind-fd", ubuntu), "0.10"));
  // As bubblewrap 0.8 says it where the kernel refuses.
  const char* refused =
      "bwrap: No permissions to create new namespace, likely because the kernel does not allow "
      "non-privileged user namespaces.";
  BOOST_TEST(says(mend_for(refused, none), "the kernel or an outer container refuses"));
  BOOST_TEST(says(mend_for(refused, kernel), "user.max_user_namespaces"));
  BOOST_TEST(says(mend_for(refused, debian_key), "kernel.unprivileged_userns_clone = 1"));
  BOOST_TEST(says(mend_for(refused, container), "an outer container refuses"));
  // Recorded of Ubuntu 24.04 with bubblewrap 0.9.0 (containers/bubblewrap issue 632, sandbox-runtime issue 74): the
  // namespace is made, and what must be done in it is refused. No such machine was at hand.
  for (const char* recorded : {"bwrap: setting up uid map: Permission denied", "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted"}) {
    BOOST_TEST(says(mend_for(recorded, ubuntu), "AppArmor refuses"), recorded);
    BOOST_TEST(says(mend_for(recorded, ubuntu), "bwrap-userns-restrict"), recorded);
    BOOST_TEST(!says(mend_for(recorded, none), "AppArmor"), recorded);
  }
  for (const Refusers& any : {none, debian_key, ubuntu, container}) BOOST_TEST(mend_for("bwrap: something else", any).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(inside)

BOOST_AUTO_TEST_CASE(a_config_is_read_back_as_it_was_written) {
  const auto argv = texts({"prog", "", "a b"});
  const auto env = texts({"A=1", "B="});
  const sock_filter filter[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  InsideConfig written{"/w",
                       argv,
                       env,
                       {4, 5, 6},
                       {6, 0xff, 3},
                       {{7, "/x"}, {9, "/y z"}},
                       {{LNK_INSIDE_CHECK_READ_ONLY, 12, 5, 77, "/z"}},
                       filter,
                       true,
                      {},
                      LNK_TERMINAL_STDIN | LNK_TERMINAL_STDERR | LNK_TERMINAL_IN_FRONT};
  auto bytes = write_inside_config(written);
  BOOST_REQUIRE(bytes.has_value());
  auto file = lnk::posix::make_sealed_file("test", *bytes);
  BOOST_REQUIRE(file.has_value());
  config read{};
  BOOST_REQUIRE(read_config(file->get(), &read) == 0);
  BOOST_TEST(std::string(read.cwd) == "/w");
  BOOST_TEST(std::string(read.argv[2]) == "a b");
  BOOST_TEST((read.argv[3] == nullptr));
  BOOST_TEST(std::string(read.env[1]) == "B=");
  BOOST_TEST(read.rules[1].access == 9U);
  BOOST_TEST(std::string(read.rules[1].path) == "/y z");
  BOOST_TEST(std::string(read.checks[0].path) == "/z");
  BOOST_TEST(read.checks[0].what.inode == 77U);
  BOOST_TEST(read.checks[0].what.step == 12U);
  BOOST_TEST(static_cast<const sock_filter*>(read.filter)->k == SECCOMP_RET_ALLOW);
  BOOST_TEST(read.head.flags == (std::uint32_t{LNK_INSIDE_FILTER_IS_ON} | 5U * LNK_INSIDE_TERMINAL | LNK_INSIDE_IN_FRONT));
}

BOOST_AUTO_TEST_CASE(a_config_that_is_cut_or_changed_is_refused_or_reads_within_itself) {
  const auto argv = texts({"prog", "arg"});
  const auto env = texts({"A=1"});
  const sock_filter filter[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  auto bytes =
      write_inside_config({"/w", argv, env, {4, 5, 6}, {6, 0xff, 3}, {{7, "/x"}}, {{1, 2, 3, 4, "/z"}}, filter, false, {}, 0});
  BOOST_REQUIRE(bytes.has_value());
  const auto read = [](const std::string& text) {
    auto file = lnk::posix::make_sealed_file("test", text);
    BOOST_REQUIRE(file.has_value());
    config out{};
    return read_config(file->get(), &out);
  };
  BOOST_TEST(read(*bytes) == 0);
  for (std::size_t size = 0; size < bytes->size(); ++size) BOOST_TEST(read(bytes->substr(0, size)) != 0, size);
  BOOST_TEST(read(*bytes + '\0') != 0);
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    std::string changed = *bytes;
    for (int changes = 1 + round % 3; changes > 0; --changes)
      changed[random() % changed.size()] = static_cast<char>(random());
    (void)read(changed);  // under the sanitizers: it never reads past its bytes
  }
}

BOOST_AUTO_TEST_CASE(a_config_that_may_be_changed_later_is_refused) {
  const auto argv = texts({"prog"});
  auto bytes = write_inside_config({"/", argv, {}, {4, 5, 6}, {}, {}, {}, {}, false, {}, 0});
  BOOST_REQUIRE(bytes.has_value());
  const TempFolder folder;
  std::ofstream(folder / "config", std::ios::binary) << *bytes;
  const int file = ::open((folder / "config").c_str(), O_RDONLY | O_CLOEXEC);
  config out{};
  BOOST_TEST(read_config(file, &out) != 0);
  ::close(file);
}

BOOST_AUTO_TEST_CASE(texts_that_no_program_can_be_given_are_invalid) {
  const auto argv = texts({"prog"});
  const std::string nul("a\0b", 3);
  BOOST_TEST(write_inside_config({"/", argv, {}, {4, 5, 6}, {}, {}, {}, {}, false, {}, 0}).has_value());
  BOOST_TEST(!write_inside_config({"/", texts({nul}), {}, {4, 5, 6}, {}, {}, {}, {}, false, {}, 0}).has_value());
  BOOST_TEST(!write_inside_config({"/", texts({""}), {}, {4, 5, 6}, {}, {}, {}, {}, false, {}, 0}).has_value());
  BOOST_TEST(!write_inside_config({"/", {}, {}, {4, 5, 6}, {}, {}, {}, {}, false, {}, 0}).has_value());
  BOOST_TEST(!write_inside_config({"w", argv, {}, {4, 5, 6}, {}, {}, {}, {}, false, {}, 0}).has_value());
  for (const std::string& variable : {nul, std::string("=x"), std::string("x"), std::string()})
    BOOST_TEST(!write_inside_config({"/", argv, texts({variable}), {4, 5, 6}, {}, {}, {}, {}, false, {}, 0}).has_value());
}

BOOST_AUTO_TEST_CASE(a_right_of_folders_is_never_given_on_a_file) {
  const Landlock held{7, 0xffff, 3};
  for (const auto rule : {RuleClass::List, RuleClass::Read, RuleClass::Write, RuleClass::Process, RuleClass::Device}) {
    BOOST_TEST((rights_of(rule, true, held, false) & ~kFileRights) == 0U);
    const Landlock old{2, kBaseRights | kRefer, 0};
    BOOST_TEST((rights_of(rule, false, old, false) & ~old.fs) == 0U);
    BOOST_TEST((rights_of(rule, false, {9, 0x1ffff, 3}, false) & kResolveUnix) == 0U, "a socket of the machine would be open");
  }
  BOOST_TEST((rights_of(RuleClass::Read, false, held, false) & kWriteFile) == 0U);
  BOOST_TEST(rights_of(RuleClass::Write, false, held, false) == held.fs);
  const Landlock newest{9, 0x1ffff, 3};
  BOOST_TEST(rights_of(RuleClass::Write, false, newest, false) == 0xffffU);
}

BOOST_AUTO_TEST_CASE(no_path_gives_the_right_to_reach_sockets_of_the_machine) {
  const Landlock held{9, 0x1ffff, 3};
  for (const auto rule : {RuleClass::List, RuleClass::Read, RuleClass::Write, RuleClass::Process, RuleClass::Device}) {
    BOOST_TEST((rights_of(rule, false, held, false) & kResolveUnix) == 0U);
    BOOST_TEST((rights_of(rule, true, held, false) & kResolveUnix) == 0U);
  }
  BOOST_TEST(rights_of(RuleClass::Write, false, held, false) == 0xffffU);
}

BOOST_AUTO_TEST_CASE(landlock_steps_down_to_what_works) {
  const auto all = [](const Landlock&) { return true; };
  const auto no_scopes = [](const Landlock& level) { return level.scoped == 0; };
  const auto no_sockets = [](const Landlock& level) { return (level.fs & kResolveUnix) == 0; };
  const auto nothing = [](const Landlock&) { return false; };
  struct Row {
    std::uint32_t reported;
    bool (*works)(const Landlock&);
    std::uint32_t level;
    std::uint64_t fs;
    std::uint64_t scoped;
  };
  const Row rows[] = {
      {0, all, 0, 0, 0},
      {1, all, 0, 0, 0},
      {2, all, 2, 0x3fff, 0},
      {3, all, 3, 0x7fff, 0},
      {4, all, 4, 0x7fff, 0},
      {5, all, 5, 0xffff, 0},
      {6, all, 6, 0xffff, 3},
      {7, all, 7, 0xffff, 3},
      {8, all, 8, 0xffff, 3},
      {9, all, 9, 0x1ffff, 3},
      {10, all, 10, 0x1ffff, 3},
      {99, all, 10, 0x1ffff, 3},
      {7, no_scopes, 5, 0xffff, 0},
      {9, no_sockets, 8, 0xffff, 3},
      {9, nothing, 0, 0, 0},
  };
  for (const Row& row : rows) {
    const Landlock got = highest_that_works(row.reported, row.works);
    BOOST_TEST(got.level == row.level, row.reported);
    BOOST_TEST(got.fs == row.fs, row.reported);
    BOOST_TEST(got.scoped == row.scoped, row.reported);
  }
}

BOOST_AUTO_TEST_SUITE_END()
