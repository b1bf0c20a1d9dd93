/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/call_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "freestanding/start.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

enum { STEPS_OF_A_CALL = 8, STEPS_AROUND = 8 };

struct program {
  unsigned short size;
  struct sock_filter steps[STEPS_AROUND + STEPS_OF_A_CALL * LNK_CALLS_MAX];
};

static void add(struct program* program, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t value) {
  program->steps[program->size++] = (struct sock_filter){code, if_true, if_false, value};
}

static void load(struct program* program, size_t offset) { add(program, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset); }

/* A jump that isn't taken goes on with the next call. The number is loaded again, since a test loads over it. */
static void add_call(struct program* program, const struct passed_call* call) {
  load(program, offsetof(struct seccomp_data, nr));
  if (call->argument == LNK_ANY_ARGUMENT) {
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call->number);
  } else {
    const size_t low = offsetof(struct seccomp_data, args) + 8 * (size_t)call->argument; /* little-endian, both of ours */
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 6, call->number);
    load(program, low + 4);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, 0);
    load(program, low);
    add(program, BPF_ALU | BPF_AND | BPF_K, 0, 0, call->mask);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, call->value);
  }
  add(program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

long pass_only(const struct passed_call* calls, int count) {
  static struct program program;
  if (count > LNK_CALLS_MAX) return -E_TOOBIG;
  program.size = 0;
  load(&program, offsetof(struct seccomp_data, arch));
  add(&program, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OWN_ARCHITECTURE);
  add(&program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
  /* A number of another architecture's table, x32's among them, is in no place of the list. */
  for (int i = 0; i < count; ++i) add_call(&program, &calls[i]);
  add(&program, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
  const struct sock_fprog installed = {program.size, program.steps};
  return syscall3(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&installed);
}
