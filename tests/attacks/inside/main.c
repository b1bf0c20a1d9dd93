// SPDX-License-Identifier: Apache-2.0
// attacks NONCE GROUP WORDS…: says that it started, with the nonce, then what became of each attempt of a group, then
// "ended".
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attacks.h"

void attempt(const char* name, int (*act)(void* data), void* data) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    errno = 0;
    const int result = act(data);
    _exit(result == 0 ? 0 : errno == 0 ? 255 : errno);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    printf("%s unknown\n", name);
  else if (WIFSIGNALED(status))
    printf("%s signal%d\n", name, WTERMSIG(status));
  else
    printf("%s %d\n", name, WEXITSTATUS(status));
}

void attempt_here(const char* name, int (*act)(void* data), void* data) {
  errno = 0;
  const int result = act(data);
  printf("%s %d\n", name, result == 0 ? 0 : errno == 0 ? 255 : errno);
  close_range(3, ~0U, 0);
  if (chdir("/") != 0) printf("no way back\n");
}

int opened(int fd) {
  if (fd < 0) return -1;
  close(fd);
  return 0;
}

static const struct {
  const char* name;
  group* run;
} kGroups[] = {
    {"paths", attack_paths},       {"reads", attack_reads},
    {"call", attack_calls},        {"all-calls", attack_all_calls},
    {"tries", attack_tries},       {"sockets", attack_sockets},
    {"connect", attack_connect},   {"processes", attack_processes},
    {"writable", attack_writable}, {"descriptors", attack_descriptors},
    {"look", attack_look},
};

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  printf("started %s\n", argv[1]);
  fflush(stdout);
  for (size_t i = 0; i < sizeof kGroups / sizeof kGroups[0]; ++i) {
    if (strcmp(kGroups[i].name, argv[2]) != 0) continue;
    kGroups[i].run(argv + 3);
    printf("ended\n");
    return 0;
  }
  return 2;
}
