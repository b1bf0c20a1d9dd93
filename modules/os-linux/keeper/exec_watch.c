/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper/exec_watch.h"

#include <linux/capability.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/poll.h>
#include <linux/prctl.h>

#include "freestanding/packet.h"
#include "freestanding/start.h"
#include "keeper/call_filter.h"
#include "keeper/exec_caller.h"
#include "keeper/exec_list.h"
#include "keeper/format.h"
#include "keeper/notification.h"

enum {
  PAGE_READ = 1,
  PAGE_WRITE = 2,
  BY_DESCRIPTOR = 0x1000, /* AT_EMPTY_PATH */
  LINK_ITSELF = 0x100,    /* AT_SYMLINK_NOFOLLOW */
  CHECK_ALONE = 0x10000,  /* AT_EXECVE_CHECK, Linux 6.14: it asks whether it would run */
  SCRIPTS_MAX = 5,        /* interpreters that are scripts: the kernel follows as many, fs/exec.c */
  WITHOUT_WAITING = 0x4040 /* MSG_DONTWAIT | MSG_NOSIGNAL */
};

/* Of memory files: memfd_create(2) */
enum {
  MEMORY_CLOEXEC = 1,
  MEMORY_SEALING = 2,
  MEMORY_SEALED = 8,
  MEMORY_EXEC = 16,
  NAME_BYTES_MAX = 250,
  ADD_SEALS = 1033,
  GET_SEALS = 1034,
  SEAL_SEAL = 1,
  SEAL_EXEC = 32
};

/* A file that was looked at and may run, and is no script. As many as a build starts; one that falls out is looked at again. */
enum { KNOWN_MAX = 256 };
struct known {
  uint64_t device;
  uint64_t inode;
  int64_t changed_s;
  uint32_t changed_ns;
  uint32_t is_set;
};

/* What was reported: the program, and where every start is reported who started it. Once it is full nothing more is. */
enum { REPORTED_MAX = 4096 };

struct watch {
  int front;
  int listener; /* -1: not here yet */
  union lnk_taken* taken;
  struct exec_list list;
  struct caller caller;
  struct known known[KNOWN_MAX];
  uint64_t reported[REPORTED_MAX]; /* hashes; 0: free */
  int reported_count;
};

static struct watch watch;

static int reports_all(void) { return (watch.list.flags & LNK_EXEC_REPORT_ALL) != 0; }
static int any_runs(void) { return (watch.list.flags & LNK_EXEC_ANY_RUNS) != 0; }

/* FNV-1a: fast, and a program that makes two of its own meet hides but its own name. */
static uint64_t hash_of(uint64_t seed, const void* bytes, size_t size) {
  const unsigned char* at = bytes;
  for (size_t i = 0; i < size; ++i) seed = (seed ^ at[i]) * 0x100000001b3ull;
  return seed;
}

/* The place of a hash in the table: its own, or the free one where it belongs; NULL where there is none. */
static uint64_t* place_of(uint64_t hash) {
  if (hash == 0) hash = 1;
  for (uint64_t i = 0; i < REPORTED_MAX; ++i) {
    uint64_t* place = &watch.reported[(hash + i) % REPORTED_MAX];
    if (*place == hash) return place;
    if (*place == 0) return watch.reported_count < REPORTED_MAX - 1 ? place : NULL;
  }
  return NULL;
}

static int caller_is_still_there(void) {
  const uint64_t id = watch.taken->call.id;
  return syscall3(__NR_ioctl, watch.listener, (long)SECCOMP_IOCTL_NOTIF_ID_VALID, (long)&id) == 0;
}

/* Where every start is reported: that one was missed, once. A report without a path. */
static void report_missed(void) {
  static int is_told;
  static lnk_exec_report packet;
  if (!reports_all() || is_told || !caller_is_still_there()) return;
  packet.magic = LNK_KEEPER_MAGIC;
  packet.pid = watch.caller.pid;
  const long size = offsetof(lnk_exec_report, texts);
  is_told = syscall6(__NR_sendto, watch.front, (long)&packet, size, WITHOUT_WAITING & ~0x40, 0, 0) == size;
}

/* To a front that is stopped a refusal isn't told again and again: it waits until the program is tried once more. Where every start
 * is reported none may be missing, and the caller waits. */
