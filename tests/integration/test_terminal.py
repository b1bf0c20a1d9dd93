# SPDX-License-Identifier: Apache-2.0
"""Streams that are a terminal: the sandbox has one of its own in its place, and behaves at it as any program."""

import glob
import itertools
import json
import os
import re
import select
import shlex
import signal
import subprocess
import termios
import unittest

import product
from product import each_person
from rig import capability
from terminal import Terminal

NAMES = ("stdin", "stdout", "stderr")
CTRL_C, CTRL_D, CTRL_Z, CTRL_BACKSLASH = "\x03", "\x04", "\x1a", "\x1c"
PROMPT = "ready> "
# Says each line again, so that what came through the program is told from an echo.
TALKS = ("--", "sh", "-c", "echo sta''rted; exec sed -u s/^/got-/")
LOOK = ("import json, os; json.dump([[os.isatty(fd), os.isatty(fd) and os.ttyname(fd), os.fstat(fd).st_dev, os.fstat(fd).st_rdev]"
        " for fd in range(3)], open('seen', 'w'))")


class TerminalTest(product.ProductTest):
    def terminal(self, **more):
        made = Terminal(**more)
        self.addCleanup(made.close)
        if os.environ.get("LNK_RIG_ROOT") == "real":
            os.fchown(made.slave, self.place.person.uid, self.place.person.uid)
        return made

    def environment(self):
        return self.place.environment(TERM="xterm-256color", PS1=PROMPT, HISTFILE="")

    def start(self, terminal, *arguments, command=None, **more):
        """Starts `run` at a terminal."""
        return terminal.start(command or self.place.command("run", *arguments), cwd=self.place.work, env=self.environment(), **more)

    def run_at(self, terminal, *arguments, **more):
        self.start(terminal, *arguments, **more)
        return terminal.ended()

    def line(self, *arguments):
        """What a person types to run this."""
        return shlex.join([product.BIN, "run", *arguments])

    def shell_at(self, terminal, shell=("bash", "--norc", "--noprofile", "-i")):
        terminal.start([*self.place.person.prefix, *shell], cwd=self.place.work, env=self.environment())
        terminal.until(PROMPT)

    def seen(self):
        with open(self.place.path("work", "seen"), encoding="ascii") as file:
            return json.load(file)


def descendants(pid):
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        with open(path, encoding="ascii") as file:
            for child in file.read().split():
                yield int(child)
                yield from descendants(int(child))


def program_of(pid):
    return os.readlink(f"/proc/{pid}/exe")


def descriptors(pid):
    for path in glob.glob(f"/proc/{pid}/fd/*"):
        try:
            entry = os.stat(path)
        except FileNotFoundError:
            continue  # closed meanwhile
        yield entry.st_dev, entry.st_rdev


class Streams(TerminalTest):
    @each_person
    def test_each_stream_that_is_a_terminal_becomes_the_sandboxs_own(self):
        for given in itertools.product((True, False), repeat=3):
            with self.subTest(terminals=given):
                terminal = self.terminal()
                outer = os.fstat(terminal.slave)
                streams = {name: subprocess.DEVNULL for name, is_terminal in zip(NAMES, given) if not is_terminal}
                self.assertEqual(self.run_at(terminal, "--", "python3", "-c", LOOK, streams=streams), 0, terminal.said)
                for is_terminal, (is_one, name, device, node) in zip(given, self.seen()):
                    self.assertEqual((is_one, name), (is_terminal, is_terminal and "/dev/pts/0"))
                    self.assertNotEqual((device, node), (outer.st_dev, outer.st_rdev))
                self.assertEqual(termios.tcgetattr(terminal.slave), terminal.settings())

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
    def test_the_leader_of_the_session_is_closed_to_the_program(self):
        terminal = self.terminal()
        script = ("echo started; cat /proc/self/environ >/dev/null && echo own; p=$(ps -o ppid= -p $$ | tr -d ' ');"
                  "for n in environ mem maps; do cat /proc/$p/$n >/dev/null || echo refused; done;"
                  "readlink /proc/$$/fd/0 >/dev/null && echo own; readlink /proc/$p/fd/* || echo refused")
        self.assertEqual(self.run_at(terminal, "--", "sh", "-c", script, streams={"stderr": subprocess.DEVNULL}), 0)
        terminal.until("started\r\nown\r\n" + 3 * "refused\r\n" + "own\r\nrefused\r\n")


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
    def test_output_that_nobody_takes_holds_the_program_and_not_its_end(self):
        # More than all buffers hold; the front, told to end, still does, and takes the sandbox along.
        terminal = self.terminal()
        front = self.start(terminal, "--", "sh", "-c", "echo started; exec cat /dev/zero")
        terminal.until("started")
        front.send_signal(signal.SIGTERM)
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
        script = ("import os, signal\n"
                  "def told(*_): os.write(1, b'size %d %d\\n' % os.get_terminal_size())\n"
                  "signal.signal(signal.SIGWINCH, told); told(); input()\n")
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


