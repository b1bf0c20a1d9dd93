// SPDX-License-Identifier: Apache-2.0
//
// What the exec watch reads: its list, the first line of a script, and a text of another process's memory. Each is held against a
// plain reader that looks at all there is.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "entry.hpp"
#include "launch/exec_watch.hpp"

extern "C" {
#include "keeper/exec_caller.h"
#include "keeper/exec_list.h"
}

namespace lnk::fuzz {
namespace {

using os_linux::HeldProgram;

/// Programs over few numbers and names, so that they meet.
std::vector<HeldProgram> read_programs(std::string_view input) {
  constexpr std::string_view kParts[] = {"/a", "/b", "/ab", "/usr", "/bin", "/\xff"};
  std::vector<HeldProgram> programs;
  for (std::size_t at = 0; at + 2 < input.size(); at += 3) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(input[at + i]); };
    HeldProgram program{{}, byte(0) % 4 == 0, byte(1) % 5U, byte(2) % 16U};
    for (unsigned depth = 0; depth <= byte(1) % 3U; ++depth) program.path += kParts[(byte(2) >> depth) % std::size(kParts)];
    programs.push_back(program);
  }
  return programs;
}

/// Aligned, as what is mapped is.
std::vector<std::uint64_t> aligned(std::string_view bytes) {
  std::vector<std::uint64_t> words((bytes.size() + 7) / 8 + 1);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

void check_written(std::string_view input) {
  const auto programs = read_programs(input);
  const auto bytes = os_linux::write_exec_list(programs, 0);
  LNK_HOLDS(bytes.has_value());
  const auto words = aligned(*bytes);
  exec_list list{};
  LNK_HOLDS(read_exec_list(reinterpret_cast<const char*>(words.data()), bytes->size(), &list) == 1);
  for (std::uint64_t device = 0; device < 6; ++device)
    for (std::uint64_t inode = 0; inode < 17; ++inode) {
      const auto is_it = [&](const HeldProgram& one) { return !one.is_folder && one.device == device && one.inode == inode; };
      LNK_HOLDS((lists_file(&list, device, inode) != 0) == std::any_of(programs.begin(), programs.end(), is_it));
    }
  for (const HeldProgram& asked : programs)
    for (const std::string& path : {asked.path, asked.path + "/x", asked.path + "x", asked.path.substr(0, asked.path.size() - 1)}) {
      const auto holds = [&](const HeldProgram& one) { return one.is_folder && path.starts_with(one.path + "/"); };
      LNK_HOLDS((lists_folder_of(&list, path.c_str()) != 0) == std::any_of(programs.begin(), programs.end(), holds));
    }
}

void check_raw(std::string_view input) {
  const auto words = aligned(input);
  exec_list list{};
  if (read_exec_list(reinterpret_cast<const char*>(words.data()), input.size(), &list) == 0) return;
  LNK_HOLDS(list.filec * sizeof(lnk_exec_file) + sizeof(lnk_exec_list_head) <= input.size());
  for (std::uint32_t i = 0; i < list.filec; ++i) LNK_HOLDS(lists_file(&list, list.files[i].device, list.files[i].inode) != 0);
  (void)lists_folder_of(&list, "/a/b");
}

/// As binfmt_script(5) of the kernel's own source has it: the first line of the buffer, blanks around, up to the next blank.
std::string interpreter_meant(std::string_view head) {
  head = head.substr(0, LNK_EXEC_HEAD_BYTES);
  if (head.size() < 3 || !head.starts_with("#!")) return {};
  const std::size_t end = head.find_first_of(std::string_view("\n\0", 2), 2);
  const bool is_whole = end != std::string_view::npos || head.size() < LNK_EXEC_HEAD_BYTES;
  std::string_view line = head.substr(2, end == std::string_view::npos ? end : end - 2);
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos && !is_whole) return {};
  return std::string(line.substr(0, blank));
}

void check_interpreter(std::string_view input) {
  for (const std::string& head : {std::string(input), "#!" + std::string(input), "#! /bin/sh" + std::string(input)}) {
    char out[LNK_EXEC_HEAD_BYTES];
    const bool has_one = read_interpreter(head.data(), head.size(), out) != 0;
    const std::string meant = interpreter_meant(head);
    LNK_HOLDS(has_one == !meant.empty());
    if (has_one) LNK_HOLDS(meant == out);
  }
}

/// The input at the end of what may be read.
void check_text(std::string_view input) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  static char* const pages = static_cast<char*>(::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  static const bool is_fenced = pages != MAP_FAILED && ::mprotect(pages + 2 * page, page, PROT_NONE) == 0;
  LNK_HOLDS(is_fenced);
  input = input.substr(0, 2 * page);
  char* const at = pages + 2 * page - input.size();
  std::memcpy(at, input.data(), input.size());
  for (const std::size_t room : {std::size_t{16}, std::size_t{LNK_EXEC_PATH_MAX}}) {
    std::vector<char> out(room, 'x');
    const long size = read_text_of(::getpid(), reinterpret_cast<std::uintptr_t>(at), out.data(), out.size());
    const std::size_t nul = input.find('\0');
    LNK_HOLDS((size >= 0) == (nul != std::string_view::npos && nul < room));
    if (size >= 0) LNK_HOLDS(std::string_view(out.data()) == input.substr(0, nul));
  }
}

}  // namespace

void check(std::string_view input) {
  check_written(input);
  check_raw(input);
  check_interpreter(input);
  check_text(input);
}

}  // namespace lnk::fuzz