static void report(struct program* program, int is_allowed) {
  static lnk_exec_report packet;
  static char parent[LNK_EXEC_PATH_MAX];
  long parent_size = program_of(watch.caller.pid, parent, sizeof parent);
  if (parent_size < 0) parent_size = 0;
  const size_t path_size = text_size(program->path);
  uint64_t hash = hash_of(0xcbf29ce484222325ull, program->path, path_size + 1);
  if (reports_all()) hash = hash_of(hash, parent, (size_t)parent_size);
  uint64_t* place = place_of(hash);
  if (place == NULL) report_missed();
  if (place == NULL || *place != 0 || !caller_is_still_there()) return;
  packet.magic = LNK_KEEPER_MAGIC;
  packet.is_allowed = (uint32_t)is_allowed;
  packet.pid = watch.caller.pid;
  packet.path_size = (uint32_t)path_size;
  packet.parent_size = (uint32_t)parent_size;
  copy_bytes(packet.texts, program->path, path_size);
  copy_bytes(packet.texts + path_size, parent, (size_t)parent_size);
  const long size = (long)(offsetof(lnk_exec_report, texts) + path_size) + parent_size;
  const long flags = reports_all() ? WITHOUT_WAITING & ~0x40 : WITHOUT_WAITING;
  if (syscall6(__NR_sendto, watch.front, (long)&packet, size, flags, 0, 0) != size) return;
  *place = hash == 0 ? 1 : hash;
  ++watch.reported_count;
}

static struct known* known_of(const struct program* program) {
  return &watch.known[(program->inode ^ program->device) % KNOWN_MAX];
}

static int is_known(const struct program* program) {
  const struct known* known = known_of(program);
  return known->is_set && known->device == program->device && known->inode == program->inode &&
         known->changed_s == program->changed_s && known->changed_ns == program->changed_ns;
}

