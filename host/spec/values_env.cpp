// SPDX-License-Identifier: Apache-2.0
//
// Names, and the variables of [env].
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "environment/injection.hpp"
#include "spec/known.hpp"
#include "spec/shown.hpp"
#include "spec/suggestion.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kMaxNameBytes = 40;
constexpr std::size_t kMaxModelBytes = 200;
constexpr std::size_t kMaxVariableNameBytes = 255;
/// MAX_ARG_STRLEN of linux/binfmts.h is 32 pages for "NAME=value" with its NUL; execve(2) fails with E2BIG above it.
constexpr std::size_t kMaxVariableBytes = 131071;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool is_variable_name(std::string_view name) {
  const auto fits = [](char c) { return is_lower(c) || is_upper(c) || is_digit(c) || c == '_'; };
  return !name.empty() && name.size() <= kMaxVariableNameBytes && !is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), fits);
}

Failure refuse(std::string_view text, std::string_view words) {
  return fail(Code::Invalid, quoted(text) + " " + std::string(words));
}

Result<void> check_variable(std::string_view written, std::string_view name) {
  if (!is_variable_name(name)) return refuse(written, "is no variable's name (letters, digits and _, no digit first)");
  if (is_injection_variable(name)) {
    return refuse(
        written,
        "makes loaders or interpreters run other code, and is never passed or set; set it inside, for one command");
  }
  return {};
}

}  // namespace

Result<std::string> read_name(std::string_view text, std::string_view what) {
  const auto fits = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  if (text.empty() || text.size() > kMaxNameBytes || !std::all_of(text.begin(), text.end(), fits)) {
    return fail(Code::Invalid, std::string(what) + " is 1 to 40 of a-z, 0-9 and -; " + quoted(text) + " isn't");
  }
  return std::string(text);
}

Result<std::string> read_provider(std::string_view text) {
  const std::span<const std::string_view> known = known_providers();
  if (std::find(known.begin(), known.end(), text) == known.end()) {
    std::string words = did_you_mean(text, known);
    if (words.empty()) {
      words = "; known are";
      for (const auto name : known) words += (name == known.front() ? " " : ", ") + std::string(name);
    }
    return refuse(text, "is no provider known" + words);
  }
  return std::string(text);
}

Result<std::string> read_model_pattern(std::string_view text) {
  const auto fits = [](char c) { return c > ' ' && c < '\x7f'; };
  if (text.empty() || text.size() > kMaxModelBytes || !std::all_of(text.begin(), text.end(), fits)) {
    return refuse(text, "is no model's name (1 to 200 printable ASCII characters, no space)");
  }
  if (text.find('*') < text.size() - 1) return refuse(text, "has a * before its end; only one at the end is read");
  return std::string(text);
}

Result<EnvPass> read_env_pass(std::string_view text) {
  if (text == "*") return refuse(text, "would pass the whole environment, keys included; name the variables");
  EnvPass out;
  out.prefix = text.ends_with('*');
  out.name = out.prefix ? text.substr(0, text.size() - 1) : text;
  LNK_CHECK(check_variable(text, out.name));
  // `LD_*`: whatever it would pass is refused, though "LD_" alone is no variable of the list.
  if (out.prefix) LNK_CHECK(check_variable(text, out.name + "X"));
  return out;
}

Result<EnvSet> read_env_set(std::string_view name, std::string_view value) {
  LNK_CHECK(check_variable(name, name));
  if (value.find('\0') != std::string_view::npos)
    return refuse(name, "has a value with a NUL, which no variable can hold");
  if (name.size() + 1 + value.size() >= kMaxVariableBytes)
    return refuse(name, "has a value over 128 KiB, which no program could be given");
  EnvSet out;
  out.name = name;
  out.value = value;
  return out;
}

}  // namespace lnk::host
