/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/exec_list.h"

#include "freestanding/start.h"

/* The text after this one; NULL where one of this form doesn't fit. */
static const char* skip_text(const char* text, const char* end) {
  uint32_t size;
  if ((size_t)(end - text) < sizeof size) return NULL;
  copy_bytes(&size, text, sizeof size);
  text += sizeof size;
  if (size == 0 || size >= LNK_EXEC_PATH_MAX || (size_t)(end - text) < (size_t)size + 1) return NULL;
  if (text[0] != '/' || text[size] != '\0') return NULL;
  for (uint32_t i = 0; i < size; ++i) {
    if (text[i] == '\0') return NULL;
  }
  return text + size + 1;
}

static int is_before(const lnk_exec_file* left, const lnk_exec_file* right) {
  return left->device != right->device ? left->device < right->device : left->inode < right->inode;
}

int read_exec_list(const char* bytes, size_t size, struct exec_list* out) {
  lnk_exec_list_head head;
  if (size < sizeof head) return 0;
  copy_bytes(&head, bytes, sizeof head);
  if (head.magic != LNK_EXEC_LIST_MAGIC || head.total_bytes != size || head.filec > LNK_EXEC_LIST_FILES_MAX ||
      head.folderc > LNK_EXEC_LIST_FOLDERS_MAX)
    return 0;
  if ((size - sizeof head) / sizeof(lnk_exec_file) < head.filec) return 0;
  const lnk_exec_file* files = (const lnk_exec_file*)(const void*)(bytes + sizeof head);
  for (uint32_t i = 1; i < head.filec; ++i) {
    if (!is_before(&files[i - 1], &files[i])) return 0;
  }
  const char* folders = (const char*)(files + head.filec);
  const char* at = folders;
  for (uint32_t i = 0; i < head.folderc && at != NULL; ++i) at = skip_text(at, bytes + size);
  if (at != bytes + size) return 0;
  *out = (struct exec_list){head.flags, head.filec, head.folderc, files, folders};
  return 1;
}

int lists_file(const struct exec_list* list, uint64_t device, uint64_t inode) {
  const lnk_exec_file wanted = {device, inode};
  uint32_t low = 0;
  uint32_t high = list->filec;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (is_before(&list->files[middle], &wanted)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < list->filec && !is_before(&wanted, &list->files[low]);
}

static int is_below(const char* path, const char* folder, uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    if (path[i] != folder[i]) return 0; /* the end of a shorter path too */
  }
  return path[size] == '/';
}

int lists_folder_of(const struct exec_list* list, const char* path) {
  const char* folder = list->folders;
  for (uint32_t i = 0; i < list->folderc; ++i) {
    uint32_t size;
    copy_bytes(&size, folder, sizeof size);
    folder += sizeof size;
    if (is_below(path, folder, size)) return 1;
    folder += size + 1;
  }
  return 0;
}

static int is_blank(char c) { return c == ' ' || c == '\t'; }

int read_interpreter(const char* head, size_t size, char* out) {
  if (size > LNK_EXEC_HEAD_BYTES) size = LNK_EXEC_HEAD_BYTES;
  if (size < 3 || head[0] != '#' || head[1] != '!') return 0;
  size_t end = 2;
  while (end < size && head[end] != '\n' && head[end] != '\0') ++end;
  const int is_cut = end == LNK_EXEC_HEAD_BYTES;
  size_t begin = 2;
  while (begin < end && is_blank(head[begin])) ++begin;
  size_t name_end = begin;
  while (name_end < end && !is_blank(head[name_end])) ++name_end;
  /* A name that runs off the buffer may be cut, which the kernel refuses: ENOEXEC. */
  if (name_end == begin || (is_cut && name_end == end)) return 0;
  copy_bytes(out, head + begin, name_end - begin);
  out[name_end - begin] = '\0';
  return 1;
}
