// SPDX-License-Identifier: Apache-2.0
// weaker_bwrap: in bubblewrap's place, a wall with a hole. What a front asks of it stands in the descriptor of --args; it changes that
// as /run/weaker-bwrap says, and executes the real one. A line each:
//
//   real PATH               the real bubblewrap; needed
//   without OPTION COUNT    leaves that option out, with so many words that follow it
//   instead OPTION OTHER    another option in its place
//   open END                what is to be read only and has a name of that end can be written
//   beside END NAME         of what has a name of that end, NAME in the same folder is there too
//   also WORD…              more words at the end
//
// A call without --args, by which a machine is tried, passes as it is.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { kNotStarted = 125, kLinesMax = 8, kLineMax = 256, kArgumentsMax = 1 << 20 };

struct rule {
  char text[kLineMax];
  char* words[8];
  int count;
};

static struct rule rules[kLinesMax];
static int rule_count;
static const char* real;

static int read_rules(void) {
  FILE* file = fopen("/run/weaker-bwrap", "re");
  if (file == NULL) return -1;
  while (rule_count < kLinesMax && fgets(rules[rule_count].text, kLineMax, file) != NULL) {
    struct rule* rule = &rules[rule_count];
    for (char* word = strtok(rule->text, " \n"); word != NULL && rule->count < 8; word = strtok(NULL, " \n")) rule->words[rule->count++] = word;
    if (rule->count == 2 && strcmp(rule->words[0], "real") == 0) real = rule->words[1];
    if (rule->count >= 2) ++rule_count;
  }
  fclose(file);
  return real == NULL ? -1 : 0;
}

static void put(FILE* out, const char* word) { fwrite(word, 1, strlen(word) + 1, out); }

// How many words after it go as well; -1: it stays.
static int left_out(const char* word) {
  for (int i = 0; i < rule_count; ++i)
    if (rules[i].count == 3 && strcmp(rules[i].words[0], "without") == 0 && strcmp(rules[i].words[1], word) == 0) return atoi(rules[i].words[2]);
  return -1;
}

static const char* exchanged(const char* word) {
  for (int i = 0; i < rule_count; ++i)
    if (rules[i].count == 3 && strcmp(rules[i].words[0], "instead") == 0 && strcmp(rules[i].words[1], word) == 0) return rules[i].words[2];
  return word;
}

static int ends_in(const char* path, const char* end) {
  const size_t size = strlen(path), end_size = strlen(end);
  return size >= end_size && strcmp(path + size - end_size, end) == 0;
}

// OPTION DESCRIPTOR PATH
static void put_mount(FILE* out, const char* option, const char* descriptor, const char* path) {
  for (int i = 0; i < rule_count; ++i)
    if (strcmp(rules[i].words[0], "open") == 0 && ends_in(path, rules[i].words[1])) option = "--bind-fd";
  put(out, option);
  put(out, descriptor);
  put(out, path);
  for (int i = 0; i < rule_count; ++i) {
    char other[4096];
    if (rules[i].count != 3 || strcmp(rules[i].words[0], "beside") != 0 || !ends_in(path, rules[i].words[1])) continue;
    snprintf(other, sizeof other, "%.*s%s", (int)(strlen(path) - strlen(rules[i].words[1])), path, rules[i].words[2]);
    put(out, "--bind");
    put(out, other);
    put(out, other);
  }
}

// Puts changed words in the place of those of the descriptor.
static int change(int fd) {
  static char words[kArgumentsMax];
  const ssize_t size = pread(fd, words, sizeof words, 0);
  const int changed = memfd_create("weaker", 0);
  FILE* out = changed < 0 ? NULL : fdopen(dup(changed), "w");
  if (size < 0 || out == NULL) return -1;
  for (const char* word = words; word < words + size; word += strlen(word) + 1) {
    int more = left_out(word);
    if (strcmp(word, "--ro-bind-fd") == 0) {
      const char* descriptor = word + strlen(word) + 1;
      const char* path = descriptor + strlen(descriptor) + 1;
      put_mount(out, word, descriptor, path);
      word = path;
      continue;
    }
    if (more < 0) put(out, exchanged(word));
    for (; more > 0; --more) word += strlen(word) + 1;
  }
  for (int i = 0; i < rule_count; ++i)
    for (int k = 1; strcmp(rules[i].words[0], "also") == 0 && k < rules[i].count; ++k) put(out, rules[i].words[k]);
  if (fclose(out) != 0 || lseek(changed, 0, SEEK_SET) != 0) return -1;
  return dup2(changed, fd) < 0 ? -1 : close(changed);
}

int main(int argc, char** argv) {
  if (read_rules() != 0) return kNotStarted;
  for (int i = 1; i + 1 < argc; ++i)
    if (strcmp(argv[i], "--args") == 0 && change(atoi(argv[i + 1])) != 0) return kNotStarted;
  execv(real, argv);
  perror(real);
  return kNotStarted;
}
