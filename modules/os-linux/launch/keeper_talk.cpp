// SPDX-License-Identifier: Apache-2.0
#include "launch/keeper_talk.hpp"

#include <poll.h>

#include <cerrno>
#include <string>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::os_linux {
namespace {

// Each who serves gives up after 2 s; where it does not answer at all, nothing will.
constexpr int kAnswerTimeoutMs = 10'000;

}  // namespace

Result<UniqueFd> ask_keeper(const UniqueFd& keeper, std::uint32_t kind) {
  LNK_TRY(auto ends, posix::make_packet_pair());
  const lnk_keeper_request request{LNK_KEEPER_MAGIC, kind};
  const int theirs = ends.second.get();
  LNK_CHECK(posix::send_packet(keeper.get(), bytes_of(request), {&theirs, 1}));
  return std::move(ends.first);
}

Result<posix::Packet> hear_answer(int socket, std::size_t size, std::string_view who) {
  pollfd one{socket, POLLIN, 0};
  const int ready = posix::retry([&] { return ::poll(&one, 1, kAnswerTimeoutMs); });
  if (ready == 0) return fail(Code::Timeout, std::string(who) + " did not answer within 10 s");
  if (ready < 0) return posix::os_fail(Code::Internal, "poll", {}, errno);
  LNK_TRY(posix::Packet packet, posix::receive_packet(socket, size));
  if (packet.is_end) return fail(Code::Gone, "the sandbox ended before " + std::string(who) + " answered");
  return packet;
}

}  // namespace lnk::os_linux
