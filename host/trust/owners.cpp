// SPDX-License-Identifier: Apache-2.0
#include "trust/owners.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

#include "lnk/posix/io.hpp"

namespace lnk::host {

namespace {

constexpr std::size_t kFields = 7;  // of passwd(5); group(5) has four

/// Takes the text up to `end` off the front.
std::string_view take_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

using AccountLine = std::array<std::string_view, kFields>;

AccountLine split_line(std::string_view line) {
  AccountLine fields;
  for (std::string_view& field : fields) field = take_until(line, ':');
  return fields;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

struct Accounts {
  std::string_view user;       ///< the name of the uid
  bool is_first = false;       ///< the gid is its first group
  bool is_others_too = false;  ///< or another's
};

Accounts find_accounts(std::string_view passwd, uid_t uid, gid_t gid) {
  Accounts found;
  while (!passwd.empty()) {
    const AccountLine line = split_line(take_until(passwd, '\n'));
    const bool has_group = number<gid_t>(line[3]) == gid;
    if (number<uid_t>(line[2]) != uid) {
      found.is_others_too = found.is_others_too || has_group;
    } else if (found.user.empty()) {
      found.user = line[0];
      found.is_first = has_group;
    }
  }
  return found;
}

std::string read_account_file(const char* path) {
  return lnk::posix::read_file(path, kAccountFileBytesMax).value_or(std::string());
}

/// Whether a line of /proc/self/uid_map maps `uid` in this namespace.
bool maps(std::string_view uid_map, uid_t uid) {
  while (!uid_map.empty()) {
    std::string_view line = take_until(uid_map, '\n');
    std::array<std::uint64_t, 3> numbers{};
    for (std::uint64_t& value : numbers) {
      line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
      value = number<std::uint64_t>(take_until(line, ' ')).value_or(0);
    }
    if (uid >= numbers[0] && uid - numbers[0] < numbers[2]) return true;
  }
  return false;
}

}  // namespace

bool is_own_group(std::string_view passwd, std::string_view group, uid_t uid, gid_t gid) {
  const Accounts accounts = find_accounts(passwd, uid, gid);
  if (accounts.user.empty() || !accounts.is_first || accounts.is_others_too) return false;
  bool is_own = false;
  while (!group.empty()) {
    const AccountLine line = split_line(take_until(group, '\n'));
    if (number<gid_t>(line[2]) != gid) continue;
    // A second name of the group may have members of its own, so each line of the number counts.
    if (line[0] != accounts.user || (!line[3].empty() && line[3] != accounts.user)) return false;
    is_own = true;
  }
  return is_own;
}

bool is_own_group(uid_t uid, gid_t gid) {
  return is_own_group(read_account_file("/etc/passwd"), read_account_file("/etc/group"), uid, gid);
}

bool is_hidden_owner(uid_t uid) {
  // Files of /proc have no size and end where a read says so.
  const auto read_proc = [](const char* path) {
    auto file = lnk::posix::open_file(path, O_RDONLY);
    if (!file) return std::string();
    return lnk::posix::read_all(file->get(), 64 * 1024).value_or(std::string());
  };
  std::string overflow = read_proc("/proc/sys/kernel/overflowuid");
  if (!overflow.empty() && overflow.back() == '\n') overflow.pop_back();
  if (number<uid_t>(overflow) != uid) return false;
  const std::string uid_map = read_proc("/proc/self/uid_map");
  return !uid_map.empty() && !maps(uid_map, uid);
}

bool is_system_place(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 8> kWhole = {"usr", "bin", "sbin", "lib", "lib32", "lib64", "opt", "etc"};
  constexpr std::array<std::string_view, 8> kAlone = {"home", "root", "tmp", "var", "srv", "mnt", "media", "run"};
  const std::string& text = path.native();
  if (text == "/") return true;
  std::string_view rest(text);
  if (rest.empty() || rest.front() != '/') return false;
  rest.remove_prefix(1);
  const std::string_view first = take_until(rest, '/');
  if (std::find(kWhole.begin(), kWhole.end(), first) != kWhole.end()) return true;
  return rest.empty() && std::find(kAlone.begin(), kAlone.end(), first) != kAlone.end();
}

}  // namespace lnk::host
