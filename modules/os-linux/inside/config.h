/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the configuration of the inner stage out of its memory file, whole and bounds-checked, before any of it is
 * used.
 */
#ifndef LNK_INSIDE_CONFIG_H
#define LNK_INSIDE_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include "inside/format.h"

struct rule {
  uint64_t access;
  char* path;
};

struct check {
  struct lnk_inside_check what;
  char* path;
};

/* Every pointer points into the mapping of the file, which lives as long as the program. */
struct config {
  struct lnk_inside_head head;
  char* cwd;
  char** argv; /* ends with NULL, with one free place before its first entry (for /bin/sh) */
  char** env;  /* ends with NULL */
  struct check* checks;
  struct rule* rules;
  const void* filter;
  const void* watched; /* the second filter's, behind the first */
  const void* unwatched;
};

/* 0, or a negative error number. */
long read_config(int fd, struct config* config);

#endif
