// SPDX-License-Identifier: Apache-2.0
#include "launch/remount.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>

#include "launch/keeper_talk.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::os_linux {
namespace {

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
    case LNK_REMOUNT_NAMES:
      return "see that it has no other name by which the program could write it, as hard links give";
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

}  // namespace

Status hold_again(const UniqueFd& keeper, const Replaced& replaced) {
  LNK_TRY(const auto request, request_of(replaced));
  LNK_TRY(const UniqueFd remounter, ask_keeper(keeper, LNK_KEEPER_REMOUNT));
  LNK_CHECK(posix::send_packet(remounter.get(), bytes_of(*request)));
  LNK_TRY(const auto answer, hear_reply<lnk_remount_reply>(remounter.get(), "the remounter"));
  const lnk_remount_reply& reply = answer.reply;
  if (reply.error == 0) return {};
  // It can't be entered any more once it ends; what failed later was seen in one that lived.
  const bool may_have_ended = reply.step == LNK_REMOUNT_JOIN || reply.error == ESTALE;
  const bool is_unknown = reply.error == ENOSYS || reply.error == EPERM;
  const Code code = is_unknown ? Code::Unsupported : may_have_ended ? Code::Gone : Code::Denied;
  return posix::os_fail(code, words_of(reply.step), replaced.path, reply.error);
}

}  // namespace lnk::os_linux
