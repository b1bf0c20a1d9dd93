// SPDX-License-Identifier: Apache-2.0
//
// The kernel's list of sockets: a name is found wherever it stands in the list, as it was bound, and nothing else is.
#include <algorithm>
#include <string>
#include <vector>

#include "entry.hpp"
#include "launch/machine_sockets.hpp"

namespace lnk::fuzz {
namespace {

/// Whatever the text is: each path is absolute, stands in it, and is named once.
void check_text(std::string_view text) {
  const auto paths = host::bound_paths(text);
  LNK_HOLDS(std::is_sorted(paths.begin(), paths.end()));
  LNK_HOLDS(std::adjacent_find(paths.begin(), paths.end()) == paths.end());
  for (const auto& path : paths) {
    LNK_HOLDS(path.starts_with('/'));
    LNK_HOLDS(text.find(path) != std::string_view::npos);
  }
}

/// As net/unix/af_unix.c prints one: a name has no NUL, which an abstract one shows as @.
std::string line_of(std::string_view name) {
  return "0000000000000000: 00000002 00000000 00010000 0001 01 12345" + (name.empty() ? std::string() : " " + std::string(name)) + "\n";
}

/// A name with a line break, whose rest looks like an entry itself, is the one thing that the list can't tell.
bool looks_like_entries(std::string_view name) {
  for (std::size_t at = name.find('\n'); at != std::string_view::npos; at = name.find('\n', at + 1)) {
    const auto rest = name.substr(at + 1);
    const auto digits = rest.find_first_not_of("0123456789abcdefABCDEF");
    if (digits != std::string_view::npos && digits >= 8 && rest[digits] == ':') return true;
  }
  return false;
}

}  // namespace

void check(std::string_view input) {
  check_text(input);
  std::string list = "Num       RefCount Protocol Flags    Type St Inode Path\n";
  std::vector<std::string> bound;
  for (std::string_view rest = input; !rest.empty();) {
    const auto end = std::min(rest.find('\0'), rest.size());
    const auto name = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (looks_like_entries(name)) continue;
    list += line_of(name);
    if (name.starts_with('/')) bound.emplace_back(name);
  }
  std::sort(bound.begin(), bound.end());
  bound.erase(std::unique(bound.begin(), bound.end()), bound.end());
  LNK_HOLDS(host::bound_paths(list) == bound);
}

}  // namespace lnk::fuzz
