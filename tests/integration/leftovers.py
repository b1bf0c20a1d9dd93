# SPDX-License-Identifier: Apache-2.0
"""What is there on the rig's machine, so that two moments can be compared."""

import os
import time

import product

from rig import internet

SETTLE_S = 10.0
POLL_S = 0.005
# The log grows by design; the survey of the machine is kept for a boot by design.
GROWING = (".jsonl",)
LOGS = os.path.join(product.TREE, "build", "test-logs")


def processes():
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                    found[int(name)] = file.read().split(")")[0].split("(")[1]
            except OSError:
                pass
    return found


def mounts():
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        return sorted(line.split(" ", 1)[1] for line in file)


def sockets():
    """Listening and bound ones, by what they are bound to."""
    found = []
    with open("/proc/net/unix", encoding="utf-8") as file:
        # The rig's own control is asked by the tests themselves, and each question is a connection for a moment.
        found += [line.split()[7] for line in file if len(line.split()) > 7 and line.split()[7] != internet.CONTROL]
    for table in ("tcp", "tcp6", "udp", "udp6"):
        with open(f"/proc/net/{table}", encoding="utf-8") as file:
            found += [f"{table} {line.split()[1]}" for line in file if line.split()[3:4] == ["0A"] or table[:3] == "udp"]
    return sorted(found)


def files(*folders):
    found = []
    for folder in folders:
        for at, names, plain in os.walk(folder):
            # Where the tree lies in a home, the runner writes there of tests that run beside this one.
            names[:] = [name for name in names if os.path.join(at, name) != LOGS]
            found += [os.path.join(at, name) for name in names + plain if not name.endswith(GROWING)]
    return sorted(found)


def temporary_files():
    return files("/tmp", "/var/tmp", "/run", "/dev/shm")


class Moment:
    """All of it at one moment. The files are those of the named folders and of every temporary one."""

    def __init__(self, *folders):
        self._folders = folders
        self.processes, self.mounts, self.sockets = processes(), mounts(), sockets()
        self.files = files(*folders) + temporary_files()

    def difference(self):
        """What is there now and wasn't then, in words; waits a while for processes that are on their way out."""
        end = time.monotonic() + SETTLE_S
        while set(processes()) - set(self.processes) and time.monotonic() < end:
            time.sleep(POLL_S)
        now = Moment(*self._folders)
        found = [f"process {number} {name}" for number, name in now.processes.items() if number not in self.processes]
        for kind in ("mounts", "sockets", "files"):
            before = list(getattr(self, kind))
            for one in getattr(now, kind):
                if one in before:
                    before.remove(one)
                else:
                    found.append(f"{kind[:-1]} {one}")
        return found
