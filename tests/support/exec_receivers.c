// SPDX-License-Identifier: Apache-2.0
//
// exec_receivers RECEIVERS COMMAND…
//
// Runs COMMAND under a filter that hands each execve to RECEIVERS exec watches, the product's own code, which allow all. What more
// than one of them would gain is measured with it. 0: no filter.
#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "freestanding/packet.h"
#include "keeper/exec_list.h"
#include "keeper/exec_watch.h"
#include "keeper/format.h"
#include "keeper/notification.h"

enum { kFailed = 125 };

static void hand(int socket, uint32_t kind, int fd) {
  const lnk_keeper_request request = {LNK_KEEPER_MAGIC, kind};
  if (fd < 0 || send_one(socket, &request, sizeof request, fd) != 0) exit(kFailed);
}

// Its end of the socket stays open until this process ends, and it with it.
static void start_receiver(int listener) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) exit(kFailed);
  const int keeper = getpid();
  if (fork() == 0) {
    close(ends[0]);
    serve_exec_watch(0, -1, keeper, ends[1]);
  }
  const lnk_exec_list_head list = {LNK_EXEC_LIST_MAGIC, sizeof list, LNK_EXEC_ANY_RUNS, 0, 0, 0};
  const int list_file = memfd_create("list", MFD_CLOEXEC);
  const int shared = memfd_create("shared", MFD_CLOEXEC);
  if (write(list_file, &list, sizeof list) != sizeof list || ftruncate(shared, sizeof(union lnk_taken)) != 0) exit(kFailed);
  hand(ends[0], LNK_EXEC_WATCH_LIST, list_file);
  hand(ends[0], LNK_EXEC_WATCH_SHARED, shared);
  hand(ends[0], LNK_EXEC_WATCH_LISTENER, listener);
}

static int install(void) {
  struct sock_filter steps[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
                                {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_execve},
                                {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_USER_NOTIF},
                                {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const struct sock_fprog program = {sizeof steps / sizeof steps[0], steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int receivers = atoi(argv[1]);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return kFailed;
  const pid_t child = fork();
  if (child == 0) {
    // As in a sandbox: who has more capabilities than its watch could not be looked at (capabilities(7), ptrace(2)).
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}};
    for (int one = 0; prctl(PR_CAPBSET_DROP, one, 0, 0, 0) == 0; ++one) {
    }
    if (syscall(SYS_capset, &head, none) != 0) _exit(kFailed);
    if (receivers > 0) {
      const int listener = install();
      if (listener < 0 || send_one(ends[1], "l", 1, listener) != 0) _exit(kFailed);
      close(listener);
    }
    execv(argv[2], argv + 2);
    _exit(kFailed);
  }
  if (receivers > 0) {
    char byte;
    int listener = -1;
    if (receive_one(ends[0], &byte, 1, &listener) != 1 || listener < 0) return kFailed;
    for (int i = 0; i < receivers; ++i) start_receiver(listener);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return kFailed;
  return WEXITSTATUS(status);
}
