/* SPDX-License-Identifier: Apache-2.0
 *
 * lnk.confiner/1: plans a wall and builds it. Plan and launch are apart: a plan is pure data that can be printed, kept as
 * a golden file and blamed by step number in an error.
 *
 * A launch goes: `launch` starts the wall with nothing of the target run; lnk.doorway/1 makes sockets inside; `stand`
 * waits until the first thing inside stands and tells the target's process; `go` lets it execute the target. A child
 * whose host has gone, at any moment, ends and leaves nothing.
 *
 * A stream that is a terminal is not handed in: the sandbox gets a terminal of its own, whose other end `stand` gives to
 * the host, which passes bytes and settings between the two. What job control there needs goes by `stopped` and `resume`.
 */
#ifndef LNK_ABI_CONFINER_H
#define LNK_ABI_CONFINER_H

#include "lnk/abi/base.h"

#define LNK_CONFINER_ID "lnk.confiner"
#define LNK_CONFINER_MAJOR 1

LNK_BEGIN_C

/* One numbered step of a plan, from 1, in the order carried out. */
typedef struct lnk_step {
  uint32_t size;
  uint32_t number;
  lnk_str kind;  /* "mount", "namespace", "filter", … */
  lnk_str words; /* one line */
} lnk_step;

typedef struct lnk_step_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  lnk_status (*step)(void *context, const lnk_step *) LNK_NOEXCEPT;
} lnk_step_sink;

enum { LNK_HELD = 1, LNK_HELD_WEAKER = 2, LNK_NOT_HELD = 3 };

/* How one grant of the snapshot is held. */
typedef struct lnk_holding {
  uint32_t size;
  uint32_t state;
  lnk_str grant; /* "files.write", "network.direct", … */
  lnk_str words; /* why it is weaker or can't; empty where it is held */
} lnk_holding;

typedef struct lnk_holding_sink {
  uint32_t size;
  uint32_t reserved;
  void *context;
  lnk_status (*holding)(void *context, const lnk_holding *) LNK_NOEXCEPT;
} lnk_holding_sink;

/* Bits of lnk_launch's `terminal`. */
enum {
  LNK_TERMINAL_STDIN = 1, /* the stream becomes the sandbox's own terminal; its `stdio` is not used */
  LNK_TERMINAL_STDOUT = 2,
  LNK_TERMINAL_STDERR = 4,
  LNK_TERMINAL_IN_FRONT = 8 /* the target starts as the terminal's foreground; else a read of it stops the target */
};

/* Bits of lnk_launch's `watch`. */
enum {
  LNK_WATCH_EVERY_PROGRAM = 1 /* each start of a program is reported by lnk.exec_namer/1, allowed or not; restricts nothing */
};

typedef struct lnk_launch {
  uint32_t size;
  uint32_t argc;
  const lnk_str *argv; /* bytes without NUL; argv[0] is looked up on the PATH of `env` inside */
  const lnk_str *env;  /* "NAME=value"; the whole environment of the target */
  uint32_t envc;
  int32_t stdio[3]; /* descriptors the target gets as 0, 1, 2 */
  lnk_str cwd;      /* absolute, inside */
  uint32_t terminal; /* LNK_TERMINAL_…; 0: no stream is one */
  uint32_t watch;    /* LNK_WATCH_…; 0: the programs started are reported only where the snapshot lists which may run */
} lnk_launch;

typedef struct lnk_child {
  uint32_t size;
  int32_t pid; /* the host's child; its exit code is the target's, 128+n for signal n. The host reaps it. */
  lnk_id id;
} lnk_child;

typedef struct lnk_target {
  uint32_t size;
  int32_t pid;   /* in the host's pid namespace; leads its own process group */
  int32_t pidfd; /* the host closes it */
  uint32_t reserved;
  int32_t terminal; /* the other end of the sandbox's terminal, which the host closes; -1: it has none */
  int32_t events;   /* the module's own: readable when `stopped` may have something to tell; -1: never */
} lnk_target;

/* How `go` ended. */
enum {
  LNK_TARGET_RUNS = 1,
  LNK_TARGET_NOT_FOUND = 2,  /* exit code 127 */
  LNK_TARGET_CANT_RUN = 3,   /* exit code 126; os_errno says why */
  LNK_TARGET_NOT_STARTED = 4 /* the wall could not be built: exit code 125 */
};

typedef struct lnk_confiner {
  lnk_iface head;
  /* [loop] Looks at the machine and writes what `plan` needs of it as canonical JSON. The host keeps it for the boot
   * where it says `"keep":true`. */
  lnk_status (*survey)(lnk_instance *, const lnk_text_sink *, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Pure: snapshot and survey (canonical JSON) to a plan. LNK_E_UNSUPPORTED: a grant can't be held here. */
  lnk_status (*plan)(lnk_instance *, lnk_str snapshot_json, lnk_str survey_json, lnk_id *plan, lnk_error *) LNK_NOEXCEPT;
  lnk_status (*describe)(lnk_instance *, lnk_id plan, const lnk_step_sink *, lnk_error *) LNK_NOEXCEPT; /* [loop] pure */
  lnk_status (*holdings)(lnk_instance *, lnk_id plan, const lnk_holding_sink *, lnk_error *) LNK_NOEXCEPT; /* [loop] pure */
  /* [loop] Pins the plan's sources and starts the wall. LNK_E_GONE: a source is no longer what the plan names. */
  lnk_status (*launch)(lnk_instance *, lnk_id plan, const lnk_launch *, lnk_child *, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Waits until the inside stands or ended. */
  lnk_status (*stand)(lnk_instance *, lnk_id child, lnk_target *, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Lets the target start and waits until it runs or could not. */
  lnk_status (*go)(lnk_instance *, lnk_id child, uint32_t *outcome, lnk_error *) LNK_NOEXCEPT;
  /* [loop] A child that runs still ends its sandbox and then itself; the host waits for it, and kills it only after a while. */
  void (*release_child)(lnk_instance *, lnk_id child) LNK_NOEXCEPT;
  void (*release_plan)(lnk_instance *, lnk_id plan) LNK_NOEXCEPT;   /* [loop] */
  /* [loop] Doesn't wait. `signal`: the one that stopped a target with a terminal; 0: none did. LNK_E_GONE: it has ended. */
  lnk_status (*stopped)(lnk_instance *, lnk_id child, uint32_t *signal, lnk_error *) LNK_NOEXCEPT;
  /* [loop] Lets the target's group go on, as the foreground of its terminal or not. LNK_E_GONE: it has ended. */
  lnk_status (*resume)(lnk_instance *, lnk_id child, uint32_t in_front, lnk_error *) LNK_NOEXCEPT;
} lnk_confiner;

LNK_END_C

#endif
