// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/process.hpp"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <vector>

#include "lnk/posix/io.hpp"

namespace lnk::posix {
namespace {

constexpr std::size_t kStatBytesMax = 4096;
constexpr std::size_t kStatusBytesMax = 65536;
constexpr int kDepthMax = 64;  // of one process below the first of its namespace

Result<std::string> read_of(pid_t pid, std::string_view file, std::size_t bytes_max) {
  LNK_TRY(const auto fd, open_file("/proc/" + std::to_string(pid) + "/" + std::string(file), O_RDONLY));
  return read_all(fd.get(), bytes_max);
}

Failure of_no_known_form(pid_t pid, std::string_view file) {
  return fail(Code::Invalid, "/proc/" + std::to_string(pid) + "/" + std::string(file) + " is of no known form");
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \t\n"), text.size());
    if (end != 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Its number in the innermost namespace.
Result<pid_t> number_inside(pid_t pid) {
  LNK_TRY(const auto text, read_of(pid, "status", kStatusBytesMax));
  constexpr std::string_view kKey = "\nNSpid:";
  const auto at = text.find(kKey);
  if (at == std::string::npos) return of_no_known_form(pid, "status");
  const auto begin = at + kKey.size();
  const auto numbers = words_of(std::string_view(text).substr(begin, text.find('\n', begin) - begin));
  pid_t number = 0;
  if (numbers.empty() || !read_number(numbers.back(), number)) return of_no_known_form(pid, "status");
  return number;
}

}  // namespace

Result<ProcessStat> process_stat(pid_t pid) {
  LNK_TRY(const auto text, read_of(pid, "stat", kStatBytesMax));
  // The second field is a name in brackets that may hold any byte; the third is behind the last bracket.
  const auto name_end = text.rfind(')');
  const auto fields = words_of(name_end == std::string::npos ? std::string_view() : std::string_view(text).substr(name_end + 1));
  constexpr std::size_t kStart = 19;
  ProcessStat stat;
  const bool is_known = fields.size() > kStart && fields[0].size() == 1 && read_number(fields[1], stat.parent) &&
                        read_number(fields[kStart], stat.start);
  if (!is_known) return of_no_known_form(pid, "stat");
  stat.state = fields[0].front();
  return stat;
}

Result<pid_t> first_process_around(pid_t pid) {
  for (int depth = 0; depth < kDepthMax && pid > 0; ++depth) {
    LNK_TRY(const pid_t inside, number_inside(pid));
    if (inside == 1) return pid;
    LNK_TRY(const auto stat, process_stat(pid));
    pid = stat.parent;
  }
  return fail(Code::Gone, "the first process of its namespace can't be found");
}

Result<std::string> boot_id() {
  LNK_TRY(const auto fd, open_file("/proc/sys/kernel/random/boot_id", O_RDONLY));
  LNK_TRY(auto text, read_all(fd.get(), 64));
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace lnk::posix
