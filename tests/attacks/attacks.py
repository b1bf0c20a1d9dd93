# SPDX-License-Identifier: Apache-2.0
"""The attack program, run inside a sandbox as it is shipped, and outside as the twin that shows that an attempt works."""

import errno
import os
import secrets
import shutil
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "integration"))

import product  # noqa: E402
from rig import capability  # noqa: E402

PROGRAM = os.path.join(product.SUPPORT, "attacks")
POORER = os.path.join(product.SUPPORT, "poorer_kernel")
TABLE = os.path.join(product.SUPPORT, "filter-table")
TIMEOUT_S = 120

# What a wall may answer, or a kernel that hasn't got a call. Another error would say that the attempt failed for a reason of its own.
REFUSED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.EXDEV, errno.EBUSY, errno.ENOENT, errno.ENOTDIR, errno.EEXIST,
           errno.EISDIR, errno.ENOTEMPTY, errno.EADDRINUSE, errno.ENOSYS}


def words(number):
    return os.strerror(number) if isinstance(number, int) else number


def lines_of(done, nonce):
    """What the program said between its start and its end; it proved both."""
    lines = done.stdout.splitlines()
    if lines[:1] != [f"started {nonce}"] or lines[-1:] != ["ended"]:
        raise AssertionError(f"the attacks did not run to their end: {done.returncode} {done.stdout[-500:]!r} {done.stderr!r}")
    return lines[1:-1]


def answers_of(lines):
    """{attempt: error number, or 0 where it was done, or "signalN"}"""
    split = (line.rpartition(" ") for line in lines)
    return {name: int(answer) if answer.isdigit() else answer for name, _, answer in split}


def look_at(path):
    """All that could be changed of an entry and what lies below: {path: what it is}."""
    found = {}

    def add(entry):
        seen = os.lstat(entry)
        text = None
        if stat.S_ISREG(seen.st_mode):
            with open(entry, "rb") as file:
                text = file.read()
        found[os.path.relpath(entry, path)] = (seen.st_ino, seen.st_mode, seen.st_nlink, seen.st_uid, seen.st_gid, seen.st_mtime_ns,
                                               text, tuple(sorted(os.listxattr(entry, follow_symlinks=False))))

    add(path)
    for at, folders, files in os.walk(os.fsencode(path)):
        for name in (*folders, *files):
            add(os.fsdecode(os.path.join(at, name)))
    return found


class AttackTest(product.ProductTest):
    """`lacks`: what the kernel shall be without, in words of poorer_kernel."""

    lacks = ()

    def setUp(self):
        super().setUp()
        for program in (PROGRAM, TABLE):
            if not os.access(program, os.X_OK):
                capability.lack("attacks", f"{program} is not built")
        if self.lacks and not os.access(POORER, os.X_OK):
            capability.lack("poorer_kernel", f"{POORER} is not built")

    @property
    def has_landlock(self):
        return not any(lack.startswith("landlock") for lack in self.lacks) and capability.why_not("landlock") is None

    def tools(self):
        folder = self.place.folder("tools")
        program = os.path.join(folder, "attacks")
        if not os.path.exists(program):
            shutil.copy(PROGRAM, program)
            self.place.give_all(folder)
        return program

    def said_inside(self, group, *arguments, flags=(), cwd=None, **more):
        """What a group of attempts said in a sandbox with these grants."""
        program, nonce = self.tools(), secrets.token_hex(8)
        self.place.outer = (POORER, *self.lacks, "--") if self.lacks else ()
        done = self.place.run(*flags, "--read", program, "--", program, nonce, group, *arguments, cwd=cwd, timeout=TIMEOUT_S, **more)
        self.assertNotIn("lnk-sandbox:", done.stderr)
        return lines_of(done, nonce)

    def inside(self, group, *arguments, **more):
        return answers_of(self.said_inside(group, *arguments, **more))

    def said_outside(self, group, *arguments):
        """The same with no wall, by the same person, on the rig's machine, whose namespaces end with the test."""
        program, nonce = self.tools(), secrets.token_hex(8)
        poorer = (POORER, *self.lacks, "--") if self.lacks else ()
        done = subprocess.run([*self.place.person.prefix, *poorer, program, nonce, group, *arguments], cwd=self.place.work, text=True,
                              capture_output=True, env=self.place.environment(), timeout=TIMEOUT_S, check=False)
        return lines_of(done, nonce)

    def outside(self, group, *arguments):
        return answers_of(self.said_outside(group, *arguments))

    def is_real_root(self):
        return self.place.person.uid == 0 and os.environ.get("LNK_RIG_ROOT") == "real"

    def assert_all_refused(self, answers, allowed=REFUSED):
        self.assertGreater(len(answers), 0)
        wrong = {name: words(answer) for name, answer in answers.items() if answer not in allowed}
        self.assertEqual(wrong, {})
