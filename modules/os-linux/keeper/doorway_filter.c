/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/doorway_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "freestanding/start.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, member)}
#define KILL {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS}
#define PASS(number) {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (number)}, {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}

/* A number of another architecture's table, x32's among them, is in no place of the list. */
static const struct sock_filter kFilter[] = {
    LOAD(arch),
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCHITECTURE},
    KILL,
    LOAD(nr),
    PASS(__NR_recvmsg),
    PASS(__NR_sendmsg),
    PASS(__NR_close),
    PASS(__NR_socket),
    PASS(__NR_setsockopt),
    PASS(__NR_bind),
    PASS(__NR_listen),
    PASS(__NR_connect),
    PASS(__NR_nanosleep),
    PASS(__NR_restart_syscall), /* a pause that a stop interrupts: restart_syscall(2) */
    PASS(__NR_exit_group),
    KILL,
};

long install_doorway_filter(void) {
  const struct sock_fprog program = {sizeof kFilter / sizeof kFilter[0], (struct sock_filter*)kFilter};
  return syscall3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&program);
}
