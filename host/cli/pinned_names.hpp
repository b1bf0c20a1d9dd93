// SPDX-License-Identifier: Apache-2.0
//
// The .local names of a spec, each with the one address that it stands for: any machine on the link may answer for such a
// name, so it is looked up when a person is asked, and never again.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "resolve/resolve.hpp"

namespace lnk::host {

enum class Pins {
  AsApproved,  ///< as this spec was approved last; what wasn't approved is looked up
  Anew,        ///< looked up, since it is approved now
};

/// Adds the addresses; a name that has none now is a refusal.
/// errors: what was approved last can't be read
[[nodiscard]] Status pin_link_names(const Context& context, const std::string& spec_path, Pins pins, Resolved& resolved);

}  // namespace lnk::host
