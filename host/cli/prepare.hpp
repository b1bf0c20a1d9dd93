// SPDX-License-Identifier: Apache-2.0
//
// A spec or flags to a snapshot: parse, resolve, check. One way for every command that reads a spec.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args.hpp"
#include "cli/context.hpp"
#include "cli/pinned_names.hpp"
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
  std::vector<std::string> skipped;  ///< tables of another system, which nothing was looked up for
  std::string settings;     ///< their folder, with links followed
};

/// errors: every error of the spec or refusal of a grant, a line each
[[nodiscard]] Result<Prepared> prepare(const Context& context, const std::string& spec, Spec flags,
                                       const std::vector<std::string>& command, Pins pins = Pins::AsApproved);

/// The flags as a spec of their own: one way of reading a value, whoever wrote it.
/// errors: every flag that is wrong, a line each
[[nodiscard]] Result<Spec> read_flags(const GrantFlags& flags);

/// Whether a person approved these grants for this spec.
[[nodiscard]] Result<bool> is_approved(const Context& context, const Prepared& prepared);

/// Another spec that the spec's name belongs to, which is why it may be asked about though its grants were approved.
[[nodiscard]] Result<std::optional<std::string>> other_spec_of_name(const Context& context, const Prepared& prepared);

/// A spec's grants with the line of each, for who must name the one that decides. Nothing is kept, and nothing asked.
struct Traced {
  Facts facts;
  Resolved resolved;
  Checked checked;
  Kept kept;
  std::string spec_path;
};

/// Why a spec with one more path in it would be refused, a line each; empty: it would be taken.
[[nodiscard]] std::string refusal_with(const Traced& traced, const std::string& path, Access access);

/// errors: every error of the spec or refusal of a grant, a line each
[[nodiscard]] Result<Traced> trace(const Context& context, const std::string& spec);

/// Looks a program up once, as one inside will. Not found outside: the inside looks itself.
/// errors: Denied where others could change it
[[nodiscard]] Result<Program> find_program(const std::string& name, const Grants& grants);

}  // namespace lnk::host
