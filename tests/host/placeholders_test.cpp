// SPDX-License-Identifier: Apache-2.0
#include "dot_files/placeholders.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <optional>

#include "lnk/posix/io.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace lnk::host;

struct Place {
  TemporaryFolder folder;
  std::filesystem::path work = folder.path() / "work";
  Settings settings = make(folder.path() / "settings", work);

  static Settings make(const std::filesystem::path& settings, const std::filesystem::path& work) {
    std::filesystem::create_directory(work);
    auto opened = Settings::open(settings);
    BOOST_REQUIRE(opened);
    return std::move(*opened);
  }

  [[nodiscard]] DotPlace name(const std::string& name, bool is_missing = true) const { return {(work / name).native(), "a name", is_missing, false}; }
  [[nodiscard]] bool has(const std::string& name) const { return std::filesystem::exists(std::filesystem::symlink_status(work / name)); }

  [[nodiscard]] std::string listed() const {
    const auto text = settings.read("placeholders/journal");
    BOOST_REQUIRE(text);
    return text->value_or("");
  }

  void start_and_end() const {
    const auto other = Placeholders::hold(settings, {name("other-run")});
    BOOST_REQUIRE(other);
  }
};

/// A run of its own that holds and then waits to be killed.
class OtherRun {
 public:
  OtherRun(const Place& place, const std::vector<DotPlace>& places) {
    auto ready = lnk::posix::make_pipe();
    BOOST_REQUIRE(ready);
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto held = Placeholders::hold(place.settings, places);
      if (held && ::write(ready->write.get(), "r", 1) == 1)
        for (;;) ::pause();
      ::_exit(1);
    }
    ready->write.reset();
    char byte = 0;
    BOOST_REQUIRE(::read(ready->read.get(), &byte, 1) == 1);
  }
  ~OtherRun() { kill(); }

  void kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
  }

 private:
  pid_t pid_ = -1;
};

std::uint64_t number_of(const std::string& path) {
  struct stat seen {};
  BOOST_REQUIRE(::lstat(path.c_str(), &seen) == 0);
  return seen.st_ino;
}

/// In nanoseconds; 0 where the file system doesn't tell.
std::uint64_t born_of(const std::string& path) {
  struct statx seen {};
  BOOST_REQUIRE(::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME, &seen) == 0);
  if ((seen.stx_mask & STATX_BTIME) == 0) return 0;
  return static_cast<std::uint64_t>(seen.stx_btime.tv_sec) * 1'000'000'000 + seen.stx_btime.tv_nsec;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(placeholders)

BOOST_AUTO_TEST_CASE(a_missing_name_is_held_for_the_run_and_then_gone) {
  const Place place;
  {
    const auto held = Placeholders::hold(place.settings, {place.name(".git"), place.name("there", false)});
    BOOST_REQUIRE(held);
    BOOST_TEST(place.has(".git"));
    BOOST_TEST(std::filesystem::is_empty(place.work / ".git"));
    BOOST_TEST(held->standing().size() == 2U);
    BOOST_TEST(place.listed().find("/.git") != std::string::npos);
  }
  BOOST_TEST(!place.has(".git"));
  BOOST_TEST(place.listed().empty());
}

BOOST_AUTO_TEST_CASE(it_stays_while_another_run_holds_it) {
  const Place place;
  OtherRun other(place, {place.name(".git")});
  { BOOST_REQUIRE(Placeholders::hold(place.settings, {place.name(".git")})); }
  BOOST_TEST(place.has(".git"));
  place.start_and_end();
  BOOST_TEST(place.has(".git"));
}

BOOST_AUTO_TEST_CASE(what_a_killed_run_left_is_cleared_by_the_next_start_of_any) {
  const Place place;
  OtherRun other(place, {place.name(".git"), place.name(".idea")});
  other.kill();
  BOOST_TEST(place.has(".git"));
  place.start_and_end();
  BOOST_TEST(!place.has(".git"));
  BOOST_TEST(!place.has(".idea"));
  BOOST_TEST(place.listed().empty());
}

BOOST_AUTO_TEST_CASE(one_that_somebody_uses_or_made_stays) {
  const Place place;
  OtherRun other(place, {place.name(".git"), place.name(".idea"), place.name(".vscode")});
  std::ofstream(place.work / ".git" / "config") << "x";
  std::filesystem::remove(place.work / ".idea");
  std::filesystem::create_directory(place.work / "mine");
  std::filesystem::rename(place.work / "mine", place.work / ".idea");
  std::filesystem::remove(place.work / ".vscode");
  std::filesystem::create_symlink("elsewhere", place.work / ".vscode");
  other.kill();
  place.start_and_end();
  BOOST_TEST(place.has(".git"));
  BOOST_TEST(place.has(".idea"));
  BOOST_TEST(place.has(".vscode"));
  BOOST_TEST(place.listed().empty());
}

