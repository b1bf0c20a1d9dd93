// SPDX-License-Identifier: Apache-2.0
//
// exec_storm LOOPS COUNT LISTED UNLISTED
//
// Runs inside a sandbox that lists LISTED and not UNLISTED, both run_tries. LOOPS processes start LISTED again and again, COUNT times
// in all, or until the standard input ends where COUNT is 0; after every 16th they try UNLISTED. Meanwhile signals fly to all of
// them, which have a handler. Says "begun" once all loops run, and at the end
// "listed RAN of TRIED, unlisted RAN of TRIED, memory ok|ERROR".
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kRan = 200, kEach = 16, kPauseNs = 50000 };

struct counts {
  atomic_int running;
  atomic_int may_end;
  atomic_long listed, listed_ran, unlisted, unlisted_ran;
};

static struct counts* counts;

static void take_signal(int number) { (void)number; }

// Signals that do nothing to a program without a handler, so that what was executed is not hurt.
static void handle_signals(void) {
  struct sigaction action = {0};
  action.sa_handler = take_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGWINCH, &action, NULL);
  sigaction(SIGURG, &action, NULL);
}

// 1: it ran to its own end. The errors of execve and vfork both end in 0.
static int start(const char* path) {
  char* argv[] = {(char*)path, "payload", NULL};
  char* env[] = {NULL};
  const pid_t child = vfork();
  if (child == 0) {
    execve(path, argv, env);
    _exit(errno);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == kRan;
}

static void loop(long count, const char* listed, const char* unlisted) {
  atomic_fetch_add(&counts->running, 1);
  for (long i = 0; count == 0 ? !atomic_load(&counts->may_end) : i < count; ++i) {
    atomic_fetch_add(&counts->listed_ran, start(listed));
    atomic_fetch_add(&counts->listed, 1);
    if (i % kEach != 0) continue;
    atomic_fetch_add(&counts->unlisted_ran, start(unlisted));
    atomic_fetch_add(&counts->unlisted, 1);
  }
  _exit(0);
}

static int is_at_end(void) {
  struct pollfd in = {0, POLLIN, 0};
  char byte;
  return poll(&in, 1, 0) > 0 && read(0, &byte, 1) == 0;
}

// Sends signals until every loop has ended.
static void storm(int loops, int until_end) {
  const struct timespec pause = {0, kPauseNs};
  while (loops > 0) {
    kill(0, SIGWINCH);
    kill(0, SIGURG);
    nanosleep(&pause, NULL);
    if (until_end && is_at_end()) atomic_store(&counts->may_end, 1);
    while (loops > 0 && waitpid(-1, NULL, WNOHANG) > 0) --loops;
  }
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int loops = atoi(argv[1]);
  const long count = atol(argv[2]);
  counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (counts == MAP_FAILED) return 3;
  handle_signals();
  for (int i = 0; i < loops; ++i) {
    if (fork() == 0) loop(count / loops, argv[3], argv[4]);
  }
  while (atomic_load(&counts->running) < loops) {
  }
  printf("begun\n");
  fflush(stdout);
  storm(loops, count == 0);
  const int file = memfd_create("storm", 0);
  printf("listed %ld of %ld, unlisted %ld of %ld, memory %s\n", atomic_load(&counts->listed_ran), atomic_load(&counts->listed),
         atomic_load(&counts->unlisted_ran), atomic_load(&counts->unlisted), file >= 0 ? "ok" : strerrorname_np(errno));
  return 0;
}
