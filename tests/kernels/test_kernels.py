# SPDX-License-Identifier: Apache-2.0
"""The core of the attacks on the kernels of Debian 12, 6.1 and 6.12, each booted in QEMU with Debian's bubblewrap, as root and
as an ordinary user. Skipped in words where QEMU or a kernel isn't there: scripts/setup --with-kernels brings both."""

import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "attacks"), os.path.join(os.path.dirname(HERE), "os-linux"), os.path.dirname(HERE), HERE]

import attacks  # noqa: E402
import core_calls  # noqa: E402
import core_paths  # noqa: E402
import core_processes  # noqa: E402
import image  # noqa: E402
import product  # noqa: E402
import ways  # noqa: E402
from rig import capability  # noqa: E402

KERNELS = os.path.join(product.TREE, "build", "kernels")
QEMU = "qemu-system-x86_64"
BOOT_TIMEOUT_S = 170  # one took 20 s on two cores that were busy
MEMORY_MIB = 768
SAID_MAX = 200  # bytes of the console in a failure's words
NONCE = "kernel"
PEOPLE = {0: "/root", 1000: "/home/1000"}
FOLDERS = ("read", "work/kept", "work/hidden", "other")


class Machine:
    """Steps for a kernel, and what became of each."""

    def __init__(self, staged):
        self.image = image.base(staged, attacks.PROGRAM, os.path.join(product.SUPPORT, "kernel-init"))
        self.steps, self.names = [], []
        for name in ("tries", "other"):
            self.image.copy(os.path.join(product.SUPPORT, "run_tries"), f"/opt/{name}", 0o755)
        for uid, home in PEOPLE.items():
            self.image.folder(home, 0o700, uid)
            for folder in ("place", "place/work", "place/work/scratch", "place/work/open", *(f"place/{name}" for name in FOLDERS)):
                self.image.folder(f"{home}/{folder}", 0o755, uid)
            for folder in FOLDERS:
                self.image.folder(f"{home}/place/{folder}/folder", 0o755, uid)
                for name in ("file", "folder/file"):
                    self.image.file(f"{home}/place/{folder}/{name}", "as it was\n", 0o644, uid)

    def step(self, uid, name, *words):
        self.names.append((uid, name))
        self.steps.append("\t".join((str(uid), PEOPLE[uid] + "/place/work", *words)))

    def sandbox(self, uid, name, *words):
        place = PEOPLE[uid] + "/place"
        flags = ("--write", place + "/work", "--read", place + "/read", "--read", place + "/work/kept", "--hide", place + "/work/hidden")
        self.step(uid, name, "/usr/bin/lnk-sandbox", "run", *flags, "--", "/opt/attacks", NONCE, *words)

    def boot(self, kernel):
        """{(uid, step): (exit code, lines)}"""
        self.image.file("/steps", "".join(step + "\n" for step in self.steps))
        with tempfile.TemporaryDirectory() as folder:
            packed = os.path.join(folder, "image")
            with open(packed, "wb") as file:
                file.write(self.image.packed())
            # No acceleration: a machine for tests is mostly a guest itself, and where KVM is there it may yet not work. Others'
            # kernels broke at random in it, as ours did once, by processors that run at once on a busy host
            # (https://github.com/espressif/qemu/issues/175) and by page tables of five levels (https://github.com/libbpf/ci/pull/225).
            command = [QEMU, "-accel", "tcg,thread=single", "-cpu", "max,la57=off", "-smp", "2", "-m", str(MEMORY_MIB), "-nodefaults", "-no-reboot",
                       "-display", "none", "-serial", "stdio", "-kernel", kernel, "-initrd", packed,
                       "-append", "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off"]
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                                  timeout=BOOT_TIMEOUT_S, check=False)
        text = done.stdout.replace("\r\n", "\n").replace("\r", "")
        if "\nall steps\n" not in text:
            raise AssertionError(f"the machine did not carry out its steps: {text[-1500:]!r} {done.stderr[-500:]!r}")
        found = re.findall(r"^step (\d+)\n(.*?)^end \1 (\d+) \d+$", text, re.MULTILINE | re.DOTALL)
        return {self.names[int(number)]: (int(code), said.splitlines()) for number, said, code in found}


