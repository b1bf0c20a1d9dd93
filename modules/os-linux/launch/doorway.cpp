// SPDX-License-Identifier: Apache-2.0
#include "launch/doorway.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "keeper/format.h"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/packet.hpp"

namespace lnk::os_linux {
namespace {

// The helper gives up after 2 s; where it does not answer at all, nothing will.
constexpr int kAnswerTimeoutMs = 10'000;

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

Status wait_for_answer(int socket) {
  pollfd one{socket, POLLIN, 0};
  const int ready = posix::retry([&] { return ::poll(&one, 1, kAnswerTimeoutMs); });
  if (ready == 0) return fail(Code::Timeout, "the net helper did not answer within 10 s");
  if (ready < 0) return posix::os_fail(Code::Internal, "poll", {}, errno);
  return {};
}

}  // namespace

Result<UniqueFd> ask_for_doorway(const UniqueFd& keeper) {
  LNK_TRY(auto ends, posix::make_packet_pair());
  const lnk_keeper_request request{LNK_KEEPER_MAGIC, LNK_KEEPER_OPEN_DOORWAY};
  const int theirs = ends.second.get();
  LNK_CHECK(posix::send_packet(keeper.get(), bytes_of(request), {&theirs, 1}));
  return std::move(ends.first);
}

Result<UniqueFd> make_socket_inside(const UniqueFd& doorway, SocketUse use, const InsideAddress& address) {
  lnk_doorway_request request{};
  request.magic = LNK_KEEPER_MAGIC;
  request.kind = use == SocketUse::Listen ? LNK_DOORWAY_LISTEN : LNK_DOORWAY_CONNECT;
  request.is_datagram = address.kind == LNK_SOCKET_DATAGRAM ? 1 : 0;
  request.ip_size = address.ip_size;
  request.port = address.port;
  std::copy(address.ip.begin(), address.ip.end(), request.ip);
  LNK_CHECK(posix::send_packet(doorway.get(), bytes_of(request)));
  LNK_CHECK(wait_for_answer(doorway.get()));
  lnk_doorway_reply reply{};
  LNK_TRY(posix::Packet packet, posix::receive_packet(doorway.get(), sizeof reply));
  if (packet.is_end) return fail(Code::Gone, "the sandbox ended before it gave a socket");
  if (packet.bytes.size() != sizeof reply) return fail(Code::Internal, "the net helper answered in no known form");
  std::memcpy(&reply, packet.bytes.data(), sizeof reply);
  if (reply.magic != LNK_KEEPER_MAGIC || (reply.error == 0) != (packet.fds.size() == 1))
    return fail(Code::Internal, "the net helper answered in no known form");
  if (reply.error != 0) return posix::os_fail(Code::Upstream, "make a socket inside", {}, reply.error);
  return std::move(packet.fds.front());
}

}  // namespace lnk::os_linux
