# SPDX-License-Identifier: Apache-2.0
"""Sockets and pipes of the machine below a grant lead nowhere. The twin of each refusal is the same thing made a moment later,
which no mount covers: that gap has a name, and a kernel with Landlock 9 closes it."""

import ctypes
import os
import socket
import unittest

import product
from product import each_person
from rig import client

RESOLVES_UNIX = 9  # Landlock's level that holds sockets by their path
CONNECT = """
import errno, socket, sys
for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM):
    with socket.socket(socket.AF_UNIX, kind) as one:
        try:
            one.connect(sys.argv[1])
            print("connected")
        except OSError as error:
            print(errno.errorcode[error.errno])
"""
KINDS = (socket.SOCK_STREAM, socket.SOCK_SEQPACKET, socket.SOCK_DGRAM)
COVERED = {"EACCES", "ECONNREFUSED"}  # a file that nobody may open; as root too, who holds no capability


def landlock_level():
    return ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1)


class Sockets(product.ProductTest):
    def setUp(self):
        super().setUp()
        self.open_sockets = []
        self.addCleanup(lambda: [one.close() for one in self.open_sockets])

    def listen(self, path, kind=socket.SOCK_STREAM):
        one = socket.socket(socket.AF_UNIX, kind)
        self.open_sockets.append(one)
        one.bind(path)
        if kind != socket.SOCK_DGRAM:
            one.listen()
        os.chmod(path, 0o777)
        self.place.person.give(path)
        return path

    def answers(self, path, *flags):
        done = self.place.run(*flags, "--", "python3", "-c", "print('started', flush=True)\n" + CONNECT, path)
        self.assert_started(done)
        return done.stdout.split()[1:]

    def granted(self, access):
        folder = self.place.folder("granted")
        return folder, (f"--{access}", folder, "--write", self.place.work)

    @each_person
    def test_a_socket_of_any_kind_below_a_grant_can_not_be_connected_to(self):
        for access in ("read", "write"):
            folder, flags = self.granted(access)
            for number, kind in enumerate(KINDS):
                path = self.listen(os.path.join(folder, f"{access}-{number}"), kind)
                found = self.answers(path, *flags)
                self.assertNotIn("connected", found, path)
                self.assertLessEqual(set(found), COVERED, path)

    @each_person
    def test_one_made_after_the_start_is_the_named_gap(self):
        if landlock_level() >= RESOLVES_UNIX:
            self.skipTest("this kernel refuses those too")
        folder, flags = self.granted("read")
        path = os.path.join(folder, "later")
        front = self.place.start("run", *flags, "--", "python3", "-c", "print('started', flush=True)\ninput()\n" + CONNECT, path,
                                 stdin=-1, stdout=-1, stderr=-1)
        self.assertEqual(front.stdout.readline(), "started\n")
        self.listen(path)
        said, _ = front.communicate("go\n", timeout=product.RUN_TIMEOUT_S)
        self.assertEqual(said.split()[0], "connected")

    @each_person
    def test_one_bound_through_a_link_or_deep_below_is_found(self):
        folder, flags = self.granted("read")
        deep = self.place.folder("granted", "a", "b c", "new\nline")
        os.symlink(deep, self.place.path("way"))
        path = self.listen(os.path.join(self.place.path("way"), "s"))
        self.assertLessEqual(set(self.answers(os.path.join(deep, "s"), *flags)), COVERED, path)

    @each_person
    def test_its_folders_can_not_be_moved_so_that_the_next_run_finds_it_too(self):
        self.place.folder("work", "a", "b")
        beside = self.place.folder("work", "beside")
        self.listen(self.place.path("work", "a", "b", "s"))
        done = self.place.shell(f"mv a away || echo refused; mv a/b a/c || echo refused; mv {beside} moved && echo moved; rm -f a/b/s || echo held")
        self.assert_started(done, "refused\nrefused\nmoved\nheld\n")
        self.assertNotIn("connected", self.answers(self.place.path("work", "a", "b", "s")))

    @each_person
    def test_a_socket_made_inside_is_connected_to_inside(self):
        script = ("import socket, sys\nserver = socket.socket(socket.AF_UNIX)\nserver.bind(sys.argv[1])\nserver.listen()\n"
                  "client = socket.socket(socket.AF_UNIX)\nclient.connect(sys.argv[1])\nprint('connected')\n")
        for path in (self.place.path("work", "inside"), "/tmp/inside"):
            done = self.place.run("--", "python3", "-c", "print('started')\n" + script, path)
            self.assert_started(done, "connected\n")

    @each_person
    def test_one_in_the_systems_folders_is_covered_too(self):
        path = "/opt/lnk-test-socket"
        self.addCleanup(os.unlink, path)
        self.listen(path)
        self.assertLessEqual(set(self.answers(path)), COVERED)

    @each_person
    def test_a_socket_that_is_named_is_refused_and_can_be_hidden(self):
        folder, flags = self.granted("read")
        path = self.listen(os.path.join(folder, "s"))
        self.assert_refused(self.place.shell("true", "--read", path, "--write", self.place.work), "sockets and devices stay closed")
        self.assertNotIn("connected", self.answers(path, *flags, "--hide", path))

    @each_person
    def test_why_says_that_it_is_covered(self):
        folder, _ = self.granted("read")
        path = self.listen(os.path.join(folder, "s"))
        spec = self.place.spec(f'[files]\nread = ["{folder}"]\n')
        done = self.place.lnk("why", "--spec", spec, "path", path)
        self.assert_done(done)
        self.assertIn("refused  read", done.stdout)
        self.assertIn("the rule sockets", done.stdout)


