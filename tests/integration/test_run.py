# SPDX-License-Identifier: Apache-2.0
"""`run` with no network: exit codes, signals, files, the environment and what every sandbox lacks."""

import ctypes
import errno
import os
import signal
import subprocess
import unittest

import product
from product import each_person
from rig import kernel
from terminal import descendants

OUTSIDE = "93.184.215.10"  # allowed.test's address


class ExitCodes(product.ProductTest):
    @each_person
    def test_the_exit_code_is_the_targets(self):
        for code in (0, 1, 7, 125, 255):
            done = self.place.shell(f"exit {code}")
            self.assert_started(done)
            self.assert_done(done, code)

    @each_person
    def test_a_target_ended_by_a_signal_gives_128_and_its_number(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV):
            done = self.place.shell(f"kill -{int(number)} $$")
            self.assert_started(done)
            self.assert_done(done, 128 + number)

    @each_person
    def test_a_target_that_is_not_found_gives_127(self):
        self.assert_done(self.place.run("--", "no-such-program"), product.EXIT_NOT_FOUND)
        self.assert_done(self.place.run("--", "./no-such-program"), product.EXIT_NOT_FOUND)

    @each_person
    def test_a_target_that_cannot_be_run_gives_126(self):
        self.place.write("work/plain", "#!/bin/sh\necho ran\n", mode=0o644)
        done = self.place.run("--", "./plain")
        self.assert_done(done, product.EXIT_NOT_RUNNABLE)
        self.place.write("work/plain", "#!/bin/sh\necho ran\n", mode=0o755)
        done = self.place.run("--", "./plain")
        self.assert_done(done)
        self.assertEqual(done.stdout, "ran\n")

    @each_person
    def test_a_wrong_command_line_gives_2(self):
        for arguments in (["no-such-command"], ["run", "--no-such-flag"], ["run"]):
            self.assert_done(self.place.lnk(*arguments), product.EXIT_USAGE)

    @each_person
    def test_a_first_word_sandbox_is_skipped(self):
        done = self.place.lnk("sandbox", "run", "--", "sh", "-c", "exit 9")
        self.assert_done(done, 9)


