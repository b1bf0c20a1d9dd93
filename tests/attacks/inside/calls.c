// SPDX-License-Identifier: Apache-2.0
//
//   call NUMBER[:ARGUMENT…]…        each by its number; arguments that are not given are -1, which no call takes for
//   good all-calls FIRST LAST            every number of a range, so
//
// With -1 for every argument a call that passes the filter fails for its arguments, and changes nothing.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attacks.h"

struct call {
  long number;
  long arguments[6];
};

static int make_call(void* data) {
  const struct call* c = data;
  const long* a = c->arguments;
  return syscall(c->number, a[0], a[1], a[2], a[3], a[4], a[5]) < 0 ? -1 : 0;
}

static struct call read_call(char* text) {
  struct call call = {0, {-1, -1, -1, -1, -1, -1}};
  char* at = text;
  call.number = strtol(at, &at, 0);
  for (int i = 0; i < 6 && *at == ':'; ++i) call.arguments[i] = (long)strtoull(at + 1, &at, 0);
  return call;
}

void attack_calls(char** words) {
  for (; *words != NULL; ++words) {
    struct call call = read_call(*words);
    attempt(*words, make_call, &call);
  }
}

void attack_all_calls(char** words) {
  for (long number = strtol(words[0], NULL, 0); number <= strtol(words[1], NULL, 0); ++number) {
    struct call call = {number, {-1, -1, -1, -1, -1, -1}};
    char name[32];
    snprintf(name, sizeof name, "%ld", number);
    attempt(name, make_call, &call);
  }
}
