// SPDX-License-Identifier: Apache-2.0
//
// The front's side of a net helper: asks for sockets in a sandbox's network.
#pragma once

#include "lnk/cpp/confiner.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::os_linux {

/// Asks a keeper for a net helper; it may serve a moment later, and requests wait for it.
[[nodiscard]] Result<UniqueFd> ask_for_doorway(const UniqueFd& keeper);

enum class SocketUse { Listen, Connect };

/// errors: Upstream with the errno of what failed inside; Gone where the sandbox has ended; Timeout
[[nodiscard]] Result<UniqueFd> make_socket_inside(const UniqueFd& doorway, SocketUse use, const InsideAddress& address);

}  // namespace lnk::os_linux
