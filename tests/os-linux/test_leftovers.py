# SPDX-License-Identifier: Apache-2.0
"""A front that is killed, at any moment, leaves no process. The test adopts every orphan, so none can hide."""

import ctypes
import errno
import os
import random
import signal
import subprocess
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import wall

SET_CHILD_SUBREAPER = 36  # prctl(2)
AT_ONCE = 16
KILLS = int(os.environ.get("LNK_KILLS", "200"))
GONE_WITHIN_S = 20
ENVIRONMENT = {"PATH": "/usr/bin:/bin"}


def adopt_orphans():
    if ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError("prctl")


def children():
    with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
        listed = [int(pid) for pid in file.read().split()]
    # Threads of the test start some of them.
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/children", encoding="ascii") as file:
                listed += [int(pid) for pid in file.read().split()]
        except FileNotFoundError:
            pass
    return set(listed)


def describe(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as line, open(f"/proc/{pid}/status", encoding="ascii") as status:
            return f"{pid} {line.read()!r} {[s.strip() for s in status if s.startswith(('State', 'PPid', 'NSpid'))]}"
    except OSError:
        return str(pid)


def reap():
    """Waits for all that ended; True where no child is left."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                return False
        except OSError as error:
            return error.errno == errno.ECHILD


class Leftovers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        adopt_orphans()

    def assert_nothing_left(self, what):
        end = time.monotonic() + GONE_WITHIN_S
        while not reap():
            if time.monotonic() > end:
                left = [describe(pid) for pid in children()]
                for pid in children():
                    os.kill(pid, signal.SIGKILL)
                self.fail(f"left after {what}: {left}")
            time.sleep(0.01)

    def kill_at_random_moments(self, place, command, kills):
        begin = time.monotonic()
        subprocess.run(command, env=ENVIRONMENT, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       timeout=wall.RUN_TIMEOUT_S)
        # A start among 16 takes longer than one alone.
        longest_s = (time.monotonic() - begin) * 6

        def one(seed):
            chance = random.Random(f"{place.person} {seed}")
            front = subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(chance.uniform(0, longest_s))
            front.kill()
            front.wait()

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(one, range(kills)))

    def test_killed_at_random_moments_of_a_start(self):
        persons = wall.persons()
        for person in persons:
            with self.subTest(str(person)), wall.Place(person) as place:
                place.network = "wire"
                place.grant("write", place.folder("w"))
                long_run = place.command("/bin/sh", "-c", "sleep 100 & setsid sleep 100 & exit 0")
                self.kill_at_random_moments(place, long_run, max(1, KILLS // len(persons)))
                self.assert_nothing_left("random kills")

    def test_killed_at_each_named_moment(self):
        for person in wall.persons():
            for moment in ("launch", "stand", "go"):
                with self.subTest(f"{person} {moment}"), wall.Place(person) as place:
                    command = place.command("/bin/sh", "-c", "trap '' HUP TERM INT; sleep 100 & setsid sleep 100 & sleep 100",
                                            options=("--stop-at", moment))
                    front = subprocess.Popen(command, env=ENVIRONMENT, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
                    self.assertIn(f"at {moment}", front.stderr.readline().decode())
                    front.kill()
                    front.wait()
                    front.stdin.close()
                    front.stderr.close()
                    self.assert_nothing_left(moment)

    def test_many_runs_in_a_row_and_at_once_leave_nothing(self):
        for person in wall.persons()[:2]:
            with self.subTest(str(person)), wall.Place(person) as place:
                command = place.command("/bin/sh", "-c", "sleep 100 & setsid sleep 100 & exit 3")

                def one(_):
                    return subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, timeout=wall.RUN_TIMEOUT_S,
                                          check=False).returncode

                with ThreadPoolExecutor(AT_ONCE) as pool:
                    # bubblewrap's pid 1 tells of its first child's end at once, and ends with the last of them.
                    self.assertEqual(set(pool.map(one, range(KILLS // 4))), {3})
                self.assert_nothing_left("many runs")


if __name__ == "__main__":
    unittest.main()
