// SPDX-License-Identifier: Apache-2.0
//
// Sockets of the machine that lie where a sandbox may look. A mount, read only or not, lets connect(2) through to whoever
// listens outside, so each is covered for the run.
// Doesn't do: a socket bound later; one bound by a relative name, of which the kernel keeps no folder; one bound in another
// network namespace (a container's, another sandbox's), which /proc/net/unix doesn't list. Landlock 9 refuses those too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// Pure: the paths that sockets are bound at, each once, in order. Relative and abstract names are left out.
/// source: proc_pid_net(5); net/unix/af_unix.c writes names as they are, so one may hold a line break
[[nodiscard]] std::vector<std::string> bound_paths(std::string_view proc_net_unix);

/// Where sockets of the machine lie that these grants, or the system's folders, would show; links in their folders followed.
/// errors: Denied for one whose name a snapshot can't hold; what can't be looked at can't be connected to
[[nodiscard]] Result<std::vector<std::string>> machine_sockets(const Grants& grants);

}  // namespace lnk::host
