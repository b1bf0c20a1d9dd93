// SPDX-License-Identifier: Apache-2.0
//
// The text of a git settings file as values, as git reads it. Pure; takes any bytes.
// Guarantees: the settings of a text that git takes are git's own, in its order (tests hold it against git itself). Of a text
// that git refuses all that git reads before its fault is there; after a fault reading goes on with the next line, since what
// is read here only ever closes more.
// source: git-config(1), "Syntax"; what that leaves open, by git 2.39's config.c and by trying.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::host {

struct GitSetting {
  std::string key;                   ///< "core.hookspath", "includeif.gitdir:~/Work/.path": in lower case but for a quoted subsection
  std::optional<std::string> value;  ///< absent: written without =, which git takes as true
};

struct GitText {
  std::vector<GitSetting> settings;
  bool is_whole = true;  ///< git takes the text
};

/// complexity: linear in `text`
[[nodiscard]] GitText read_git_text(std::string_view text);

/// Whether `key` is `section.….name`, as "includeif", "path" for every includeIf.
[[nodiscard]] bool is_git_key(std::string_view key, std::string_view section, std::string_view name) noexcept;

}  // namespace lnk::host
