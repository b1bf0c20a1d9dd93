// SPDX-License-Identifier: Apache-2.0
//
// Packets over a unix socket, with descriptors (unix(7), SCM_RIGHTS).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::posix {

constexpr std::size_t kPacketFdsMax = 16;  // descriptors in one packet: far more than any of ours carries

struct Packet {
  std::string bytes;
  std::vector<UniqueFd> fds;
  bool is_end = false;  ///< the other end is closed
};

/// Two connected AF_UNIX SOCK_SEQPACKET sockets, CLOEXEC.
[[nodiscard]] Result<std::pair<UniqueFd, UniqueFd>> make_packet_pair();

/// Sends one packet; never raises SIGPIPE. The descriptors stay the caller's.
/// errors: Gone where the other end is closed; Again; Internal; os_errno.
[[nodiscard]] Status send_packet(int socket, std::string_view bytes, std::span<const int> fds = {});

/// Receives one packet; its descriptors are CLOEXEC. errors: Limit where the packet is longer than `bytes_max` or
/// carries more than kPacketFdsMax descriptors (all are closed); Again; Internal; os_errno.
[[nodiscard]] Result<Packet> receive_packet(int socket, std::size_t bytes_max);

}  // namespace lnk::posix
