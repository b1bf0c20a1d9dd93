# SPDX-License-Identifier: Apache-2.0
"""A question in a window: yes takes a tick and a button, all else is no, and what comes too soon is nothing."""

import os
import select
import signal
import subprocess
import unittest

from asking import ASK, TOLD, AskingTest, waits_for
from product import RUN_TIMEOUT_S, each_person
from rig import capability

SAYS_YES = ("Tab", "space", "Return")
DEAD_S = 1.5  # a second after it is shown, which is noted a tenth late


class AskingDialog(AskingTest):
    needs = ("zenity",)

    def screen(self):
        """The name of a screen of the test's own."""
        reads, writes = os.pipe()
        # Else it begins anew, and drops who connects, as soon as one who looked leaves it alone.
        server = subprocess.Popen([*self.place.person.prefix, "Xvfb", "-noreset", "-displayfd", str(writes), "-screen", "0", "1000x700x24",
                                   "-nolisten", "tcp"], pass_fds=(writes,), env=self.place.environment(),
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        os.close(writes)
        with os.fdopen(reads) as number:
            return f":{number.readline().strip()}"

    def xdotool(self, *words, check=True):
        return subprocess.run([*self.place.person.prefix, "xdotool", *words], env=self.place.environment(DISPLAY=self.display), capture_output=True,
                              text=True, check=check, timeout=RUN_TIMEOUT_S)

    def windows(self):
        """The processes whose they are: a window's number is given again."""
        found = self.xdotool("search", "--onlyvisible", "--name", "^lnk-sandbox$", check=False).stdout.split()
        return [pid for each in found for pid in self.xdotool("getwindowpid", each, check=False).stdout.split()]

    def window(self, *others):
        self.assertTrue(waits_for(lambda: any(each not in others for each in self.windows())), "no window comes")
        return next(each for each in self.windows() if each not in others)

    def start(self, script=ASK, display=None):
        self.display = display or self.screen()
        front = self.place.start(*self.arguments(script), environment={"DISPLAY": self.display}, stdin=subprocess.DEVNULL, stdout=-1, stderr=-1)
        self.addCleanup(front.communicate)
        self.addCleanup(front.kill)
        return front

    def nothing_is_said(self, front):
        """The time in which an answer counts for nothing; it shows that nothing was one."""
        self.assertEqual(select.select([front.stdout], [], [], DEAD_S)[0], [])

    def end(self, front):
        text = front.stdout.read()
        self.assertEqual(front.wait(RUN_TIMEOUT_S), 0)
        self.assertEqual(self.files(), [])
        return text.split()

    @each_person
    def test_a_tick_and_a_button_are_a_yes_and_all_else_is_no(self):
        for keys, said in ((SAYS_YES, "yes"), (("Escape",), "no")):
            front = self.start()
            self.window()
            self.nothing_is_said(front)
            self.xdotool("key", *keys)
            self.assertEqual(self.end(front), [said])

    @each_person
    def test_enter_and_space_alone_are_nothing_and_what_comes_too_soon_is_shown_again(self):
        front = self.start()
        first = self.window()
        self.xdotool("key", "Escape")
        second = self.window(first)
        self.nothing_is_said(front)
        self.xdotool("key", "Return", "space", "Return")
        self.nothing_is_said(front)
        self.assertEqual(self.windows(), [second])
        self.xdotool("key", "Escape")
        self.assertEqual(self.end(front), ["no"])

    @each_person
    def test_one_window_at_a_time_and_what_is_answered_elsewhere_is_closed(self):
        # One after the other: of two that ask in the same moment either is listed first.
        begun = self.place.path("work", "begun")
        front = self.start(f"{ASK} & until [ -e {begun} ]; do sleep 0.1; done; {ASK} & wait")
        first = self.window()
        self.place.write("work/begun", "")
        one, other = self.wait_for(2)
        self.assertEqual(len(self.windows()), 1)
        self.assertEqual(self.answer(one["id"], "yes").returncode, 0)
        self.assertEqual(front.stdout.readline(), "yes\n")
        self.window(first)
        self.assertEqual(len(self.windows()), 1)
        self.assertEqual(self.answer(other["id"], "no").returncode, 0)
        self.assertEqual(self.end(front), ["no"])
        self.assertEqual(self.windows(), [])

    @each_person
    def test_a_killed_front_takes_its_window_along(self):
        front = self.start()
        self.window()
        front.send_signal(signal.SIGKILL)
        front.wait(RUN_TIMEOUT_S)
        self.assertTrue(waits_for(lambda: not self.windows()), self.windows())
        self.assertEqual((self.waiting(), self.files()), ([], []))

    @each_person
    def test_a_screen_that_is_none_leaves_it_to_the_queue(self):
        front = self.start(display=":4711")
        told = next(filter(None, (TOLD.search(line) for line in front.stderr)))
        self.assertEqual(self.answer(told[1], "yes").returncode, 0)
        self.assertEqual(self.end(front), ["yes"])


if __name__ == "__main__":
    unittest.main()
