// SPDX-License-Identifier: Apache-2.0
#include "survey/bubblewrap.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <initializer_list>

#include "inside/format.h"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::os_linux {
namespace {

// Debian, Fedora, Arch and others; then NixOS and Guix, whose links lead into their stores.
constexpr std::array<const char*, 5> kPlaces = {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap",
                                                "/run/current-system/sw/bin/bwrap",
                                                "/run/current-system/profile/bin/bwrap"};
constexpr int kTrialTimeoutMs = 10'000;  // a start takes some ms; a machine that swaps may take seconds
constexpr std::size_t kWordsMax = 4096;

std::string place_of(const char* name) {
  std::array<char, PATH_MAX> real{};
  return ::realpath(name, real.data()) == nullptr ? std::string{} : std::string(real.data());
}

bool others_may_write(const struct stat& entry) { return (entry.st_mode & (S_IWGRP | S_IWOTH)) != 0; }

// A user namespace that maps few users shows every other as the overflow uid (user_namespaces(7)), the machine's root
// too. Bubblewrap is looked for in the system's own places alone, where none but root makes entries: there a hidden
// owner is root.
bool is_hidden(uid_t uid) {
  auto overflow = posix::read_file("/proc/sys/kernel/overflowuid", 16);
  auto map = posix::read_file("/proc/self/uid_map", 64UL * 1024);
  if (!overflow || !map || map->empty() || std::strtoul(overflow->c_str(), nullptr, 10) != uid) return false;
  // Not by a stream, which would bring all of <locale> into the module and a millisecond into each start.
  char* rest = map->data();
  for (char* line = nullptr; rest != line;) {
    line = rest;
    const unsigned long first = std::strtoul(line, &rest, 10);
    std::strtoul(rest, &rest, 10);
    const unsigned long count = std::strtoul(rest, &rest, 10);
    if (rest != line && uid >= first && uid - first < count) return false;
  }
  return true;
}

bool is_persons_or_roots(const struct stat& entry) {
  return entry.st_uid == 0 || entry.st_uid == ::geteuid() || is_hidden(entry.st_uid);
}

// Whoever may write a folder above may put another program there. A sticky folder lets nobody replace another's entry.
Status check_folders_above(const std::string& path) {
  for (std::size_t end = path.rfind('/');; end = path.rfind('/', end - 1)) {
    const std::string folder = end == 0 ? "/" : path.substr(0, end);
    struct stat entry {};
    if (::lstat(folder.c_str(), &entry) != 0) return posix::os_fail(Code::Gone, "look at", folder, errno);
    const bool is_sticky = (entry.st_mode & S_ISVTX) != 0;
    if (!is_persons_or_roots(entry) || (others_may_write(entry) && !is_sticky))
      return fail(Code::Denied, path + ": others may write " + folder + ", and so replace it");
    if (end == 0) return {};
  }
}

std::vector<std::string> trial_arguments(bool disables_userns, int inner_fd) {
  std::vector<std::string> argv = {"bwrap",         "--unshare-user",       "--unshare-pid", "--unshare-ipc",
                                   "--unshare-uts", "--unshare-cgroup-try", "--unshare-net", "--cap-drop",
                                   "ALL",           "--die-with-parent"};
  if (disables_userns) argv.push_back("--disable-userns");
  for (const std::string& more :
       {std::string("--proc"), std::string("/proc"), std::string("--dev"), std::string("/dev"),
        std::string("--ro-bind-fd"), std::to_string(inner_fd), std::string(LNK_INSIDE_PATH),
        std::string("--remount-ro"), std::string("/"), std::string("--chdir"), std::string("/"), std::string("--"),
        std::string(LNK_INSIDE_PATH), std::string("--try")})
    argv.push_back(more);
  return argv;
}

}  // namespace

std::string bubblewrap_words(std::string_view said) {
  // Debian's adds where its documents lie, which leaves no room for the mend.
  for (const std::string_view end : {"\n", " See <"}) said = said.substr(0, said.find(end));
  return posix::escaped(said);
}

Result<HeldBubblewrap> hold_bubblewrap(const std::string& path) {
  LNK_CHECK(check_folders_above(path));
  HeldBubblewrap held{UniqueFd(::open(path.c_str(), O_PATH | O_CLOEXEC | O_NOFOLLOW)), {}};
  struct stat entry {};
  if (!held.fd.is_open() || ::fstat(held.fd.get(), &entry) != 0) return posix::os_fail(Code::Gone, "open", path, errno);
  if (!S_ISREG(entry.st_mode)) return fail(Code::Denied, path + ": not a file");
  if ((entry.st_mode & (S_ISUID | S_ISGID)) != 0) {
    return fail(Code::Denied, path +
                                  ": is setuid, and would hold privileges of the machine's; take the bit off "
                                  "(chmod u-s) where user namespaces are allowed");
  }
  if (!is_persons_or_roots(entry) || others_may_write(entry))
    return fail(Code::Denied, path + ": others than root and you may write it");
  constexpr std::int64_t kNsPerS = 1'000'000'000;
  held.identity = {entry.st_dev, entry.st_ino, entry.st_ctim.tv_sec * kNsPerS + entry.st_ctim.tv_nsec};
  return held;
}

