/* SPDX-License-Identifier: Apache-2.0 */
#include "inside/execute.h"

#include "freestanding/start.h"

enum { PATH_BYTES_MAX = 4096 }; /* PATH_MAX */

static const char kDefaultPath[] = "/usr/local/bin:/usr/bin:/bin";

static const char* path_of(char** env) {
  for (; *env != NULL; ++env) {
    const char* entry = *env;
    if (entry[0] == 'P' && entry[1] == 'A' && entry[2] == 'T' && entry[3] == 'H' && entry[4] == '=') return entry + 5;
  }
  return kDefaultPath;
}

/* A file with no known beginning is a script for the shell (execvp(3)). */
static long execute_file(const char* file, char** argv, char** env) {
  const long error = syscall3(__NR_execve, (long)file, (long)argv, (long)env);
  if (error != -E_NOEXEC) return error;
  char* name = argv[0];
  char shell[] = "/bin/sh";
  argv[-1] = shell;
  argv[0] = (char*)file;
  const long shell_error = syscall3(__NR_execve, (long)shell, (long)(argv - 1), (long)env);
  argv[0] = name;
  return shell_error;
}

/* Copies "folder/name"; 0 where it is too long. An empty folder is the current one. */
static int join(char* out, const char* folder, size_t folder_size, const char* name) {
  const size_t name_size = text_size(name);
  if (folder_size + name_size + 2 > PATH_BYTES_MAX) return 0;
  size_t at = 0;
  copy_bytes(out, folder, folder_size);
  at = folder_size;
  if (folder_size != 0) out[at++] = '/';
  copy_bytes(out + at, name, name_size + 1);
  return 1;
}

static int goes_on(long error) { return error == -E_NOENT || error == -E_NOTDIR || error == -E_ACCES; }

long execute(char** argv, char** env) {
  const char* name = argv[0];
  if (*name == '\0') return -E_NOENT;
  for (const char* c = name; *c != '\0'; ++c) {
    if (*c == '/') return execute_file(name, argv, env);
  }
  long kept = -E_NOENT;
  char file[PATH_BYTES_MAX];
  const char* folder = path_of(env);
  for (;;) {
    const char* end = folder;
    while (*end != '\0' && *end != ':') ++end;
    if (join(file, folder, (size_t)(end - folder), name)) {
      const long error = execute_file(file, argv, env);
      if (!goes_on(error)) return error;
      if (error == -E_ACCES) kept = error;
    }
    if (*end == '\0') return kept;
    folder = end + 1;
  }
}
