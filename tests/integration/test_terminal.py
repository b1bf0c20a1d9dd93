# SPDX-License-Identifier: Apache-2.0
"""Streams that are a terminal: the sandbox has one of its own in its place, through which bytes, keys and sizes pass."""

import itertools
import json
import os
import select
import signal
import subprocess
import termios
import unittest

import product
from product import each_person
from rig import capability
from terminal import CTRL_BACKSLASH, CTRL_C, CTRL_D, CTRL_Z, TALKS, TerminalTest, descendants, descriptors, program_of

NAMES = ("stdin", "stdout", "stderr")
LOOK = ("import json, os; json.dump([[os.isatty(fd), os.isatty(fd) and os.ttyname(fd), os.fstat(fd).st_dev, os.fstat(fd).st_rdev]"
        " for fd in range(3)], open('seen', 'w'))")


class Streams(TerminalTest):
    def seen(self):
        with open(self.place.path("work", "seen"), encoding="ascii") as file:
            return json.load(file)

    @each_person
    def test_each_stream_that_is_a_terminal_becomes_the_sandboxs_own(self):
        for given in itertools.product((True, False), repeat=3):
            with self.subTest(terminals=given):
                terminal = self.terminal()
                outer, before = os.fstat(terminal.slave), terminal.settings()
                streams = {name: subprocess.DEVNULL for name, is_terminal in zip(NAMES, given) if not is_terminal}
                self.assertEqual(self.run_at(terminal, "--", "python3", "-c", LOOK, streams=streams), 0, terminal.said)
                for is_terminal, (is_one, name, device, node) in zip(given, self.seen()):
                    self.assertEqual((is_one, name), (is_terminal, is_terminal and "/dev/pts/0"))
                    self.assertNotEqual((device, node), (outer.st_dev, outer.st_rdev))
                self.assertEqual(terminal.settings(), before)

    @each_person
    def test_of_the_sandbox_no_process_holds_the_persons_terminal(self):
        terminal = self.terminal()
        front = self.start(terminal, "--host", "allowed.test", "--", "sh", "-c", "echo started; read line")
        terminal.until("started")
        entry = os.fstat(terminal.slave)
        person = (entry.st_dev, entry.st_rdev)
        self.assertIn(person, list(descriptors(front.pid)))
        # The wire is none of the sandbox, and says on standard error what a person must know.
        below = [pid for pid in descendants(front.pid) if not program_of(pid).endswith("/wire")]
        self.assertGreaterEqual(len(below), 6)  # keeper, net helper, bubblewrap twice, the leader, the program
        for pid in below:
            self.assertNotIn(person, list(descriptors(pid)), program_of(pid))
        terminal.type("\n")
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_pipes_pass_as_they_are_beside_a_terminal(self):
        terminal = self.terminal()
        self.start(terminal, "--", "sh", "-c", "cat; echo to the terminal >&2", streams={"stdin": subprocess.PIPE, "stdout": subprocess.PIPE})
        said, _ = terminal.process.communicate(b"through the pipe\n", timeout=product.RUN_TIMEOUT_S)
        self.assertEqual((said, terminal.process.returncode), (b"through the pipe\n", 0))
        terminal.until("to the terminal\r\n")

    @each_person
    def test_two_terminals_are_refused_and_one_under_two_names_is_not(self):
        terminal, other = self.terminal(), self.terminal()
        self.assertEqual(self.run_at(terminal, "--", "true", streams={"stderr": other.slave}), product.EXIT_REFUSED)
        other.until("lnk-sandbox: streams 0 and 2 are different terminals")
        named = os.open(os.ttyname(terminal.slave), os.O_RDWR | os.O_NOCTTY)
        self.addCleanup(os.close, named)
        self.assertEqual(self.run_at(terminal, "--", "true", streams={"stderr": named}), 0)
        script = 'exec "$@" 2>/dev/tty'
        self.start(terminal, command=["sh", "-c", script, "sh", *self.place.command("run", "--", "sh", "-c", "test -t 2 && echo started >&2")])
        terminal.until("started")
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_one_that_has_hung_up_is_refused(self):
        for hangs_up in (True, False):
            master, slave = os.openpty()
            self.addCleanup(os.close, slave)
            if hangs_up:
                os.close(master)
            done = subprocess.run(self.place.command("run", "--", "echo", "started"), stdin=slave, capture_output=True, text=True, check=False,
                                  cwd=self.place.work, env=self.place.environment(), timeout=product.RUN_TIMEOUT_S)
            if hangs_up:
                self.assert_refused(done, "stream 0 is a terminal that has hung up")
            else:
                self.assertIn("started", done.stdout + done.stderr)
                os.close(master)

    def assert_leader_is_closed(self):
        terminal = self.terminal()
        script = ("echo started; cat /proc/self/environ >/dev/null && echo own; p=$(ps -o ppid= -p $$ | tr -d ' ');"
                  "for n in environ mem maps; do cat /proc/$p/$n >/dev/null || echo refused; done;"
                  "readlink /proc/$$/fd/0 >/dev/null && echo own; readlink /proc/$p/fd/* || echo refused")
        self.assertEqual(self.run_at(terminal, "--", "sh", "-c", script, streams={"stderr": subprocess.DEVNULL}), 0)
        terminal.until("started\r\nown\r\n" + 3 * "refused\r\n" + "own\r\nrefused\r\n")

    @each_person
    def test_the_leader_of_the_session_is_closed_to_the_program(self):
        self.assert_leader_is_closed()

    @each_person
    def test_it_is_closed_without_landlock_as_well(self):
        poorer = os.path.join(product.SUPPORT, "poorer_kernel")
        if not os.access(poorer, os.X_OK):
            capability.lack("poorer_kernel", f"{poorer} is not built")
        self.place.outer = (poorer, "landlock", "--")
        self.assert_leader_is_closed()
        terminal = self.terminal()
        self.start(terminal, *TALKS)
        terminal.until("started\r\n")
        terminal.type(CTRL_Z + "words\n")
        terminal.until("got-words\r\n")
        terminal.type(CTRL_C)
        self.assertEqual(terminal.ended(), 128 + signal.SIGINT)


    @each_person
    def test_a_program_at_a_terminal_is_held_as_any(self):
        # And so is the leader of its session, its parent.
        capability.need("landlock")
        script = ("p=$(ps -o ppid= -p $$ | tr -d ' '); for n in $$ $p; do grep -hE '^(CapEff|NoNewPrivs|Seccomp):' /proc/$n/status; done;"
                  "python3 -c 'import os; os.kill(1, 0)' 2>&1 | tail -n 1; echo x >/proc/sys/kernel/hostname || echo refused; echo end")
        terminal = self.terminal()
        self.start(terminal, "--", "sh", "-c", "echo started; " + script, streams={"stderr": subprocess.DEVNULL})
        lines = [line.strip() for line in terminal.until("end\r\n").decode().splitlines()]
        held = ["CapEff:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"]
        self.assertEqual(lines, ["started", *held, *held, "PermissionError: [Errno 1] Operation not permitted", "refused", "end"])
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_what_is_ignored_outside_is_not_inside(self):
        # An ignored end of a child would leave the leader nothing to wait for.
        ignoring = ["sh", "-c", "trap '' CHLD INT; exec \"$@\"", "sh"]
        terminal = self.terminal()
        self.start(terminal, command=ignoring + self.place.command("run", "--", "sh", "-c", "exit 7"))
        self.assertEqual(terminal.ended(), 7)
        self.start(terminal, command=ignoring + self.place.command("run", "--", "sh", "-c", "echo started; exec sleep 1000"))
        terminal.until("started")
        terminal.type(CTRL_C)
        self.assertEqual(terminal.ended(), 128 + signal.SIGINT)


