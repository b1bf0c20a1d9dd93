/* SPDX-License-Identifier: Apache-2.0
 *
 * What the exec watch judges by: the same files and folders that Landlock lets be executed. Pure: bytes in, answers out.
 *
 * The list is a sealed memory file: the head below, then
 *   files    filec times lnk_exec_file, in order of device and inode
 *   folders  folderc texts: u32 size, that many bytes without NUL, one NUL; absolute and clean
 */
#ifndef LNK_KEEPER_EXEC_LIST_H
#define LNK_KEEPER_EXEC_LIST_H

#include <stddef.h>
#include <stdint.h>

#define LNK_EXEC_LIST_MAGIC 0x6c6e6b33u

enum {
  LNK_EXEC_LIST_FILES_MAX = 65536,
  LNK_EXEC_LIST_FOLDERS_MAX = 4096,
  LNK_EXEC_PATH_MAX = 4096, /* PATH_MAX, its NUL counted */
  LNK_EXEC_HEAD_BYTES = 256 /* as much of a file as the kernel looks at: BINPRM_BUF_SIZE */
};

/* flags */
enum {
  LNK_EXEC_ANY_RUNS = 1u,   /* the list restricts nothing */
  LNK_EXEC_REPORT_ALL = 2u /* not only what is refused */
};

typedef struct lnk_exec_list_head {
  uint32_t magic;
  uint32_t total_bytes;
  uint32_t flags;
  uint32_t filec;
  uint32_t folderc;
  uint32_t reserved;
} lnk_exec_list_head;

typedef struct lnk_exec_file {
  uint64_t device; /* st_dev as stat(2) gives it */
  uint64_t inode;
} lnk_exec_file;

/* Pointers into the bytes that were read. */
struct exec_list {
  uint32_t flags;
  uint32_t filec;
  uint32_t folderc;
  const lnk_exec_file* files;
  const char* folders; /* the first text */
};

/* 1: it is of that form, whole. The bytes are aligned to 8. */
int read_exec_list(const char* bytes, size_t size, struct exec_list* out);

int lists_file(const struct exec_list* list, uint64_t device, uint64_t inode);

/* Whether an absolute path lies below one of the folders. */
int lists_folder_of(const struct exec_list* list, const char* path);

/* The interpreter of a script, from the first bytes of its file, as Linux reads the line: fs/binfmt_script.c. `out` holds
 * LNK_EXEC_HEAD_BYTES. 0: it is none, or one that the kernel would refuse. */
int read_interpreter(const char* head, size_t size, char* out);

#endif
