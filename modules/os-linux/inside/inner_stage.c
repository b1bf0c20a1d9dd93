/* SPDX-License-Identifier: Apache-2.0
 *
 * The first thing in a sandbox: inner-stage CONTROL CONFIG, both descriptor numbers.
 *
 * It prepares all that may be prepared, says on the control socket that it stands, and waits for its front's byte. At
 * end of file it leaves, so that nothing runs whose front has gone. Then it holds itself to Landlock and the filter,
 * which the target inherits, hands over the listener of a sandbox whose programs are watched, and executes the target. Whatever fails is told as {step, error} on the control socket;
 * that socket closes by itself as the target is executed, which is how the front knows.
 *
 * Where a stream is to be a terminal it makes one first, and the target is a child of it: see terminal.h. Landlock and the
 * filter then come before that child, so that both are in one domain.
 *
 * It trusts its configuration, which is sealed memory made by the front, but reads it as if it did not.
 */
#include <linux/fcntl.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include "freestanding/packet.h"
#include "freestanding/start.h"
#include "inside/check_mounts.h"
#include "inside/config.h"
#include "inside/execute.h"
#include "inside/streams.h"
#include "inside/terminal.h"

#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#define __NR_landlock_add_rule 445
#define __NR_landlock_restrict_self 446
#endif
enum { LANDLOCK_PATH_BENEATH = 1, SIGNALS_MAX = 64, MASK_BYTES = 8, WITHOUT_SIGPIPE = 0x4000 /* MSG_NOSIGNAL */ };

struct ruleset_attributes { /* linux/landlock.h, as of its level 6 */
  uint64_t fs;
  uint64_t net;
  uint64_t scoped;
};
struct path_beneath {
  uint64_t access;
  int32_t folder;
} __attribute__((packed));

struct kernel_action { /* what rt_sigaction takes; all zero is SIG_DFL on every architecture */
  uint64_t words[4];
};

static int control;

static uint32_t failed_mount; /* of the plan; 0: none */

static void report(uint32_t step, long error) {
  const lnk_inside_report packet = {LNK_INSIDE_MAGIC, step, (int32_t)-error, failed_mount};
  (void)syscall6(__NR_sendto, control, (long)&packet, sizeof packet, WITHOUT_SIGPIPE, 0, 0);
}

_Noreturn static void stop(uint32_t step, long error, int code) {
  report(step, error);
  leave(code);
}

static void need(uint32_t step, long result) {
  if (result < 0) stop(step, result, LNK_INSIDE_EXIT_NOT_STARTED);
}

/* The descriptor that becomes the target's stream of this number. */
static long stream_of(const struct config* config, int number) {
  const int given = config->head.stdio[number];
  if (given < 3) stop(LNK_INSIDE_DESCRIPTORS, -E_BADF, LNK_INSIDE_EXIT_NOT_STARTED);
  if ((config->head.flags & ((uint32_t)LNK_INSIDE_REOPEN << number)) == 0) return given;
  const long fd = reopen_stream(given, number);
  need(LNK_INSIDE_STREAM, fd);
  return fd;
}

/* The target's three streams take their places, and everything but the control socket is closed. */
static void arrange_descriptors(const struct config* config) {
  for (int i = 0; i < 3; ++i) need(LNK_INSIDE_DESCRIPTORS, syscall3(__NR_dup3, stream_of(config, i), i, 0));
  if (control > 3) need(LNK_INSIDE_DESCRIPTORS, syscall3(__NR_close_range, 3, control - 1, 0));
  need(LNK_INSIDE_DESCRIPTORS, syscall3(__NR_close_range, control + 1, -1, 0));
  need(LNK_INSIDE_DESCRIPTORS, syscall3(__NR_fcntl, control, F_SETFD, 1 /* FD_CLOEXEC */));
}

static int has_landlock(const struct config* config) {
  return config->head.landlock_fs != 0 || config->head.landlock_scoped != 0;
}

/* The descriptor of a ruleset that holds every rule planned; the kernel makes it CLOEXEC. */
static int prepare_landlock(const struct config* config) {
  const struct ruleset_attributes held = {config->head.landlock_fs, 0, config->head.landlock_scoped};
  const long ruleset = syscall3(__NR_landlock_create_ruleset, (long)&held, sizeof held, 0);
  need(LNK_INSIDE_LANDLOCK, ruleset);
  for (uint32_t i = 0; i < config->head.rulec; ++i) {
    const struct rule* rule = &config->rules[i];
    const long folder = open_without_links(rule->path);
    need(LNK_INSIDE_LANDLOCK, folder);
    const struct path_beneath beneath = {rule->access, (int32_t)folder};
    need(LNK_INSIDE_LANDLOCK, syscall4(__NR_landlock_add_rule, ruleset, LANDLOCK_PATH_BENEATH, (long)&beneath, 0));
    (void)syscall1(__NR_close, folder);
  }
  return (int)ruleset;
}

static void wait_for_front(void) {
  char byte;
  long got;
  do {
    got = syscall6(__NR_recvfrom, control, (long)&byte, 1, 0, 0, 0);
  } while (got == -E_INTR);
  if (got != 1) leave(LNK_INSIDE_EXIT_NOT_STARTED);
}

