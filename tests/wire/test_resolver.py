# SPDX-License-Identifier: Apache-2.0
"""The resolver as a process: what it may do where a name server's answer has taken it over, and what it follows while it runs."""

import errno
import os
import signal
import socket
import subprocess
import tempfile
import unittest

from test_process import poorer_kernel, settings_of, status_fields
from wire_process import PARTS, TIMEOUT_S, Wire, get, read_all, refusal_of, status_of, wait_until

from rig import capability, client

HOST = "allowed.test"
SUPPORT = os.environ.get("LNK_TEST_SUPPORT", os.path.join(PARTS, "..", "..", "bin"))
LIBRARY = os.path.join(SUPPORT, "taken_resolver.so")

# Refused by the filter of calls, so on every kernel.
BY_CALLS = {"write", "make", "fork", "execve", "kill", "code", "owner", "unix", "packet"}
BY_LANDLOCK = {"read", "connect"}


def outcomes(stream):
    """{try: errno} of one lookup."""
    found = {}
    while (line := stream.readline()) not in (b"end\n", b""):
        name, number = line.decode().split()
        found[name] = int(number)
    return found


def processes_of(first):
    """The resolver's two processes: the one that was started, and the one that looks up. One that ended isn't counted."""
    with open(f"/proc/{first}/task/{first}/children", encoding="ascii") as file:
        children = map(int, file.read().split())
    return [first, *(one for one in children if not status_fields(one)["State"].startswith("Z"))]


class TakenOverTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        if not os.path.exists(LIBRARY):
            capability.lack("taken_resolver", f"{LIBRARY} is not built")
        self.server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.server.close)

    def tries(self, person, folder):
        """A file of the person's own, one that is to be made, and a service of the machine."""
        own = os.path.join(folder, "own")
        with open(own, "w", encoding="ascii") as file:
            file.write("mine\n")
        person.give(own)
        return ["LD_PRELOAD=" + LIBRARY, f"LNK_TAKEN=read:{own},write:{own},make:{folder}/new,port:{self.server.getsockname()[1]}"]

    def taken(self, person, folder, poorer=()):
        prefix = (*person.prefix, *poorer, "env", "-i", *self.tries(person, folder))
        with Wire({HOST: [80]}, resolver_prefix=prefix) as wire:
            self.assertEqual(refusal_of(wire.ask(get(HOST))), (502, "upstream"))
            return outcomes(wire.resolver.stderr)

    def test_a_taken_resolver_reads_resolv_conf_and_nothing_of_the_persons(self):
        for person in client.people():
            with self.subTest(person=person.name), settings_of(person) as folder:
                found = self.taken(person, folder)
                self.assertEqual(found.pop("resolv.conf"), 0)
                self.assertEqual({name for name, number in found.items() if number == 0}, set(), found)
                self.assertEqual(set(found), BY_CALLS | BY_LANDLOCK)
                self.assertEqual(sorted(os.listdir(folder)), ["own"])

    def test_the_same_in_a_plain_program_works(self):
        for person in client.people():
            with self.subTest(person=person.name), settings_of(person) as folder:
                plain = [*person.prefix, "env", "-i", *self.tries(person, folder), "getent", "ahosts", HOST]
                with subprocess.Popen(plain, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
                    found = outcomes(process.stderr)
                # The kernel's audit is for root, and so is a signal to root's own process.
                self.assertLessEqual({name for name, number in found.items() if number != 0}, {"packet", "kill"}, found)

    def test_without_landlock_it_still_writes_nothing_and_reaches_no_socket_of_the_machine(self):
        for what in ("landlock", "landlock-off"):
            person = client.people()[1]
            with self.subTest(what=what), settings_of(person) as folder:
                found = self.taken(person, folder, poorer_kernel(what))
                self.assertEqual({name for name in found if found[name] != 0}, BY_CALLS, found)
                self.assertEqual(found["write"], errno.EACCES)

    def test_both_of_its_processes_have_no_capability_and_gain_none(self):
        with Wire({HOST: [80]}) as wire:
            self.assertEqual(status_of(wire.ask(get(HOST))), 200)
            first, second = processes_of(wire.resolver.pid)
            for number in (first, second):
                fields = status_fields(number)
                self.assertEqual((int(fields["CapPrm"], 16), fields["NoNewPrivs"]), (0, "1"))
            self.assertEqual(status_fields(second)["Seccomp"], "2")

    def test_one_that_is_killed_takes_the_other_along(self):
        for which in (0, 1):
            with Wire({HOST: [80]}) as wire:
                self.assertEqual(status_of(wire.ask(get(HOST))), 200)
                both = processes_of(wire.resolver.pid)
                os.kill(both[which], 9)
                wire.resolver.wait(TIMEOUT_S)
                self.assertEqual(refusal_of(wire.ask(get(HOST))), (502, "upstream"))


class FollowsTest(unittest.TestCase):
    """What it reads may be written anew, replaced, linked elsewhere and go while it runs."""

    FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf")  # the rig's own

    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        for path in self.FILES:
            with open(path, encoding="ascii") as file:
                self.addCleanup(self.replace, path, file.read())

    @staticmethod
    def replace(path, text):
        with tempfile.NamedTemporaryFile("w", dir="/etc", delete=False, encoding="ascii") as file:
            file.write(text)
        os.chmod(file.name, 0o644)
        os.rename(file.name, path)

    def answers(self, wire, name=HOST):
        return status_of(wire.ask(get(name))) == 200

    def test_a_resolv_conf_that_is_replaced_is_read_anew_as_often_as_it_is(self):
        with open(self.FILES[0], encoding="ascii") as file:
            good = file.read()
        with Wire({HOST: [80]}) as wire:
            self.assertTrue(self.answers(wire))
            for _ in range(6):
                self.replace(self.FILES[0], "nameserver 127.0.0.9\noptions timeout:1 attempts:1\n")
                self.assertFalse(self.answers(wire))
                self.replace(self.FILES[0], good)
                self.assertTrue(self.answers(wire))
            # Those that were replaced are gone once they have answered.
            self.assertEqual(len(wait_until(lambda: processes_of(wire.resolver.pid), lambda found: len(found) == 2)), 2)

    def test_a_resolv_conf_that_is_written_in_place_is_read_anew(self):
        with open(self.FILES[0], encoding="ascii") as file:
            good = file.read()
        with Wire({HOST: [80]}) as wire:
            self.assertTrue(self.answers(wire))
            for text, answers in ((good.replace("93.184.215.53", "93.184.215.54"), False), (good, True)):
                with open(self.FILES[0], "w", encoding="ascii") as file:
                    file.write(text + "options timeout:1 attempts:1\n")
                self.assertEqual(self.answers(wire), answers)

    def test_lookups_of_one_name_at_once_are_one_question_and_the_next_is_another(self):
        count = 20
        with Wire({HOST: [80]}) as wire:
            self.assertTrue(self.answers(wire))
            asked_once = len(self.net.queries(HOST))
            os.killpg(wire.resolver.pid, signal.SIGSTOP)
            streams = [wire.connect() for _ in range(count)]
            for stream in streams:
                stream.sendall(get(HOST))
            # A reply to one that came behind them: all were taken by then.
            self.assertEqual(refusal_of(wire.ask(get("other.test"))), (403, "host-not-listed"))
            os.killpg(wire.resolver.pid, signal.SIGCONT)
            for stream in streams:
                with stream:
                    self.assertEqual(status_of(read_all(stream)), 200)
            self.assertEqual(len(self.net.queries(HOST)), 2 * asked_once)
            self.assertTrue(self.answers(wire))
            self.assertEqual(len(self.net.queries(HOST)), 3 * asked_once)

    def test_a_link_that_leads_to_a_file_made_later_is_followed(self):
        with open(self.FILES[0], encoding="ascii") as file:
            good = file.read()
        os.makedirs("/run/of-the-net", exist_ok=True)
        os.unlink(self.FILES[0])
        os.symlink("../run/of-the-net/resolv.conf", self.FILES[0])
        with Wire({HOST: [80]}) as wire:
            self.assertFalse(self.answers(wire))
            with open("/run/of-the-net/resolv.conf", "w", encoding="ascii") as file:
                file.write(good)
            self.assertTrue(self.answers(wire))

    def test_a_name_in_hosts_is_asked_of_nobody_and_follows_the_file(self):
        with Wire({"in-hosts.test": [80]}) as wire:
            self.assertFalse(self.answers(wire, "in-hosts.test"))
            self.net.reset()
            self.replace(self.FILES[1], "93.184.215.10 in-hosts.test\n")
            self.assertTrue(self.answers(wire, "in-hosts.test"))
            with open(self.FILES[1], "a", encoding="ascii") as file:
                file.write("2606:2800:77::10 in-hosts.test\n")
            self.assertTrue(self.answers(wire, "in-hosts.test"))
            self.assertEqual(self.net.queries(), [])

    def test_no_other_service_of_nsswitch_conf_is_asked(self):
        for line in ("hosts: resolve [!UNAVAIL=return] files", "hosts: mdns4_minimal [NOTFOUND=return] nosuch"):
            self.replace(self.FILES[2], line + "\n")
            with Wire({HOST: [80], "intra": [80]}) as wire:
                self.assertTrue(self.answers(wire))
                with open(f"/proc/{processes_of(wire.resolver.pid)[1]}/maps", encoding="ascii") as file:
                    self.assertNotIn("libnss", file.read())


if __name__ == "__main__":
    unittest.main()
