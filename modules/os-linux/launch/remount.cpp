// SPDX-License-Identifier: Apache-2.0
#include "launch/remount.hpp"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "keeper/format.h"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/packet.hpp"

namespace lnk::os_linux {
namespace {

constexpr int kAnswerTimeoutMs = 10'000;  // the remounter gives up on a process that won't stop after 2 s

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string_view words_of(std::uint32_t step) {
  switch (step) {
    case LNK_REMOUNT_JOIN:
      return "enter the sandbox's namespaces";
    case LNK_REMOUNT_STOP:
      return "stop every process inside";
    case LNK_REMOUNT_LOOK:
      return "find what was put there";
    case LNK_REMOUNT_MOUNT:
      return "mount it read only";
    default:
      return "take the request";
  }
}

Result<std::unique_ptr<lnk_remount_request>> request_of(const Replaced& replaced) {
  if (replaced.path.size() >= LNK_REMOUNT_PATH_MAX || replaced.path.find('\0') != std::string_view::npos)
    return fail(Code::Invalid, "a path of 4096 bytes or more, or with a NUL in it");
  auto request = std::make_unique<lnk_remount_request>();
  request->magic = LNK_KEEPER_MAGIC;
  request->path_size = static_cast<std::uint32_t>(replaced.path.size());
  request->device = replaced.device;
  request->inode = replaced.inode;
  std::copy(replaced.path.begin(), replaced.path.end(), request->path);
  return request;
}

Result<lnk_remount_reply> hear_reply(int socket) {
  pollfd one{socket, POLLIN, 0};
  const int ready = posix::retry([&] { return ::poll(&one, 1, kAnswerTimeoutMs); });
  if (ready == 0) return fail(Code::Timeout, "the remounter did not answer within 10 s");
  if (ready < 0) return posix::os_fail(Code::Internal, "poll", {}, errno);
  lnk_remount_reply reply{};
  LNK_TRY(const posix::Packet packet, posix::receive_packet(socket, sizeof reply));
  if (packet.is_end) return fail(Code::Gone, "the sandbox ended, or the remounter was killed");
  if (packet.bytes.size() != sizeof reply) return fail(Code::Internal, "the remounter answered in no known form");
  std::memcpy(&reply, packet.bytes.data(), sizeof reply);
  if (reply.magic != LNK_KEEPER_MAGIC) return fail(Code::Internal, "the remounter answered in no known form");
  return reply;
}

}  // namespace

Status hold_again(const UniqueFd& keeper, const Replaced& replaced) {
  LNK_TRY(const auto request, request_of(replaced));
  LNK_TRY(auto ends, posix::make_packet_pair());
  const lnk_keeper_request ask{LNK_KEEPER_MAGIC, LNK_KEEPER_REMOUNT};
  const int theirs = ends.second.get();
  LNK_CHECK(posix::send_packet(keeper.get(), bytes_of(ask), {&theirs, 1}));
  ends.second.reset();
  LNK_CHECK(posix::send_packet(ends.first.get(), bytes_of(*request)));
  LNK_TRY(const lnk_remount_reply reply, hear_reply(ends.first.get()));
  if (reply.error == 0) return {};
  const Code code = reply.error == ENOSYS || reply.error == EPERM ? Code::Unsupported : Code::Gone;
  return posix::os_fail(code, words_of(reply.step), replaced.path, reply.error);
}

}  // namespace lnk::os_linux
