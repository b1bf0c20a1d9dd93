# SPDX-License-Identifier: Apache-2.0
"""What a sandbox may and may not, tried by programs that ran in one. Every refusal has its allowed twin."""

import errno
import functools
import json
import os
import signal
import socket
import subprocess
import tempfile
import unittest

import wall

OK = "ok"
E = {name: os.strerror(number) for number, name in errno.errorcode.items()}
READ_ONLY, DENIED, MISSING, PERMISSION = E["EROFS"], E["EACCES"], E["ENOENT"], E["EPERM"]
NO_CALL = E["ENOSYS"]


def each_person(test):
    """Runs a test for each person and kernel, in a place of its own."""
    @functools.wraps(test)
    def run(self):
        for person in wall.persons():
            with self.subTest(str(person)), wall.Place(person) as place:
                test(self, place)
    return run


class Wall(unittest.TestCase):
    def check(self, place, *rows, **more):
        """rows: (try, answer or answers)."""
        answers, said = place.probe(*(row[0] for row in rows), **more)
        for (what, wanted), answer in zip(rows, answers):
            self.assertIn(answer, (wanted,) if isinstance(wanted, str) else wanted, f"{what} ({place.person})")
        return said


class Files(Wall):
    @each_person
    def test_reads_what_it_is_given_and_writes_what_it_may(self, place):
        read, write = place.file("read/file"), place.file("write/file")
        other = place.file("other/file")
        place.grant("read", place.path("read"))
        place.grant("write", place.path("write"))
        self.check(place,
                   (f"read {read}", OK), (f"write {read}", (READ_ONLY, DENIED)), (f"append {read}", (READ_ONLY, DENIED)),
                   (f"truncate {read}", (READ_ONLY, DENIED)), (f"unlink {read}", (READ_ONLY, DENIED)),
                   (f"chmod {read}", READ_ONLY), (f"create {place.path('read/new')}", (READ_ONLY, DENIED)),
                   (f"mkdir {place.path('read/dir')}", (READ_ONLY, DENIED)), (f"map-shared {read}", (READ_ONLY, DENIED)),
                   (f"link {read} {place.path('write/alias')}", E["EXDEV"]),
                   (f"rename {read} {place.path('write/moved')}", E["EXDEV"]),
                   (f"read {other}", MISSING), (f"exists {place.path('other')}", MISSING),
                   (f"read {write}", OK), (f"append {write}", OK), (f"map-shared {write}", OK), (f"chmod {write}", OK),
                   (f"create {place.path('write/new')}", OK), (f"mkdir {place.path('write/dir')}", OK),
                   (f"rename {place.path('write/new')} {place.path('write/dir/new')}", OK),
                   (f"link {write} {place.path('write/twin')}", OK), (f"truncate {write}", OK),
                   (f"fifo {place.path('write/pipe')}", OK), (f"symlink {other} {place.path('write/way')}", OK),
                   (f"read {place.path('write/way')}", MISSING), (f"unlink {place.path('write/twin')}", OK))
        self.assertTrue(os.path.exists(place.path("write/dir/new")))
        self.assertFalse(os.path.exists(place.path("read/new")))

    @each_person
    def test_the_nearest_named_path_decides(self, place):
        for name in ("a/f", "a/b/f", "a/b/c/f", "a/b/c/d/f", "a/b/h/f", "a/b/h/open/f"):
            place.file(name)
        place.grant("write", place.path("a"))
        place.grant("read", place.path("a/b"))
        place.grant("write", place.path("a/b/c"))
        place.grant("read", place.path("a/b/c/d"))
        place.grant("hide", place.path("a/b/h"))
        place.grant("write", place.path("a/b/h/open"))
        refused = (READ_ONLY, DENIED)
        self.check(place,
                   (f"write {place.path('a/f')}", OK), (f"write {place.path('a/b/f')}", refused),
                   (f"write {place.path('a/b/c/f')}", OK), (f"write {place.path('a/b/c/d/f')}", refused),
                   (f"read {place.path('a/b/c/d/f')}", OK), (f"read {place.path('a/b/h/f')}", MISSING),
                   (f"list {place.path('a/b/h')}", DENIED), (f"create {place.path('a/b/h/new')}", refused),
                   (f"write {place.path('a/b/h/open/f')}", OK),
                   (f"rmdir {place.path('a/b/h')}", (E["EBUSY"], READ_ONLY, DENIED)),
                   (f"rename {place.path('a/b/c')} {place.path('a/x')}", (E["EBUSY"], E["EXDEV"], READ_ONLY, DENIED)),
                   (f"exchange {place.path('a/b')} {place.path('a/f')}", (E["EBUSY"], READ_ONLY, DENIED)))

    @each_person
    def test_a_hidden_folder_is_seen_without_the_hiding(self, place):
        secret = place.file("a/h/f")
        place.grant("write", place.path("a"))
        self.check(place, (f"read {secret}", OK), (f"list {place.path('a/h')}", OK))
        place.grant("hide", place.path("a/h"))
        self.check(place, (f"read {secret}", (MISSING, DENIED)), (f"list {place.path('a/h')}", DENIED),
                   (f"chmod {place.path('a/h')}", READ_ONLY))

    @each_person
    def test_a_file_is_a_grant_too(self, place):
        read, write, beside = place.file("d/read"), place.file("d/write"), place.file("d/beside")
        place.grant("read", read)
        place.grant("write", write)
        self.check(place, (f"read {read}", OK), (f"write {read}", (READ_ONLY, DENIED)), (f"write {write}", OK),
                   (f"read {beside}", MISSING), (f"create {place.path('d/new')}", OK))
        # The folder around them is the sandbox's own.
        self.assertFalse(os.path.exists(place.path("d/new")))

    @each_person
    def test_closed_and_read_only_hold_inside_a_write_grant(self, place):
        secret, kept, other = place.file("w/secret/f"), place.file("w/kept"), place.file("w/other")
        one_file = place.file("w/one")
        place.grant("write", place.path("w"))
        place.closed = [place.path("w/secret"), one_file]
        place.read_only = [kept, place.path("w/not-there")]
        self.check(place, (f"read {secret}", (MISSING, DENIED)), (f"read {one_file}", DENIED),
                   (f"write {one_file}", (READ_ONLY, DENIED)), (f"unlink {one_file}", E["EBUSY"]),
                   (f"read {kept}", OK), (f"write {kept}", READ_ONLY), (f"unlink {kept}", E["EBUSY"]),
                   (f"rename {other} {kept}", E["EBUSY"]), (f"write {other}", OK))

    @each_person
    def test_what_is_held_is_read_only_and_nothing_starts_without_it(self, place):
        kept, folder = place.file("w/deep/kept/f"), place.folder("w/empty")
        place.grant("write", place.path("w"))
        self.check(place, (f"write {kept}", OK), (f"create {folder}/new", OK))
        place.held = [place.path("w/deep/kept"), folder]
        self.check(place, (f"read {kept}", OK), (f"write {kept}", READ_ONLY), (f"create {folder}/other", READ_ONLY),
                   (f"rename {place.path('w/deep')} {place.path('w/away')}", E["EBUSY"]), (f"create {place.path('w/new')}", OK))
        place.held = [*place.held, place.path("w/missing")]
        self.assertEqual(place.run("/bin/true").returncode, wall.NOT_STARTED)
        os.symlink(folder, place.path("w/missing"))
        done = place.run("/bin/true")
        self.assertEqual(done.returncode, wall.NOT_STARTED)
        self.assertIn("a link stands", done.stderr)

    @each_person
    def test_a_link_is_followed_once_and_made_again(self, place):
        target = place.file("data/f")
        os.symlink(place.path("data"), place.path("way"))
        place.grant("read", place.path("way"))
        self.check(place, (f"read {place.path('way/f')}", OK), (f"read {target}", OK))
        # A link that is put where there was none redirects nothing.
        place.files[0]["path"] = place.files[0]["target"] = place.path("way")
        done = place.run("/bin/true")
        self.assertEqual(done.returncode, wall.NOT_STARTED)
        self.assertIn("a link stands", done.stderr)

    def test_a_link_is_refused_part_by_part_where_no_call_does_it_at_once(self):
        for uid in sorted({person.uid for person in wall.persons()}):
            with self.subTest(uid=uid), wall.Place(wall.Person(uid, ("openat2",))) as place:
                path = place.file("data/deep/f")
                place.grant("read", place.path("data/deep"))
                self.check(place, (f"read {path}", OK))
                os.symlink("data", place.path("way"))
                os.symlink("deep", place.path("data/last"))
                for name in ("way/deep", "data/last"):
                    place.files[0]["path"] = place.files[0]["target"] = place.path(name)
                    done = place.run("/bin/true")
                    self.assertEqual(done.returncode, wall.NOT_STARTED, name)
                    self.assertIn("a link stands", done.stderr)

    @each_person
    def test_what_may_be_missing_is_left_out_and_what_may_not_is_refused(self, place):
        place.grant("read", place.path("later"), optional=True)
        self.check(place, (f"exists {place.path('later')}", MISSING))
        place.file("later/f")
        self.check(place, (f"read {place.path('later/f')}", OK))
        place.files[0]["optional"] = False
        place.files[0]["path"] = place.files[0]["target"] = place.path("never")
        self.assertEqual(place.run("/bin/true").returncode, wall.NOT_STARTED)

    @each_person
    def test_names_are_bytes(self, place):
        name = "new\nline \"quotes\" 'and' \\ tab\t"
        path = place.file(f"{name}/f")
        place.grant("read", place.path(name))
        self.check(place, (["read", path], OK), (["write", path], (READ_ONLY, DENIED)))

    @each_person
    def test_grants_below_tmp_and_home_stand_in_the_sandboxs_own(self, place):
        path = place.file("home/project/f")
        place.file("home/other")
        place.grant("write", place.path("home/project"))
        self.check(place, (f"write {path}", OK), (f"read {place.path('home/other')}", MISSING),
                   (f"create {place.path('home/new')}", OK), ("create /tmp/new", OK), ("create /var/tmp/new", OK),
                   ("create /run/new", OK), ("create /dev/shm/new", OK), ("create /new", (READ_ONLY, DENIED)),
                   ("create /dev/new", (READ_ONLY, DENIED)), ("list /tmp", OK), ("exists /var/run/user", OK))
        self.assertFalse(os.path.exists(place.path("home/new")))
        self.assertFalse(os.path.exists("/tmp/new"))


