# SPDX-License-Identifier: Apache-2.0
"""The few system calls that Python 3.11 doesn't offer, each raising OSError with the call's name."""

import ctypes
import os
import platform
import signal

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 0x0001
MS_NOSUID = 0x0002
MS_NODEV = 0x0004
MS_NOEXEC = 0x0008
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1

# pivot_root has no wrapper in the C library.
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}[platform.machine()]

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result, step):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{step}: {os.strerror(number)}")


def unshare(flags):
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def mount(source, target, kind=None, flags=0, data=None):
    def text(value):
        return None if value is None else os.fsencode(value)

    _check(
        _libc.mount(text(source), text(target), text(kind), ctypes.c_ulong(flags), text(data)),
        f"mount {source} on {target}",
    )


def bind(source, target, recursive=True):
    mount(source, target, None, MS_BIND | (MS_REC if recursive else 0))


def unmount_later(target):
    _check(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def pivot_root(new_root, put_old):
    _check(_libc.syscall(_PIVOT_ROOT, os.fsencode(new_root), os.fsencode(put_old)), "pivot_root")


def set_hostname(name):
    raw = os.fsencode(name)
    _check(_libc.sethostname(raw, len(raw)), "sethostname")


def die_with_parent():
    """The calling process is killed when the thread that forked it ends. Forgotten by a change of credentials."""
    _check(_libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0), "prctl PDEATHSIG")
