// SPDX-License-Identifier: Apache-2.0
#include "dot_files/hook_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace lnk::host {
namespace {

constexpr std::size_t kNamedMax = 256;       // a hook that a person wrote names a few
constexpr std::size_t kNameBytesMax = 4096;  // PATH_MAX

constexpr std::array<std::string_view, 5> kEndings = {".yml", ".yaml", ".toml", ".json", ".jsonc"};

/// Where a word ends in a shell, and in the lists of the languages that hooks are written in.
bool is_between_words(char c) { return std::string_view(" \t\r\n\0;&|()<>[]{},`'\"", 20).find(c) != std::string_view::npos; }

bool is_settings_name(std::string_view name) {
  return std::any_of(kEndings.begin(), kEndings.end(), [name](auto ending) { return name.ends_with(ending); });
}

/// A path, and no expansion, pattern, option or assignment.
bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kNameBytesMax && name.front() != '-' && name.find_first_of("$=*?~:!") == std::string_view::npos;
}

class Reader {
 public:
  std::vector<NamedSettings> read(std::string_view text) {
    while (!text.empty() && out_.size() < kNamedMax) {
      const auto end = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_between_words) - text.begin());
      if (end > 0) take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(out_);
  }

 private:
  void take(std::string_view word) {
    const bool is_wanted = std::exchange(is_wanted_, false);
    if (word.starts_with("--config")) {
      const auto equals = word.find('=');
      is_wanted_ = equals == std::string_view::npos || equals + 1 == word.size();  // a quote ends a word as well
      if (!is_wanted_) add(word.substr(equals + 1));
      return;
    }
    if (word.starts_with("LEFTHOOK_CONFIG=")) {
      is_wanted_ = word.ends_with('=');
      return add(word.substr(word.find('=') + 1));
    }
    if (word == "-c" || word == "-c=") {
      is_wanted_ = true;
      return;
    }
    // argparse takes -cFILE too.
    if (word.starts_with("-c") && is_settings_name(word)) return add(word.substr(word.starts_with("-c=") ? 3 : 2));
    if (is_wanted) add(word);
  }

  void add(std::string_view name) {
    if (is_name(name)) out_.push_back({std::string(name), is_settings_name(name)});
  }

  bool is_wanted_ = false;
  std::vector<NamedSettings> out_;
};

}  // namespace

std::vector<NamedSettings> settings_named_in(std::string_view text) { return Reader().read(text); }

}  // namespace lnk::host
