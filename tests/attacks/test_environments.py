# SPDX-License-Identifier: Apache-2.0
"""The same attempts on a kernel that has less, made of this one by an outer filter: without Landlock, without listeners for
calls, without sealed memory. All that this version holds, it holds there too."""

import errno
import os
import subprocess
import unittest

import attacks
import core_calls
import core_paths
import core_processes
from product import each_person
from rig import capability

LISTENER, SEALED = 1 << 3, 8  # SECCOMP_FILTER_FLAG_NEW_LISTENER, MFD_NOEXEC_SEAL
# What a program sees of each: ctypes is enough, since no more is asked than what the kernel says.
SEEN = {
    "landlock": ("libc.syscall(444, None, 0, 1)", errno.ENOSYS),
    "landlock-off": ("libc.syscall(444, None, 0, 1)", errno.EOPNOTSUPP),
    "landlock-refused": ("libc.syscall(446, -1, 0)", errno.EPERM),
    "notify": (f"libc.syscall({{'x86_64': 317, 'aarch64': 277}}[os.uname().machine], 1, {LISTENER}, None)", errno.EINVAL),
    "memfd-seal": (f"libc.syscall({{'x86_64': 319, 'aarch64': 279}}[os.uname().machine], b'x', {SEALED})", errno.EINVAL),
}


class Environment:
    """`word`: what LNK_MUST_WORK calls it."""

    word = ""

    def setUp(self):
        super().setUp()
        for lack in self.lacks:
            question, wanted = SEEN[lack]
            program = f"import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); print({question}, ctypes.get_errno())"
            done = subprocess.run([attacks.POORER, lack, "--", "python3", "-c", program], capture_output=True, text=True, check=False)
            if done.stdout != f"-1 {wanted}\n":
                capability.lack(self.word, f"an outer filter doesn't take {lack} away: {done.stdout} {done.stderr}")


class WithoutLandlock(Environment):
    word, lacks = "without-landlock", ("landlock",)


class LandlockRefused(Environment):
    word, lacks = "without-landlock", ("landlock-refused",)


class WithoutListener(Environment):
    word, lacks = "without-listener", ("notify",)


class WithoutSealing(Environment):
    word, lacks = "without-sealing", ("memfd-seal",)


class WithNone(Environment):
    word, lacks = "without-landlock", ("landlock-off", "notify", "memfd-seal")


class PathsWithoutLandlock(WithoutLandlock, core_paths.PathAttacks):
    pass


class CallsWithoutLandlock(WithoutLandlock, core_calls.CallAttacks):
    pass


class ProcessesWithoutLandlock(WithoutLandlock, core_processes.ProcessAttacks):
    @each_person
    def test_check_and_describe_say_what_is_lost(self):
        self.place.outer = (attacks.POORER, *self.lacks, "--")
        report = self.place.lnk("check", "--json").stdout
        self.assertIn("without it mounts alone hold the files", report)
        spec = self.place.spec(f'[files]\nread = ["{self.place.work}"]\n')
        self.assertIn("by mounts alone", self.place.lnk("describe", "--spec", spec).stdout)
        # What was learnt of the machine is kept in the settings.
        self.place.outer, self.place.settings = (), self.place.folder("other-settings")
        if capability.why_not("landlock") is None:
            self.assertNotIn("by mounts alone", self.place.lnk("describe", "--spec", spec).stdout)


class PathsWithLandlockRefused(LandlockRefused, core_paths.PathAttacks):
    pass


class CallsWithoutListener(WithoutListener, core_calls.CallAttacks):
    pass


class ProcessesWithoutListener(WithoutListener, core_processes.ProcessAttacks):
    pass


class CallsWithoutSealing(WithoutSealing, core_calls.CallAttacks):
    pass


class PathsWithNone(WithNone, core_paths.PathAttacks):
    pass


class CallsWithNone(WithNone, core_calls.CallAttacks):
    pass


class ProcessesWithNone(WithNone, core_processes.ProcessAttacks):
    pass


if __name__ == "__main__":
    unittest.main()
