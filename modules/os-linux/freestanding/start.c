/* SPDX-License-Identifier: Apache-2.0
 *
 * The entry point, and the four functions that a compiler may call of its own accord.
 */
#include "start.h"

void lnk_begin(long* stack);

#if defined(__x86_64__)
__asm__(
    ".text\n.globl _start\n.type _start,@function\n_start:\n"
    "xor %ebp,%ebp\nmov %rsp,%rdi\nand $-16,%rsp\ncall lnk_begin\nhlt\n");
#elif defined(__aarch64__)
__asm__(
    ".text\n.globl _start\n.type _start,@function\n_start:\n"
    "mov x29,#0\nmov x30,#0\nmov x0,sp\nbl lnk_begin\nbrk #1\n");
#endif

void lnk_begin(long* stack) {
  const int argc = (int)stack[0];
  leave(program_main(argc, (char**)(stack + 1)));
}

void* memcpy(void* to, const void* from, size_t size);
void* memcpy(void* to, const void* from, size_t size) {
  copy_bytes(to, from, size);
  return to;
}

void* memmove(void* to, const void* from, size_t size);
void* memmove(void* to, const void* from, size_t size) {
  char* out = to;
  const char* in = from;
  if (out < in) {
    for (size_t i = 0; i < size; ++i) out[i] = in[i];
  } else {
    for (size_t i = size; i > 0; --i) out[i - 1] = in[i - 1];
  }
  return to;
}

void* memset(void* to, int byte, size_t size);
void* memset(void* to, int byte, size_t size) {
  char* out = to;
  for (size_t i = 0; i < size; ++i) out[i] = (char)byte;
  return to;
}

int memcmp(const void* a, const void* b, size_t size);
int memcmp(const void* a, const void* b, size_t size) {
  const unsigned char* x = a;
  const unsigned char* y = b;
  for (size_t i = 0; i < size; ++i) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  }
  return 0;
}
