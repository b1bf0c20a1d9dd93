// SPDX-License-Identifier: Apache-2.0
#include "launch/doorway.hpp"

#include <algorithm>

#include "launch/keeper_talk.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::os_linux {
Result<UniqueFd> ask_for_doorway(const UniqueFd& keeper) { return ask_keeper(keeper, LNK_KEEPER_OPEN_DOORWAY); }

Result<UniqueFd> make_socket_inside(const UniqueFd& doorway, SocketUse use, const InsideAddress& address) {
  lnk_doorway_request request{};
  request.magic = LNK_KEEPER_MAGIC;
  request.kind = use == SocketUse::Listen ? LNK_DOORWAY_LISTEN : LNK_DOORWAY_CONNECT;
  request.is_datagram = address.kind == LNK_SOCKET_DATAGRAM ? 1 : 0;
  request.ip_size = address.ip_size;
  request.port = address.port;
  std::copy(address.ip.begin(), address.ip.end(), request.ip);
  LNK_CHECK(posix::send_packet(doorway.get(), bytes_of(request)));
  LNK_TRY(auto answer, hear_reply<lnk_doorway_reply>(doorway.get(), "the net helper"));
  if ((answer.reply.error == 0) != (answer.fds.size() == 1))
    return fail(Code::Internal, "the net helper answered in no known form");
  if (answer.reply.error != 0) return posix::os_fail(Code::Upstream, "make a socket inside", {}, answer.reply.error);
  return std::move(answer.fds.front());
}

}  // namespace lnk::os_linux