class Jobs(TerminalTest):
    SHELLS = (("bash", "--norc", "--noprofile", "-i"), ("dash", "-i"), ("zsh", "-f", "-i"))

    def each_shell(self):
        for shell in self.SHELLS:
            why = capability.why_not(shell[0])
            if why and shell[0] in capability.must_work():
                self.fail(f"{shell[0]}: {why}")
            if not why:
                yield shell

    @each_person
    def test_ctrl_z_and_fg(self):
        for shell in self.each_shell():
            with self.subTest(shell=shell[0]):
                terminal = self.terminal()
                self.shell_at(terminal, shell)
                terminal.type("stty -a >/dev/null; " + self.line(*TALKS) + "\n")
                terminal.until("started\r\n")
                terminal.type("one\n")
                terminal.until("got-one\r\n")
                terminal.type(CTRL_Z)
                terminal.until(PROMPT)
                terminal.type("stty -a; echo en''d; jobs\n")
                self.assertRegex(terminal.until("end\r\n"), rb" icanon.* echo |\bopost\b")
                terminal.until(re.compile(rb"(?i)stopped|suspended"))
                terminal.until(PROMPT)
                terminal.type("fg\n")
                terminal.type("two\n")
                terminal.until("got-two\r\n")
                terminal.type(CTRL_Z)
                terminal.until(PROMPT)
                terminal.type("fg\n")
                terminal.type("three\n")
                terminal.until("got-three\r\n")
                terminal.type(CTRL_D)
                terminal.until(PROMPT)
                terminal.type("echo code=$?\n")
                terminal.until("code=0\r\n")

    @each_person
    def test_bg_and_a_read_behind_stop_it_again(self):
        terminal = self.terminal()
        self.shell_at(terminal)
        terminal.type("set -b; " + self.line("--", "sh", "-c", "echo sta''rted; read line; echo got $line; exec cat") + "\n")
        terminal.until("started\r\n")
        terminal.type(CTRL_Z)
        terminal.until("Stopped")
        terminal.until(PROMPT)
        terminal.type("bg\n")
        terminal.until("&")
        terminal.until("Stopped")  # by its read
        terminal.type("fg\n")
        terminal.until("fg\r\n")
        terminal.type("words\n")
        terminal.until("got words\r\n")
        terminal.type(CTRL_C)
        terminal.until(PROMPT)
        terminal.type("echo code=$?\n")
        terminal.until("code=130\r\n")

    @each_person
    def test_started_behind_it_writes_and_a_read_stops_it(self):
        terminal = self.terminal()
        self.shell_at(terminal)
        terminal.type("set -b; " + self.line("--", "sh", "-c", "echo sta''rted; read line; echo got $line") + " &\n")
        terminal.until("started")
        terminal.until("Stopped")
        terminal.type("fg\n")
        terminal.until("fg\r\n")
        terminal.type("words\n")
        terminal.until("got words\r\n")
        terminal.until(PROMPT)

    @each_person
    def test_a_whole_pipeline_stops_and_goes_on(self):
        terminal = self.terminal()
        self.shell_at(terminal)
        script = ("import os, signal; signal.signal(signal.SIGCONT, lambda *_: os.write(1, b'go' + b'es on\\n'));"
                  "os.write(1, b'sta' + b'rted\\n')\nwhile True: signal.pause()")
        terminal.type(self.line("--", "python3", "-c", script) + " | cat\n")
        terminal.until("started\r\n")
        terminal.type(CTRL_Z)
        terminal.until("Stopped")
        terminal.until(PROMPT)
        terminal.type("fg\n")
        terminal.until("goes on\r\n")
        terminal.type(CTRL_C)
        terminal.until(PROMPT)

    @each_person
    def test_a_script_that_runs_it_stops_as_a_whole(self):
        terminal = self.terminal()
        self.place.write("work/script", self.line(*TALKS) + "\n")
        self.shell_at(terminal)
        terminal.type("sh script\n")
        terminal.until("started\r\n")
        terminal.type(CTRL_Z)
        terminal.until("Stopped")
        terminal.until(PROMPT)
        terminal.type("fg\n")
        terminal.type("words\n")
        terminal.until("got-words\r\n")
        terminal.type(CTRL_D)
        terminal.until(PROMPT)

    @each_person
    def test_where_nobody_could_continue_it_ctrl_z_does_nothing(self):
        # The front leads its session, as under ssh or in a window of its own.
        for controlling in (True, False):
            terminal = self.terminal()
            self.start(terminal, *TALKS, controlling=controlling)
            terminal.until("started\r\n")
            terminal.type(CTRL_Z + "words\n")
            terminal.until("got-words\r\n")
            terminal.type(CTRL_D)
            self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_a_shell_inside_has_jobs_of_its_own(self):
        terminal = self.terminal()
        self.start(terminal, "--env", f"PS1={PROMPT}", "--", "bash", "--norc", "--noprofile", "-i")
        self.assertNotIn(b"job control", terminal.until(PROMPT))
        terminal.type(shlex.join(TALKS[1:]) + "\n")
        terminal.until("started\r\n")
        terminal.type("one\n")
        terminal.until("got-one\r\n")
        terminal.type(CTRL_Z)
        terminal.until("Stopped")
        terminal.until(PROMPT)
        terminal.type("fg\n")
        terminal.type("two\n")
        terminal.until("got-two\r\n")
        terminal.type(CTRL_C)
        terminal.until(PROMPT)
        terminal.type("exit 5\n")
        self.assertEqual(terminal.ended(), 5)

    @each_person
    def test_a_shell_in_front_stopped_without_warning_comes_back(self):
        terminal = self.terminal()
        self.shell_at(terminal)
        terminal.type(self.line(*TALKS) + " & fg\n")
        terminal.until("started\r\n")
        terminal.type("one\n")
        terminal.until("got-one\r\n")
        # The shell's job, whichever process it began as.
        front = next(pid for pid in descendants(terminal.process.pid) if program_of(pid) == os.path.realpath(product.BIN))
        os.kill(front, signal.SIGSTOP)
        terminal.until("Stopped")
        terminal.until(PROMPT)
        terminal.type("fg\n")
        terminal.until("fg\r\n")
        terminal.type("two\n")
        terminal.until("got-two\r\n")
        terminal.type(CTRL_D)
        terminal.until(PROMPT)
        terminal.type("echo still''here\n")
        terminal.until("stillhere\r\n")


