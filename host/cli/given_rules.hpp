// SPDX-License-Identifier: Apache-2.0
//
// Rules of secrets that a command line names: shipped ones by name, others by file.
#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "lnk/cpp/result.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// One of the rules that are shipped, by its name, or a file, which has a / in its name: a name never means what lies in
/// the current folder, where a program may have put it.
/// errors: Gone: none of that name is shipped; Limit; os_errno
[[nodiscard]] Result<std::string> read_rule(const Context& context, const std::string& rule);

/// A harness says which rule a secret is to be used by (NAME=RULE): it must be the one that the secret was added with. It never
/// takes that one's place, for the value was given for that one.
/// errors: Denied where it is another; Invalid; each with what to do
[[nodiscard]] Status check_given_rules(const Context& context, const std::vector<std::string>& given, const std::vector<GrantedSecret>& granted);

}  // namespace lnk::host
