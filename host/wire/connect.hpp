// SPDX-License-Identifier: Apache-2.0
//
// One TCP connection to one address. What may be connected to is decided by the caller.
#pragma once

#include <cstdint>
#include <memory>

#include "lnk/cpp/result.hpp"
#include "wire/address.hpp"
#include "wire/byte_stream.hpp"

namespace lnk::host {

/// Waits kConnectMs at most. errors: Timeout; Upstream, whose text is the system's word.
Task<Result<std::unique_ptr<ByteStream>>> connect_to(Loop& loop, Address address, std::uint16_t port);

}  // namespace lnk::host
