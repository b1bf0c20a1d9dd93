// SPDX-License-Identifier: Apache-2.0
//
// git's settings: what is read can be written again in git's plainest form and reads back the same, and what stands before a
// fault is read whatever follows it. Against git itself it is held by tests/host/git_text_test.cpp.
#include "dot_files/git_text.hpp"

#include <string>

#include "entry.hpp"

namespace lnk::fuzz {
namespace {

/// Quoted as git config writes it.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + "\"";
}

/// `section.sub.name` as two lines; empty where no text says it: without a section, or with an empty one and no subsection,
/// which only a NUL byte in the subsection leaves behind.
std::string written(const host::GitSetting& setting) {
  const auto first = setting.key.find('.');
  const auto last = setting.key.rfind('.');
  if (first == std::string::npos || (first == 0 && last == 0)) return {};
  std::string text = "[" + setting.key.substr(0, first);
  if (first != last) text += " " + quoted(setting.key.substr(first + 1, last - first - 1));
  text += "]\n" + setting.key.substr(last + 1);
  if (setting.value) text += " = " + quoted(*setting.value);
  return text + "\n";
}

bool is_same(const host::GitSetting& left, const host::GitSetting& right) {
  return left.key == right.key && left.value == right.value;
}

void check_rewriting(const host::GitSetting& setting) {
  // A line's end can't stand in a subsection, nor a NUL byte anywhere; a name after one is cut off.
  const auto text = written(setting);
  if (text.empty() || setting.key.ends_with('.')) return;
  const auto last = setting.key.rfind('.');
  for (const char c : setting.key.substr(last + 1))
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return;
  if (const char c = setting.key[last + 1]; c < 'a' || c > 'z') return;
  if (setting.key.find('\n') != std::string::npos) return;
  // A carriage return before a line's end is part of that end.
  if (setting.key.find('\r') != std::string::npos || (setting.value && setting.value->find('\r') != std::string::npos)) return;
  const auto again = host::read_git_text(text);
  LNK_HOLDS(again.is_whole && again.settings.size() == 1);
  LNK_HOLDS(is_same(again.settings.front(), setting));
}

}  // namespace

void check(std::string_view input) {
  const auto text = host::read_git_text(input);
  LNK_HOLDS(text.settings.size() <= input.size());
  for (const auto& setting : text.settings) {
    LNK_HOLDS(setting.key.find('\0') == std::string::npos);
    LNK_HOLDS(!setting.value || setting.value->find('\0') == std::string::npos);
    check_rewriting(setting);
  }
  // What comes later takes nothing away.
  const auto longer = host::read_git_text(std::string(input) + "\n[later]\nkey = value\n");
  LNK_HOLDS(longer.settings.size() >= text.settings.size());
  if (text.is_whole && !input.ends_with('\\')) {
    LNK_HOLDS(longer.is_whole && longer.settings.size() == text.settings.size() + 1);
    LNK_HOLDS(longer.settings.back().key == "later.key" && longer.settings.back().value == "value");
  }
}

}  // namespace lnk::fuzz
