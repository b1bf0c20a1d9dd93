// SPDX-License-Identifier: Apache-2.0
//
// The names under which a path can be reached.
#pragma once

#include <stddef.h>

struct way {
  const char* name;
  // Writes the alias of `path` to `out`; `scratch` is a folder that may be written. 0, or -1 with errno.
  int (*lead)(const char* path, const char* scratch, char* out);
  int is_last_link;  // the alias is a link itself, so that only what follows links reaches the path
  int is_by_name;    // the folder above is reached by its own name, and so can be renamed
};

extern const struct way kWays[];
extern const size_t kWayCount;

// The folder above and the last part.
void split(const char* path, char* above, const char** name);
