// SPDX-License-Identifier: Apache-2.0
#include "survey/landlock.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "lnk/posix/io.hpp"

namespace lnk::os_linux {
namespace {

constexpr long kCreateRuleset = 444;  // the same on every architecture
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr unsigned kVersionFlag = 1;
constexpr unsigned kPathBeneath = 1;

struct RulesetAttributes {
  std::uint64_t fs;
  std::uint64_t net;
  std::uint64_t scoped;
};

struct [[gnu::packed]] PathBeneath {
  std::uint64_t access;
  std::int32_t folder;
};

constexpr std::uint64_t kAll2 = kBaseRights | kRefer;
constexpr std::uint64_t kAll3 = kAll2 | kTruncate;
constexpr std::uint64_t kAll5 = kAll3 | kIoctlDev;
constexpr std::uint64_t kAll9 = kAll5 | kResolveUnix;

// The highest first. Levels 4 (TCP ports), 7 (audit), 8 (threads) and 10 (UDP ports) add nothing that is held here, but
// are named as what they are.
constexpr std::array<Landlock, 9> kLevels = {{
    {10, kAll9, kScopeSockets | kScopeSignals},
    {9, kAll9, kScopeSockets | kScopeSignals},
    {8, kAll5, kScopeSockets | kScopeSignals},
    {7, kAll5, kScopeSockets | kScopeSignals},
    {6, kAll5, kScopeSockets | kScopeSignals},
    {5, kAll5, 0},
    {4, kAll3, 0},
    {3, kAll3, 0},
    {2, kAll2, 0},
}};

// A kernel that takes a restriction and does nothing of it (an emulated one) must not count as a wall.
bool has_effect(const Landlock& level) noexcept {
  if (::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) < 0) return false;
  if (::open("/dev/null", O_WRONLY | O_CLOEXEC) >= 0 || errno != EACCES) return false;
  if ((level.scoped & kScopeSignals) == 0) return true;
  return ::kill(::getppid(), 0) != 0 && errno == EPERM;  // the parent stands outside the scope
}

// In a child of its own, since it can't be undone. No allocation.
bool try_level(const Landlock& level) noexcept {
  const RulesetAttributes attributes{level.fs, 0, level.scoped};
  const long ruleset = ::syscall(kCreateRuleset, &attributes, sizeof attributes, 0);
  const int root = ::open("/", O_PATH | O_CLOEXEC);
  if (ruleset < 0 || root < 0) return false;
  const PathBeneath beneath{level.fs & (kReadDir | kReadFile), root};
  if (::syscall(kAddRule, ruleset, kPathBeneath, &beneath, 0) != 0) return false;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return ::syscall(kRestrictSelf, ruleset, 0) == 0 && has_effect(level);
}

bool works(const Landlock& level) {
  const pid_t child = ::fork();
  if (child < 0) return false;
  if (child == 0) ::_exit(try_level(level) ? 0 : 1);
  int status = 0;
  return posix::retry([&] { return ::waitpid(child, &status, 0); }) == child && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

}  // namespace

ReportedLandlock reported_landlock() noexcept {
  const long level = ::syscall(kCreateRuleset, nullptr, 0, kVersionFlag);
  if (level < 0) return {0, errno};
  return {static_cast<std::uint32_t>(level), 0};
}

Landlock highest_that_works(std::uint32_t reported, bool (*works)(const Landlock& level)) {
  const auto usable = std::find_if(kLevels.begin(), kLevels.end(),
                                   [&](const Landlock& level) { return level.level <= reported && works(level); });
  return usable == kLevels.end() ? Landlock{} : *usable;
}

Landlock usable_landlock() { return highest_that_works(reported_landlock().level, works); }

}  // namespace lnk::os_linux
