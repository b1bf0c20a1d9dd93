# SPDX-License-Identifier: Apache-2.0
"""What a program inside does to a name that is to be held, and what a person does outside afterwards."""

import json
import os
import subprocess

import product
from folders import ATTEMPT_FUNCTION

# Run inside with a folder and names in it; a name with a / at its end is a folder. Every way to change what stands at the name,
# by the name itself and by its aliases. Each prints what the kernel answered.
SPOIL = ATTEMPT_FUNCTION + r"""
import ctypes, mmap, os, sys
libc = ctypes.CDLL(None, use_errno=True)
work, names = sys.argv[1], sys.argv[2:]
EXCHANGE = 2
fresh_number = 0

def exchange(one, other):
    if libc.renameat2(-100, one.encode(), -100, other.encode(), EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), "exchange")

def fresh(is_folder):
    global fresh_number
    fresh_number += 1
    path = os.path.join(work, f"fresh{fresh_number}")
    if is_folder:
        os.mkdir(path)
    else:
        open(path, "w").close()
    return path

def write(path):
    with open(path, "ab") as file:
        file.write(b"spoiled")

def through(folder, name):
    inside = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.close(os.open(name, os.O_WRONLY | os.O_CREAT, dir_fd=inside))

def replace_by_link(path):
    link = fresh(False)
    os.unlink(link)
    os.symlink("/usr", link)
    os.rename(link, path)

def rebuild_above(path):
    above = os.path.dirname(path)
    if above == work:
        raise OSError(errno.EBUSY, "the written folder itself")
    os.rename(above, above + "-moved")
    os.makedirs(above)

for number, name in enumerate(names):
    is_folder = name.endswith("/")
    path = os.path.join(work, name.rstrip("/"))
    inner = os.path.join(path, "inner") if is_folder else path
    alias = "/proc/self/root" + inner
    attempt(f"{number} write", lambda: write(inner))
    attempt(f"{number} alias", lambda: write(alias))
    attempt(f"{number} through", lambda: through(path if is_folder else os.path.dirname(path), "inner" if is_folder else os.path.basename(path)))
    attempt(f"{number} make", lambda: os.mkdir(inner + "-made") if is_folder else os.truncate(path, 1))
    attempt(f"{number} mode", lambda: os.chmod(path, 0o700))
    attempt(f"{number} attribute", lambda: os.setxattr(path, "user.x", b"x"))
    attempt(f"{number} unlink", lambda: os.rmdir(path) if is_folder else os.unlink(path))
    attempt(f"{number} away", lambda: os.rename(path, path + "-away"))
    attempt(f"{number} over", lambda: os.rename(fresh(is_folder), path))
    attempt(f"{number} exchange", lambda: exchange(fresh(is_folder), path))
    attempt(f"{number} link", lambda: replace_by_link(path))
    attempt(f"{number} hard", lambda: os.link(path, path + "-hard") if not is_folder else os.mkdir(path))
    attempt(f"{number} above", lambda: rebuild_above(path))
"""
ATTEMPTS = ("write", "alias", "through", "make", "mode", "attribute", "unlink", "away", "over", "exchange", "link", "hard", "above")
# What the kernel answers where a mount stands that is read only, and where it can't be carried away.
HELD_BY = ("EROFS", "EBUSY", "EXDEV", "EEXIST", "ENOTEMPTY", "EISDIR", "ENOTDIR")


class DotFilesTest(product.ProductTest):
    def python(self, probe, *arguments, flags=(), **more):
        return self.place.run(*flags, "--", "python3", "-c", "print('started', flush=True)\n" + probe, *arguments, **more)

    def git(self, *arguments, folder=None, check=True, environment=None):
        """git as the person, outside, with the person's own settings."""
        command = [*self.place.person.prefix, "git", "-c", "user.name=n", "-c", "user.email=e@x.test", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, cwd=folder or self.place.work, env=self.outside(**(environment or {})), capture_output=True,
                              stdin=subprocess.DEVNULL, text=True, errors="replace", check=False, timeout=60)
        if check and done.returncode != 0:
            self.fail(f"git {arguments}: {done.stdout}{done.stderr}")
        return done

    def outside(self, **more):
        """A person's environment whose home has git settings of the test's own."""
        return self.place.environment(HOME=self.home(), **more)

    def home(self):
        return self.place.folder("home") if not os.path.isdir(self.place.path("home")) else self.place.path("home")

    def repository(self, *parts):
        folder = self.place.folder(*parts) if parts else self.place.work
        self.git("init", "-q", "-b", "main", folder=folder)
        self.git("commit", "-q", "--allow-empty", "-m", "first", folder=folder)
        return folder

    def spoiled(self, names, *flags):
        done = self.python(SPOIL, self.place.work, *names, flags=flags, environment={"HOME": self.home()})
        self.assert_started(done)
        said = [line.split() for line in done.stdout.splitlines()[1:]]
        self.assertEqual([(words[1], words[2]) for words in said], [(str(at), what) for at in range(len(names)) for what in ATTEMPTS],
                         done.stderr)
        return said

    def assert_held(self, names, *flags):
        self.place.give_all(self.place.work)
        before = stands(self.place.work, names)
        for words in self.spoiled(names, *flags):
            self.assertEqual(words[0], "refused", (names[int(words[1])], words))
            self.assertIn(words[3], HELD_BY, (names[int(words[1])], words))
        self.assertEqual(stands(self.place.work, names), before)

    def assert_open(self, name, *flags):
        """The twin: the same attempts on the same name do what they would without a wall."""
        did = [words[2] for words in self.spoiled([name], *flags) if words[0] == "did"]
        self.assertGreaterEqual(set(did), {"write", "mode"}, did)

    def listed(self):
        journal = os.path.join(self.place.settings, "placeholders", "journal")
        if not os.path.exists(journal):
            return ""
        with open(journal, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()

    def describe(self, *lines):
        spec = self.place.spec("\n".join(lines) + "\n")
        done = self.place.lnk("describe", "--spec", spec, "--json", environment={"HOME": self.home()})
        self.assert_done(done)
        return json.loads(done.stdout)


def stands(folder, names):
    """What stands at each name and below it: kind, number and content."""
    found = {}
    for name in names:
        path = os.path.join(folder, name.rstrip("/"))
        for at in [path, *(os.path.join(above, entry) for above, folders, files in os.walk(path) for entry in (*folders, *files))]:
            if not os.path.lexists(at):
                found[at] = None
                continue
            entry = os.lstat(at)
            content = None
            if os.path.isfile(at) and not os.path.islink(at):
                with open(at, "rb") as file:
                    content = file.read()
            found[at] = (entry.st_mode, entry.st_ino, content)
    return found