class Programs(TerminalTest):
    def each_ends_well(self, terminal, before):
        self.assertEqual(terminal.ended(), 0)
        self.assertEqual(terminal.settings(), before)
        self.assertEqual(terminal.unread_input(), b"")

    @each_person
    def test_vim_edits(self):
        capability.need("vim")
        terminal = self.terminal(answers=True)
        before = terminal.settings()
        self.start(terminal, "--", capability.vim(), "-u", "NONE", "-i", "NONE", "-n", "text")
        terminal.until(re.compile(rb"text.{0,20}\[New(?: File)?\]"))
        terminal.type("ifirst line\x1b")
        terminal.type(":wq\r")
        self.each_ends_well(terminal, before)
        with open(self.place.path("work", "text"), encoding="ascii") as file:
            self.assertEqual(file.read(), "first line\n")

    @each_person
    def test_vim_stops_and_comes_back(self):
        capability.need("vim")
        terminal = self.terminal(answers=True)
        self.shell_at(terminal)
        terminal.type(self.line("--", capability.vim(), "-u", "NONE", "-i", "NONE", "-n", "text") + "\n")
        terminal.until(re.compile(rb"text.{0,20}\[New(?: File)?\]"))
        terminal.type("ione\x1b" + CTRL_Z)
        terminal.until("Stopped")
        terminal.until(PROMPT)
        terminal.type("echo at the she''ll\n")
        terminal.until("at the shell\r\n")
        terminal.type("fg\n")
        terminal.until("fg\r\n")
        terminal.until("one")
        terminal.type("otwo\x1b:wq\r")
        terminal.until(PROMPT)
        with open(self.place.path("work", "text"), encoding="ascii") as file:
            self.assertEqual(file.read(), "one\ntwo\n")

    @each_person
    def test_less_shows_a_file_and_a_pipe(self):
        capability.need("less")
        self.place.write("work/long", "".join(f"line {number}\n" for number in range(200)))
        for arguments, streams in ((["less", "long"], {}), (["less"], {"stdin": open(self.place.path("work", "long"), "rb")})):
            terminal = self.terminal(answers=True)
            before = terminal.settings()
            self.start(terminal, "--", *arguments, streams=streams)
            terminal.until("line 22")
            terminal.type("G")
            terminal.until("line 199")
            terminal.type("q")
            self.each_ends_well(terminal, before)
            for file in streams.values():
                file.close()

    @each_person
    def test_a_pager_outside_has_the_keys(self):
        capability.need("less")
        terminal = self.terminal()
        self.shell_at(terminal)
        terminal.type(self.line("--", "seq", "1000") + " | less\n")
        terminal.until("\r\n22\r\n")
        terminal.type("G")
        terminal.until("1000")
        terminal.type("q")
        terminal.until(PROMPT)


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