class System(Wall):
    @each_person
    def test_the_system_is_read_only_and_what_others_cannot_read_is_closed(self, place):
        self.check(place, ("read /etc/passwd", OK), ("run /bin/true", OK), ("run /usr/bin/true", OK),
                   ("write /etc/passwd", (READ_ONLY, DENIED)), ("create /usr/new", (READ_ONLY, DENIED)),
                   ("create /etc/new", (READ_ONLY, DENIED)), ("read /etc/shadow", DENIED), ("read /etc/gshadow", DENIED),
                   ("chmod /etc/shadow", READ_ONLY), ("exists /root/.bashrc", (MISSING, DENIED)),
                   ("exists /sys/kernel", MISSING), ("exists /boot", MISSING), ("exists /var/lib", MISSING))

    @each_person
    def test_nothing_of_proc_is_written_outside_processes(self, place):
        said = self.check(place, ("find-writable /proc", OK), ("write /proc/self/comm", OK),
                          ("write /proc/self/oom_score_adj", OK), ("write /proc/sys/kernel/core_pattern", (READ_ONLY, DENIED)),
                          ("write /proc/sysrq-trigger", (READ_ONLY, DENIED, MISSING)), ("read /proc/sys/kernel/ostype", OK))
        self.assertEqual([line for line in said if line.startswith("writable ")], [])

    @each_person
    def test_devices_are_few(self, place):
        self.check(place, ("write /dev/null", OK), ("truncating-open /dev/null", OK), ("read /dev/urandom", OK),
                   ("exists /dev/vda", MISSING), ("exists /dev/kmsg", MISSING), ("exists /dev/mem", MISSING),
                   ("exists /dev/pts/ptmx", OK))

    @each_person
    def test_it_sees_and_signals_no_process_of_the_machine(self, place):
        outside = os.getpid()
        done = place.run("/bin/sh", "-c", "echo started; for p in /proc/[0-9]*; do echo ${p#/proc/}; done")
        seen = done.stdout.split()
        self.assertEqual(seen[0], "started")
        self.assertLess(len(seen), 6)
        self.check(place, (f"exists /proc/{outside}/status", MISSING), ("signal 999999", E["ESRCH"]))