class Signals(product.ProductTest):
    # setpriv and unshare execute the product in their own place, so the process that was started is the front.
    # A shell's trap would lose a signal that comes between its last look for one and its read.
    WAITING = ("import signal, sys; number = int(sys.argv[1]); signal.pthread_sigmask(signal.SIG_BLOCK, {number});"
               "print('started', flush=True); signal.sigwait({number}); print('caught', flush=True); sys.exit(33)")

    def waiting_for(self, number):
        front = self.place.start("run", "--", "python3", "-c", self.WAITING, str(int(number)), stdin=-1, stdout=-1, stderr=-1)
        self.assertEqual(front.stdout.readline(), "started\n")
        return front

    @each_person
    def test_a_signal_to_the_front_reaches_the_target(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            with self.subTest(signal=signal.Signals(number).name):
                front = self.waiting_for(number)
                front.send_signal(number)
                self.assertEqual(front.stdout.readline(), "caught\n")
                front.communicate(timeout=20)
                self.assertEqual(front.returncode, 33)

    @each_person
    def test_a_signal_that_the_target_does_not_catch_ends_it(self):
        front = self.place.start("run", "--", "sh", "-c", "echo started; read line", stdin=-1, stdout=-1, stderr=-1)
        self.assertEqual(front.stdout.readline(), "started\n")
        front.send_signal(signal.SIGTERM)
        self.assertEqual(front.stdout.read(), "")
        front.communicate(timeout=20)
        self.assertEqual(front.returncode, 128 + signal.SIGTERM)


class Files(product.ProductTest):
    @each_person
    def test_the_current_folder_is_written_and_no_other(self):
        other = self.place.folder("other")
        script = f"echo in >inside && cat inside; echo out >{other}/file || echo refused"
        done = self.place.shell(script)
        self.assert_started(done, "in\nrefused\n")
        self.assertEqual(os.listdir(other), [])
        self.assertTrue(os.path.exists(self.place.path("work", "inside")))
        done = self.place.shell(script, "--write", other, "--write", self.place.work)
        self.assert_started(done, "in\n")
        self.assertEqual(os.listdir(other), ["file"])

    @each_person
    def test_a_file_of_the_home_is_read_only_where_it_is_named(self):
        self.place.folder("other")
        secret = self.place.write("other/secret", "words\n")
        script = f"cat {secret} || echo refused; echo more >>{secret} || echo read only"
        self.assert_started(self.place.shell(script), "refused\nread only\n")
        done = self.place.shell(script, "--read", self.place.path("other"), "--write", self.place.work)
        self.assert_started(done, "words\nread only\n")

    @each_person
    def test_the_nearest_named_path_decides(self):
        kept = self.place.folder("work", "kept")
        open_again = self.place.folder("work", "kept", "open")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}", "{open_again}"]\nread = ["{kept}"]\n')
        script = f"echo a >{self.place.work}/a && echo a; echo b >{kept}/b || echo refused; echo c >{open_again}/c && echo c"
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"), "a\nrefused\nc\n")

    @each_person
    def test_what_is_hidden_stays_so_beside_names_that_sort_between(self):
        # "kept-x" and "kept!" stand before "kept/hidden" by their bytes.
        hidden = self.place.folder("kept", "hidden")
        secret = self.place.write("kept/hidden/file", "secret\n")
        granted = [self.place.folder(name) for name in ("kept", "kept-x", "kept!")]
        for hides, said in ((True, "refused\n"), (False, "secret\n")):
            flags = [word for folder in (*granted, self.place.work) for word in ("--write", folder)] + (["--hide", hidden] if hides else [])
            self.assert_started(self.place.shell(f"cat {secret} || echo refused", *flags), said)

    @each_person
    def test_a_current_folder_that_is_not_granted_is_refused(self):
        other = self.place.folder("other")
        spec = self.place.spec(f'[files]\nwrite = ["{other}"]\n')
        self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"), self.place.work)
        self.assert_started(self.place.shell("true", "--spec", spec, "--yes", cwd=other))

    @each_person
    def test_a_path_that_is_missing_is_refused_but_with_a_question_mark(self):
        missing = self.place.path("missing")
        grant = '[files]\nwrite = ["{0}"]\nread = ["{1}"]\n'
        spec = self.place.spec(grant.format(self.place.work, missing))
        self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"), "missing", "spec.toml:3")
        spec = self.place.spec(grant.format(self.place.work, missing + "?"))
        self.assert_started(self.place.shell("true", "--spec", spec, "--yes"))

    @each_person
    def test_writing_the_home_or_everything_is_refused(self):
        for path in ("/", "~", "~/.ssh"):
            self.place.person.give(self.place.path())
            spec = self.place.spec(f'[files]\nwrite = ["{path}"]\n')
            done = self.place.shell("true", "--spec", spec, "--yes")
            self.assertEqual(done.returncode, product.EXIT_REFUSED, path)
            self.assertNotIn("started", done.stdout)

    @each_person
    def test_what_holds_the_home_or_what_runs_from_it_is_refused_and_its_own_name_is_not(self):
        home = self.place.folder("home")
        config = self.place.folder("home", ".config", "other")
        self.place.write("home/.bashrc", "")
        for path, why in ((self.place.root, "the home itself can't be written"), (os.path.dirname(config), "runs as you without being asked")):
            spec = self.place.spec(f'[files]\nwrite = ["{path}"]\n')
            self.assert_refused(self.place.shell("true", "--spec", spec, "--yes", environment={"HOME": home}), why)
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}", "{config}", "~/.bashrc"]\n')
        script = f"echo x >{config}/new && echo x >{home}/.bashrc && echo written"
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes", environment={"HOME": home}), "written\n")

    @each_person
    def test_the_spec_and_the_program_stay_as_they_are_below_a_write(self):
        self.place.write("work/ordinary", "")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n', "work/spec.toml")
        script = f"echo x >>{spec} || echo spec refused; echo x >>{self.place.work}/ordinary && echo written"
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"), "spec refused\nwritten\n")

    @each_person
    def test_the_settings_are_closed_whatever_is_open(self):
        self.place.write("settings/canary", "seen\n", mode=0o600)
        self.place.write("beside", "seen\n")
        script = (f"cat {self.place.root}/beside; cat {self.place.settings}/canary || echo refused;"
                  f"echo x >{self.place.settings}/new || echo refused")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{self.place.root}"]\n')
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"), "seen\nrefused\nrefused\n")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.root}"]\n')
        self.assert_refused(self.place.shell(script, "--spec", spec, "--yes"), "settings")
        self.assertFalse(os.path.exists(self.place.path("settings", "new")))

    @each_person
    def test_temporary_folders_are_the_sandboxs_own_and_empty(self):
        for folder in ("/tmp", "/var/tmp", "/run", "/dev/shm"):
            mark = f"{folder}/mark-of-the-machine"
            with open(mark, "w", encoding="ascii"):
                self.addCleanup(os.unlink, mark)
            done = self.place.shell(f"test -e {mark} && echo seen; echo x >{folder}/new && cat {folder}/new")
            self.assert_started(done, "x\n")
            self.assertFalse(os.path.exists(f"{folder}/new"))

    @each_person
    def test_the_system_is_read_only(self):
        script = "test -r /etc/passwd && echo read; for f in /usr/x /etc/x /opt/x /x; do echo x >$f || echo refused; done"
        self.assert_started(self.place.shell(script), "read\n" + 4 * "refused\n")

    def test_root_sees_no_password_file(self):
        place = self.as_root()
        self.assertTrue(os.path.exists("/etc/shadow"))
        self.assert_started(place.shell("cat /etc/shadow >/dev/null || echo refused"), "refused\n")


