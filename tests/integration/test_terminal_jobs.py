# SPDX-License-Identifier: Apache-2.0
"""A sandbox at a terminal is a job like any: stopped, continued, behind and in front, under real shells and in one."""

import os
import re
import shlex
import signal
import time
import unittest

import product
from product import each_person
from rig import capability
from terminal import CTRL_C, CTRL_D, CTRL_Z, PROMPT, TALKS, TerminalTest, descendants, program_of


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
        # A handler of Python's would lose a signal that comes between its last look for one and the wait.
        script = ("import os, signal; signal.signal(signal.SIGINT, signal.SIG_DFL);"
                  "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCONT}); os.write(1, b'sta' + b'rted\\n')\n"
                  "while True: signal.sigwait({signal.SIGCONT}); os.write(1, b'go' + b'es on\\n')")
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
    def test_what_it_printed_before_it_stopped_comes_before_the_shell(self):
        terminal = self.terminal()
        self.shell_at(terminal)
        script = "echo sta''rted; head -c 50000 /dev/zero | tr '\\0' x; printf be''fore; kill -STOP $$; echo aft''er"
        terminal.type(self.line("--", "sh", "-c", script) + "\n")
        terminal.until("started\r\n")
        self.assertIn(b"xbefore", terminal.until("Stopped"))
        terminal.until(PROMPT)
        terminal.type("fg\n")
        terminal.until("after\r\n")
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
    def test_behind_where_nobody_could_bring_it_to_the_front_a_read_finds_the_end(self):
        # Its group is orphaned: the parent is gone, and who leads the session stays in front.
        behind = ("import os, signal, sys\n"
                  "if os.fork() == 0:\n"
                  "  if os.fork() == 0: os.setpgid(0, 0); os.execvp(sys.argv[1], sys.argv[1:])\n"
                  "  os._exit(0)\n"
                  "os.wait(); signal.pause()\n")
        code = self.place.path("work", "code")
        command = ["python3", "-c", behind, "sh", "-c", f'"$@"; echo $? >{code}.new; mv {code}.new {code}', "sh",
                   product.BIN, "run", "--", "sh", "-c", "echo started; read line || exit 9"]
        terminal = self.terminal()
        self.start(terminal, command=[*self.place.person.prefix, *command])
        terminal.until("started")
        deadline = time.monotonic() + 60
        while not os.path.exists(code):
            terminal.rest()
            self.assertLess(time.monotonic(), deadline, "it does not end")
        with open(code, encoding="ascii") as file:
            self.assertEqual(file.read(), "9\n")

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
    def test_a_name_that_is_held_again_stops_no_job(self):
        # All inside is stopped for that moment, which isn't the program's own stop.
        text = f'[files]\nwrite = ["{self.place.work}"]\n'
        spec = self.place.spec(text, "work/spec.toml")
        terminal = self.terminal()
        self.shell_at(terminal)
        terminal.type("set -b; " + self.line("--spec", spec, "--yes", *TALKS) + "\n")
        terminal.until("started\r\n")
        for number in range(20):
            os.replace(self.place.write("work/new", text + f"# {number}\n"), spec)
            terminal.type(f"words {number}\n")
            terminal.until(f"got-words {number}\r\n")
        terminal.type(CTRL_D)
        terminal.until(PROMPT)
        self.assertNotIn(b"Stopped", terminal.said)

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
    @each_person
    def test_what_a_program_set_at_once_stays_however_slow_the_front_is(self):
        capability.need("strace")
        terminal = self.terminal()
        # Each look at a terminal, and each change of it, comes late, so that the program is well under way before the front goes on.
        self.place.outer = ("strace", "-qq", "-o", "/dev/null", "-e", "trace=ioctl", "-e", "inject=ioctl:delay_enter=100000")
        self.start(terminal, "--", "sh", "-c", "stty raw -echo; echo se''t; dd bs=1 count=1 2>&1 >/dev/null | cat >/dev/null; stty -a; echo en''d")
        terminal.until("set")
        terminal.type("x\n")  # a key comes once the front has taken the person's terminal
        told = terminal.until("end")
        self.assertLessEqual({b"-icanon", b"-echo"}, set(re.split(rb"[\s;]+", told)), told)
        terminal.ended()

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


if __name__ == "__main__":
    unittest.main()
