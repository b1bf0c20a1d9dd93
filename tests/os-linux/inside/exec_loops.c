// SPDX-License-Identifier: Apache-2.0
//
// exec_loops LOOPS COUNT PROGRAM
//
// Starts PROGRAM (run_tries) COUNT times from LOOPS processes at once, each as soon as the one before has ended, and says the
// microseconds that all of it took. Measured inside, so that what a sandbox's own start costs isn't in it.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kRan = 200 };

static void start(const char* path) {
  char* argv[] = {(char*)path, "payload", NULL};
  char* env[] = {NULL};
  const pid_t child = vfork();
  if (child == 0) {
    execve(path, argv, env);
    _exit(1);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != kRan) _exit(1);
}

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int loops = atoi(argv[1]);
  const long each = atol(argv[2]) / loops;
  const double began = now_us();
  for (int i = 0; i < loops; ++i) {
    if (fork() != 0) continue;
    for (long count = 0; count < each; ++count) start(argv[3]);
    _exit(0);
  }
  int status = 0;
  int failed = 0;
  while (wait(&status) > 0) failed |= status;
  printf("%.0f\n", now_us() - began);
  return failed != 0;
}
