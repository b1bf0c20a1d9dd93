# SPDX-License-Identifier: Apache-2.0
"""Other processes, the kernel's settings and the machine's sockets. test_attacks and test_environments run these."""

import errno
import os
import re
import secrets
import shutil
import socket
import stat
import subprocess
import tempfile

import attacks
from product import each_person
from rig import capability

HIGH_PID = 700  # over any number that a short run has inside
# What a process may open for writing of another of its own user, that says nothing and changes no more than how that one is
# scheduled, named or dumped (proc(5)). Of bubblewrap's first process, which holds nothing and only waits.
HARMLESS = {"attr/apparmor/current", "attr/apparmor/exec", "attr/current", "attr/exec", "attr/fscreate", "attr/keycreate",
            "attr/smack/current", "attr/sockcreate", "autogroup", "clear_refs", "comm", "coredump_filter", "gid_map", "loginuid",
            "oom_adj", "oom_score_adj", "projid_map", "sched", "setgroups", "timens_offsets", "timerslack_ns", "uid_map"}


class ProcessAttacks(attacks.AttackTest):
    def outsider(self, secret):
        """A process outside, by the same person, whose number is seen nowhere inside."""
        while True:
            process = subprocess.Popen([*self.place.person.prefix, "sleep", "1000"], env={"PATH": "/usr/bin:/bin", "LNK_CANARY": secret})
            if process.pid > HIGH_PID:
                self.addCleanup(process.wait)
                self.addCleanup(process.kill)
                return process
            process.kill()
            process.wait()

    @each_person
    def test_processes_of_the_machine_are_out_of_reach(self):
        secret = secrets.token_hex(16)
        other = self.outsider(secret)
        answers = self.inside("processes", secret, str(other.pid), str(os.getppid() + 100000))
        self.assert_all_refused(answers, {errno.ENOENT, errno.ESRCH})
        self.assertIsNone(other.poll())

    @each_person
    def test_each_look_works_where_there_is_no_wall(self):
        secret = secrets.token_hex(16)
        pid = self.outsider(secret).pid
        answers = self.outside("processes", secret, str(pid))
        for name in ("there", "signal", "pidfd", "queue", "priority", "limits", "owner"):
            self.assertEqual(answers[f"{pid}/{name}"], 0, name)
        if self.is_real_root():
            for name in ("read-memory", "write-memory", "folder", "program", "descriptors", "secret-in-environ"):
                self.assertEqual(answers[f"{pid}/{name}"], 0, name)

    @each_person
    def test_bubblewraps_first_process_gives_nothing_away(self):
        secret = secrets.token_hex(16)
        real, self.place.environment = self.place.environment, lambda **more: real(LNK_CANARY=secret, **more)
        answers = self.inside("processes", secret, "1")
        told = {name for name, answer in answers.items() if answer == 0}
        # What can be asked of any process of one's own user; Landlock's scope refuses signals.
        harmless = {f"1/{name}" for name in ("there", "priority", "limits", "owner")}
        if not self.has_landlock:
            harmless |= {f"1/{name}" for name in ("signal", "pidfd", "queue", "folder", "program")}
        self.assertEqual(told - harmless, set())

    @each_person
    def test_nothing_of_proc_is_written_but_ones_own(self):
        opened = [line.removeprefix("writable ") for line in self.said_inside("writable", "/proc")]
        own = re.compile(r"/proc/1/(?:task/1/)?(.*)")
        wrong = [path for path in opened if not own.fullmatch(path) or own.fullmatch(path)[1] not in HARMLESS]
        self.assertEqual(wrong, [])

    def test_much_of_proc_is_writable_where_there_is_no_wall(self):
        capability.need("root")
        self.place = self.as_root()
        self.assertIn("writable /proc/sys/kernel/core_pattern", self.said_outside("writable", "/proc"))

    @each_person
    def test_what_others_cannot_read_of_proc_and_the_keyring_are_closed(self):
        # pagetypeinfo and its like are of root alone; keys are told to all, of those that the reader may see.
        names = [name for name in os.listdir("/proc") if not name.isdigit() and self.is_roots_alone(os.path.join("/proc", name))]
        self.assertIn("slabinfo", names)
        paths = [os.path.join("/proc", name) for name in (*names, "keys", "key-users") if os.path.exists(os.path.join("/proc", name))]
        script = 'for file; do (: <"$file") 2>/dev/null && echo "opened $file"; done; (: </proc/meminfo) && echo allowed'
        self.assert_started(self.place.run("--", "sh", "-c", "echo started; " + script, "sh", *paths), "allowed\n")
        outside = subprocess.run([*self.place.person.prefix, "sh", "-c", script, "sh", *paths], capture_output=True, text=True, check=True)
        self.assertIn("allowed\n", outside.stdout)
        if self.is_real_root():
            self.assertIn("opened /proc/slabinfo\n", outside.stdout)

    @staticmethod
    def is_roots_alone(path):
        mode = os.lstat(path).st_mode
        return stat.S_ISREG(mode) and not mode & 0o044

    @each_person
    def test_nothing_of_sys_and_dev_is_written(self):
        self.assertEqual(self.said_inside("writable", "/sys"), [])
        opened = self.said_inside("writable", "/dev")
        names = {"writable /dev/" + name for name in ("null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts/ptmx")}
        self.assertEqual(set(opened) - names, set())

    @each_person
    def test_only_the_streams_are_open(self):
        with open(self.place.write("secret", "secret"), "rb") as file:
            high = os.dup(file.fileno())
            os.set_inheritable(high, True)
            self.addCleanup(os.close, high)
            said = self.said_inside("descriptors", pass_fds=(high,))
        self.assertEqual(said, ["descriptor 0", "descriptor 1", "descriptor 2"])

    # Sockets and pipes of the machine -------------------------------------------------------------------------------

    def serve(self, name, kind=socket.SOCK_STREAM):
        server = socket.socket(socket.AF_UNIX, kind)
        self.addCleanup(server.close)
        server.bind(name)
        if kind != socket.SOCK_DGRAM:
            server.listen()
        if not name.startswith("\0"):
            os.chmod(name, 0o777)
        return server

    @each_person
    def test_abstract_sockets_of_the_machine_are_out_of_reach(self):
        name = "lnk-" + secrets.token_hex(4)
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
            self.serve(f"\0{name}{int(kind)}", kind)
        for kind in (1, 2, 5):
            self.assertEqual(set(self.inside("connect", f"@{name}{kind}").values()), {errno.ECONNREFUSED})
            # Root and an ordinary user of the rig reach them alike.
            self.assertIn(0, self.outside("connect", f"@{name}{kind}").values())

    @each_person
    def test_sockets_and_pipes_that_are_not_granted_are_not_there(self):
        folder = self.place.folder("other")
        for number, kind in enumerate((socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET)):
            path = os.path.join(folder, f"s{number}")
            self.serve(path, kind)
            self.assertEqual(set(self.inside("connect", path).values()), {errno.ENOENT})
            self.assertIn(0, self.outside("connect", path).values())
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe, 0o600)
        self.place.person.give(pipe)
        self.assertEqual(set(self.inside("connect", pipe).values()), {errno.ENOENT})
        self.assertEqual(self.outside("connect", pipe)["fifo"], 0)

    @each_person
    def test_a_pipe_below_a_read_grant_is_not_written_where_landlock_holds(self):
        # A read-only mount says nothing of pipes, and below a written folder, as the home is inside, Landlock neither: the
        # threat model names that gap.
        os.makedirs("/srv", exist_ok=True)
        folder = tempfile.mkdtemp(prefix="pipes-", dir="/srv")
        self.addCleanup(shutil.rmtree, folder)
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe, 0o600)
        for path in (folder, pipe):
            self.place.person.give(path)
        if self.has_landlock:
            self.assertEqual(self.inside("connect", pipe, flags=("--read", folder))["fifo"], errno.EACCES)
        self.assertEqual(self.inside("connect", pipe, flags=("--read", folder))["fifo-read"], 0)
        self.assertEqual(self.inside("connect", pipe, flags=("--write", folder))["fifo"], 0)

    @each_person
    def test_a_socket_below_a_grant_is_not_reached(self):
        folder = self.place.folder("read")
        path = os.path.join(folder, "s")
        self.serve(path)
        self.assertEqual(self.outside("connect", path)["stream"], 0)
        answer = self.inside("connect", path, flags=("--read", folder))["stream"]
        if answer == 0:
            capability.lack("path-sockets", "a socket of the machine below a grant can be connected to: a gap of this version "
                                            "where the kernel's Landlock is below level 9")
        self.assertIn(answer, {errno.EACCES, errno.EPERM, errno.ECONNREFUSED, errno.ENOENT})
