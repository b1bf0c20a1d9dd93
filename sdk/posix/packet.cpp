// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/packet.hpp"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::posix {

namespace {

struct ControlSpace {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kPacketFdsMax * sizeof(int))> bytes{};
};

void take_descriptors(msghdr& message, std::vector<UniqueFd>& fds) {
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t at = 0; at < count; ++at) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + at * sizeof(int), sizeof fd);
      fds.emplace_back(fd);
    }
  }
}

Code code_of(int os_errno) noexcept {
  if (os_errno == EAGAIN) return Code::Again;
  if (os_errno == EPIPE || os_errno == ECONNRESET) return Code::Gone;
  return Code::Internal;
}

}  // namespace

Result<std::pair<UniqueFd, UniqueFd>> make_packet_pair() {
  std::array<int, 2> ends{-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return os_fail(Code::Limit, "socketpair", {}, errno);
  return std::pair{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

Status send_packet(int socket, std::string_view bytes, std::span<const int> fds) {
  if (fds.size() > kPacketFdsMax) return fail(Code::Limit, "too many descriptors in one packet");
  iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  ControlSpace control;
  if (!fds.empty()) {
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(fds.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(fds.size_bytes());
    std::memcpy(CMSG_DATA(header), fds.data(), fds.size_bytes());
  }
  if (retry([&] { return ::sendmsg(socket, &message, MSG_NOSIGNAL); }) < 0)
    return os_fail(code_of(errno), "send a packet", {}, errno);
  return {};
}

Result<Packet> receive_packet(int socket, std::size_t bytes_max) {
  Packet packet;
  packet.bytes.resize(bytes_max);
  iovec piece{packet.bytes.data(), packet.bytes.size()};
  ControlSpace control;
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  const ssize_t count = retry([&] { return ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC); });
  if (count < 0) return os_fail(code_of(errno), "receive a packet", {}, errno);
  // Taken before anything is judged, so that none stays open where the packet is refused.
  take_descriptors(message, packet.fds);
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0)
    return fail(Code::Limit,
                "a packet longer than " + std::to_string(bytes_max) + " bytes, or with too many descriptors");
  packet.bytes.resize(static_cast<std::size_t>(count));
  packet.is_end = count == 0 && packet.fds.empty();
  return packet;
}

}  // namespace lnk::posix
