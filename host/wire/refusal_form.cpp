// SPDX-License-Identifier: Apache-2.0
#include "wire/refusal_form.hpp"

#include <algorithm>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kWords = "{words}";
constexpr std::string_view kReason = "{reason}";
constexpr std::string_view kStatus = "{status}";

/// Words are one line of ASCII; what isn't is of no use in them.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return out;
}

}  // namespace

Result<void> check_refusal_form(std::string_view form) {
  if (form.size() > kRefusalFormBytesMax) return fail(Code::Limit, "a route's form of refusals is over 1 KiB");
  const bool is_printable = std::all_of(form.begin(), form.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  const auto words = form.find(kWords);
  const bool is_once = words != std::string_view::npos && form.find(kWords, words + 1) == std::string_view::npos;
  if (!is_printable || !is_once || !form.starts_with('{') || !form.ends_with('}'))
    return fail(Code::Invalid, "a route's form of refusals is a line of JSON with {words} once");
  return {};
}

std::string fill_refusal_form(std::string_view form, const http::Refusal& refusal) {
  std::string out;
  // What is filled in is not looked through for places again.
  while (!form.empty()) {
    if (form.starts_with(kWords)) {
      out += escaped(refusal.words);
      form.remove_prefix(kWords.size());
    } else if (form.starts_with(kReason)) {
      out += escaped(refusal.reason);
      form.remove_prefix(kReason.size());
    } else if (form.starts_with(kStatus)) {
      out += std::to_string(refusal.status);
      form.remove_prefix(kStatus.size());
    } else {
      out += form.front();
      form.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace lnk::host