def plan(machine):
    refused = [str(number) for _, number, verdict in core_calls.table() if isinstance(verdict, int)]
    for uid, home in PEOPLE.items():
        place = home + "/place"
        scratch = place + "/work/scratch"
        machine.step(uid, "check", "/usr/bin/lnk-sandbox", "check", "--json")
        machine.step(uid, "before", "/opt/attacks", NONCE, "look", *(f"{place}/{name}" for name in FOLDERS))
        for folder in FOLDERS:
            targets = [f"{place}/{folder}/{name}" for name in ("file", "absent", "folder")]
            machine.sandbox(uid, folder, "paths", "try", scratch, *targets)
        machine.sandbox(uid, "reads", "reads", "try", scratch, f"{place}/work/hidden/file", f"{place}/other/file")
        machine.sandbox(uid, "granted", "paths", "make", scratch, f"{place}/work/open/file")
        machine.sandbox(uid, "calls", "call", *refused)
        machine.sandbox(uid, "unknown", "all-calls", "470", "520")
        machine.sandbox(uid, "tries", "tries")
        machine.sandbox(uid, "sockets", "sockets")
        machine.sandbox(uid, "first", "processes", "no-such-secret", "1")
        machine.sandbox(uid, "proc", "writable", "/proc")
        machine.sandbox(uid, "sys", "writable", "/sys")
        machine.sandbox(uid, "descriptors", "descriptors")
        for name, listed in (("unlisted", "/opt/tries"), ("listed", "/opt/other")):
            machine.step(uid, name, "/usr/bin/lnk-sandbox", "run", "--write", place + "/work", "--allow-command", listed, "--",
                         "/opt/tries", scratch, "/opt/other", "all")
        machine.step(uid, "after", "/opt/attacks", NONCE, "look", *(f"{place}/{name}" for name in FOLDERS))
        machine.step(uid, "outside", "/opt/attacks", NONCE, "tries")
        machine.step(uid, "granted-outside", "/opt/attacks", NONCE, "paths", "make", scratch, f"{place}/work/open/file")