class Kernel(Wall):
    @each_person
    def test_no_privilege_is_held_nor_gained(self, place):
        done = place.run("/bin/cat", "/proc/self/status")
        status = dict(line.split(":", 1) for line in done.stdout.splitlines())
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            self.assertEqual(int(status[name], 16), 0, name)
        self.assertEqual(status["NoNewPrivs"].strip(), "1")
        self.assertEqual(status["Seccomp"].strip(), "2")
        self.assertEqual(status["Uid"].split()[0], str(place.person.uid))

    @each_person
    def test_namespaces_are_refused_and_processes_are_not(self, place):
        self.check(place, ("clone 0", OK), ("unshare 0x400", OK), ("clone3", NO_CALL),
                   *[(f"clone {flag:#x}", PERMISSION) for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000, 0x8000000)],
                   *[(f"unshare {flag:#x}", PERMISSION) for flag in (0x10000000, 0x20000, 0x40000000, 0x80)],
                   ("syscall 308 0 0", PERMISSION))

    @each_person
    def test_terminals_are_not_typed_into_whatever_the_high_bits(self, place):
        self.check(place, ("ioctl 0x5412", PERMISSION), ("ioctl 0x100005412", PERMISSION),
                   ("ioctl 0xffffffff00005412", PERMISSION), ("ioctl 0x541C", PERMISSION), ("ioctl 0x10000541C", PERMISSION),
                   ("ioctl 0x5423", PERMISSION), ("ioctl 0x5413", E["ENOTTY"]))

    @unittest.skipUnless(os.uname().machine == "x86_64", "numbers of x86-64")
    @each_person
    def test_other_entries_of_the_kernel_are_closed(self, place):
        self.check(place, ("syscall 39", OK), (f"syscall {0x40000000 | 39}", NO_CALL),
                   # A kernel without the 32-bit entry ends who uses it.
                   ("int80", (NO_CALL, E["ECHILD"])))

    @unittest.skipUnless(os.uname().machine == "x86_64", "numbers of x86-64")
    @each_person
    def test_dangerous_calls_are_refused_by_number(self, place):
        refused = {"keyctl": 250, "add_key": 248, "request_key": 249, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
                   "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_getfd": 438, "kcmp": 312,
                   "mount": 165, "umount2": 166, "pivot_root": 155, "open_tree": 428, "move_mount": 429, "fsopen": 430,
                   "fsmount": 432, "mount_setattr": 442, "kexec_load": 246, "init_module": 175, "finit_module": 313,
                   "delete_module": 176, "swapon": 167, "quotactl": 179, "reboot": 169, "settimeofday": 164,
                   "clock_settime": 227, "acct": 163, "syslog": 103, "setns": 308, "open_by_handle_at": 304, "chroot": 161}
        unknown = {"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435, "next": 470,
                   "far": 999}
        self.check(place, *[(f"syscall {number}", PERMISSION) for number in refused.values()],
                   *[(f"syscall {number}", NO_CALL) for number in unknown.values()],
                   ("syscall 135 0xffffffff", OK), ("syscall 135 0x40000", PERMISSION))

    @each_person
    def test_socket_families(self, place):
        self.check(place, ("socket 1 1 0", OK), ("socket 2 1 0", OK), ("socket 10 2 17", OK), ("socket 16 3 0", OK),
                   ("socket 16 3 15", E["EAFNOSUPPORT"]), ("socket 17 3 0", E["EAFNOSUPPORT"]),
                   ("socket 38 5 0", E["EAFNOSUPPORT"]), ("socket 40 1 0", E["EAFNOSUPPORT"]),
                   ("socket 2 1 132", E["EPROTONOSUPPORT"]))

    @each_person
    def test_the_memory_of_pid_1_is_closed(self, place):
        closed = (DENIED, READ_ONLY, PERMISSION)
        self.check(place, ("read /proc/1/mem", closed), ("write /proc/1/mem", closed), ("write /proc/1/task/1/mem", closed),
                   ("ptrace 1", PERMISSION), ("read-memory 1", PERMISSION), ("write /proc/self/mem", OK),
                   ("exists /proc/1/stat", OK))
        if not place.person.has_landlock:
            # What is gained by its other entries is nothing: it is under the same filter and holds nothing.
            done = place.run("/bin/cat", "/proc/1/status")
            status = dict(line.split(":", 1) for line in done.stdout.splitlines())
            self.assertEqual(status["Seccomp"].strip(), "2")
            self.assertEqual(int(status["CapEff"], 16), 0)

    @each_person
    def test_no_descriptor_is_inherited(self, place):
        with tempfile.TemporaryFile() as secret:
            os.set_inheritable(secret.fileno(), True)
            high = os.dup2(secret.fileno(), 200)
            os.set_inheritable(high, True)
            said = self.check(place, ("descriptors", OK), close_fds=False)
            os.close(high)
        self.assertEqual(said, ["fd 0", "fd 1", "fd 2"])

    @each_person
    def test_environment_is_the_one_given(self, place):
        said = self.check(place, ("environment", OK), env={"ONE": "1", "EMPTY": ""})
        self.assertEqual(sorted(said), ["env EMPTY=", "env ONE=1"])


