# SPDX-License-Identifier: Apache-2.0
"""What is left of a run at a terminal: its settings as they were, no process, and no answer in its input."""

import os
import select
import signal
import subprocess
import unittest

import product
from product import each_person
from terminal import TerminalTest, descendants, program_of


class Restored(TerminalTest):
    def assert_as_before(self, *arguments, code, script=None, kill=None):
        terminal = self.terminal()
        before = terminal.settings()
        front = self.start(terminal, *arguments, *(["--", "sh", "-c", "stty raw -echo; echo started; " + script] if script else []))
        if kill:
            terminal.until("started")
            self.assertNotEqual(terminal.settings(), before)  # it was taken
            front.send_signal(kill)
        self.assertEqual(terminal.ended(), code, terminal.said)
        self.assertEqual(terminal.settings(), before)

    @each_person
    def test_whatever_ends_the_run(self):
        self.assert_as_before(script="exit 3", code=3)
        self.assert_as_before(script="kill -KILL $$", code=128 + signal.SIGKILL)
        self.assert_as_before(script="kill -SEGV $$", code=128 + signal.SIGSEGV)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            self.assert_as_before(script="exec sleep 1000", kill=number, code=128 + number)

    @each_person
    def test_a_program_that_stops_the_leader_of_its_session(self):
        self.assert_as_before(script="kill -STOP $PPID; exit 3", code=product.EXIT_ENDED)

    @each_person
    def test_the_names_that_are_held_outlive_the_whole_sandbox_and_not_the_leader_alone(self):
        # The hold is on the first process of the namespace, which ends after all others; a leader stands between it and the program.
        terminal = self.terminal()
        self.start(terminal, "--", "sh", "-c", "echo started; read line")
        terminal.until("started\r\n")
        with open(os.path.join(self.place.settings, "placeholders", "journal"), encoding="utf-8") as file:
            held = [line.split() for line in file if line.startswith("hold ")]
        self.assertTrue(held)
        for words in held:
            with open(f"/proc/{words[3]}/status", encoding="utf-8") as file:
                numbers = next(line for line in file if line.startswith("NSpid:")).split()
            self.assertEqual(numbers[-1], "1")
        terminal.type("\n")
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_a_start_that_is_refused(self):
        self.assert_as_before("--read", "/nowhere-at-all", "--", "true", code=product.EXIT_REFUSED)
        self.assert_as_before("--", "no-such-program", code=product.EXIT_NOT_FOUND)

    @each_person
    def test_the_wires_end(self):
        terminal = self.terminal()
        before = terminal.settings()
        front = self.start(terminal, "--host", "allowed.test", "--", "sh", "-c", "echo started; read line")
        terminal.until("started\r\n")
        wire = next(pid for pid in descendants(front.pid) if program_of(pid).endswith("/wire"))
        os.kill(wire, signal.SIGKILL)
        # A whole line, though the terminal is taken.
        terminal.until("the wire ended; the program goes on with no way out\r\n")
        terminal.type("\n")
        self.assertEqual(terminal.ended(), 0)
        self.assertEqual(terminal.settings(), before)

    @each_person
    def test_a_terminal_that_hangs_up_ends_the_run(self):
        terminal = self.terminal()
        front = self.start(terminal, "--", "sh", "-c", "echo started; exec cat")
        terminal.until("started")
        below = [os.pidfd_open(pid) for pid in descendants(front.pid)]
        os.close(terminal.slave)
        os.close(terminal.master)
        terminal.master, terminal.slave = os.openpty()
        self.assertNotEqual(front.wait(timeout=product.RUN_TIMEOUT_S), 0)
        for pidfd in below:
            self.assertTrue(select.select([pidfd], [], [], product.RUN_TIMEOUT_S)[0])
            os.close(pidfd)


    @each_person
    def test_a_front_that_is_killed_leaves_no_process(self):
        terminal = self.terminal()
        front = self.start(terminal, "--", "sh", "-c", "echo started; trap '' HUP; sleep 1000")
        terminal.until("started")
        below = [os.pidfd_open(pid) for pid in descendants(front.pid)]
        self.assertGreaterEqual(len(below), 5)
        front.kill()
        for pidfd in below:
            self.assertTrue(select.select([pidfd], [], [], product.RUN_TIMEOUT_S)[0])
            os.close(pidfd)


