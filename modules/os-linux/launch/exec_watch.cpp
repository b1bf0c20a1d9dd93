// SPDX-License-Identifier: Apache-2.0
#include "launch/exec_watch.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "inside/format.h"
#include "keeper/exec_list.h"
#include "launch/keeper_talk.hpp"
#include "launch/pin.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/memory_file.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::os_linux {
namespace {

constexpr int kReportsAtOnce = 64;
constexpr std::string_view kEnded =
    "the exec watch has ended: programs are no longer named; what a list lets run is held as before, and under one a memory file that "
    "isn't asked for sealed is refused";

/// What the watch itself answers, less all that needs it.
void answer(int listener, const seccomp_notif& call) {
  seccomp_notif_resp reply{call.id, 0, 0, 0};
  if (call.data.nr == SYS_memfd_create) {
    reply.error = -ENOSYS;
  } else {
    reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;  // Landlock decides
  }
  // ENOENT: its caller was killed, or it had its answer.
  (void)::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

Result<ProgramReport> read_report(const lnk_exec_report& raw, std::size_t size) {
  constexpr std::size_t kHead = offsetof(lnk_exec_report, texts);
  const bool is_whole = size >= kHead && raw.magic == LNK_KEEPER_MAGIC && raw.path_size <= size - kHead &&
                        raw.parent_size == size - kHead - raw.path_size;
  if (!is_whole) return fail(Code::Internal, "the exec watch said something of no known form");
  ProgramReport report{std::string(raw.texts, raw.path_size), std::string(raw.texts + raw.path_size, raw.parent_size), raw.pid,
                       raw.is_allowed != 0};
  // The first program is started by ours, which the sandbox sees under this name.
  if (report.parent == LNK_INSIDE_PATH) report.parent = "lnk-sandbox";
  return report;
}

}  // namespace

Result<std::vector<HeldProgram>> hold_programs(const Plan& plan) {
  std::vector<HeldProgram> held;
  if (!plan.programs) return held;
  for (const ListedProgram& program : *plan.programs) {
    auto found = pin(program.path);
    if (!found) return fail(std::move(found).error().within("a program that may run"));
    if (found->kind != (program.is_folder ? FileKind::Folder : FileKind::File)) {
      return fail(Code::Gone, posix::escaped(program.path) + ": is no " + (program.is_folder ? "folder" : "file") +
                                  " any more, and [commands] lists it as one");
    }
    held.push_back({program.path, program.is_folder, found->device, found->inode});
  }
  return held;
}

Result<std::string> write_exec_list(std::vector<HeldProgram> programs, std::uint32_t flags) {
  // Two names of one file are one file; a folder is known by its name.
  const auto key = [](const HeldProgram& program) {
    return std::make_tuple(program.is_folder, program.device, program.inode, program.is_folder ? std::string_view(program.path) : "");
  };
  std::sort(programs.begin(), programs.end(), [&](const auto& left, const auto& right) { return key(left) < key(right); });
  programs.erase(std::unique(programs.begin(), programs.end(), [&](const auto& left, const auto& right) { return key(left) == key(right); }),
                 programs.end());
  lnk_exec_list_head head{LNK_EXEC_LIST_MAGIC, 0, flags, 0, 0, 0};
  std::string files;
  std::string folders;
  for (const HeldProgram& program : programs) {
    if (program.is_folder) {
      const auto size = static_cast<std::uint32_t>(program.path.size());
      folders.append(bytes_of(size)).append(program.path).push_back('\0');
      ++head.folderc;
    } else {
      files += bytes_of(lnk_exec_file{program.device, program.inode});
      ++head.filec;
    }
  }
  if (head.filec > LNK_EXEC_LIST_FILES_MAX || head.folderc > LNK_EXEC_LIST_FOLDERS_MAX)
    return fail(Code::Limit, "[commands] lists more than 65,536 programs or 4,096 folders");
  head.total_bytes = static_cast<std::uint32_t>(sizeof head + files.size() + folders.size());
  return std::string(bytes_of(head)) + files + folders;
}

void ExecWatcher::Unmap::operator()(lnk_taken* taken) const noexcept { ::munmap(taken, sizeof *taken); }

Result<std::unique_ptr<ExecWatcher>> ExecWatcher::start(const UniqueFd& keeper, std::string_view list) {
  std::unique_ptr<ExecWatcher> watcher(new ExecWatcher());
  watcher->events_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!watcher->events_.is_open()) return posix::os_fail(Code::Limit, "epoll_create1", {}, errno);
  LNK_TRY(watcher->socket_, ask_keeper(keeper, LNK_KEEPER_EXEC_WATCH));
  LNK_CHECK(watcher->listen_to(watcher->socket_));
  LNK_TRY(const UniqueFd list_file, posix::make_sealed_file("lnk-exec-list", list));
  LNK_CHECK(watcher->send(LNK_EXEC_WATCH_LIST, list_file));
  const UniqueFd shared(::memfd_create("lnk-exec-taken", MFD_CLOEXEC));
  if (!shared.is_open() || ::ftruncate(shared.get(), sizeof(lnk_taken)) != 0)
    return posix::os_fail(Code::Limit, "make the page that the exec watch shares", {}, errno);
  void* page = ::mmap(nullptr, sizeof(lnk_taken), PROT_READ | PROT_WRITE, MAP_SHARED, shared.get(), 0);
  if (page == MAP_FAILED) return posix::os_fail(Code::Limit, "map the page that the exec watch shares", {}, errno);
  watcher->taken_.reset(static_cast<lnk_taken*>(page));
  LNK_CHECK(watcher->send(LNK_EXEC_WATCH_SHARED, shared));
  return watcher;
}

