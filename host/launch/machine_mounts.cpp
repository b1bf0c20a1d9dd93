// SPDX-License-Identifier: Apache-2.0
#include "launch/machine_mounts.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>

#include "lnk/posix/io.hpp"
#include "resolve/check.hpp"
#include "resolve/resolve.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kMountinfoBytesMax = 16U << 20U;  // some 100,000 mounts

constexpr std::array<std::string_view, 18> kKernelTypes = {
    "proc",     "sysfs",     "devtmpfs", "devpts", "cgroup",   "cgroup2", "debugfs",     "tracefs",   "securityfs",
    "configfs", "selinuxfs", "smackfs",  "bpf",    "efivarfs", "pstore",  "binfmt_misc", "fusectl",   "rpc_pipefs"};

/// What the sandbox has of its own there covers the machine's.
constexpr std::array<std::string_view, 4> kOwnFolders = {"/proc", "/sys", "/dev", "/run"};

/// proc(5): space, tab, newline and backslash stand as \ and three octal digits.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = text[i] == '\\' && i + 3 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '3';
    if (!is_escape) {
      out += text[i];
      continue;
    }
    out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return out;
}

std::string_view word(std::string_view line, std::size_t number) {
  for (; number > 0; --number) {
    const auto space = line.find(' ');
    if (space == std::string_view::npos) return {};
    line.remove_prefix(space + 1);
  }
  return line.substr(0, line.find(' '));
}

bool is_own(std::string_view place) {
  return std::any_of(kOwnFolders.begin(), kOwnFolders.end(), [place](auto folder) { return is_within(place, folder); });
}

}  // namespace

std::vector<std::string> kernel_mounts_below(std::string_view mountinfo, const std::vector<GrantedFile>& files) {
  std::vector<std::string> found;
  while (!mountinfo.empty()) {
    const auto end = std::min(mountinfo.find('\n'), mountinfo.size());
    const auto line = mountinfo.substr(0, end);
    mountinfo.remove_prefix(std::min(end + 1, mountinfo.size()));
    const auto separator = line.find(" - ");
    if (separator == std::string_view::npos) continue;
    const auto type = word(line.substr(separator + 3), 0);
    if (std::find(kKernelTypes.begin(), kKernelTypes.end(), type) == kKernelTypes.end()) continue;
    auto place = unescaped(word(line, 4));
    if (is_own(place)) continue;
    const auto* nearest = nearest_grant(place, files);
    if (nearest != nullptr && nearest->access != Access::Hide) found.push_back(std::move(place));
  }
  return found;
}

Status check_machine_mounts(const std::vector<GrantedFile>& files) {
  LNK_TRY(const auto fd, posix::open_file("/proc/self/mountinfo", O_RDONLY));
  LNK_TRY(const auto mountinfo, posix::read_all(fd.get(), kMountinfoBytesMax));
  const auto found = kernel_mounts_below(mountinfo, files);
  if (found.empty()) return {};
  return fail(Code::Denied, "at " + host::quoted(found.front()) +
                                " a file system of the kernel's own is mounted inside a granted folder, and those are always "
                                "closed; unmount it, or grant a folder beside it, or hide that place");
}

}  // namespace lnk::host
