# SPDX-License-Identifier: Apache-2.0
"""What Landlock holds by itself: the mounts of a running sandbox are opened from outside, as a fault in them would, and each right
that a read grant doesn't give stays refused. Where the kernel has no Landlock the same is done, which shows that they were open."""

import ctypes
import fcntl
import os
import shutil
import tempfile
import unittest

import product
from product import each_person
from folders import ATTEMPT_FUNCTION
from rig import capability, kernel
from terminal import descendants

OWNER_OF_NAMESPACE = 0xb701  # ioctl_ns(2): NS_GET_USERNS
MS_REMOUNT = 0x20
# Run inside with a folder that is read, once a line says that its mount was opened. By then "device" in it is a null device, and a
# program lies in the root where nothing is granted.
ATTEMPTS = ATTEMPT_FUNCTION + """
import fcntl, os, signal, socket, subprocess, sys, termios
folder = sys.argv[1]
print("started", flush=True)
sys.stdin.readline()
os.chdir(folder)
attempt("write", lambda: open("file", "r+").close())
attempt("truncate", lambda: os.truncate("file", 1))
attempt("make-file", lambda: open("new", "x").close())
attempt("make-folder", lambda: os.mkdir("new-folder"))
attempt("make-link", lambda: os.symlink("file", "new-link"))
attempt("make-pipe", lambda: os.mkfifo("new-pipe"))
attempt("make-socket", lambda: socket.socket(socket.AF_UNIX).bind("new-socket"))
attempt("hard-link", lambda: os.link("file", "file-too"))
attempt("rename", lambda: os.rename("other", "renamed"))
attempt("carry", lambda: os.rename("third", "below/third"))
attempt("remove-file", lambda: os.unlink("fourth"))
attempt("remove-folder", lambda: os.rmdir("empty"))
device = os.open("device", os.O_RDONLY)
attempt("control", lambda: fcntl.ioctl(device, termios.TCGETS, bytes(64)))
attempt("read-other", lambda: open("/fresh/true", "rb").close())
attempt("execute-other", lambda: subprocess.run(["/fresh/true"], check=True))
attempt("signal", lambda: os.kill(1, signal.SIGUSR1))
print("read", open("file").read().strip())
"""
NAMES = ("write", "truncate", "make-file", "make-folder", "make-link", "make-pipe", "make-socket", "hard-link", "rename", "carry", "remove-file",
         "remove-folder", "control", "read-other", "execute-other", "signal")


def open_mount(pid, folder, device):
    """Makes a folder of a sandbox's mounts writable, a name in it a device, and puts a program where nothing is granted."""
    mounts = os.open(f"/proc/{pid}/ns/mnt", os.O_RDONLY)
    owner = fcntl.ioctl(mounts, OWNER_OF_NAMESPACE)
    libc = ctypes.CDLL(None, use_errno=True)
    for namespace in (owner, mounts):
        if libc.setns(namespace, 0) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    for place in (folder, "/"):
        kernel.mount("none", place, None, MS_REMOUNT | kernel.MS_BIND | kernel.MS_NOSUID | kernel.MS_NODEV)
    kernel.mount("/dev/null", device, None, kernel.MS_BIND)
    known = os.stat("/")  # its user and group: a file can't be made by one that the sandbox doesn't know
    os.setresgid(*[known.st_gid] * 3)
    os.setresuid(*[known.st_uid] * 3)
    os.mkdir("/fresh")
    shutil.copy("/usr/bin/true", "/fresh")


class Landlock(product.ProductTest):
    def said_once_opened(self, *outer):
        # Outside of the home, which is a folder of the sandbox's own that it writes: a right on that reaches all below.
        os.makedirs("/srv", exist_ok=True)
        folder = tempfile.mkdtemp(prefix="read-", dir="/srv")
        self.addCleanup(shutil.rmtree, folder)
        for name in ("file", "other", "third", "fourth", "device"):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write("text\n")
        for name in ("below", "empty"):
            os.mkdir(os.path.join(folder, name))
        self.place.give_all(folder)
        self.place.outer = outer
        run = self.place.start("run", "--read", folder, "--write", self.place.work, "--", "python3", "-c", ATTEMPTS, folder, stdin=-1, stdout=-1, stderr=-1)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), "started\n")
        inside = list(descendants(run.pid))[-1]
        child = os.fork()
        if child == 0:
            try:
                open_mount(inside, folder, os.path.join(folder, "device"))
                os._exit(0)
            except OSError as error:
                print(error, flush=True)
            finally:
                os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        said, words = run.communicate("go\n", timeout=product.RUN_TIMEOUT_S)
        lines = [line.split() for line in said.splitlines()]
        self.assertEqual([words[1] for words in lines[:-1]], list(NAMES), words)
        return {words[1]: "done" if words[0] == "did" else words[2] for words in lines[:-1]}, lines[-1]

    @each_person
    def test_each_right_that_a_read_grant_does_not_give_is_refused_by_it_alone(self):
        capability.need("landlock")
        answers, last = self.said_once_opened()
        # What renames or links into another folder is told EXDEV: landlock(7), LANDLOCK_ACCESS_FS_REFER.
        wanted = {name: {"EACCES"} for name in NAMES} | {"carry": {"EACCES", "EXDEV"}, "signal": {"EPERM"}}
        self.assertEqual({name: answer for name, answer in answers.items() if answer not in wanted[name]}, {})
        self.assertEqual(last, ["read", "text"])

    @each_person
    def test_without_it_an_opened_mount_is_open(self):
        answers, last = self.said_once_opened(os.path.join(product.SUPPORT, "poorer_kernel"), "landlock", "--")
        self.assertEqual({name: answer for name, answer in answers.items() if answer != "done"}, {"control": "ENOTTY"})
        self.assertEqual(last, ["read", "t"])


if __name__ == "__main__":
    unittest.main()
