// SPDX-License-Identifier: Apache-2.0
//
// How a front asks the keeper for a process that serves it, and hears that process: keeper/format.h.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "keeper/format.h"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/packet.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::os_linux {

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// Our end of a socket pair whose other end goes to the process that is asked for. `kind`: LNK_KEEPER_….
[[nodiscard]] Result<UniqueFd> ask_keeper(const UniqueFd& keeper, std::uint32_t kind);

/// errors: Timeout after 10 s; Gone at the end of the socket: the sandbox ended, or the one who serves was killed
[[nodiscard]] Result<posix::Packet> hear_answer(int socket, std::size_t size, std::string_view who);

template <class Reply>
struct Answer {
  Reply reply{};
  std::vector<UniqueFd> fds = {};
};

/// errors: those of hear_answer; Internal for what is of no known form
template <class Reply>
[[nodiscard]] Result<Answer<Reply>> hear_reply(int socket, std::string_view who) {
  Answer<Reply> answer;
  LNK_TRY(posix::Packet packet, hear_answer(socket, sizeof answer.reply, who));
  if (packet.bytes.size() == sizeof answer.reply) std::memcpy(&answer.reply, packet.bytes.data(), sizeof answer.reply);
  if (answer.reply.magic != LNK_KEEPER_MAGIC) return fail(Code::Internal, std::string(who) + " answered in no known form");
  answer.fds = std::move(packet.fds);
  return answer;
}

}  // namespace lnk::os_linux
