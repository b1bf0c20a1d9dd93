// SPDX-License-Identifier: Apache-2.0
//
// A spec or flags to a snapshot: parse, resolve, check. One way for every command that reads a spec.
#pragma once

#include <string>
#include <vector>

#include "cli/args.hpp"
#include "cli/context.hpp"
#include "lnk/cpp/result.hpp"
#include "resolve/check.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

struct Prepared {
  Snapshot snapshot;
  std::string spec_path;    ///< with links followed; empty: flags alone
  std::string spec_shown;   ///< as it was named
  std::string grants_hash;  ///< of the spec's grants without the flags': what is asked about
  Grants asked;             ///< the same
  std::vector<std::string> notes;
};

/// errors: every error of the spec or refusal of a grant, a line each
[[nodiscard]] Result<Prepared> prepare(const Context& context, const std::string& spec, Spec flags,
                                       const std::vector<std::string>& command);

/// The flags as a spec of their own: one way of reading a value, whoever wrote it.
/// errors: every flag that is wrong, a line each
[[nodiscard]] Result<Spec> read_flags(const GrantFlags& flags);

/// Whether a person approved these grants for this spec.
[[nodiscard]] Result<bool> is_approved(const Context& context, const Prepared& prepared);

/// What the grants open, in words, a line each.
[[nodiscard]] std::vector<std::string> in_words(const Grants& grants, const std::vector<std::string>& read_only);

}  // namespace lnk::host