/* Its first bytes. It is a file, so that opening it waits for nothing (fifo(7)). */
static long read_head(const struct program* program, char* head) {
  char name[32] = "/proc/self/fd/";
  (void)write_number(name + 14, (int)program->fd);
  const long file = syscall4(__NR_openat, AT_FDCWD, (long)name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
  if (file < 0) return file;
  const long size = syscall4(__NR_pread64, file, (long)head, LNK_EXEC_HEAD_BYTES, 0);
  (void)syscall1(__NR_close, file);
  return size;
}

/* Judges one file and reports it where that is due. 1: it is a script that may run, whose interpreter is in `interpreter`. */
static int judge(struct program* program, char* interpreter) {
  char head[LNK_EXEC_HEAD_BYTES];
  int is_allowed = any_runs() || lists_file(&watch.list, program->device, program->inode);
  if (!is_allowed || reports_all()) {
    if (name_program(program) < 0) return 0;
    is_allowed = is_allowed || lists_folder_of(&watch.list, program->path);
    if (reports_all() || !is_allowed) report(program, is_allowed);
  }
  if (!is_allowed || (!reports_all() && is_known(program))) return 0;
  const long size = read_head(program, head);
  if (size > 0 && read_interpreter(head, (size_t)size, interpreter)) return 1;
  if (size >= 0)
    *known_of(program) =
        (struct known){program->device, program->inode, program->changed_s, program->changed_ns, 1};
  return 0;
}

/* A call that is not understood is none of ours to name: the kernel answers it. */
static void look_at_exec(void) {
  static char path[LNK_EXEC_PATH_MAX];
  static char interpreter[LNK_EXEC_HEAD_BYTES];
  static struct program program;
  const struct seccomp_data* data = &watch.taken->call.data;
  const int is_at = data->nr == __NR_execveat;
  const uint32_t flags = is_at ? (uint32_t)data->args[4] : 0;
  if ((flags & ~(uint32_t)(BY_DESCRIPTOR | LINK_ITSELF | CHECK_ALONE)) != 0) return; /* EINVAL, and nothing is started */
  watch.caller.pid = (int)watch.taken->call.pid;
  watch.caller.folder = is_at ? (int)(uint32_t)data->args[0] : AT_FDCWD;
  watch.caller.follows = (flags & LINK_ITSELF) == 0;
  const long size = read_text_of(watch.caller.pid, data->args[is_at ? 1 : 0], path, sizeof path);
  if (size == -E_PERM) report_missed(); /* it runs what may be executed and not read: ptrace(2), "Ptrace access mode checking" */
  if (size < 0) return;
  const int by_descriptor = (flags & BY_DESCRIPTOR) != 0 && size == 0;
  const int had_root = watch.caller.root >= 0;
  long result = by_descriptor ? open_program_by_descriptor(&watch.caller, &program) : open_program(&watch.caller, path, &program);
  if (!had_root && watch.caller.root >= 0 && !caller_is_still_there()) {
    /* Its number may be another process's by now, out here, and so the root too. */
    (void)syscall1(__NR_close, watch.caller.root);
    watch.caller.root = -1;
    if (result == 0) (void)syscall1(__NR_close, program.fd);
    return;
  }
  /* An interpreter's name begins at the current folder, and links are followed: open_exec, fs/exec.c */
  watch.caller.folder = AT_FDCWD;
  watch.caller.follows = 1;
  for (int depth = 0; result == 0 && depth <= SCRIPTS_MAX; ++depth) {
    const int is_script = judge(&program, interpreter);
    (void)syscall1(__NR_close, program.fd);
    if (!is_script) return;
    result = open_program(&watch.caller, interpreter, &program);
  }
  if (result == 0) (void)syscall1(__NR_close, program.fd); /* one script too many, at which the kernel gives up: ELOOP */
}

static void answer(int error, uint32_t flags) {
  const struct seccomp_notif_resp reply = {watch.taken->call.id, 0, error, flags};
  (void)syscall3(__NR_ioctl, watch.listener, (long)SECCOMP_IOCTL_NOTIF_SEND, (long)&reply);
}

/* A memory file as it was asked for, but sealed against being run: a descriptor, or -errno as memfd_create(2) gives it. A program
 * that asks for one that may be run gets one that may be written, mapped and sealed, and is refused when it runs it. */
static long make_memory_file(uint64_t flags) {
  static char name[NAME_BYTES_MAX];
  const uint32_t asked = (uint32_t)flags;
  if ((asked & ~(uint32_t)(MEMORY_CLOEXEC | MEMORY_SEALING | MEMORY_EXEC)) != 0) return -E_INVAL;
  const long size = read_text_of((int)watch.taken->call.pid, watch.taken->call.data.args[0], name, sizeof name);
  if (size < 0) return size == -36 /* ENAMETOOLONG */ ? -E_INVAL : size;
  if (!caller_is_still_there()) return -E_SRCH;
  const long file = syscall2(__NR_memfd_create, (long)name, MEMORY_CLOEXEC | MEMORY_SEALED);
  if (file < 0) return file;
  /* Whoever asked for no sealing gets none: the seal above brings it along. */
  if ((asked & MEMORY_SEALING) == 0) (void)syscall3(__NR_fcntl, file, ADD_SEALS, SEAL_SEAL);
  if ((syscall3(__NR_fcntl, file, GET_SEALS, 0) & SEAL_EXEC) != 0) return file;
  (void)syscall1(__NR_close, file);
  return -E_NOSYS;
}

static void give_memory_file(void) {
  const uint64_t flags = watch.taken->call.data.args[1];
  const long file = make_memory_file(flags);
  if (file < 0) {
    answer((int)file, 0);
    return;
  }
  const struct seccomp_notif_addfd put = {watch.taken->call.id, SECCOMP_ADDFD_FLAG_SEND, (uint32_t)file, 0,
                                          (flags & MEMORY_CLOEXEC) != 0 ? O_CLOEXEC : 0};
  const long result = syscall3(__NR_ioctl, watch.listener, (long)SECCOMP_IOCTL_NOTIF_ADDFD, (long)&put);
  (void)syscall1(__NR_close, file);
  if (result < 0) answer((int)result, 0); /* no number is free there, or it is gone */
}

static void forget_call(void) {
  for (size_t i = 0; i < sizeof *watch.taken; ++i) watch.taken->bytes[i] = 0;
}

/* A caller that died meanwhile is ENOENT, of the taking as of the answer. */
static void serve_one(void) {
  if (syscall3(__NR_ioctl, watch.listener, (long)SECCOMP_IOCTL_NOTIF_RECV, (long)watch.taken) == 0) {
    if (watch.taken->call.data.nr == __NR_memfd_create) {
      give_memory_file();
    } else {
      look_at_exec();
      answer(0, SECCOMP_USER_NOTIF_FLAG_CONTINUE);
    }
  }
  forget_call();
}

static void take_listener(int fd) {
  watch.listener = fd;
  (void)syscall3(__NR_ioctl, fd, (long)LNK_NOTIF_SET_FLAGS, LNK_NOTIF_SYNC_WAKE_UP); /* EINVAL before Linux 6.6: slower */
}

static const char* map_list(int fd, long* size) {
  *size = syscall3(__NR_lseek, fd, 0, 2 /* SEEK_END */);
  if (*size <= 0) return NULL;
  const long bytes = syscall6(__NR_mmap, 0, *size, PAGE_READ, MAP_PRIVATE, fd, 0);
  return bytes < 0 && bytes > -4096 ? NULL : (const char*)bytes;
}

static int take_list(int fd) {
  long size;
  const char* bytes = map_list(fd, &size);
  return bytes != NULL && read_exec_list(bytes, (size_t)size, &watch.list);
}

static int take_shared(int fd) {
  const long bytes = syscall6(__NR_mmap, 0, sizeof *watch.taken, PAGE_READ | PAGE_WRITE, MAP_SHARED, fd, 0);
  if (bytes < 0 && bytes > -4096) return 0;
  watch.taken = (union lnk_taken*)bytes;
  return 1;
}

/* The list and the page come first, then nothing but the listener. */
static void obey(void) {
  lnk_keeper_request request;
  int fd = -1;
  const long size = receive_one(watch.front, &request, sizeof request, &fd);
  if (size <= 0) leave(0);
  if (size != (long)sizeof request || request.magic != LNK_KEEPER_MAGIC || fd < 0) leave(1);
  if (request.kind == LNK_EXEC_WATCH_LISTENER && watch.listener < 0) {
    take_listener(fd);
    return;
  }
  const int is_list = request.kind == LNK_EXEC_WATCH_LIST && watch.list.files == NULL;
  const int is_shared = request.kind == LNK_EXEC_WATCH_SHARED && watch.taken == NULL;
  const int is_done = is_list ? take_list(fd) : is_shared ? take_shared(fd) : 0;
  (void)syscall1(__NR_close, fd);
  if (!is_done) leave(1);
}

/* It reads what a sandbox gives it, so it keeps no right but the person's, and few calls. Over the sandbox's own processes the
 * person's is enough: who made a user namespace has every capability in it (user_namespaces(7)). */
static long settle(int keeper_pid) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0}};
  long result = syscall2(__NR_capset, (long)&head, (long)none);
  if (result == 0) result = syscall5(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result == 0) result = syscall5(__NR_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
  if (result == 0) result = syscall5(__NR_prctl, PR_SET_PDEATHSIG, 9, 0, 0, 0);
  if (result == 0 && syscall0(__NR_getppid) != keeper_pid) leave(0);
  return result;
}

