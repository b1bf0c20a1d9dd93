// SPDX-License-Identifier: Apache-2.0
//
// The resolver: asks the system's resolver for the wire, which may open no file and no socket of the system's own.
// Packets on descriptor 3. Request: u32 id, the name. Reply: u32 id, u32 status (0 found, 1 no such name, 2 failed),
// u32 count, count × {u32 family (4, 6), 16 bytes}. Ends at the socket's end of file. It holds no key and no
// capability, has no new privileges and can't execute.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "lnk/posix/capabilities.hpp"
#include "lnk/seccomp/policy.hpp"

namespace lnk::host {
namespace {

constexpr int kSocketFd = 3;
/// getaddrinfo waits for the network on its thread; as many names as a busy build asks for at once.
constexpr std::size_t kThreadsMax = 8;
/// Names that wait for a thread; the wire asks for no more at once.
constexpr std::size_t kQueueMax = 512;
constexpr std::size_t kNameBytesMax = 253;
constexpr std::size_t kAddressesMax = 64;
constexpr std::size_t kIdBytes = sizeof(std::uint32_t);

enum Outcome : std::uint32_t { kFound = 0, kNoSuchName = 1, kFailed = 2 };

struct Request {
  std::uint32_t id = 0;
  std::string name;
};

void append_number(std::string& packet, std::uint32_t number) {
  packet.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void send_reply(std::uint32_t id, std::uint32_t status, std::uint32_t count, const std::string& entries) {
  std::string packet;
  append_number(packet, id);
  append_number(packet, status);
  append_number(packet, count);
  packet += entries;
  static_cast<void>(::send(kSocketFd, packet.data(), packet.size(), MSG_NOSIGNAL));
}

bool append_address(std::string& entries, const addrinfo& info) {
  std::array<char, 16> bytes{};
  if (info.ai_family == AF_INET) {
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in*>(info.ai_addr)->sin_addr, 4);
  } else if (info.ai_family == AF_INET6) {
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6*>(info.ai_addr)->sin6_addr, bytes.size());
  } else {
    return false;
  }
  append_number(entries, info.ai_family == AF_INET ? 4 : 6);
  entries.append(bytes.data(), bytes.size());
  return true;
}

/// A name over the limit of addresses fails: the wire checks every address, and what isn't told isn't checked.
void answer(const Request& request, const addrinfo* found) {
  std::string entries;
  std::uint32_t count = 0;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    if (count == kAddressesMax) return send_reply(request.id, kFailed, 0, {});
    if (append_address(entries, *each)) ++count;
  }
  send_reply(request.id, count > 0 ? kFound : kNoSuchName, count, entries);
}

/// The name is asked as it is and as no other: with the search domains of resolv.conf a name that isn't there would be
/// asked again below each of them (resolver(5)). Read anew each time, as a laptop's networks change; and by us alone, since what
/// getaddrinfo reads again itself comes with the search (glibc's maybe_init in resolv/resolv_context.c).
void leave_search_out() {
  static_cast<void>(::res_init());
  _res.options &= ~static_cast<unsigned long>(RES_DEFNAMES | RES_DNSRCH);
  _res.options |= static_cast<unsigned long>(RES_NORELOAD);
}

void look_up(const Request& request) {
  leave_search_out();
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(request.name.c_str(), nullptr, &hints, &found);
  if (error == 0) {
    answer(request, found);
    ::freeaddrinfo(found);
    return;
  }
  const bool is_absent = error == EAI_NONAME || error == EAI_NODATA;
  send_reply(request.id, is_absent ? kNoSuchName : kFailed, 0, {});
}

/// Threads are made as they are needed, up to the limit, and stay.
class Pool {
 public:
  /// Called by one thread.
  void add(Request request) {
    const std::unique_lock lock(mutex_);
    if (queue_.size() >= kQueueMax) return send_reply(request.id, kFailed, 0, {});
    queue_.push_back(std::move(request));
    if (idle_ < queue_.size() && threads_ < kThreadsMax) {
      ++threads_;
      std::thread([this] { work(); }).detach();
    }
    waiting_.notify_one();
  }

 private:
  [[noreturn]] void work() {
    for (;;) look_up(take());
  }

  Request take() {
    std::unique_lock lock(mutex_);
    ++idle_;
    waiting_.wait(lock, [this] { return !queue_.empty(); });
    --idle_;
    Request request = std::move(queue_.front());
    queue_.pop_front();
    return request;
  }

  std::mutex mutex_;
  std::condition_variable waiting_;
  std::deque<Request> queue_;
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;
};

/// The system's resolver may open files and sockets of its own and load its modules; it never needs to execute, to
/// trace, or to change what is mounted.
lnk::Status confine() {
  // It reads what name servers answer. Run by root, it needs nothing of root's but the files that are root's own.
  LNK_CHECK(posix::drop_capabilities());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail(Code::Unsupported, "PR_SET_NO_NEW_PRIVS", errno);
  seccomp::Policy policy;
  policy.otherwise = seccomp::allow();
  policy.foreign = seccomp::kill_process();
  for (const int number :
       {SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_mount, SYS_unshare,
        SYS_setns, SYS_bpf, SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_userfaultfd,
        SYS_io_uring_setup, SYS_pidfd_open, SYS_pidfd_getfd, SYS_kill, SYS_tkill}) {
    policy.rules.push_back({static_cast<std::uint32_t>(number), {}, seccomp::refuse_with(EPERM)});
  }
  LNK_TRY(seccomp::Program program, seccomp::compile(policy));
  sock_fprog filter{};
  filter.len = static_cast<unsigned short>(program.size());
  filter.filter = program.data();
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) != 0)
    return fail(Code::Unsupported, "PR_SET_SECCOMP", errno);
  return {};
}

bool read_request(Request& request) {
  std::array<char, kIdBytes + kNameBytesMax + 1> packet;
  for (;;) {
    const ssize_t got = ::recv(kSocketFd, packet.data(), packet.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    const auto size = static_cast<std::size_t>(got);
    if (size <= kIdBytes || size > kIdBytes + kNameBytesMax) continue;  // not a request
    std::memcpy(&request.id, packet.data(), kIdBytes);
    request.name.assign(packet.data() + kIdBytes, size - kIdBytes);
    if (request.name.find('\0') == std::string::npos) return true;
    send_reply(request.id, kFailed, 0, {});
  }
}

int run() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2})
    ::signal(number, SIG_IGN);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (!confine()) {
    std::fputs("lnk-sandbox: the resolver could not confine itself\n", stderr);
    return 1;
  }
  auto* pool = new Pool;  // its threads run to the process's end
  for (Request request; read_request(request);) pool->add(request);
  return 0;
}

}  // namespace
}  // namespace lnk::host

int main() { ::_exit(lnk::host::run()); }
