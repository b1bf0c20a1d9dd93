// SPDX-License-Identifier: Apache-2.0
//
// The first process of a machine that lives for one test: carries out /steps and switches the machine off. A step is a
// line,
//   UID TAB FOLDER TAB PROGRAM [TAB ARGUMENT]…
// and what it says stands on the console between "step N" and "end N CODE MS", with the time that it took.
//
// It trusts the image, which the test made. The root is copied to a file system in memory first, since the one that a
// kernel unpacks an image to can't be pivoted away from (pivot_root(2)), which bubblewrap does.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kPathMax = 4096, kWordsMax = 512, kLineMax = 1 << 16 };
static const char kNew[] = "/new";

static void need(int result, const char* what) {
  if (result == 0) return;
  printf("init: %s: %s\n", what, strerror(errno));
  fflush(stdout);
  reboot(RB_POWER_OFF);
}

static int copy_file(const char* from, const char* to, mode_t mode) {
  static char block[1 << 16];
  const int in = open(from, O_RDONLY);
  const int out = open(to, O_WRONLY | O_CREAT | O_EXCL, mode);
  ssize_t got = -1;
  while (in >= 0 && out >= 0 && (got = read(in, block, sizeof block)) > 0)
    if (write(out, block, (size_t)got) != got) return -1;
  close(in);
  close(out);
  return got == 0 ? 0 : -1;
}

static int copy_link(const char* from, const char* to) {
  char target[kPathMax];
  const ssize_t size = readlink(from, target, sizeof target - 1);
  if (size < 0) return -1;
  target[size] = '\0';
  return symlink(target, to);
}

static int copy_one(const char* path, const struct stat* seen, int kind, struct FTW* place) {
  (void)place;
  if (strcmp(path, "/") == 0) return 0;
  if (strncmp(path, kNew, strlen(kNew)) == 0) return 0;
  char to[kPathMax];
  snprintf(to, sizeof to, "%s%s", kNew, path);
  int done = 0;
  if (kind == FTW_D)
    done = mkdir(to, seen->st_mode & 07777);
  else if (kind == FTW_SL)
    done = copy_link(path, to);
  else if (S_ISREG(seen->st_mode))
    done = copy_file(path, to, seen->st_mode & 07777);
  else
    return 0;  // the console's node
  if (done == 0) done = lchown(to, seen->st_uid, seen->st_gid);
  if (done == 0 && kind != FTW_SL) done = chmod(to, seen->st_mode & 07777);
  return done;
}

static void move_root(void) {
  need(mkdir(kNew, 0755), "mkdir");
  need(mount("root", kNew, "tmpfs", 0, "mode=755"), "tmpfs");
  need(nftw("/", copy_one, 32, FTW_PHYS | FTW_MOUNT), "copy");
  need(chdir(kNew), "chdir");
  need(mount(".", "/", NULL, MS_MOVE, NULL), "move");
  need(chroot("."), "chroot");
  need(chdir("/"), "chdir");
}

static void mount_kernels_own(void) {
  need(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "proc");
  need(mount("sys", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "sysfs");
  need(mount("dev", "/dev", "devtmpfs", MS_NOSUID, NULL), "devtmpfs");
  need(mkdir("/dev/pts", 0755), "pts");
  need(mount("pts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "ptmxmode=0666"), "devpts");
  need(symlink("/proc/self/fd", "/dev/fd"), "fd");
}

static int run(char** words) {
  const pid_t child = fork();
  if (child == 0) {
    const unsigned uid = (unsigned)atoi(words[0]);
    char home[64] = "HOME=/root";
    if (uid != 0) snprintf(home, sizeof home, "HOME=/home/%u", uid);
    char* const environment[] = {home, "PATH=/usr/bin:/usr/sbin:/bin:/sbin", "LANG=C.UTF-8", NULL};
    const int nothing = open("/dev/null", O_RDWR);
    if (dup2(nothing, 0) < 0 || setgroups(0, NULL) != 0 || setgid(uid) != 0 || setuid(uid) != 0 ||
        chdir(words[1]) != 0) {
      perror("init: step");
      _exit(125);
    }
    execve(words[2], words + 2, environment);
    perror(words[2]);
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) != child) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void carry_out_steps(void) {
  static char line[kLineMax];
  FILE* steps = fopen("/steps", "re");
  need(steps == NULL, "/steps");
  for (int number = 0; fgets(line, sizeof line, steps) != NULL; ++number) {
    line[strcspn(line, "\n")] = '\0';
    char* words[kWordsMax + 1] = {NULL};
    char* rest = line;
    for (int at = 0; at < kWordsMax && rest != NULL; ++at) words[at] = strsep(&rest, "\t");
    printf("step %d\n", number);
    fflush(stdout);
    const long began_ms = now_ms();
    const int code = run(words);
    printf("end %d %d %ld\n", number, code, now_ms() - began_ms);
    fflush(stdout);
  }
}

int main(void) {
  move_root();
  mount_kernels_own();
  carry_out_steps();
  printf("all steps\n");
  fflush(stdout);
  reboot(RB_POWER_OFF);
  return 0;
}
