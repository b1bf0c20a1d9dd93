// SPDX-License-Identifier: Apache-2.0
#include "wire/connect.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "wire/limits.hpp"

namespace lnk::host {
namespace {

socklen_t to_sockaddr(const Address& address, std::uint16_t port, sockaddr_storage& storage) noexcept {
  if (address.is_ipv6) {
    sockaddr_in6 to{};
    to.sin6_family = AF_INET6;
    to.sin6_port = htons(port);
    std::memcpy(&to.sin6_addr, address.bytes.data(), sizeof to.sin6_addr);
    std::memcpy(&storage, &to, sizeof to);
    return sizeof to;
  }
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  std::memcpy(&to.sin_addr, address.bytes.data(), sizeof to.sin_addr);
  std::memcpy(&storage, &to, sizeof to);
  return sizeof to;
}

Failure connect_failed(int os_errno) { return fail(Code::Upstream, std::strerror(os_errno), os_errno); }

/// A port in the range from which the kernel takes those of callers, on which nothing listens, may be the caller's own: the
/// connection is then made with itself (RFC 9293 3.5, both ends opening at once).
bool is_to_itself(int fd) noexcept {
  sockaddr_storage own{};
  sockaddr_storage other{};
  socklen_t own_size = sizeof own;
  socklen_t other_size = sizeof other;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &own_size) != 0) return false;
  if (::getpeername(fd, reinterpret_cast<sockaddr*>(&other), &other_size) != 0) return false;
  return own_size == other_size && std::memcmp(&own, &other, own_size) == 0;
}

}  // namespace

Task<Result<std::unique_ptr<ByteStream>>> connect_to(Loop& loop, Address address, std::uint16_t port) {
  UniqueFd fd(::socket(address.is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.is_open()) co_return connect_failed(errno);
  sockaddr_storage storage{};
  const socklen_t size = to_sockaddr(address, port, storage);
  const bool is_connected = ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&storage), size) == 0;
  if (!is_connected && errno != EINPROGRESS) co_return connect_failed(errno);
  const int number = fd.get();
  auto stream = make_plain_stream(loop, std::move(fd));
  if (is_connected && is_to_itself(number)) co_return connect_failed(ECONNREFUSED);
  if (is_connected) co_return stream;
  Deadline deadline(loop, stream.get());
  deadline.set(kConnectMs);
  if (co_await stream->wait_writable() == Wake::Cancelled) co_return fail(Code::Timeout, "no answer in time");
  int os_errno = 0;
  socklen_t length = sizeof os_errno;
  if (::getsockopt(number, SOL_SOCKET, SO_ERROR, &os_errno, &length) != 0) os_errno = errno;
  if (os_errno == 0 && is_to_itself(number)) os_errno = ECONNREFUSED;
  if (os_errno != 0) co_return connect_failed(os_errno);
  co_return stream;
}

}  // namespace lnk::host
