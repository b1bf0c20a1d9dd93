// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "programs/program_head.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// The first word of a text, which is cut off it with the blanks behind it.
std::string_view take_word(std::string_view& text) {
  text = without_blanks(text);
  const auto word = text.substr(0, text.find_first_of(kBlanks));
  text = without_blanks(text.substr(word.size()));
  return word;
}

bool is_assignment(std::string_view word) { return word.find('=') != std::string_view::npos; }

/// Options of env(1) whose value may be a word of its own.
bool takes_a_value(std::string_view option) {
  return option == "-u" || option == "--unset" || option == "-C" || option == "--chdir" || option == "-a" ||
         option == "--argv0";
}

}  // namespace

Result<ProgramHead> read_script_line(std::string_view head) {
  const auto end = head.find('\n');
  // The kernel cuts an argument at the end of what it reads, and refuses a name that may go on there; of neither the
  // rest is known.
  if (end == std::string_view::npos && head.size() >= kProgramHeadBytes)
    return fail(Code::Invalid, "its first line is longer than the " + std::to_string(kProgramHeadBytes - 1) +
                                   " bytes that the kernel reads");
  auto line = head.substr(2, end == std::string_view::npos ? end : end - 2);
  // The kernel's own reading of a shorter file ends at the zeros behind it, as at one in the line.
  line = without_blanks(line.substr(0, line.find('\0')));
  if (line.empty()) return fail(Code::Invalid, "its first line names no interpreter");
  ProgramHead script;
  script.kind = ProgramKind::Script;
  script.interpreter = take_word(line);
  script.argument = line;
  return script;
}

std::string program_of_env(std::string_view argument) {
  // Without -S the whole argument is one name, blanks and all.
  const bool is_split = argument.starts_with("-S") || argument.starts_with("--split-string");
  if (!is_split) return argument.starts_with('-') || is_assignment(argument) ? std::string() : std::string(argument);
  auto rest = argument.substr(argument.starts_with("-S") ? 2 : std::string_view("--split-string").size());
  if (rest.starts_with('=')) rest.remove_prefix(1);
  // Its own quotes and escapes: env(1) says what they mean, and a name that has them isn't told.
  if (rest.find_first_of("\"'\\$") != std::string_view::npos) return {};
  for (auto word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (takes_a_value(word)) {
      take_word(rest);
    } else if (!word.starts_with('-') && !is_assignment(word)) {
      return std::string(word);
    }
  }
  return {};
}

}  // namespace lnk::host
