// SPDX-License-Identifier: Apache-2.0
#include "model_names.hpp"

#include <algorithm>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_local {
namespace {

constexpr std::size_t kNameBytesMax = 256;
constexpr std::size_t kShownBytesMax = 80;

bool is_plain(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kNameBytesMax &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

/// Ollama's forms, "kimi-k2:cloud" and "gpt-oss:120b-cloud", also with a digest, a host or another tag around them.
bool is_of_a_cloud(std::string_view name) {
  const std::string low = folded(name);
  constexpr std::string_view kWord = "cloud";
  for (auto at = low.find(kWord); at != std::string::npos; at = low.find(kWord, at + 1)) {
    const bool begins = at > 0 && (low[at - 1] == ':' || low[at - 1] == '-');
    const auto end = at + kWord.size();
    const bool ends = end == low.size() || std::string_view(":@/").find(low[end]) != std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}

/// A scheme, or a part that climbs, which no pattern of a spec means.
bool is_elsewhere(std::string_view name) noexcept {
  return name.find("://") != std::string_view::npos || name.find("..") != std::string_view::npos ||
         name.find('\\') != std::string_view::npos;
}

bool covers(std::string_view pattern, std::string_view name) noexcept {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  if (!name.starts_with(pattern)) return false;
  // "qwen3*" is no owner "qwen3-of-others/…", whose models a runtime would fetch.
  return pattern.empty() || pattern.find('/') != std::string_view::npos || name.find('/') == std::string_view::npos;
}

std::string shown(std::string_view name) { return '"' + std::string(name.substr(0, kShownBytesMax)) + '"'; }

}  // namespace

std::string model_fault(const std::vector<std::string>& models, std::string_view name) {
  if (!is_plain(name)) return "is no plain name of a model";
  if (is_of_a_cloud(name))
    return shown(name) + " is run elsewhere by the runtime, not on this machine; trying again won't help";
  if (is_elsewhere(name)) return shown(name) + " names a place and not a model";
  if (models.empty()) {
    const bool is_place = name.find('/') != std::string_view::npos || name.front() == '~' || name.front() == '.';
    if (!is_place) return {};
    return shown(name) + " may be fetched by the runtime, or be a file; models = [" + shown(name) +
           "] under [model] in the sandbox's spec would allow it";
  }
  const bool is_listed =
      std::any_of(models.begin(), models.end(), [name](const auto& one) { return covers(one, name); });
  if (is_listed) return {};
  return shown(name) + " is not among models under [model] in the sandbox's spec; adding it there would allow it";
}

}  // namespace lnk::verb_local