static void hold_to_landlock(int ruleset) {
  need(LNK_INSIDE_LANDLOCK, syscall2(__NR_landlock_restrict_self, ruleset, 0));
  (void)syscall1(__NR_close, ruleset);
}

static long install(const void* steps, uint32_t count, unsigned flags) {
  const struct sock_fprog program = {(unsigned short)count, (struct sock_filter*)steps};
  return syscall3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, flags, (long)&program);
}

/* Above the first. Where no listener can be had, another filter's being there too (EBUSY), the one without holds all the same: it
 * refuses what only a watch could answer. */
static void install_list_filter(const struct config* config) {
  const struct lnk_inside_head* head = &config->head;
  if (head->watchedc == 0 && head->unwatchedc == 0) return;
  long listener = -E_NOSYS;
  if (head->watchedc != 0) {
    const int waits = (head->flags & LNK_INSIDE_WAIT_KILLABLE) != 0;
    const unsigned flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | (waits ? SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV : 0u);
    listener = install(config->watched, head->watchedc, flags);
  }
  if (listener < 0 && head->unwatchedc == 0) need(LNK_INSIDE_FILTER, listener);
  if (listener < 0) need(LNK_INSIDE_FILTER, install(config->unwatched, head->unwatchedc, 0));
  const lnk_inside_report packet = {LNK_INSIDE_MAGIC, LNK_INSIDE_LISTENER, listener < 0 ? (int32_t)-listener : 0, 0};
  need(LNK_INSIDE_FILTER, send_one(control, &packet, sizeof packet, (int)listener));
  if (listener >= 0) (void)syscall1(__NR_close, listener);
}

static void install_filter(const struct config* config) {
  if ((config->head.flags & LNK_INSIDE_FILTER_IS_ON) != 0) {
    const long mode = syscall1(__NR_prctl, PR_GET_SECCOMP);
    if (mode != SECCOMP_MODE_FILTER) stop(LNK_INSIDE_FILTER, mode < 0 ? mode : -E_INVAL, LNK_INSIDE_EXIT_NOT_STARTED);
    return;
  }
  need(LNK_INSIDE_FILTER, install(config->filter, config->head.filterc, 0));
}

/* Ignored signals and a mask survive execve(2). KILL and STOP can't be changed, which is no fault. */
static void reset_signals(void) {
  const struct kernel_action by_default = {{0, 0, 0, 0}};
  for (int signal = 1; signal <= SIGNALS_MAX; ++signal)
    (void)syscall4(__NR_rt_sigaction, signal, (long)&by_default, 0, MASK_BYTES);
  const uint64_t none = 0;
  (void)syscall4(__NR_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&none, 0, MASK_BYTES);
}

/* Prepares all that may be prepared; answers Landlock's ruleset, or -1 where there is none. */
static int prepare(const struct config* config) {
  need(LNK_INSIDE_PRIVILEGES, syscall5(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  need(LNK_INSIDE_FOLDER, syscall1(__NR_chdir, (long)config->cwd));
  need(LNK_INSIDE_MOUNT, check_mounts(config, &failed_mount));
  return has_landlock(config) ? prepare_landlock(config) : -1;
}

static void hold(const struct config* config, int ruleset) {
  if (ruleset >= 0) hold_to_landlock(ruleset);
  install_filter(config);
  install_list_filter(config);
}

int program_main(int argc, char** argv) {
  /* How the machine is tried: that this program runs at all is the answer. */
  if (argc == 2 && argv[1][0] == '-') return 0;
  const int config_fd = argc == 3 ? parse_number(argv[2]) : -1;
  control = argc == 3 ? parse_number(argv[1]) : -1;
  if (control < 3 || config_fd < 3) return LNK_INSIDE_EXIT_NOT_STARTED;
  struct config config;
  need(LNK_INSIDE_CONFIG, read_config(config_fd, &config));
  const uint32_t terminals = config.head.flags & LNK_INSIDE_TERMINALS;
  /* Its own group, for job control; not orphaned, since bubblewrap's pid 1, its parent, is of the same session. */
  if (terminals == 0) need(LNK_INSIDE_DESCRIPTORS, syscall2(__NR_setpgid, 0, 0));
  arrange_descriptors(&config);
  if (terminals != 0) need(LNK_INSIDE_TERMINAL_MADE, make_terminal(control, terminals));
  const int ruleset = prepare(&config);
  if (terminals != 0) {
    hold(&config, ruleset);
    reset_signals(); /* an ignored SIGCHLD would leave the leader nothing to wait for */
    need(LNK_INSIDE_TERMINAL_MADE, become_target(control, (config.head.flags & LNK_INSIDE_IN_FRONT) != 0));
  }
  report(LNK_INSIDE_STANDING, 0);
  wait_for_front();
  if (terminals == 0) hold(&config, ruleset);
  reset_signals();
  const long error = execute(config.argv, config.env);
  const int is_missing = error == -E_NOENT || error == -E_NOTDIR;
  stop(LNK_INSIDE_EXECUTE, error, is_missing ? LNK_INSIDE_EXIT_NOT_FOUND : LNK_INSIDE_EXIT_CANT_RUN);
}