Status ExecWatcher::send(std::uint32_t kind, const UniqueFd& fd) const {
  const int number = fd.get();
  return posix::send_packet(socket_.get(), bytes_of(lnk_keeper_request{LNK_KEEPER_MAGIC, kind}), {&number, 1});
}

Status ExecWatcher::listen_to(const UniqueFd& fd) const {
  epoll_event event{};
  event.events = EPOLLIN;
  if (::epoll_ctl(events_.get(), EPOLL_CTL_ADD, fd.get(), &event) == 0) return {};
  return posix::os_fail(Code::Internal, "epoll_ctl", {}, errno);
}

Status ExecWatcher::take_listener(UniqueFd listener) {
  listener_ = std::move(listener);
  // One that has ended takes none: `reports` finds that out, and answers in its stead.
  const Status sent = send(LNK_EXEC_WATCH_LISTENER, listener_);
  return sent || sent.error().code == Code::Gone ? Status() : sent;
}

void ExecWatcher::go_without_listener(int os_errno) {
  gone_ = "programs can't be named: the sandbox got no seccomp listener here (" + std::string(posix::errno_words(os_errno)) +
          "), and so it makes no memory files; what may run is held all the same";
  // The watch leaves, which makes `readable` so.
  (void)::shutdown(socket_.get(), SHUT_WR);
}

bool ExecWatcher::is_anybody_watched() const noexcept {
  pollfd one{listener_.get(), 0, 0};
  return listener_.is_open() && posix::retry([&] { return ::poll(&one, 1, 0); }) >= 0 && (one.revents & POLLHUP) == 0;
}

/// The call that it had taken waits for an answer that nobody else can give.
void ExecWatcher::take_over() {
  if (has_taken_over_) return;
  has_taken_over_ = true;
  if (taken_->call.id != 0) answer(listener_.get(), taken_->call);
}

Status ExecWatcher::wait_for(const UniqueFd& fd) {
  for (;;) {
    pollfd watched[3] = {{fd.get(), POLLIN, 0}, {socket_.get(), 0, 0}, {has_taken_over_ ? listener_.get() : -1, POLLIN, 0}};
    if (posix::retry([&] { return ::poll(watched, 3, -1); }) < 0) return posix::os_fail(Code::Internal, "poll", {}, errno);
    if (watched[0].revents != 0) return {};
    if (listener_.is_open() && watched[1].revents != 0) take_over();
    if (watched[2].revents != 0) answer_one();
  }
}

void ExecWatcher::answer_one() {
  pollfd one{listener_.get(), POLLIN, 0};
  if (posix::retry([&] { return ::poll(&one, 1, 0); }) <= 0) return;
  lnk_taken taken{};
  if ((one.revents & POLLIN) != 0) {
    if (::ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &taken) == 0) answer(listener_.get(), taken.call);
  } else {
    listener_.reset();  // nobody is left
  }
}

Result<std::vector<ProgramReport>> ExecWatcher::reports() {
  std::vector<ProgramReport> reports;
  if (!socket_.is_open()) {
    if (listener_.is_open()) answer_one();
    return reports;
  }
  for (int count = 0; count < kReportsAtOnce; ++count) {
    lnk_exec_report raw;
    const ssize_t got = posix::retry([&] { return ::recv(socket_.get(), &raw, sizeof raw, MSG_DONTWAIT); });
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return reports;
    if (got <= 0) {
      // What came before its end is told first.
      if (!reports.empty()) return reports;
      socket_.reset();
      if (!gone_.empty()) return fail(Code::Gone, gone_);
      if (!is_anybody_watched()) return reports;
      take_over();
      LNK_CHECK(listen_to(listener_));
      return fail(Code::Gone, std::string(kEnded));
    }
    LNK_TRY(reports.emplace_back(), read_report(raw, static_cast<std::size_t>(got)));
  }
  return reports;
}

}  // namespace lnk::os_linux
