# SPDX-License-Identifier: Apache-2.0
"""A question on the run's terminal: its code typed back is a yes; what runs inside neither draws, nor reads, nor answers."""

import os
import re
import signal
import subprocess
import unittest

import product
from asking import ASK, AskingTest, waits_for
from product import RUN_TIMEOUT_S, each_person
from rig import capability
from terminal import CTRL_C, CTRL_D, CTRL_Z, PROMPT, TerminalTest, descendants, program_of

CODE = re.compile(rb"two minutes\.\r\n([b-z]{4})\r\n> ")
GIVEN_BACK = "\x1b[?1049l"


class AskingAtTerminal(AskingTest, TerminalTest):
    def terminal(self, **more):
        """High enough for the whole question."""
        return super().terminal(size=(40, 80), **more)

    def ask_at(self, terminal, script=ASK):
        terminal.start(self.place.command(*self.arguments(script)), cwd=self.place.work, env=self.environment())

    def code(self, terminal):
        """What is to be typed, once typed keys count."""
        drawn = terminal.until(CODE)
        code = CODE.search(drawn)[1].decode()
        while True:  # in its first second a question takes nothing
            terminal.type("q")
            try:
                terminal.until("q", deadline_s=0.3)
                break
            except AssertionError:
                continue
        terminal.type("\x7f")
        return drawn, code

    @each_person
    def test_the_code_typed_back_is_a_yes_and_all_else_is_no(self):
        for typed, said in ((lambda code: code + "\r", "yes"), (lambda code: code.upper() + "\r", "yes"), (lambda code: code[:3] + "\r", "no"),
                            (lambda code: code + CTRL_C, "no")):
            terminal = self.terminal(answers=True)
            self.ask_at(terminal)
            drawn, code = self.code(terminal)
            self.assertIn(b"The sandbox claude asks (verb-tabled):\r\ndo a thing\r\n", drawn)
            self.assertNotIn(b"\x1b[2J\x1b]0;title", drawn)
            terminal.type(typed(code))
            terminal.until(GIVEN_BACK)
            terminal.until(said + "\r\n")
            self.assertEqual(terminal.ended(), 0)
            self.assertEqual(self.files(), [])

    @each_person
    def test_what_runs_inside_neither_draws_nor_reads_nor_answers(self):
        terminal = self.terminal(answers=True)
        # It floods with what looks like the question's end, asks the terminal for answers, and keeps what it reads.
        flood = "while :; do printf 'FLOOD\\nbcdf\\r\\n> \\033[6n\\033]2;bcdf\\007\\033[21t'; done"
        self.ask_at(terminal, f"stty raw -echo; cat > read < /dev/tty & ({flood}) & {ASK}; kill $!; until grep -q twin read; do sleep 0.1; done")
        drawn, code = self.code(terminal)
        begin = len(terminal.said)
        terminal.type(code)
        terminal.until(code)
        self.assertNotIn(b"FLOOD", drawn[drawn.index(b"The sandbox claude asks"):])
        self.assertNotIn(b"FLOOD", bytes(terminal.said[begin:]))
        terminal.type("\r")
        terminal.until(GIVEN_BACK)
        terminal.until("yes")
        terminal.type("twin\r")
        self.assertEqual(terminal.ended(), 0)
        with open(self.place.path("work", "read"), "rb") as file:
            read = file.read()
        self.assertNotIn(code.encode(), read)
        self.assertNotIn(b"q", read)

    @each_person
    def test_a_program_of_the_whole_screen_has_its_screen_and_modes_again(self):
        terminal = self.terminal()
        inside = "printf '\\033[?1049h\\033[?1002h\\033[?2004h\\033[?25lFULL'; trap 'stty size' WINCH; " + ASK + "; sleep 0.1; printf '\\033[?1049l'"
        self.ask_at(terminal, inside)
        terminal.until("FULL")
        drawn, code = self.code(terminal)
        for off in (b"\x1b[?1002l", b"\x1b[?2004l"):
            self.assertIn(off, drawn)
        self.assertNotIn(b"\x1b[?1049h", drawn)
        terminal.type(code + "\r")
        back = terminal.until("\x1b[?25l")
        for on in (b"\x1b[?1002h", b"\x1b[?2004h"):
            self.assertIn(on, back)
        self.assertNotIn(b"\x1b[?1049l", back)
        terminal.until("40 80\r\n")  # the size has changed, and changed back
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_a_resize_draws_it_anew(self):
        terminal = self.terminal()
        self.ask_at(terminal, ASK + "; stty size")
        terminal.until(CODE)
        terminal.resize(9, 80)
        terminal.until("page 1 of")
        self.code_by_pages(terminal)
        for page in range(20):
            if CODE.search(terminal.until(re.compile(rb"\r\n> |Ctrl-C is no\] "))):
                break
            terminal.type("\r")
        self.assertGreater(page, 1)
        terminal.type(CTRL_C)
        terminal.until("no\r\n9 80\r\n")
        self.assertEqual(terminal.ended(), 0)

    def code_by_pages(self, terminal):
        """Enter turns the page once typed keys count."""
        while True:
            terminal.type("\r")
            try:
                terminal.until(re.compile(rb"page 2 of"), deadline_s=0.3)
                return
            except AssertionError:
                continue

    @each_person
    def test_ctrl_z_stops_the_run_and_it_is_asked_again(self):
        terminal = self.terminal(answers=True)
        self.shell_at(terminal)
        terminal.type(" ".join(self.quoted(self.arguments(ASK))) + "\n")
        _, first = self.code(terminal)
        terminal.type(CTRL_Z)
        terminal.until(GIVEN_BACK)
        terminal.until(PROMPT)
        self.assertEqual(len(self.waiting()), 1)
        terminal.type("fg\n")
        _, code = self.code(terminal)
        terminal.type(code + "\r")
        terminal.until("yes\r\n")
        terminal.until(PROMPT)

    @each_person
    def test_stopped_without_warning_it_is_drawn_again_in_front(self):
        terminal = self.terminal(answers=True)
        self.shell_at(terminal)
        terminal.type(" ".join(self.quoted(self.arguments(ASK))) + "\n")
        self.code(terminal)
        fronts = [pid for pid in descendants(terminal.process.pid) if program_of(pid) == product.BIN]
        os.kill(fronts[0], signal.SIGSTOP)
        terminal.until(PROMPT)
        terminal.type("fg\n")
        drawn = terminal.until(CODE)
        terminal.type(CODE.search(drawn)[1] + b"\r")
        terminal.until("yes\r\n")
        terminal.until(PROMPT)

    def quoted(self, arguments):
        import shlex
        return [shlex.quote(each) for each in self.place.command(*arguments)[len(self.place.person.prefix):]]

    @each_person
    def test_behind_it_is_not_shown_and_the_queue_has_it(self):
        terminal = self.terminal(answers=True)
        self.shell_at(terminal)
        terminal.type(" ".join(self.quoted(self.arguments(ASK))) + " </dev/null & \n")
        terminal.until("yes allows it once")
        [listed] = self.waiting()
        self.assertEqual(self.answer(listed["id"], "no").returncode, 0)
        terminal.until("no\r\n")

    @each_person
    def test_answered_elsewhere_it_is_taken_off_the_terminal(self):
        terminal = self.terminal()
        self.ask_at(terminal)
        terminal.until(CODE)
        [listed] = self.waiting()
        self.assertEqual(self.answer(listed["id"], "yes").returncode, 0)
        terminal.until(GIVEN_BACK)
        terminal.until("the question is no longer open: it was answered elsewhere")
        terminal.until("yes\r\n")
        self.assertEqual(terminal.ended(), 0)

    @each_person
    def test_a_terminal_that_hangs_up_or_a_signal_leaves_nothing(self):
        for end in (signal.SIGHUP, signal.SIGTERM):
            terminal = self.terminal()
            self.ask_at(terminal)
            terminal.until(CODE)
            before = terminal.settings()
            terminal.process.send_signal(end)
            self.assertNotEqual(terminal.ended(), 0)
            self.assertIn(b"\x1b[?1049l", bytes(terminal.said))
            self.assertNotEqual(terminal.settings()[3], before[3])  # no longer raw
            self.assertEqual(self.files(), [])

    @each_person
    def test_under_tmux_the_screen_is_as_it_was(self):
        capability.need("tmux")
        socket = self.place.path("tmux")
        tmux = [*self.place.person.prefix, "tmux", "-S", socket, "-f", "/dev/null"]
        call = lambda *words: subprocess.run([*tmux, *words], env=self.environment(), capture_output=True, text=True, check=True, timeout=RUN_TIMEOUT_S)
        screen = lambda: call("capture-pane", "-p", "-t", "0").stdout
        command = " ".join(self.quoted(self.arguments(f"echo before; {ASK}; read end")))
        subprocess.run([*tmux, "new-session", "-d", "-x", "100", "-y", "40", command], env=self.environment(), cwd=self.place.work, check=True,
                       timeout=RUN_TIMEOUT_S)
        self.addCleanup(subprocess.run, [*tmux, "kill-server"], env=self.environment(), capture_output=True, check=False)
        shown = re.compile(r"two minutes\.\n([b-z]{4})\n>")
        self.assertTrue(waits_for(lambda: shown.search(screen())), screen())
        self.assertNotIn("before", screen())
        code = shown.search(screen())[1]

        def echoed():
            call("send-keys", "-t", "0", "q")
            return re.search(r"\n> q", screen())
        self.assertTrue(waits_for(echoed), screen())
        call("send-keys", "-t", "0", *["BSpace"] * 40)
        call("send-keys", "-t", "0", code, "Enter")
        self.assertTrue(waits_for(lambda: screen().strip().split() == ["before", "yes"]), screen())


if __name__ == "__main__":
    unittest.main()