class Surroundings(product.ProductTest):
    @each_person
    def test_the_target_has_no_capability_and_can_gain_none(self):
        done = self.place.shell("grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status")
        self.assert_started(done)
        values = dict(line.split(":\t") for line in done.stdout.splitlines()[1:])
        self.assertEqual({name: int(value, 16) for name, value in values.items()},
                         {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapBnd": 0, "CapAmb": 0, "NoNewPrivs": 1, "Seccomp": 2})

    @each_person
    def test_in_its_user_namespace_no_other_is_made_even_without_the_filter(self):
        # bubblewrap's --disable-userns. Who enters from outside is under no filter.
        told = self.place.listing("check")["capabilities"]
        if next(one for one in told if one["name"] == "bubblewrap.disable_userns")["state"] != "supported":
            self.skipTest("this machine lets no limit be set: the filter alone refuses")
        run = self.place.start("run", "--", "sh", "-c", "echo started; read line", stdin=-1, stdout=-1)
        self.assertEqual(run.stdout.readline(), "started\n")
        self.assertEqual(self.makes_another_in(list(descendants(run.pid))[-1]), errno.ENOSPC)
        run.communicate("\n", timeout=product.RUN_TIMEOUT_S)
        self.assertEqual(self.makes_another_in(os.getpid()), 0)

    @staticmethod
    def makes_another_in(pid):
        """The error of a user namespace made in that one's, by a process of its own."""
        child = os.fork()
        if child == 0:
            try:
                libc = ctypes.CDLL(None, use_errno=True)
                if pid != os.getppid() and libc.setns(os.open(f"/proc/{pid}/ns/user", os.O_RDONLY), kernel.CLONE_NEWUSER) != 0:
                    os._exit(255)
                kernel.unshare(kernel.CLONE_NEWUSER)
                os._exit(0)
            except OSError as error:
                os._exit(error.errno)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    @each_person
    def test_kernel_settings_cannot_be_written(self):
        script = "test -r /proc/sys/kernel/hostname && echo read; echo x >/proc/sys/kernel/hostname || echo refused"
        self.assert_started(self.place.shell(script), "read\nrefused\n")

    @each_person
    def test_no_other_process_is_seen(self):
        done = self.place.shell("cat /proc/[0-9]*/cmdline | tr '\\0' ' '")
        self.assert_started(done)
        self.assertNotIn("python-tests", done.stdout)
        self.assertNotIn("enter.py", done.stdout)

    @each_person
    def test_there_is_no_network(self):
        probe = f"import urllib.request as u; print(u.urlopen('http://{OUTSIDE}/', timeout=5).status)"
        self.assert_started(self.place.shell(f'python3 -c "{probe}" || echo refused'), "refused\n")
        self.assertEqual(self.net.connections(), [])
        outside = subprocess.run(["python3", "-c", probe], capture_output=True, text=True, check=True)
        self.assertEqual((outside.stdout, len(self.net.connections(OUTSIDE))), ("200\n", 1))

    @each_person
    def test_sockets_inside_work_inside(self):
        probe = ("import socket; s = socket.create_server(('127.0.0.1', 0)); c = socket.create_connection(s.getsockname());"
                 "a, b = socket.socketpair(); a.send(b'x'); u = socket.socket(socket.AF_UNIX); u.bind('/tmp/u');"
                 "print(b.recv(1))")
        self.assert_started(self.place.shell(f'python3 -c "{probe}"'), "b'x'\n")

    @each_person
    def test_the_environment_is_the_defaults_and_what_is_named(self):
        given = {"TOKEN": "secret", "EDITOR": "ed", "LC_TIME": "C", "LD_PRELOAD": "", "PYTHONSTARTUP": "/x", "NODE_OPTIONS": "-r x"}
        done = self.place.shell("env | sort", environment=given)
        self.assert_started(done)
        seen = dict(line.split("=", 1) for line in done.stdout.splitlines()[1:])
        for name in ("TOKEN", "EDITOR", "LD_PRELOAD", "PYTHONSTARTUP", "NODE_OPTIONS", "LNK_WIRE", "HTTPS_PROXY", "https_proxy"):
            self.assertNotIn(name, seen)
        self.assertEqual((seen["LC_TIME"], seen["TMPDIR"], seen["HOME"]), ("C", "/tmp", self.place.person.home))
        done = self.place.shell("echo $EDITOR $NAMED", "--env", "EDITOR", "--env", "NAMED=here", environment=given)
        self.assert_started(done, "ed here\n")

    @each_person
    def test_an_injection_variable_is_refused_in_the_spec(self):
        for line in ('set = { LD_PRELOAD = "/x.so" }', 'pass = ["LD_LIBRARY_PATH"]', 'set = { BASH_ENV = "/x" }'):
            spec = self.place.spec(f"[files]\nwrite = [\"{self.place.work}\"]\n[env]\n{line}\n")
            self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"), "spec.toml:4")

    @each_person
    def test_streams_pass_whole(self):
        text = "line of text\n" * 20000
        done = self.place.run("--", "cat", stdin=text)
        self.assert_done(done)
        self.assertEqual(done.stdout, text)

    @each_person
    def test_no_descriptor_of_the_caller_is_inherited(self):
        read_end, write_end = os.pipe()
        self.addCleanup(os.close, read_end)
        self.addCleanup(os.close, write_end)
        front = self.place.start("run", "--", "sh", "-c", "ls /proc/self/fd | wc -l; ls -l /proc/$$/fd", stdin=-3, stdout=-1, stderr=-1,
                                 pass_fds=(write_end,))
        said, words = front.communicate(timeout=product.RUN_TIMEOUT_S)
        self.assertEqual(said.splitlines()[0], "4", said + words)  # the three streams and the folder that ls reads


if __name__ == "__main__":
    unittest.main()
