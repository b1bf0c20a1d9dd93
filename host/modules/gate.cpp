// SPDX-License-Identifier: Apache-2.0
#include "modules/gate.hpp"

#include <algorithm>
#include <charconv>

#include "lnk/abi/probe.h"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {

namespace {

/// "linux.landlock": words of a-z, 0-9, '-' and '_', joined by dots.
bool is_capability_name(std::string_view name) noexcept {
  if (name.empty() || name.front() == '.' || name.back() == '.' || name.find("..") != std::string_view::npos)
    return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

Failure bad_list(std::string_view text) {
  return fail(Code::Invalid, "its note requires '" + posix::escaped(text) +
                                 "', which is no list of capabilities (\"linux.landlock>=1,linux.userns\")");
}

std::string_view state_word(std::uint32_t state) noexcept {
  switch (state) {
    case LNK_SUPPORTED:
      return "supported";
    case LNK_DEGRADED:
      return "degraded";
    case LNK_UNSUPPORTED:
      return "unsupported";
    default:
      return "unknown";
  }
}

bool holds(const MachineCapability& found, const Requirement& wanted) noexcept {
  const bool is_there = found.state == LNK_SUPPORTED || found.state == LNK_DEGRADED;
  return is_there && found.level >= wanted.level_min;
}

std::string wanted_text(const Requirement& wanted) {
  return wanted.level_min == 0 ? wanted.name : wanted.name + ">=" + std::to_string(wanted.level_min);
}

std::string found_text(const MachineCapability& found) {
  std::string text(state_word(found.state));
  if (found.level != 0) text += ", level " + std::to_string(found.level);
  if (found.os_errno != 0) text.append(" (").append(posix::errno_words(found.os_errno)).append(")");
  if (!found.mend.empty()) text += "; " + posix::escaped(found.mend);
  return text;
}

}  // namespace

Result<std::vector<Requirement>> parse_requirements(std::string_view text) {
  if (text.ends_with(',')) return bad_list(text);
  std::vector<Requirement> list;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const std::size_t sign = std::min(item.find(">="), item.size());
    Requirement wanted{std::string(item.substr(0, sign)), 0};
    if (!is_capability_name(wanted.name)) return bad_list(text);
    if (sign != item.size()) {
      const std::string_view level = item.substr(sign + 2);
      const auto [end, error] = std::from_chars(level.data(), level.data() + level.size(), wanted.level_min);
      if (level.empty() || error != std::errc{} || end != level.data() + level.size()) return bad_list(text);
    }
    list.push_back(std::move(wanted));
  }
  return list;
}

Result<void> check_requirements(std::string_view text, std::span<const MachineCapability> machine) {
  LNK_TRY(const std::vector<Requirement> list, parse_requirements(text));
  for (const Requirement& wanted : list) {
    const auto found =
        std::find_if(machine.begin(), machine.end(), [&](const MachineCapability& c) { return c.name == wanted.name; });
    if (found == machine.end())
      return fail(Code::Unsupported, "it needs " + wanted_text(wanted) + ", which no probe of this machine knows");
    if (!holds(*found, wanted))
      return fail(Code::Unsupported, "it needs " + wanted_text(wanted) + "; found " + found_text(*found),
                  found->os_errno);
  }
  return {};
}

}  // namespace lnk::host
