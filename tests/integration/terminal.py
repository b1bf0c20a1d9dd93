# SPDX-License-Identifier: Apache-2.0
"""A person's terminal: the master of a pty, behind which a command or a shell runs in a session of its own. What is waited
for is waited for on bytes, with a deadline."""

import fcntl
import glob
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import termios
import time

import product

DEADLINE_S = 60
CTRL_C, CTRL_D, CTRL_Z, CTRL_BACKSLASH = "\x03", "\x04", "\x1a", "\x1c"
PROMPT = "ready> "
# Says each line again, so that what came through the program is told from an echo.
TALKS = ("--", "sh", "-c", "echo sta''rted; exec sed -u s/^/got-/")
# What xterm answers: to "what are you", to "where is the cursor", and to "which state has this mode".
ANSWERS = ((re.compile(rb"\x1b\[0?c"), lambda seen: b"\x1b[?62;22c"),
           (re.compile(rb"\x1b\[6n"), lambda seen: b"\x1b[1;1R"),
           (re.compile(rb"\x1b\[\?(\d+)\$p"), lambda seen: b"\x1b[?" + seen[1] + b";0$y"))


class Terminal:
    """`answers`: it answers queries as a terminal emulator does."""

    def __init__(self, answers=False, size=(24, 80)):
        self.master, self.slave = pty.openpty()
        self.said, self.read_to, self.asked_to = bytearray(), 0, 0
        self.answers = answers
        self.process = None
        self.resize(*size)

    def resize(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def settings(self):
        return termios.tcgetattr(self.slave)

    def start(self, command, controlling=True, streams=None, **more):
        """Runs a command with this as its controlling terminal; `streams` replaces some of the three."""
        def take():
            os.setsid()
            if controlling:
                fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        given = {"stdin": self.slave, "stdout": self.slave, "stderr": self.slave, **(streams or {})}
        self.process = subprocess.Popen(command, preexec_fn=take, pass_fds=(self.slave,), **given, **more)
        return self.process

    def type(self, text):
        """Types, reading meanwhile, so that neither side waits for the other."""
        left = text if isinstance(text, bytes) else text.encode()
        while left:
            readable, writable, _ = select.select([self.master], [self.master], [], DEADLINE_S)
            if not (readable or writable):
                raise AssertionError(f"the terminal takes no input: {bytes(self.said[-500:])!r}")
            if readable:
                self._read()
            if writable:
                left = left[os.write(self.master, left[:512]):]

    def _read(self):
        self.said += os.read(self.master, 65536)
        if not self.answers:
            return
        new = bytes(self.said[self.asked_to:])
        for seen in sorted((seen for query, _ in ANSWERS for seen in query.finditer(new)), key=lambda seen: seen.start()):
            os.write(self.master, next(answer for query, answer in ANSWERS if query is seen.re)(seen))
            self.asked_to = len(self.said) - len(new) + seen.end()

    def until(self, wanted, deadline_s=DEADLINE_S):
        """Reads until these bytes have come, and returns what came up to their end. `wanted` may be a pattern."""
        pattern = wanted if isinstance(wanted, re.Pattern) else re.compile(re.escape(wanted.encode() if isinstance(wanted, str) else wanted))
        end = time.monotonic() + deadline_s
        while True:
            found = pattern.search(self.said, self.read_to)
            if found:
                text, self.read_to = bytes(self.said[self.read_to:found.end()]), found.end()
                return text
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                raise AssertionError(f"{wanted!r} did not come: {bytes(self.said[self.read_to:][-2000:])!r}")
            self._read()

    def ended(self):
        """Reads until the process has ended: its exit code."""
        pidfd = os.pidfd_open(self.process.pid)
        try:
            end = time.monotonic() + DEADLINE_S
            while True:
                readable = select.select([self.master, pidfd], [], [], max(0, end - time.monotonic()))[0]
                if not readable:
                    raise AssertionError(f"it does not end: {bytes(self.said[-2000:])!r}")
                if self.master in readable:
                    self._read()
                elif pidfd in readable:
                    return self.process.wait()
        finally:
            os.close(pidfd)

    def rest(self):
        """What came and was not looked at yet."""
        while select.select([self.master], [], [], 0)[0]:
            self._read()
        text, self.read_to = bytes(self.said[self.read_to:]), len(self.said)
        return text

    def unread_input(self):
        """What was typed, or answered, and nobody has read."""
        before = self.settings()
        raw = termios.tcgetattr(self.slave)
        raw[3] &= ~(termios.ICANON | termios.ECHO)
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 0, 0
        termios.tcsetattr(self.slave, termios.TCSANOW, raw)
        text = os.read(self.slave, 65536)
        termios.tcsetattr(self.slave, termios.TCSANOW, before)
        return text

    def close(self):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        for fd in (self.master, self.slave):
            os.close(fd)


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


def descendants(pid):
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                children = file.read().split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
        for child in children:
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
