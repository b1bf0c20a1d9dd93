// SPDX-License-Identifier: Apache-2.0
//
// One connection from inside: its requests in order, one at a time. Head → gate → decision → tunnel, plain relay or
// verb. A request that can't be read in one way alone, and one whose body was not read to its end, is the last of its
// connection.
#pragma once

#include <cstdint>

#include "lnk/posix/unique_fd.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

Task<void> serve_connection(WireParts& parts, UniqueFd client);
/// The same on a port inside at which a local runtime is found, as below local/<port>/ of the sandbox's secret: its one
/// request.
Task<void> serve_local_connection(WireParts& parts, UniqueFd client, std::uint16_t port);

}  // namespace lnk::host
