// SPDX-License-Identifier: Apache-2.0
//
// Which addresses are machines on a link of this one: a hotel's or a data centre's network, and a home's with global
// IPv6 addresses, is a local network whatever its range.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/address.hpp"

namespace lnk::host {

/// Asks the kernel's tables as they are at that moment; its socket is made before the wire confines itself.
class Neighbours {
 public:
  /// errors: Unsupported
  static Result<Neighbours> open();

  /// The route to it has no gateway, on a link that has neighbours, and a prefix of its own. Not so: point-to-point
  /// links and those without ARP (tun, WireGuard, ppp), behind which another network lies; and routes of less than 8
  /// bits (IPv6: 32), as no link has and some uplinks without a gateway have. True where it can't be told.
  [[nodiscard]] bool has(const Address& address);

 private:
  explicit Neighbours(UniqueFd socket) noexcept : socket_(std::move(socket)) {}
  std::string_view ask(void* request, std::size_t size);
  bool has_neighbours(std::uint32_t interface);

  static constexpr std::size_t kAnswerBytesMax = 16384;
  UniqueFd socket_;
  std::uint32_t sequence_ = 0;
  std::string buffer_ = std::string(kAnswerBytesMax, '\0');
};

}  // namespace lnk::host