class Network(Wall):
    @each_person
    def test_abstract_sockets_of_the_machine_are_closed(self, place):
        name = "lnk-test-" + os.urandom(4).hex()
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("\0" + name)
            server.listen()
            self.check(place, (f"connect @{name}", E["ECONNREFUSED"]))
            if place.person.has_landlock:
                place.network = "direct"
                self.check(place, (f"connect @{name}", PERMISSION), ("socket 2 1 0", OK))
            else:
                place.network = "direct"
                self.assertEqual(place.run("/bin/true").returncode, wall.NOT_STARTED)

    @each_person
    def test_a_socket_made_by_the_doorway_is_the_sandboxs_own(self, place):
        place.network = "wire"
        program = ("import socket\nprint('started')\n"
                   "print(socket.create_connection(('127.0.0.1', 40781), 10).recv(100).decode(), end='')\n")
        for port in ("40781", "53"):
            text = program.replace("40781", port)
            done = place.run("/usr/bin/python3", "-c", text, options=("--listen", port))
            self.assertEqual(done.stdout, "started\nfrom outside\n", done)
        # Nothing listens there outside, nor inside without the doorway.
        with socket.socket() as outside:
            self.assertNotEqual(outside.connect_ex(("127.0.0.1", 40781)), 0)
        done = place.run("/usr/bin/python3", "-c", program)
        self.assertIn("started\n", done.stdout)
        self.assertIn("ConnectionRefusedError", done.stderr)

    @each_person
    def test_the_doorway_connects_to_what_listens_inside(self, place):
        program = ("import socket\nprint('started', flush=True)\ns = socket.create_server(('127.0.0.1', 8080))\n"
                   "print(s.accept()[0].recv(100).decode(), end='')\n")
        done = place.run("/usr/bin/python3", "-c", program, options=("--connect", "8080"))
        self.assertEqual(done.stdout, "started\nfrom outside\n", done)
        place.network = "direct"
        done = place.run("/bin/true", options=("--connect", "8080"))
        self.assertIn("no inside" if place.person.has_landlock else "Landlock", done.stderr)

    @each_person
    def test_a_program_that_takes_no_connection_holds_nobody(self, place):
        # Its queue is full, so that each SYN is dropped: another port that asks shows that the one before has given up.
        program = ("import socket, time\nprint('started', flush=True)\nserver = socket.socket()\nserver.bind(('127.0.0.1', 8080))\n"
                   "mine = socket.socket()\nserver.listen(0)\nmine.connect(('127.0.0.1', 8080))\nseen = set()\n"
                   "own = '%04X' % mine.getsockname()[1]\nend = time.monotonic() + 20\n"
                   "while len(seen) < 2 and time.monotonic() < end:\n"
                   "    for line in open('/proc/net/tcp').read().splitlines()[1:]:\n"
                   "        local, remote, state = line.split()[1:4]\n"
                   "        if remote == '0100007F:1F90' and state == '02': seen.add(local)\n"
                   "print(len(seen), flush=True)\nserver.accept()\nprint(server.accept()[0].recv(100).decode(), end='')\n")
        for _ in range(5):
            done = place.run("/usr/bin/python3", "-c", program, options=("--connect", "8080"))
            if "\n2\n" in done.stdout:
                break  # else the first was let in before the queue was full
        self.assertEqual(done.stdout, "started\n2\nfrom outside\n", done)

    @each_person
    def test_the_machines_loopback_is_not_the_sandboxs(self, place):
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            program = ("import socket\nprint('started', flush=True)\n"
                       f"print(socket.socket().connect_ex(('127.0.0.1', {server.getsockname()[1]})))\n")
            done = place.run("/usr/bin/python3", "-c", program)
            self.assertEqual(done.stdout, f"started\n{errno.ECONNREFUSED}\n")
            if place.person.has_landlock:
                place.network = "direct"
                done = place.run("/usr/bin/python3", "-c", program)
                self.assertEqual(done.stdout, "started\n0\n")


