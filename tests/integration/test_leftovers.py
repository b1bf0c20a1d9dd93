# SPDX-License-Identifier: Apache-2.0
"""Nothing is left: after many runs, after many at once, and after the front was killed at any moment."""

import concurrent.futures
import fcntl
import os
import random
import signal
import time
import unittest

import product
from product import each_person
from leftovers import Moment  # after product, by which the rig is found

RUNS_IN_A_ROW = 200
RUNS_AT_ONCE = 16
KILLS = 40
SEED = int(os.environ.get("LNK_SEED", "20260105"))


class Leftovers(product.ProductTest):
    def prepared(self):
        """A spec that is approved and has run once, so that what is kept for good is there; and this moment."""
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["allowed.test"]\n')
        done = self.place.shell("curl -sS https://allowed.test/", "--spec", spec, "--yes")
        self.assert_started(done, "hello from allowed.test\n")
        self.assert_started(self.place.shell("true"))
        return spec, Moment(self.place.root, self.place.person.home)

    @each_person
    def test_many_runs_in_a_row_leave_nothing(self):
        _, before = self.prepared()
        for _ in range(RUNS_IN_A_ROW):
            self.assert_done(self.place.run("--", "true"))
        self.assertEqual(before.difference(), [])

    @each_person
    def test_many_runs_at_once_with_a_wire_each_leave_nothing(self):
        spec, before = self.prepared()

        def one(number):
            return self.place.shell(f"curl -sS https://allowed.test/; echo {number}", "--spec", spec)

        with concurrent.futures.ThreadPoolExecutor(RUNS_AT_ONCE) as pool:
            for number, done in enumerate(pool.map(one, range(RUNS_AT_ONCE))):
                self.assert_started(done, f"hello from allowed.test\n{number}\n")
        self.assertEqual(before.difference(), [])

    @each_person
    def test_a_front_that_is_killed_at_any_moment_leaves_nothing(self):
        spec, before = self.prepared()
        moments = random.Random(SEED)
        longest_s = 2 * self.time_to_start(spec)
        reached = 0
        for kill in range(KILLS):
            delay_s = moments.uniform(0, longest_s)
            front = self.place.start("run", "--spec", spec, "--", "sh", "-c", "echo started; exec sleep 1000", stdin=-3, stdout=-1, stderr=-3)
            wait_until(time.monotonic() + delay_s)
            front.kill()
            reached += front.communicate()[0] == "started\n"  # ends when nothing of the sandbox holds the pipe
            left = [one for one in before.difference() if one.startswith(("process", "mount", "socket"))]
            self.assertEqual(left, [], f"kill {kill} after {delay_s * 1000:.2f} ms, seed {SEED}")
        self.assertTrue(0 < reached < KILLS, f"{reached} of {KILLS} kills came after the start: the moments don't cover it")
        # The next start clears what dead runs held.
        self.assert_started(self.place.shell("true", "--spec", spec))
        self.assertEqual(before.difference(), [])

    @each_person
    def test_a_draft_whose_writer_was_killed_is_cleared_and_one_being_written_is_not(self):
        # The journal is replaced by a draft with a name of its own, and a kill between the two leaves that.
        spec, _ = self.prepared()
        dead, live = (self.place.path("settings", "placeholders", "journal.draft-" + name) for name in ("dead", "live"))
        for path in (dead, live):
            self.place.write(os.path.relpath(path, self.place.root), "half", mode=0o600)
        with open(live, encoding="ascii") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assert_started(self.place.shell("true", "--spec", spec))
        self.assertEqual((os.path.exists(dead), os.path.exists(live)), (False, True))

    @each_person
    def test_a_wire_that_is_killed_leaves_the_run_with_no_way_out(self):
        spec, before = self.prepared()
        script = "echo started; read go; curl -sS -m 10 https://allowed.test/ || echo no way out"
        front = self.place.start("run", "--spec", spec, "--", "sh", "-c", script, stdin=-1, stdout=-1, stderr=-1)
        self.assertEqual(front.stdout.readline(), "started\n")
        self.net.reset()
        wire = [number for number, name in Moment().processes.items() if number not in before.processes and name == "wire"]
        self.assertEqual(len(wire), 1)
        os.kill(wire[0], signal.SIGKILL)
        said, _ = front.communicate("go\n", timeout=product.RUN_TIMEOUT_S)
        self.assertIn(said, ("no way out\n", ""))
        self.assertEqual(self.net.connections(), [])
        self.assertEqual(before.difference(), [])

    def time_to_start(self, spec):
        took = []
        for _ in range(5):
            began = time.monotonic()
            front = self.place.start("run", "--spec", spec, "--", "sh", "-c", "echo started", stdin=-3, stdout=-1, stderr=-3)
            front.stdout.readline()
            took.append(time.monotonic() - began)
            front.communicate()
        return sorted(took)[2]


def wait_until(moment):
    """To the fraction of a millisecond, which a sleep alone doesn't give."""
    while (left := moment - time.monotonic()) > 0:
        if left > 0.002:
            time.sleep(left - 0.002)


if __name__ == "__main__":
    unittest.main()
