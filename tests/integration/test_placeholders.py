# SPDX-License-Identifier: Apache-2.0
"""Placeholders of many sandboxes on one folder, and of those that are killed: none is left, and none goes under a live one."""

import concurrent.futures
import fcntl
import os
import signal
import subprocess
import time
import unittest

import product  # noqa: F401  by which the rig is found
from product import each_person
from dot_files import DotFilesTest
from rig import capability
from terminal import descendants

AT_ONCE = 16
KILLS = 20
NAMES = {".git", ".vscode", ".idea", "HEAD"}
# Inside, for as long as it is let: whether each name can be made.
TRY = r"""
import os, sys
names, tries = sys.argv[1].split(), 0
def can_make(name):
    for act in (lambda: os.mkdir(name), lambda: os.mkdir(name + "/x"), lambda: os.rmdir(name), lambda: os.rename(name, name + "-away")):
        try:
            act()
            return True
        except OSError:
            pass
    return False
while tries < 200 or (sys.argv[2] == "wait" and not os.path.exists("enough")):
    tries += 1
    for name in names:
        if can_make(name):
            print("made", name, flush=True)
            sys.exit(1)
print("held", flush=True)
"""


class Placeholders(DotFilesTest):
    def stand(self):
        return NAMES & set(os.listdir(self.place.work))

    def held_front(self):
        front = self.place.start("run", "--", "python3", "-c", "print('started', flush=True)\n" + TRY, " ".join(NAMES), "wait",
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(front.communicate)
        self.addCleanup(front.kill)
        self.assertEqual(front.stdout.readline(), "started\n")
        return front

    def assert_nothing_left(self):
        """After the next start of any sandbox."""
        other = self.place.folder("other")
        self.assert_started(self.place.shell("true", "--write", other, cwd=other), "")
        self.assertEqual(self.stand(), set())
        self.assertEqual(self.listed(), "")

    def assert_starts_clear(self):
        """A killed front's program is on its way out; until it is gone its names stay, and each start looks again."""
        end = time.monotonic() + 20
        other = self.place.folder("other")
        while self.stand() and time.monotonic() < end:
            self.assert_started(self.place.shell("true", "--write", other, cwd=other), "")
        self.assert_nothing_left()

    @each_person
    def test_many_at_once_on_one_folder(self):
        def one(_):
            return self.python(TRY, " ".join(NAMES), "go")

        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for done in pool.map(one, range(AT_ONCE * 2)):
                self.assert_started(done, "held\n")
        self.assertEqual(self.stand(), set())
        self.assertEqual(self.listed(), "")

    def waits(self, front):
        """Whether it waits for a lock: proc_locks(5)."""
        with open("/proc/locks", encoding="ascii") as file:
            return any(words[1] == "->" and words[5] == str(front.pid) for words in map(str.split, file))

    @each_person
    def test_the_list_is_changed_by_one_start_at_a_time(self):
        self.assert_started(self.place.shell("true"), "")
        with open(os.path.join(self.place.settings, "placeholders", "lock"), encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            front = self.place.start("run", "--", "echo", "started", stdout=subprocess.PIPE)
            self.addCleanup(front.communicate)
            self.addCleanup(front.kill)
            end = time.monotonic() + 30
            while not self.waits(front):
                self.assertIsNone(front.poll(), "it didn't wait")
                self.assertLess(time.monotonic(), end)
            self.assertEqual(self.stand(), set())
        self.assertEqual(front.stdout.readline(), "started\n")
        self.assertEqual(front.wait(), 0)

    @each_person
    def test_others_that_come_and_go_or_are_killed_take_none_from_a_live_run(self):
        front = self.held_front()
        for round_number in range(KILLS // 2):
            other = self.place.start("run", "--", "true", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if round_number % 2 == 0:
                other.kill()
            other.wait()
            self.assertEqual(self.stand(), NAMES)
        self.place.write("work/enough", "")
        self.assertEqual(front.stdout.readline(), "held\n")
        front.wait()
        self.assert_nothing_left()

    @each_person
    def test_a_front_killed_while_its_program_runs_leaves_none_after_the_next_start(self):
        fronts = [self.held_front() for _ in range(3)]
        self.assertEqual(self.stand(), NAMES)
        for front in fronts:
            front.send_signal(signal.SIGKILL)
            front.wait()
        self.assert_starts_clear()

    @each_person
    def test_the_names_of_a_killed_front_stay_as_long_as_its_program_lives(self):
        front, other = self.held_front(), self.place.folder("other")
        keeper = next(descendants(front.pid))
        os.kill(keeper, signal.SIGSTOP)  # it would end the sandbox at once
        try:
            front.kill()
            front.wait()
            self.assert_started(self.place.shell("true", "--write", other, cwd=other), "")
            self.assertEqual(self.stand(), NAMES)
        finally:
            os.kill(keeper, signal.SIGCONT)
        self.assert_starts_clear()

    @each_person
    def test_one_is_listed_before_it_is_made(self):
        capability.need("strace")
        self.assert_started(self.place.shell("true"), "")
        # Killed as it makes the third, so that two stand.
        self.place.outer = ("strace", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=mkdirat", "-e", "inject=mkdirat:signal=KILL:when=3")
        self.assertNotIn("started", self.place.shell("true").stdout)
        self.place.outer = ()
        self.assertNotEqual(self.stand(), set())
        for name in self.stand():
            self.assertIn(self.place.path("work", name) + "\n", self.listed())
        self.assert_starts_clear()

    @each_person
    def test_a_kill_at_any_moment_of_a_start_leaves_none_after_the_next(self):
        began = time.monotonic()
        self.assert_done(self.place.run("--", "true"))
        took = time.monotonic() - began
        for moment in range(KILLS):
            front = self.place.start("run", "--", "sh", "-c", "exec sleep 60", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                front.wait(took * moment / KILLS)  # how long is what the test varies
            except subprocess.TimeoutExpired:
                pass
            front.kill()
            front.wait()
        self.assert_starts_clear()

    @each_person
    def test_what_a_person_puts_into_one_stays(self):
        front = self.held_front()
        self.place.write("work/.vscode/settings.json", "{}")
        self.place.write("work/enough", "")
        front.wait()
        self.assertEqual(self.stand(), {".vscode"})
        self.assertEqual(self.listed(), "")
        self.assert_started(self.place.shell("echo x >.vscode/settings.json || echo held"), "held\n")

    @each_person
    def test_a_killed_program_is_cleared_up_after_at_once(self):
        done = self.place.shell("kill -9 $$")
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        self.assertEqual(self.stand(), set())


if __name__ == "__main__":
    unittest.main()