class Bytes(TerminalTest):
    @each_person
    def test_every_byte_passes_both_ways_to_a_raw_program(self):
        terminal = self.terminal()
        script = ("import os, tty; tty.setraw(0); os.write(1, b'started');\n"
                  "left = 512\nwhile left:\n  got = os.read(0, left); os.write(1, got); left -= len(got)")
        self.start(terminal, "--", "python3", "-c", script)
        terminal.until("started")
        every = bytes(range(256)) + bytes(reversed(range(256)))
        terminal.type(every)
        self.assertEqual(terminal.until(every), every)
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_output_is_whole_to_its_last_byte(self):
        size = 10 << 20
        for streams in ({}, {"stdin": subprocess.DEVNULL}):
            terminal = self.terminal()
            self.assertEqual(self.run_at(terminal, "--", "sh", "-c", f"head -c {size} /dev/zero | tr '\\0' x; printf end", streams=streams), 0)
            self.assertEqual(terminal.rest(), b"x" * size + b"end")

    @each_person
    def test_the_last_words_of_a_short_program_come(self):
        for number in range(10):
            terminal = self.terminal()
            self.assertEqual(self.run_at(terminal, "--", "printf", f"last-{number}"), 0)
            self.assertEqual(terminal.rest(), f"last-{number}".encode())

    @each_person
    def test_a_line_ends_in_one_return_whoever_holds_the_terminal(self):
        for streams in ({}, {"stdin": subprocess.DEVNULL}):
            terminal = self.terminal()
            self.assertEqual(self.run_at(terminal, "--", "echo", "line", streams=streams), 0)
            self.assertEqual(terminal.rest(), b"line\r\n")

    @each_person
    def test_a_signal_passes_while_nobody_takes_the_output(self):
        terminal = self.terminal()
        front = self.start(terminal, "--", "sh", "-c", "echo started; exec cat /dev/zero")
        terminal.until("started")
        target = os.pidfd_open(next(pid for pid in descendants(front.pid) if program_of(pid).endswith(("/cat", "sh"))))
        front.send_signal(signal.SIGTERM)
        self.assertTrue(select.select([target], [], [], product.RUN_TIMEOUT_S)[0])
        os.close(target)
        self.assertEqual(terminal.ended(), 128 + signal.SIGTERM)

    @each_person
    def test_a_process_left_behind_does_not_hold_the_end(self):
        terminal = self.terminal()
        self.assertEqual(self.run_at(terminal, "--", "sh", "-c", "sleep 1000 & echo started"), 0)
        self.assertEqual(terminal.rest(), b"started\r\n")


