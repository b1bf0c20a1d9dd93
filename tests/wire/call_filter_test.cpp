// SPDX-License-Identifier: Apache-2.0
#include "wire/call_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

using namespace lnk;

namespace {

std::uint32_t verdict(long number, std::uint64_t first = 0, std::uint64_t second = 0, std::uint64_t third = 0) {
  const auto program = seccomp::compile(host::wire_call_policy());
  BOOST_REQUIRE(program);
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = seccomp::audit_architecture(seccomp::kNative);
  call.args[0] = first;
  call.args[1] = second;
  call.args[2] = third;
  const auto result = seccomp::evaluate(*program, call);
  BOOST_REQUIRE(result);
  return *result;
}

bool passes(long number, std::uint64_t first = 0, std::uint64_t second = 0, std::uint64_t third = 0) {
  return verdict(number, first, second, third) == SECCOMP_RET_ALLOW;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(call_filter)

BOOST_AUTO_TEST_CASE(what_the_wire_needs_passes) {
  for (const long number : {SYS_recvfrom, SYS_sendto, SYS_splice, SYS_accept4, SYS_epoll_ctl, SYS_openat})
    BOOST_TEST(passes(number));
  BOOST_TEST(passes(SYS_socket, AF_INET));
  BOOST_TEST(passes(SYS_socket, AF_INET6));
  BOOST_TEST(passes(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE));
  // A question for the front, sealed.
  BOOST_TEST(passes(SYS_memfd_create));
  BOOST_TEST(passes(SYS_fcntl, 0, F_ADD_SEALS));
}

BOOST_AUTO_TEST_CASE(nothing_is_executed_traced_mounted_or_made_executable) {
  for (const long number : {SYS_execve, SYS_execveat, SYS_clone, SYS_clone3, SYS_ptrace, SYS_process_vm_readv,
                            SYS_mount, SYS_unshare, SYS_setns, SYS_bpf, SYS_kill, SYS_io_uring_setup,
                            SYS_ioctl, SYS_prctl, SYS_listen, SYS_socketpair}) {
    BOOST_TEST(!passes(number), number);
  }
  BOOST_TEST(!passes(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC));
  BOOST_TEST(!passes(SYS_mprotect, 0, 4096, PROT_EXEC));
}

BOOST_AUTO_TEST_CASE(sockets_of_the_internet_alone_are_made) {
  for (const int family : {AF_UNIX, AF_NETLINK, AF_PACKET, AF_VSOCK}) {
    BOOST_TEST(!passes(SYS_socket, static_cast<std::uint64_t>(family)));
  }
  constexpr std::uint64_t kMptcp = 262;
  for (const std::uint64_t family : {std::uint64_t{AF_INET}, std::uint64_t{AF_INET6}}) {
    BOOST_TEST(passes(SYS_socket, family, SOCK_STREAM, 0));
    BOOST_TEST(!passes(SYS_socket, family, SOCK_STREAM, kMptcp));
  }
}

BOOST_AUTO_TEST_CASE(fcntl_asks_for_no_signal_and_no_lease) {
  for (const int command : {F_GETFL, F_SETFL, F_SETPIPE_SZ})
    BOOST_TEST(passes(SYS_fcntl, 0, static_cast<std::uint64_t>(command)));
  for (const int command : {F_SETOWN, F_SETSIG, F_SETLEASE, F_NOTIFY, F_SETLK})
    BOOST_TEST(!passes(SYS_fcntl, 0, static_cast<std::uint64_t>(command)));
}

BOOST_AUTO_TEST_CASE(a_signal_goes_to_itself_alone) {
  BOOST_TEST(passes(SYS_tgkill, static_cast<std::uint64_t>(::getpid())));
  BOOST_TEST(!passes(SYS_tgkill, 1));
}

BOOST_AUTO_TEST_SUITE_END()