class Kernel:
    """One kernel is booted once; each test looks at what it said."""

    version, landlock, seals = "", 0, False

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        kernel = os.path.join(KERNELS, cls.version, "vmlinuz")
        if shutil.which(QEMU) is None:
            capability.lack("kernels", f"{QEMU} is not installed; scripts/setup --with-kernels installs it")
        if not os.path.exists(kernel):
            capability.lack("kernels", f"no kernel {cls.version} in build/kernels; scripts/setup --with-kernels fetches it")
        if os.uname().machine != "x86_64":
            capability.lack("kernels", "the kernels are those of x86-64")
        machine = Machine(os.path.dirname(os.path.dirname(product.BIN)))
        plan(machine)
        cls.said = machine.boot(kernel)

    def each(self):
        for uid in PEOPLE:
            with self.subTest(uid=uid):
                yield uid

    def lines(self, uid, step):
        code, lines = self.said[uid, step]
        self.assertEqual((lines[:1], lines[-1:], code), ([f"started {NONCE}"], ["ended"], 0), lines[-3:])
        return lines[1:-1]

    def answers(self, uid, step):
        found = attacks.answers_of(self.lines(uid, step))
        self.assertGreater(len(found), 0)
        return found

    def assert_refused(self, answers):
        self.assertEqual({name: answer for name, answer in answers.items() if answer not in attacks.REFUSED}, {})

    def test_check_says_that_the_wall_holds_and_by_which_landlock(self):
        for uid in self.each():
            code, lines = self.said[uid, "check"]
            self.assertEqual(code, 0, lines)
            report = "\n".join(lines)
            self.assertIn('"holds":true', report)
            self.assertIn(f'"level":{self.landlock}', report)
            self.assertIn("which leaves out", report)

    def test_folders_that_may_not_be_changed_are_not(self):
        for uid in self.each():
            for folder in FOLDERS:
                self.assert_refused(self.answers(uid, folder))
            self.assertEqual(self.lines(uid, "after"), self.lines(uid, "before"))
            self.assertGreater(len(self.lines(uid, "before")), 10)

    def test_what_is_closed_is_not_read(self):
        for uid in self.each():
            self.assert_refused(self.answers(uid, "reads"))

    def test_each_change_works_where_writing_is_granted(self):
        for uid in self.each():
            inside, outside = self.answers(uid, "granted"), self.answers(uid, "granted-outside")
            # A file system in memory has attributes of users from 6.6 on; fchmodat2 came with 6.6, setxattrat with 6.13.
            for name in inside:
                if not name.endswith("/pid1-root"):
                    self.assertEqual(inside[name], outside[name], name)
                    may_lack = core_paths.YOUNGER.search(name) is not None
                    self.assertIn(inside[name], (0, errno.EOPNOTSUPP, errno.ENOSYS) if may_lack else (0,), name)

    def test_every_refused_call_gets_the_error_of_the_list(self):
        for uid in self.each():
            answers = self.answers(uid, "calls")
            wanted = {str(number): verdict for _, number, verdict in core_calls.table() if isinstance(verdict, int)}
            self.assertEqual(answers, wanted)
            self.assertEqual(set(self.answers(uid, "unknown").values()), {errno.ENOSYS})

    def test_what_a_kernel_grants_is_refused(self):
        for uid in self.each():
            answers = self.answers(uid, "tries")
            # Debian's kernels have the 32-bit entry.
            self.assertEqual(answers.pop("int80"), errno.ENOSYS)
            wanted = {name: error for error, names in core_calls.TRIES.items() for name in names.split()}
            self.assertEqual(answers, {name: wanted[name] for name in answers})
        granted = {name for name, answer in self.answers(0, "outside").items() if answer == 0}
        self.assertIn("int80", granted)
        missing = set(core_calls.TRIES[errno.EPERM].split()) - granted - core_calls.OWN_REASONS
        self.assertEqual(missing, set())

    def test_sockets_of_other_kinds_are_refused(self):
        for uid in self.each():
            for name, answer in self.answers(uid, "sockets").items():
                wanted = core_calls.expected_socket(*map(int, name.split(":")))
                if wanted is not None:
                    self.assertEqual(answer, wanted, name)

    def test_processes_and_settings_of_the_machine_are_closed(self):
        for uid in self.each():
            answers = self.answers(uid, "first")
            for name in ("read-memory", "write-memory"):
                self.assertNotEqual(answers[f"1/{name}"], 0, name)
            # The console is a terminal, so a leader of its session is inside too: all that is seen is the sandbox's own.
            own = re.compile(r"writable /proc/\d+/(?:task/\d+/)?(.*)")
            for line in self.lines(uid, "proc"):
                self.assertTrue((match := own.fullmatch(line)) and match[1] in core_processes.HARMLESS, line)
            self.assertEqual(self.lines(uid, "sys"), [])
            self.assertEqual(self.lines(uid, "descriptors"), ["descriptor 0", "descriptor 1", "descriptor 2"])


    def ways(self, uid, step):
        code, lines = self.said[uid, step]
        self.assertEqual(code, 0, lines)
        return dict(line.split(": ", 1) for line in lines if re.fullmatch(r"\w+: [\w ]+", line)), lines

    def test_what_is_not_listed_runs_in_no_way_and_is_named(self):
        for uid in self.each():
            answers, lines = self.ways(uid, "unlisted")
            wanted = ways.unlisted(self.seals)
            self.assertEqual({way: answers.get(way) for way in wanted}, wanted)
            report = "\n".join(self.said[uid, "check"][1])
            self.assertRegex(report, r'"name":"linux.exec_watch"[^}]*"state":"supported"')
            self.assertEqual(re.search(r'"name":"linux.sealed_memory"[^}]*"state":"supported"', report) is not None, self.seals)
            self.assertIn("lnk-sandbox: refused to run /opt/other: not in [commands] allow (the command line)", lines)
            answers, lines = self.ways(uid, "listed")
            wanted = ways.expect("ran", *ways.BY_PATH, *ways.BY_NAME_OF_DESCRIPTOR) | ways.expect("EACCES", *ways.MADE_INSIDE)
            self.assertEqual({way: answers.get(way) for way in wanted}, wanted)


class Kernel61(Kernel, unittest.TestCase):
    version, landlock, seals = "6.1", 2, False


class Kernel612(Kernel, unittest.TestCase):
    version, landlock, seals = "6.12", 6, True


if __name__ == "__main__":
    unittest.main()
