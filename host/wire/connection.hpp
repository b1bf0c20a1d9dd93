// SPDX-License-Identifier: Apache-2.0
//
// One connection from inside: its requests in order, one at a time. Head → gate → decision → tunnel, plain relay or
// verb. A request that can't be read in one way alone, and one whose body was not read to its end, is the last of its
// connection.
#pragma once

#include "lnk/posix/unique_fd.hpp"
#include "wire/wire_parts.hpp"

namespace lnk::host {

Task<void> serve_connection(WireParts& parts, UniqueFd client);

}  // namespace lnk::host