class Endings(Wall):
    @each_person
    def test_exit_codes_are_the_targets(self, place):
        for script, code in (("exit 0", 0), ("exit 7", 7), ("exit 125", 125), ("exit 255", 255), ("kill -TERM $$", 143),
                             ("kill -KILL $$", 137), ("kill -SEGV $$", 139)):
            self.assertEqual(place.run("/bin/sh", "-c", script).returncode, code, script)

    @each_person
    def test_what_is_not_found_or_cannot_run_is_told_apart(self, place):
        script = place.file("w/script", "echo by the shell $0 $1\n", 0o755)
        plain = place.file("w/plain", "x", 0o644)
        place.file("w/bad", "#!/no/such/interpreter\n", 0o755)
        place.grant("read", place.path("w"))
        self.assertEqual(place.run("no-such-program").returncode, 127)
        self.assertEqual(place.run("/no/such/program").returncode, 127)
        self.assertEqual(place.run(plain).returncode, 126)
        self.assertEqual(place.run(place.path("w/bad")).returncode, 127)
        self.assertEqual(place.run(place.path("w")).returncode, 126)
        self.assertEqual(place.run("true").returncode, 0)
        done = place.run(script, "one")
        self.assertEqual(done.stdout, f"by the shell {script} one\n")

    @each_person
    def test_a_current_folder_that_is_not_there_starts_nothing(self, place):
        done = place.run("/bin/true", cwd=place.path("nowhere"))
        self.assertEqual(done.returncode, wall.NOT_STARTED)
        self.assertIn("current folder", done.stderr)
        place.grant("read", place.folder("here"))
        self.assertEqual(place.run("/bin/pwd", cwd=place.path("here")).stdout, place.path("here") + "\n")

    @each_person
    def test_signals_begin_as_by_default_in_a_group_of_its_own(self, place):
        def ignore():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        said = self.check(place, ("signals-default", OK), ("group", OK), preexec_fn=ignore)
        self.assertEqual(said, ["group 1 session 1"])

    @each_person
    def test_streams_end_with_the_target_alone(self, place):
        # What stays behind holds its own streams, none of the target's; the sandbox ends with it.
        done = place.run("/bin/sh", "-c", "echo out; echo err >&2; cat")
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("out\n", "err\n", 0))
        with subprocess.Popen(place.command("/bin/sh", "-c", "echo out; exec >&-; sleep 0.2"),
                              stdout=subprocess.PIPE, env={"PATH": "/bin"}) as run:
            self.assertEqual(run.stdout.read(), b"out\n")
            self.assertEqual(run.wait(), 0)