class Keys(TerminalTest):
    @each_person
    def test_ctrl_c_and_ctrl_backslash_end_a_sleeping_program(self):
        for key, number in ((CTRL_C, signal.SIGINT), (CTRL_BACKSLASH, signal.SIGQUIT)):
            terminal = self.terminal()
            self.start(terminal, "--", "sh", "-c", "ulimit -c 0; echo started; exec sleep 1000")
            terminal.until("started")
            terminal.type(key)
            self.assertEqual(terminal.ended(), 128 + number)

    @each_person
    def test_ctrl_d_ends_input(self):
        terminal = self.terminal()
        self.start(terminal, "--", "cat")
        terminal.type("line\n")
        terminal.until("line\r\nline\r\n")
        terminal.type(CTRL_D)
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_a_signal_to_the_front_reaches_the_target_at_a_terminal(self):
        waiting = ("import signal, sys; number = int(sys.argv[1]); signal.pthread_sigmask(signal.SIG_BLOCK, {number});"
                   "print('started', flush=True); signal.sigwait({number}); print('caught', flush=True); sys.exit(33)")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2,
                       signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT):
            with self.subTest(signal=number.name):
                terminal = self.terminal()
                front = self.start(terminal, "--", "python3", "-c", waiting, str(int(number)))
                terminal.until("started")
                front.send_signal(number)
                terminal.until("caught")
                self.assertEqual(terminal.ended(), 33)

    @each_person
    def test_a_new_size_is_seen_and_told(self):
        terminal = self.terminal(size=(24, 80))
        # The signal is blocked and waited for: a handler would be lost that comes between the words and the wait.
        script = ("import os, signal\n"
                  "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})\n"
                  "def told(): size = os.get_terminal_size(); os.write(1, b'size %d %d\\n' % size); return size\n"
                  "while told() != (20, 10): signal.sigwait({signal.SIGWINCH})\n"
                  "input()\n")
        self.start(terminal, "--", "python3", "-c", script)
        terminal.until("size 80 24\r\n")
        for rows, columns in ((50, 132), (10, 20)):
            terminal.resize(rows, columns)
            terminal.until(f"size {columns} {rows}\r\n")
        terminal.type("\n")
        self.assertEqual(terminal.ended(), 0)
        self.start(terminal, "--", "stty", "size")
        terminal.until("10 20\r\n")
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_the_settings_at_the_start_are_the_persons(self):
        terminal = self.terminal()
        settings = terminal.settings()
        settings[6][termios.VINTR] = b"\x0b"  # Ctrl-K
        termios.tcsetattr(terminal.slave, termios.TCSANOW, settings)
        self.start(terminal, "--", "sh", "-c", "echo started; exec sleep 1000")
        terminal.until("started")
        terminal.type("\x0b")
        self.assertEqual(terminal.ended(), 128 + signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