class Modes(TerminalTest):
    """Modes in which a terminal sends by itself are off once the shell has it again, whatever ended the run."""

    LEFT_ON = r"printf '\033[?1004;2048h\033[?1002h\033[?1002l\033[>1u'; "
    OFF = ("\x1b[?1004l", "\x1b[?2048l", "\x1b[<1u")

    def said_after(self, script, kill=None):
        terminal = self.terminal()
        front = self.start(terminal, "--", "sh", "-c", self.LEFT_ON + "echo started; " + script)
        terminal.until("started")
        if kill:
            front.send_signal(kill)
        terminal.ended()
        said = terminal.said.decode(errors="replace")
        return said[said.index("started"):]

    @each_person
    def test_what_was_left_on_is_turned_off(self):
        for script, kill in (("exit 0", None), ("kill -KILL $$", None), ("exec sleep 1000", signal.SIGTERM), ("kill -STOP $PPID; exit 3", None)):
            said = self.said_after(script, kill)
            for off in self.OFF:
                self.assertEqual(said.count(off), 1, (script, said))
            self.assertNotIn("?1002l", said)

    @each_person
    def test_what_a_program_turned_off_itself_is_left_alone(self):
        said = self.said_after(r"printf '\033[?1004;2048l\033[<u'")
        for off in self.OFF:
            self.assertNotIn(off, said)


class Answers(TerminalTest):
    ASK = r"printf 'started\033[c'"

    @each_person
    def test_none_is_left_where_a_program_asked_and_ended(self):
        for streams in ({}, {"stdin": subprocess.DEVNULL}):
            terminal = self.terminal(answers=True)
            before = terminal.settings()
            self.assertEqual(self.run_at(terminal, "--", "sh", "-c", self.ASK + r"; printf '\033[6n\033[c'", streams=streams), 0)
            self.assertIn(b"started\x1b[c", terminal.said)
            self.assertEqual(terminal.unread_input(), b"")
            self.assertEqual(terminal.settings(), before)

    @each_person
    def test_without_the_sandbox_one_is_left(self):
        terminal = self.terminal(answers=True)
        self.start(terminal, command=["sh", "-c", self.ASK])
        terminal.until("\x1b[c")
        terminal.until("^[[?62;22c")  # echoed
        self.assertEqual(terminal.ended(), 0)
        self.assertEqual(terminal.unread_input(), b"\x1b[?62;22c")

    @each_person
    def test_a_program_that_waits_for_its_answer_gets_it(self):
        terminal = self.terminal(answers=True)
        script = ("import os, tty; tty.setraw(0); os.write(1, b'started\\x1b[c'); got = b''\n"
                  "while not got.endswith(b'c'): got += os.read(0, 1)\nos.write(1, repr(got).encode())")
        self.assertEqual(self.run_at(terminal, "--", "python3", "-c", script), 0)
        self.assertIn(rb"b'\x1b[?62;22c'", terminal.said)
        self.assertEqual(terminal.unread_input(), b"")

    @each_person
    def test_a_terminal_that_answers_nothing_is_not_waited_for_long(self):
        terminal = self.terminal(answers=False)
        self.assertEqual(self.run_at(terminal, "--", "sh", "-c", self.ASK), 0)
        self.assertEqual(terminal.unread_input(), b"")

    @each_person
    def test_what_was_typed_ahead_is_the_shells_where_the_program_did_not_read(self):
        terminal = self.terminal(answers=True)
        self.start(terminal, "--", "sh", "-c", r"cat; printf '\033[1mstarted\033[0m'", streams={"stdin": subprocess.PIPE})
        terminal.type("typed ahead\n")
        terminal.until("typed ahead")  # echoed: it is in
        terminal.process.stdin.close()
        self.assertEqual(terminal.ended(), 0)
        self.assertEqual(terminal.unread_input(), b"typed ahead\n")


if __name__ == "__main__":
    unittest.main()
