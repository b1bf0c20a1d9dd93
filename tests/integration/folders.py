# SPDX-License-Identifier: Apache-2.0
"""What a program does inside to carry a folder away, so that it can be seen which folders stay."""

import os

import product

# At the head of a program that is run inside: what a kernel answers to each attempt, a line each.
ATTEMPT_FUNCTION = """
import errno

def attempt(name, act):
    try:
        act()
        print("did", name)
    except OSError as error:
        print("refused", name, errno.errorcode[error.errno])
"""

# Run inside with the written folder and folders in it: tries to take each from its place, and says what the kernel answered.
TAKE_AWAY = ATTEMPT_FUNCTION + """
import ctypes, os, shutil, sys
libc = ctypes.CDLL(None, use_errno=True)
work, folders = sys.argv[1], sys.argv[2:]
AT_FDCWD, EXCHANGE = -100, 2

def exchange(one, other):
    if libc.renameat2(AT_FDCWD, one.encode(), AT_FDCWD, other.encode(), EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), "exchange")

def rename_within(folder, name, new):
    inside = os.open(folder, os.O_RDONLY)
    os.rename(name, new, src_dir_fd=inside, dst_dir_fd=inside)

def fresh(name):
    os.mkdir(os.path.join(work, name))
    return os.path.join(work, name)

os.chdir(work)
for at, folder in enumerate(folders):
    above, name = os.path.split(folder)
    attempt(f"rename {at}", lambda: os.rename(folder, folder + "-moved"))
    attempt(f"rename-in {at}", lambda: rename_within(above, name, name + "-moved"))
    attempt(f"carry {at}", lambda: os.rename(folder, f"{fresh(f'bag{at}')}/away"))
    attempt(f"exchange {at}", lambda: exchange(folder, fresh(f"other{at}")))
    attempt(f"replace {at}", lambda: os.rename(fresh(f"new{at}"), folder))
    attempt(f"rmdir {at}", lambda: os.rmdir(folder))
    attempt(f"mkdir {at}", lambda: os.mkdir(folder))
    attempt(f"link {at}", lambda: (os.symlink("/", f"link{at}"), os.rename(f"link{at}", folder)))
    for made in (f"bag{at}", f"other{at}", f"new{at}"):
        if os.path.isdir(made):
            os.rmdir(made)
    if os.path.islink(f"link{at}"):
        os.unlink(f"link{at}")
"""
ATTEMPTS = ("rename", "rename-in", "carry", "exchange", "replace", "rmdir", "mkdir", "link")
# rename(2), rmdir(2): what is mounted on is busy, what lies on a read-only mount too or read only, another mount is elsewhere.
HELD_BY = {"EBUSY", "EXDEV", "EROFS", "EACCES", "EPERM"}
IN_THE_WAY = {"mkdir": {"EEXIST", *HELD_BY}, "link": {"EISDIR", "ENOTDIR", *HELD_BY}}
# Renames a folder, makes another in its place, exchanges the two: that is the folder at its own name again, by another way.
MOVE = """
import ctypes, os, sys
folder, moved = sys.argv[1], sys.argv[1] + "-moved"
os.rename(folder, moved)
os.mkdir(folder)
done = ctypes.CDLL(None).renameat2(-100, folder.encode(), -100, moved.encode(), 2)
os.rmdir(moved)
print("moved", done)
"""


def tree(folder):
    """Every entry below, by what it is: {path: (inode, mode, text)}."""
    found = {}
    for at, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(at, name)
            entry = os.lstat(path)
            text = None
            if name in files:
                with open(path, "rb") as file:
                    text = file.read()
            found[os.path.relpath(path, folder)] = (entry.st_ino, entry.st_mode, text)
    return found


class FoldersTest(product.ProductTest):
    def python(self, probe, *arguments, flags=()):
        return self.place.run(*flags, "--", "python3", "-c", "print('started', flush=True)\n" + probe, *arguments)

    def assert_held(self, done, folders):
        self.assert_started(done)
        said = [line.split() for line in done.stdout.splitlines()[1:]]
        self.assertEqual([tuple(words[1:3]) for words in said],
                         [(name, str(at)) for at in range(len(folders)) for name in ATTEMPTS], done.stderr)
        for words in said:
            self.assertEqual(words[0], "refused", words)
            self.assertIn(words[3], IN_THE_WAY.get(words[1], HELD_BY), words)

    def assert_none_can_be_moved(self, folders, *flags):
        before = tree(self.place.work)
        self.assert_held(self.python(TAKE_AWAY, self.place.work, *folders, flags=flags), folders)
        self.assertEqual(tree(self.place.work), before)

    def assert_can_be_moved(self, folder, *flags):
        self.assert_started(self.python(MOVE, folder, flags=flags), "moved 0\n")