class Pipes(product.ProductTest):
    READ = "import os, sys\nprint('started', flush=True)\n" \
           "for flag in (os.O_RDONLY, os.O_WRONLY, os.O_RDWR):\n" \
           "    try:\n        os.open(sys.argv[1], flag | os.O_NONBLOCK)\n        print('opened')\n" \
           "    except OSError as error:\n        print(os.strerror(error.errno))\n"

    def opened(self, path, *flags):
        done = self.place.run(*flags, "--", "python3", "-c", self.READ, path)
        self.assert_started(done)
        return done.stdout.splitlines()[1:]

    @each_person
    def test_a_pipe_that_a_grant_names_is_covered(self):
        folder = self.place.folder("granted")
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe, 0o666)
        os.chmod(pipe, 0o666)
        self.place.person.give(pipe)
        # The other end is open, so that nothing waits.
        end = os.open(pipe, os.O_RDWR)
        self.addCleanup(os.close, end)
        self.assertIn("opened", self.opened(pipe, "--write", folder, "--write", self.place.work))
        for flags in (("--read", pipe), ("--write", pipe), ("--write", folder, "--read", pipe), ("--write", folder, "--hide", pipe)):
            self.assertNotIn("opened", self.opened(pipe, *flags, "--write", self.place.work), flags)

    @each_person
    def test_describe_says_that_it_is_covered(self):
        pipe = self.place.path("pipe")
        os.mkfifo(pipe)
        self.place.person.give(pipe)
        spec = self.place.spec(f'[files]\nread = ["{pipe}"]\n')
        done = self.place.lnk("describe", "--spec", spec)
        self.assert_done(done)
        self.assertIn("an empty file stands there", done.stdout)


class KernelFileSystems(product.ProductTest):
    needs = ("root",)

    @each_person
    def test_one_that_is_mounted_below_a_grant_is_refused_and_can_be_hidden(self):
        folder, mounted = self.place.folder("granted"), self.place.folder("granted", "a b")
        flags = ("--read", folder, "--write", self.place.work)
        script = f"ls '{mounted}' | grep -x uptime || echo nothing"
        self.assert_started(self.place.shell(script, *flags), "nothing\n")
        # In a mount namespace that ends with the run, which only root may make; the person is put in it after.
        outer = ("unshare", "--mount", "--", "sh", "-c", 'mount -t proc proc "$0" && exec "$@"', mounted)
        person = self.place.person
        self.place.person = client.Person(person.name, person.uid, person.home, (*outer, *person.prefix))
        self.assert_refused(self.place.shell(script, *flags), f'"{mounted}" a file system of the kernel\'s own is mounted', "hide that place")
        self.assert_started(self.place.shell(script, *flags, "--hide", mounted), "nothing\n")
        self.assert_started(self.place.shell("echo beside"), "beside\n")


if __name__ == "__main__":
    unittest.main()