BubblewrapTrial try_bubblewrap(const std::string& path, const std::string& inner_stage, bool disables_userns) {
  const UniqueFd inner(::open(inner_stage.c_str(), O_PATH | O_CLOEXEC));
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  auto pipe = posix::make_pipe();
  if (!inner.is_open() || !nothing.is_open() || !pipe) return {false, 0, inner_stage + ": can't be opened"};
  constexpr int kInnerFd = 3;
  posix::SpawnOptions options;
  options.program = path;
  options.argv = trial_arguments(disables_userns, kInnerFd);
  options.fds = {{nothing.get(), 0}, {nothing.get(), 1}, {pipe->write.get(), 2}, {inner.get(), kInnerFd}};
  options.new_session = true;
  auto child = posix::spawn(options);
  pipe->write.reset();
  if (!child) return {false, 0, child.error().text};
  auto ended = child->wait_for(kTrialTimeoutMs);
  if (!ended) return {false, 0, "bubblewrap did not end within 10 s"};
  auto words = posix::read_all(pipe->read.get(), kWordsMax);
  return {true, ended->code, words ? bubblewrap_words(*words) : std::string{}};
}

namespace {

bool reads(const char* file, std::string_view value) {
  auto text = posix::read_file(file, 16);
  return text && text->substr(0, text->find('\n')) == value;
}

bool is_filtered() {
  auto status = posix::read_file("/proc/self/status", 16UL * 1024);
  return status && status->find("\nSeccomp:\t2") != std::string::npos;
}

bool is_any_of(std::string_view words, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [words](auto part) { return words.find(part) != std::string_view::npos; });
}

}  // namespace

Refusers find_refusers() {
  return {reads("/proc/sys/user/max_user_namespaces", "0"),
          ::geteuid() != 0 && reads("/proc/sys/kernel/unprivileged_userns_clone", "0"),
          ::geteuid() != 0 && reads("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"), is_filtered()};
}

std::string mend_for(std::string_view words, const Refusers& refusers) {
  if (is_any_of(words, {"bind-fd"})) return "install a bubblewrap with --bind-fd: 0.10 or later, or Debian 12's 0.8.0-2+deb12u1";
  if (refusers.no_namespaces || is_any_of(words, {"ENOSPC"}))
    return "the kernel refuses: it allows no more user namespaces; raise user.max_user_namespaces (sysctl) above 0";
  if (!is_any_of(words, {"No permissions to create new namespace", "Operation not permitted", "Permission denied"})) return {};
  if (refusers.root_alone)
    return "the kernel refuses: it lets root alone make user namespaces; set kernel.unprivileged_userns_clone = 1 (sysctl)";
  if (refusers.apparmor) {
    return "AppArmor refuses: it lets only programs with a profile make user namespaces "
           "(kernel.apparmor_restrict_unprivileged_userns = 1). Load Ubuntu's own profile for bwrap: apt install "
           "apparmor-profiles, then cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ and "
           "apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict; or set that key to 0 (sysctl), for every program";
  }
  if (refusers.outer_filter)
    return "an outer container refuses, by its filter of system calls: give it one that lets it make namespaces and mounts "
           "(docker and podman: --security-opt seccomp=unconfined, and where that isn't enough "
           "--security-opt apparmor=unconfined)";
  return "the kernel or an outer container refuses, and neither says why: look at dmesg for a security module's line; in a "
         "container allow user namespaces and mounts (docker and podman: --security-opt seccomp=unconfined)";
}

Bubblewrap find_bubblewrap(const std::string& inner_stage) {
  Bubblewrap found;
  for (const char* place : kPlaces) {
    found.path = place_of(place);
    if (!found.path.empty()) break;
  }
  if (found.path.empty()) {
    found.problem = "bubblewrap isn't installed";
    found.mend = "install the package bubblewrap";
    return found;
  }
  auto held = hold_bubblewrap(found.path);
  if (!held) {
    found.problem = held.error().text;
    return found;
  }
  found.identity = held->identity;
  BubblewrapTrial trial = try_bubblewrap(found.path, inner_stage, true);
  found.disables_userns = trial.ran && trial.code == 0;
  // Where /proc/sys can't be written, in a container, the filter alone refuses further user namespaces.
  if (!found.disables_userns) trial = try_bubblewrap(found.path, inner_stage, false);
  if (trial.ran && trial.code == 0) return found;
  found.problem = found.path + " can't build a sandbox: " + trial.words;
  found.mend = mend_for(trial.words, find_refusers());
  return found;
}

}  // namespace lnk::os_linux