/* It opens to look and to read alone, and speaks to the listener. What it reads and hands over is for it to get right: see
 * docs/threat-model.md. */
static long give_up_other_calls(void) {
  const uint32_t kListenerCalls = SECCOMP_IOC_MAGIC << 8;
  const uint32_t changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  const struct passed_call calls[] = {
      {__NR_ppoll, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_ioctl, 1, 0xff00, kListenerCalls},
      {__NR_process_vm_readv, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_openat, 2, changes, 0},
      {__NR_openat2, 2, ~0u, (uint32_t)(uintptr_t)&kLookInside},
      {__NR_openat2, 2, ~0u, (uint32_t)(uintptr_t)&kLookAtLinkInside},
      {__NR_openat2, 2, ~0u, (uint32_t)(uintptr_t)&kLookAtFolderInside},
      {__NR_statx, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_readlinkat, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_read, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_pread64, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_close, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_memfd_create, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_fcntl, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_recvmsg, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_sendto, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_restart_syscall, LNK_ANY_ARGUMENT, 0, 0},
      {__NR_exit_group, LNK_ANY_ARGUMENT, 0, 0},
  };
  return pass_only(calls, sizeof calls / sizeof calls[0]);
}

_Noreturn void serve_exec_watch(int pid, int pidfd, int keeper_pid, int socket) {
  (void)pid;
  (void)pidfd;
  watch.front = socket;
  watch.listener = -1;
  watch.caller.root = -1;
  if (settle(keeper_pid) < 0) leave(1);
  while (watch.list.files == NULL || watch.taken == NULL) obey();
  if (give_up_other_calls() < 0) leave(1);
  for (;;) {
    struct pollfd watched[2] = {{socket, POLLIN, 0}, {watch.listener, POLLIN, 0}};
    const long ready = syscall5(__NR_ppoll, (long)watched, 2, 0, 0, 0);
    if (ready < 0 && ready != -E_INTR) leave(1);
    if (ready <= 0) continue;
    if (watched[0].revents != 0) obey();
    if ((watched[1].revents & POLLIN) != 0) {
      serve_one();
    } else if (watched[1].revents != 0) {
      leave(0); /* nobody is left under the filter */
    }
  }
}
