// SPDX-License-Identifier: Apache-2.0
//
// The links on the way to a path, as one inside meets them: what a link leads to may be open where the link itself isn't
// there. Reads the file system and changes nothing.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "snapshot/snapshot.hpp"

namespace lnk::host {

struct UnseenLink {
  std::string link;
  std::string folder;  ///< to read, with which the way is seen
};

/// The first link on the way to `path` that isn't seen inside; nothing: each is. `is_seen` tells of a place whose folder
/// has no links. A grant that was written by a link is one inside too.
[[nodiscard]] std::optional<UnseenLink> unseen_link(const std::string& path, const Grants& grants,
                                                    const std::function<bool(const std::string&)>& is_seen);

}  // namespace lnk::host
