// SPDX-License-Identifier: Apache-2.0
#include "launch/machine_sockets.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <cstdlib>

#include "lnk/cpp/utf8.hpp"
#include "lnk/posix/io.hpp"
#include "resolve/check.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kListBytesMax = 32U << 20U;  // some 300,000 sockets

/// "ffff8880… : 00000002 00000000 00010000 0001 01 12345 /path": a hexadecimal number and a colon begin each.
bool begins_entry(std::string_view line) {
  const auto colon = line.find(':');
  return colon != std::string_view::npos && colon >= 8 && line.find_first_not_of("0123456789abcdefABCDEF") == colon;
}

/// Behind the seven fields and one space; empty: it has no name.
std::string_view name_in(std::string_view line) {
  for (int field = 0; field < 7; ++field) {
    const auto begin = line.find_first_not_of(' ');
    const auto end = begin == std::string_view::npos ? begin : line.find(' ', begin);
    if (end == std::string_view::npos) return {};
    line.remove_prefix(end);
  }
  return line.substr(1);
}

/// With the links of its folder followed, as bind(2) did, but not one at its end. Empty: not there, or closed to us too.
std::string place_of(const std::string& path) {
  const auto slash = path.rfind('/');
  char folder[PATH_MAX];
  if (::realpath(slash == 0 ? "/" : path.substr(0, slash).c_str(), folder) == nullptr) return {};
  const std::string above = folder;
  return (above == "/" ? "" : above) + path.substr(slash);
}

bool is_socket(const std::string& path) {
  struct stat entry {};
  return ::lstat(path.c_str(), &entry) == 0 && S_ISSOCK(entry.st_mode);
}

void sort_each_once(std::vector<std::string>& paths) {
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
}

}  // namespace

std::vector<std::string> bound_paths(std::string_view list) {
  std::vector<std::string> paths;
  bool is_path = false;
  while (!list.empty()) {
    const auto end = std::min(list.find('\n'), list.size());
    const auto line = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (!begins_entry(line)) {
      if (is_path) paths.back().append("\n").append(line);
      continue;
    }
    const auto name = name_in(line);
    is_path = name.starts_with('/');
    if (is_path) paths.emplace_back(name);
  }
  sort_each_once(paths);  // every connection that was accepted bears its listener's name
  return paths;
}

Result<std::vector<std::string>> machine_sockets(const Grants& grants) {
  LNK_TRY(const auto fd, posix::open_file("/proc/net/unix", O_RDONLY));
  LNK_TRY(const auto list, posix::read_all(fd.get(), kListBytesMax));
  std::vector<std::string> found;
  for (const auto& path : bound_paths(list)) {
    auto place = place_of(path);
    if (place.empty() || !is_open(place, grants) || !is_socket(place)) continue;
    if (!is_utf8(place))
      return fail(Code::Denied, "the socket " + host::quoted(place) +
                                    " lies where the program may look, and its name isn't UTF-8, so it can't be covered; "
                                    "rename it, or grant a folder beside it");
    found.push_back(std::move(place));
  }
  sort_each_once(found);
  return found;
}

}  // namespace lnk::host