BOOST_AUTO_TEST_CASE(an_empty_folder_with_the_number_of_ours_that_was_made_at_another_time_or_otherwise_stays) {
  struct Case {
    mode_t mode;
    bool is_born_then;
    bool stays;
  };
  for (const auto& each : {Case{01755, true, false}, Case{01755, false, true}, Case{0755, true, true}}) {
    const Place place;
    const auto path = place.name(".git").path;
    BOOST_REQUIRE(::mkdir(path.c_str(), 0755) == 0 && ::chmod(path.c_str(), each.mode) == 0);
    // As a run left it that had made a folder of this number.
    const JournalEntry entry{path, 0, number_of(path), born_of(path) + (each.is_born_then ? 0 : 1), {}};
    BOOST_REQUIRE(place.settings.write("placeholders/journal", journal_text({"another-boot", {entry}})));
    place.start_and_end();
    BOOST_TEST(place.has(".git") == each.stays);
    BOOST_TEST(place.listed().empty());
  }
}

BOOST_AUTO_TEST_CASE(a_name_made_meanwhile_is_left_to_who_made_it) {
  const Place place;
  std::filesystem::create_directory(place.work / ".git");
  { BOOST_REQUIRE(Placeholders::hold(place.settings, {place.name(".git")})); }
  BOOST_TEST(place.has(".git"));
}

BOOST_AUTO_TEST_CASE(a_process_with_a_dead_ones_number_holds_nothing) {
  const Place place;
  const auto self = name_process(::getpid());
  BOOST_REQUIRE(self);
  BOOST_TEST(is_alive(*self));
  BOOST_TEST(!is_alive({self->pid, self->start + 1}));
  BOOST_TEST(!is_alive({}));
}

BOOST_AUTO_TEST_CASE(holds_of_another_boot_are_dead) {
  const Place place;
  const auto self = name_process(::getpid());
  BOOST_REQUIRE(self);
  const auto path = (place.work / ".git").native();
  BOOST_REQUIRE(::mkdir(path.c_str(), 01755) == 0);
  const JournalHold hold{*self, {}};
  const Journal journal{"another-boot", {{path, 0, number_of(path), born_of(path), {hold}}}};
  BOOST_REQUIRE(place.settings.write("placeholders/journal", journal_text(journal)));
  place.start_and_end();
  BOOST_TEST(!place.has(".git"));
}

BOOST_AUTO_TEST_CASE(one_made_just_before_a_kill_is_known_by_its_mark) {
  const Place place;
  BOOST_REQUIRE(::mkdir((place.work / ".git").c_str(), 01755) == 0);
  BOOST_REQUIRE(::mkdir((place.work / ".idea").c_str(), 0755) == 0);
  Journal journal;
  journal.boot = "another-boot";
  for (const char* name : {".git", ".idea", ".vscode"}) journal.entries.push_back({(place.work / name).native(), 0, 0, 0, {}});
  BOOST_REQUIRE(place.settings.write("placeholders/journal", journal_text(journal)));
  place.start_and_end();
  BOOST_TEST(!place.has(".git"));
  BOOST_TEST(place.has(".idea"));
}

BOOST_AUTO_TEST_CASE(a_list_that_can_not_be_read_is_an_error_that_names_it) {
  const Place place;
  BOOST_REQUIRE(place.settings.write("placeholders/journal", "not a list"));
  const auto held = Placeholders::hold(place.settings, {place.name(".git")});
  BOOST_REQUIRE(!held);
  BOOST_TEST(held.error().text.find("placeholders/journal") != std::string::npos);
  BOOST_TEST(!place.has(".git"));
}

BOOST_AUTO_TEST_CASE(a_folder_that_is_a_link_by_now_is_refused) {
  const Place place;
  std::filesystem::create_directory(place.folder.path() / "outside");
  std::filesystem::create_directory_symlink(place.folder.path() / "outside", place.work / "sub");
  const auto held = Placeholders::hold(place.settings, {place.name("sub/.git")});
  BOOST_TEST(!held.has_value());
  BOOST_TEST(!std::filesystem::exists(place.folder.path() / "outside" / ".git"));
  BOOST_TEST(place.listed().empty());
}

BOOST_AUTO_TEST_CASE(odd_names_are_listed_as_they_are) {
  const Place place;
  const std::string odd = "a\nhold 1 2 3 4\nend\n \"b\"";
  OtherRun other(place, {place.name(odd)});
  BOOST_TEST(place.has(odd));
  place.start_and_end();
  BOOST_TEST(place.has(odd));
  other.kill();
  place.start_and_end();
  BOOST_TEST(!place.has(odd));
}

BOOST_AUTO_TEST_SUITE_END()
