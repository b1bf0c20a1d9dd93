// SPDX-License-Identifier: Apache-2.0
#include "survey/exec_watch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "filter/compiled.hpp"
#include "keeper/notification.h"
#include "lnk/posix/io.hpp"
#include "lnk/posix/packet.hpp"

namespace lnk::os_linux {
namespace {

constexpr unsigned kNoExecSeal = 0x0008;    // MFD_NOEXEC_SEAL, Linux 6.3
constexpr int kSealedAgainstExec = 0x0020;  // F_SEAL_EXEC
constexpr int kFilesAsked = 8;
constexpr int kPatienceMs = 2000;  // a call that is never taken or never ends

enum ChildEnd { kAllWell = 0, kNoListener = 1, kCallFailed = 2, kNotSealed = 3 };

// Signals have handlers that don't restart a call, so one that an answered call takes shows.
void take_signal(int) {}

int install(unsigned flags) {
  const auto filter = compiled_filter(kWatchedSealed);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER | flags, &program));
}

bool is_sealed(int file) {
  const int seals = ::fcntl(file, F_GET_SEALS);
  return seals >= 0 && (seals & kSealedAgainstExec) != 0 && ::fchmod(file, 0755) != 0;
}

// Asks for memory files as any program does, and executes what isn't there.
int be_watched(int front, unsigned flags) {
  const int listener = install(flags);
  if (listener < 0 || !posix::send_packet(front, "l", {&listener, 1})) return kNoListener;
  ::close(listener);
  struct sigaction action {};
  action.sa_handler = take_signal;
  ::sigaction(SIGUSR1, &action, nullptr);
  for (int i = 0; i < kFilesAsked; ++i) {
    const int file = ::memfd_create("lnk-try", 0);
    if (file < 0 && errno == ENOSYS) return kNotSealed;
    if (file < 0) return kCallFailed;
    if (!is_sealed(file)) return kNotSealed;
    ::close(file);
  }
  char nothing[] = "/proc/self/nothing";
  char* argv[] = {nothing, nullptr};
  char* env[] = {nullptr};
  ::execve(nothing, argv, env);
  return errno == ENOENT ? kAllWell : kCallFailed;
}

/// As the exec watch answers. False: the kernel took no answer.
bool answer(int listener, const seccomp_notif& call) {
  seccomp_notif_resp reply{call.id, 0, 0, 0};
  if (call.data.nr != SYS_memfd_create) {
    reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    return ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply) == 0;
  }
  const UniqueFd file(::memfd_create("lnk-try", MFD_CLOEXEC | kNoExecSeal));
  seccomp_notif_addfd put{call.id, SECCOMP_ADDFD_FLAG_SEND, static_cast<__u32>(file.get()), 0, 0};
  if (file.is_open() && ::ioctl(listener, SECCOMP_IOCTL_NOTIF_ADDFD, &put) >= 0) return true;
  reply.error = -ENOSYS;
  return ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply) == 0;
}

/// Answers until the child ends. With `signals`, one comes between the taking of a call and its answer, which a kernel that waits
/// until it is killed keeps from the call. False: a call was lost, or one hangs.
bool serve(int listener, pid_t child, bool signals) {
  for (;;) {
    pollfd ready{listener, POLLIN, 0};
    if (posix::retry([&] { return ::poll(&ready, 1, kPatienceMs); }) <= 0) return false;
    if ((ready.revents & POLLIN) == 0) return true;  // nobody is left under the filter
    lnk_taken taken{};
    if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &taken) != 0) return errno == ENOENT;
    if (signals) ::kill(child, SIGUSR1);
    if (!answer(listener, taken.call)) return false;
  }
}

int end_of(pid_t child) {
  int status = 0;
  if (posix::retry([&] { return ::waitpid(child, &status, 0); }) != child) return kCallFailed;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kCallFailed;
}

int try_with(unsigned flags) {
  auto ends = posix::make_packet_pair();
  if (!ends) return kNoListener;
  const pid_t child = ::fork();
  if (child < 0) return kNoListener;
  if (child == 0) ::_exit(be_watched(ends->second.get(), flags));
  ends->second.reset();
  const auto packet = posix::receive_packet(ends->first.get(), 1);
  const bool has_listener = packet && packet->fds.size() == 1;
  const bool went_well = has_listener && serve(packet->fds.front().get(), child, flags != 0);
  if (has_listener && !went_well) ::kill(child, SIGKILL);
  const int end = end_of(child);
  return has_listener && !went_well ? kCallFailed : end;
}

}  // namespace

ExecWatch try_exec_watch() {
  ExecWatch watch;
  int end = try_with(SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  watch.waits_killable = end == kAllWell || end == kNotSealed;
  if (!watch.waits_killable) end = try_with(0);
  watch.has_listener = end == kAllWell || end == kNotSealed;
  watch.seals_memory = end == kAllWell;
  return watch;
}

}  // namespace lnk::os_linux
