/* SPDX-License-Identifier: Apache-2.0 */
#include "inside/config.h"

#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/stat.h>

#include "freestanding/start.h"

#ifndef F_GET_SEALS
#define F_GET_SEALS (F_LINUX_SPECIFIC_BASE + 10)
#endif
enum { SEAL_SEAL = 1, SEAL_SHRINK = 2, SEAL_GROW = 4, SEAL_WRITE = 8, SEALS_WANTED = 15 };
enum { PAGE_READ = 1, PAGE_WRITE = 2 };

struct cursor {
  char* bytes;
  size_t at;
  size_t size;
};

static int take(struct cursor* cursor, void* out, size_t size) {
  if (size > cursor->size - cursor->at) return 0;
  copy_bytes(out, cursor->bytes + cursor->at, size);
  cursor->at += size;
  return 1;
}

/* A text, left where it stands. NULL: it runs off the end, holds a NUL or has none after it. */
static char* take_text(struct cursor* cursor) {
  uint32_t size;
  if (!take(cursor, &size, sizeof size)) return NULL;
  if ((size_t)size + 1 > cursor->size - cursor->at) return NULL;
  char* text = cursor->bytes + cursor->at;
  for (uint32_t i = 0; i < size; ++i) {
    if (text[i] == '\0') return NULL;
  }
  if (text[size] != '\0') return NULL;
  cursor->at += (size_t)size + 1;
  return text;
}

static int take_texts(struct cursor* cursor, char** out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = take_text(cursor);
    if (out[i] == NULL) return 0;
  }
  out[count] = NULL;
  return 1;
}

static int take_rules(struct cursor* cursor, struct rule* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!take(cursor, &out[i].access, sizeof out[i].access)) return 0;
    out[i].path = take_text(cursor);
    if (out[i].path == NULL) return 0;
  }
  return 1;
}

static int take_checks(struct cursor* cursor, struct check* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!take(cursor, &out[i].what, sizeof out[i].what)) return 0;
    out[i].path = take_text(cursor);
    if (out[i].path == NULL) return 0;
  }
  return 1;
}

static int head_is_sound(const struct lnk_inside_head* head, size_t size) {
  return head->magic == LNK_INSIDE_MAGIC && head->version == LNK_INSIDE_VERSION && head->total_bytes == size &&
         head->argc >= 1 && head->argc <= LNK_INSIDE_TEXTS_MAX && head->envc <= LNK_INSIDE_TEXTS_MAX &&
         head->checkc <= LNK_INSIDE_TEXTS_MAX && head->rulec <= LNK_INSIDE_TEXTS_MAX && head->filterc <= 4096 &&
         head->watchedc <= 4096 && head->unwatchedc <= 4096;
}

static int parse(struct cursor* cursor, struct config* config, char* tables) {
  const struct lnk_inside_head* head = &config->head;
  config->argv = (char**)tables + 1;
  config->env = config->argv + head->argc + 1;
  config->checks = (struct check*)(config->env + head->envc + 1);
  config->rules = (struct rule*)(config->checks + head->checkc);
  config->cwd = take_text(cursor);
  if (config->cwd == NULL || !take_texts(cursor, config->argv, head->argc)) return 0;
  if (!take_texts(cursor, config->env, head->envc) || !take_checks(cursor, config->checks, head->checkc)) return 0;
  if (!take_rules(cursor, config->rules, head->rulec)) return 0;
  const size_t filter_at = (cursor->at + 7) & ~(size_t)7;
  const size_t steps = (size_t)head->filterc + head->watchedc + head->unwatchedc;
  if (filter_at > cursor->size || steps * 8 != cursor->size - filter_at) return 0;
  config->filter = cursor->bytes + filter_at;
  config->watched = cursor->bytes + filter_at + (size_t)head->filterc * 8;
  config->unwatched = cursor->bytes + filter_at + ((size_t)head->filterc + head->watchedc) * 8;
  return 1;
}

static long map(size_t size, int fd) {
  const long flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
  return syscall6(__NR_mmap, 0, (long)size, PAGE_READ | PAGE_WRITE, flags, fd, 0);
}

long read_config(int fd, struct config* config) {
  const long seals = syscall3(__NR_fcntl, fd, F_GET_SEALS, 0);
  if (seals < 0) return seals;
  if ((seals & SEALS_WANTED) != SEALS_WANTED) return -E_INVAL;
  const long size = syscall3(__NR_lseek, fd, 0, 2 /* SEEK_END */);
  if (size < (long)sizeof config->head || size > (long)LNK_INSIDE_BYTES_MAX) return -E_TOOBIG;
  const long bytes = map((size_t)size, fd);
  if (bytes < 0 && bytes > -4096) return bytes;
  struct cursor cursor = {(char*)bytes, 0, (size_t)size};
  if (!take(&cursor, &config->head, sizeof config->head)) return -E_INVAL;
  const struct lnk_inside_head* head = &config->head;
  if (!head_is_sound(head, (size_t)size)) return -E_INVAL;
  const size_t tables_size = ((size_t)head->argc + head->envc + 3) * sizeof(char*) +
                             (size_t)head->checkc * sizeof(struct check) + (size_t)head->rulec * sizeof(struct rule);
  const long tables = map(tables_size, -1);
  if (tables < 0 && tables > -4096) return tables;
  return parse(&cursor, config, (char*)tables) ? 0 : -E_INVAL;
}
