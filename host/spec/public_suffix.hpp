// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lnk::host {

/// Whether anyone may register a name right below this one, so that `*.` over it would be no one's domain: one label, a
/// country's usual second level (`co.uk`), or a shared host's domain of the list (`github.io`).
/// It is a guard against a slip, not the public suffix list: what it doesn't know is taken for somebody's own.
[[nodiscard]] bool is_public_suffix(std::string_view domain);

}  // namespace lnk::host