class Machine(Wall):
    def test_a_kernel_that_refuses_user_namespaces_is_told_with_its_mend(self):
        for uid in {person.uid for person in wall.persons()}:
            with wall.Place(wall.Person(uid, ("userns",))) as place:
                survey = place.look()
                self.assertFalse(survey["keep"])
                self.assertIn("No permissions to create new namespace", survey["bubblewrap"]["problem"])
                done = place.run("/bin/true")
                self.assertEqual(done.returncode, wall.NOT_STARTED)
                self.assertIn("an outer container refuses", done.stderr)

    def test_a_survey_of_another_machine_starts_nothing(self):
        with wall.Place(wall.persons()[0]) as place:
            self.assertEqual(place.run("/bin/true").returncode, 0)
            survey = place.look()
            for change in ({"uid": survey["uid"] + 1}, {"landlock": {"level": 0, "fs": 0, "scoped": 0}},
                           {"bubblewrap": {**survey["bubblewrap"], "inode": 1}}):
                with open(place.survey, "w", encoding="utf-8") as file:
                    json.dump({**survey, **change}, file)
                if "landlock" in change and not place.person.has_landlock:
                    continue
                done = place.run("/bin/true")
                self.assertEqual(done.returncode, wall.NOT_STARTED)
                self.assertIn("look", done.stderr)

    def test_a_wall_that_cannot_be_built_names_the_step(self):
        with wall.Place(wall.persons()[0]) as place:
            # A home below a folder that is read only and where it isn't: bubblewrap can't make it.
            place.home = "/usr/no/such/home"
            done = place.run("/bin/true")
            self.assertEqual(done.returncode, wall.NOT_STARTED)
            self.assertIn("/usr/no/such/home", done.stderr)
            self.assertRegex(done.stderr, "step [1-9]")


if __name__ == "__main__":
    unittest.main()
