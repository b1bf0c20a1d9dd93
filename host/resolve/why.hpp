// SPDX-License-Identifier: Apache-2.0
//
// Which line of a spec, or which rule of every sandbox, decides about one path or host. It tells what the wall and the wire
// will do, and decides nothing itself.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "resolve/check.hpp"
#include "resolve/resolve.hpp"

namespace lnk::host {

struct Verdict {
  bool allowed = false;
  Origin where;       ///< "spec.toml:4:9"; empty: no line decides, a rule does
  std::string rule;   ///< the rule's name, one of the man page's; "grant" where a line decides
  std::string words;  ///< what decides, for a person or a model
  std::string mend;   ///< which key and value would allow it; empty: it is allowed, or no key does
};

/// A place of a written folder that is read only since it runs as the person outside.
struct HeldPlace {
  std::string path;
  std::string why;
};

/// What a question about a path is answered from.
struct PathGround {
  const Resolved& resolved;
  const Checked& checked;
  const Facts& facts;
  const std::vector<HeldPlace>& held;
  /// Why one more path of [files] would be refused; empty: it would be taken.
  std::function<std::string(const std::string& path, Access access)> refusal_of;
};

/// `path` absolute and clean, as a program inside would name it; its links are followed once, as they stand now.
[[nodiscard]] Verdict why_path(std::string_view path, Access access, const PathGround& ground);

/// Whether a program that is found at `path` runs where it isn't the command itself; `readable` says whether it can be read.
[[nodiscard]] Verdict why_program(const std::string& name, const std::string& path, Verdict readable, const Resolved& resolved,
                                  const Checked& checked);

/// `host` as in [network] hosts, but one: no *; port 443 where none is named.
/// errors: Invalid for what is no host
[[nodiscard]] Result<Verdict> why_host(std::string_view host, const Resolved& resolved, const Kept& kept);

}  // namespace lnk::host
