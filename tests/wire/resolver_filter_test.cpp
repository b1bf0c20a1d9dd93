// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <boost/test/unit_test.hpp>

#include "resolver/call_filter.hpp"

using namespace lnk;

namespace {

using Arguments = std::array<std::uint64_t, 3>;

bool passes(long number, Arguments arguments = {}) {
  const auto program = seccomp::compile(host::resolver_call_policy());
  BOOST_REQUIRE(program);
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = seccomp::audit_architecture(seccomp::kNative);
  for (std::size_t index = 0; index < arguments.size(); ++index) call.args[index] = arguments.at(index);
  const auto result = seccomp::evaluate(*program, call);
  BOOST_REQUIRE(result);
  return *result == SECCOMP_RET_ALLOW;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(resolver_filter)

BOOST_AUTO_TEST_CASE(files_are_opened_to_be_read_and_never_made) {
  BOOST_TEST(passes(SYS_openat, {0, 0, O_RDONLY | O_CLOEXEC}));
  for (const int flags : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_TMPFILE | O_RDWR, O_ACCMODE})
    BOOST_TEST(!passes(SYS_openat, {0, 0, static_cast<std::uint64_t>(flags)}), flags);
  for (const long number : {SYS_openat2, SYS_renameat2, SYS_unlinkat, SYS_mkdirat, SYS_linkat, SYS_symlinkat,
                            SYS_fchmodat, SYS_fchownat, SYS_setxattr, SYS_truncate, SYS_ftruncate, SYS_utimensat})
    BOOST_TEST(!passes(number), number);
}

BOOST_AUTO_TEST_CASE(sockets_are_of_the_internet_and_of_routes) {
  for (const std::uint64_t family : {std::uint64_t{AF_INET}, std::uint64_t{AF_INET6}})
    BOOST_TEST(passes(SYS_socket, {family, SOCK_DGRAM, 0}));
  BOOST_TEST(passes(SYS_socket, {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE}));
  BOOST_TEST(!passes(SYS_socket, {AF_NETLINK, SOCK_RAW, NETLINK_AUDIT}));
  for (const std::uint64_t family : {std::uint64_t{AF_UNIX}, std::uint64_t{AF_PACKET}, std::uint64_t{AF_VSOCK}})
    BOOST_TEST(!passes(SYS_socket, {family, SOCK_STREAM, 0}));
}

BOOST_AUTO_TEST_CASE(threads_are_made_and_no_process_or_code) {
  BOOST_TEST(passes(SYS_clone, {CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0, 0}));
  BOOST_TEST(!passes(SYS_clone, {SIGCHLD, 0, 0}));
  for (const long number : {SYS_clone3, SYS_execve, SYS_execveat, SYS_ptrace, SYS_kill, SYS_memfd_create,
                            SYS_io_uring_setup, SYS_mount, SYS_unshare, SYS_setns, SYS_prctl, SYS_pidfd_open, SYS_bpf})
    BOOST_TEST(!passes(number), number);
  BOOST_TEST(!passes(SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC}));
}

BOOST_AUTO_TEST_SUITE_END()
