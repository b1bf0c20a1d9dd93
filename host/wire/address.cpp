// SPDX-License-Identifier: Apache-2.0
#include "wire/address.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {
namespace {

template <class Sockaddr>
bool binds(int family, const Sockaddr& address) noexcept {
  const UniqueFd fd(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // A machine without IPv6 has no IPv6 address of its own. Anything else that fails is not knowing.
  if (!fd.is_open()) return errno != EAFNOSUPPORT;
  sockaddr_storage storage{};
  std::memcpy(&storage, &address, sizeof address);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&storage), sizeof address) == 0) return true;
  return errno != EADDRNOTAVAIL;
}

}  // namespace

bool is_own_address(const Address& address) noexcept {
  if (address.is_ipv6) {
    sockaddr_in6 own{};
    own.sin6_family = AF_INET6;
    std::memcpy(&own.sin6_addr, address.bytes.data(), sizeof own.sin6_addr);
    return binds(AF_INET6, own);
  }
  sockaddr_in own{};
  own.sin_family = AF_INET;
  std::memcpy(&own.sin_addr, address.bytes.data(), sizeof own.sin_addr);
  return binds(AF_INET, own);
}

}  // namespace lnk::host
