# SPDX-License-Identifier: Apache-2.0
"""The gate of a running wire: its limit of calls, the patterns by which it pauses, and the switches in the settings."""

import contextlib
import json
import os
import re
import subprocess
import tempfile
import unittest

from wire_process import RUN_ID, TIMEOUT_S, Wire, connect, field_of, get, read_all, read_head, refusal_of, status_of, wait_until

from rig import capability, client

HOST = "allowed.test"
OTHER = "other.test"
REFUSALS, TARGETS, METADATA_ASKS = 600, 200, 3
MINUTE_S = 90  # of the clock, with room for a slow machine
METADATA = ("169.254.169.254", "metadata.google.internal", "[fd00:ec2::254]", "metadata.test")


def statuses(wire, hosts):
    """Asks for each host on one connection, one request behind the other."""
    asks = b"".join(get(host, close=False) for host in hosts[:-1]) + get(hosts[-1])
    return [int(status) for status in re.findall(rb"HTTP/1.1 (\d+) ", wire.ask(asks))]


class GateTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.settings = folder.name

    def wire(self, hosts=None, **more):
        wire = Wire(hosts or {HOST: [80]}, settings=self.settings, **more)
        self.addCleanup(wire.close)
        return wire

    def switch(self, name):
        return os.path.join(self.settings, "wire", name)

    def turn_on(self, name, text=""):
        with open(self.switch(name), "w", encoding="ascii") as file:
            file.write(text)

    def turn_off(self, name):
        os.unlink(self.switch(name))

    def assert_open(self, wire):
        self.assertEqual(status_of(wire.ask(get(HOST))), 200)

    def assert_closed(self, wire, reason):
        """Every kind of call, and no connection goes on."""
        for raw in (get(HOST, close=False), connect(f"{HOST}:80"), b"GET /_link/x HTTP/1.1\r\nHost: 127.0.0.1:40781\r\n\r\n", get(OTHER, close=False)):
            reply = wire.ask(raw)
            self.assertEqual(refusal_of(reply), (503, reason), raw)
            self.assertIn(b"lnk-sandbox resume", reply)

    def gate_lines(self, wire):
        return [(line["event"], line.get("reason")) for line in wire.log() if line["event"] in ("pause", "resume")]

    def next_word(self, wire):
        return json.loads(wire.control.recv(4096))["gate"]


class Limit(GateTest):
    def limited(self, calls, hosts=None):
        return self.wire(hosts, more={"calls_per_minute": calls})

    def test_the_call_over_the_limit_is_429_until_one_is_free(self):
        wire = self.limited(2)
        self.assert_open(wire)
        with wire.connect() as stream:
            stream.sendall(connect(f"{HOST}:80"))
            self.assertEqual(status_of(read_head(stream)[0]), 200)
        for raw in (get(HOST), connect(f"{HOST}:80")):
            reply = wire.ask(raw)
            self.assertEqual(refusal_of(reply), (429, "too-many-calls"))
            self.assertIn(b"calls_per_minute", reply)
            self.assertIn(int(field_of(reply, "Retry-After")), range(1, 61 + 1))
        # What was refused for itself, or over the limit, is no call: it is free once the first two are a minute old.
        free = wait_until(lambda: status_of(wire.ask(get(HOST))), lambda status: status == 200, MINUTE_S)
        self.assertEqual(free, 200)

    def test_a_refusal_keeps_its_reason_and_is_no_call(self):
        wire = self.limited(1)
        for _ in range(3):
            self.assertEqual(refusal_of(wire.ask(get(OTHER))), (403, "host-not-listed"))
        self.assert_open(wire)
        self.assertEqual(refusal_of(wire.ask(get(HOST))), (429, "too-many-calls"))
        self.assertEqual(refusal_of(wire.ask(get(OTHER))), (403, "host-not-listed"))

    def test_without_a_limit_there_is_none(self):
        wire = self.wire(more={"calls_per_minute": None})
        self.assertEqual(set(statuses(wire, [HOST] * 50)), {200})

    def test_what_is_over_the_limit_pauses_nothing(self):
        wire = self.limited(1)
        self.assertEqual(statuses(wire, [HOST] * (REFUSALS + 100)), [200] + [429] * (REFUSALS + 99))
        self.assertEqual(self.gate_lines(wire), [])

    def test_a_limit_that_can_not_be_ends_it(self):
        for limit in (0, -1, "many", 1 << 33):
            wire = Wire({}, more={"calls_per_minute": limit}, give_listener=False)
            self.assertIn("calls_per_minute", json.loads(wire.control.recv(4096))["failed"])
            wire.close()


class Patterns(GateTest):
    def assert_pauses(self, wire, word, last):
        """`last` is the ask that does it: it gets its own refusal, and the next call is told of the pause."""
        self.assert_open(wire)
        self.assertEqual(self.gate_lines(wire), [])
        self.assertEqual(status_of(wire.ask(last)), 403)
        self.assertEqual(self.next_word(wire), word)
        self.assert_closed(wire, "paused")
        with open(self.switch("test.paused"), encoding="ascii") as file:
            kept = json.load(file)
        self.assertEqual(set(kept), {"reason", "since"})
        self.assertEqual(os.stat(self.switch("test.paused")).st_mode & 0o777, 0o600)
        self.assertEqual(sorted(os.listdir(self.switch(""))), ["test.jsonl", "test.paused"])
        self.turn_off("test.paused")
        self.assert_open(wire)
        self.assertEqual(self.next_word(wire), "resume")
        self.assertEqual(self.gate_lines(wire), [("pause", word), ("resume", None)])

    def test_many_refusals(self):
        wire = self.wire()
        self.assertEqual(statuses(wire, [OTHER] * (REFUSALS - 1)), [403] * (REFUSALS - 1))
        self.assert_pauses(wire, "refusals", get(OTHER))

    def test_many_targets(self):
        wire = self.wire()
        hosts = [f"host{number}.test" for number in range(TARGETS - 1)]
        self.assertEqual(statuses(wire, hosts + hosts), [403] * len(hosts + hosts))  # each asked again counts once
        self.assert_pauses(wire, "targets", get("one-more.test"))

    def test_ports_of_one_host_are_targets(self):
        wire = self.wire()
        statuses(wire, [f"{OTHER}:{port}" for port in range(1000, 1000 + TARGETS - 1)])
        self.assert_pauses(wire, "targets", get(f"{OTHER}:999"))

    def test_asks_for_a_metadata_service_by_name_address_and_what_a_name_resolves_to(self):
        for first in METADATA:
            with self.subTest(first=first), tempfile.TemporaryDirectory() as self.settings:
                wire = Wire({HOST: [80], "metadata.test": [80]}, settings=self.settings)
                self.assertEqual(statuses(wire, [first] * (METADATA_ASKS - 1)), [403] * (METADATA_ASKS - 1))
                self.assert_pauses(wire, "metadata", connect(f"{first}:80"))
                wire.close()

    def test_what_the_outside_failed_pauses_nothing(self):
        wire = self.wire({HOST: [80], "nowhere.test": [80]})
        self.assertEqual(set(statuses(wire, ["nowhere.test"] * (REFUSALS + 1))), {502})
        self.assert_open(wire)

    def test_a_pause_counts_anew_once_it_is_lifted(self):
        wire = self.wire()
        for _ in range(2):
            self.assertEqual(statuses(wire, [METADATA[0]] * METADATA_ASKS), [403] * METADATA_ASKS)
            self.assert_closed(wire, "paused")
            self.turn_off("test.paused")
        self.assert_open(wire)
        self.assertEqual(statuses(wire, [METADATA[0]] * (METADATA_ASKS - 1)), [403] * (METADATA_ASKS - 1))
        self.assert_open(wire)


class Switches(GateTest):
    def test_each_switch_closes_every_call_and_opens_them_again(self):
        wire = self.wire()
        for name, word, reason in (("stopped", "all", "stopped"), ("test.stopped", "stopped", "stopped"), ("test.paused", "paused", "paused")):
            with self.subTest(name=name):
                self.assert_open(wire)
                self.turn_on(name)
                self.assert_closed(wire, reason)
                self.assertEqual(self.next_word(wire), word)
                self.turn_off(name)
                self.assert_open(wire)
                self.assertEqual(self.next_word(wire), "resume")
        self.assertEqual(len(self.gate_lines(wire)), 6)

    def test_the_switches_of_another_name_are_not_its_own(self):
        wire = self.wire()
        for name in ("other.stopped", "other.paused", "test.paused." + RUN_ID):
            self.turn_on(name)
        self.assert_open(wire)

    def test_what_is_open_is_cut_by_each_switch_and_its_lines_are_paired(self):
        for name, reason in (("stopped", "stopped"), ("test.stopped", "stopped"), ("test.paused", "paused")):
            with self.subTest(name=name), tempfile.TemporaryDirectory() as self.settings, contextlib.ExitStack() as stack:
                wire = stack.enter_context(Wire({HOST: [80]}, settings=self.settings))
                streams = {kind: stack.enter_context(wire.connect()) for kind in ("idle", "half", "relay", "slow")}
                for kind in ("idle", "half"):
                    streams[kind].sendall(connect(f"{HOST}:80"))
                    self.assertEqual(status_of(read_head(streams[kind])[0]), 200)
                streams["half"].sendall(f"GET /bytes/100000000000 HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                streams["half"].shutdown(1)  # the way back is all that is left of it, held back by its reader
                streams["relay"].sendall(get(HOST, "/bytes/100000000000"))
                streams["slow"].sendall(get(HOST, "/bytes/100000000000"))  # held back by its reader
                for kind in ("relay", "slow"):
                    self.assertEqual(status_of(read_head(streams[kind])[0]), 200)
                self.turn_on(name)
                for kind in ("idle", "half", "slow", "relay"):
                    read_all(streams[kind])  # to its end, within the socket's patience
                self.assert_closed(wire, reason)
                calls = wait_until(wire.log, lambda lines: sum(line["event"] == "close" for line in lines) == 4)
                opened = sorted(line["id"] for line in calls if line["event"] == "open")
                closed = {line["id"]: line for line in calls if line["event"] == "close"}
                self.assertEqual(opened, sorted(closed))
                self.assertEqual({line["reason"] for line in closed.values()}, {reason})
                self.assertEqual({line["status"] for line in closed.values()}, {200})
                self.turn_off(name)
                self.assert_open(wire)

    def test_a_wire_that_starts_while_its_name_is_paused_is_paused(self):
        os.mkdir(self.switch(""), 0o700)
        self.turn_on("test.paused", '{"reason":"before","since":"2026-01-01T00:00:00.000Z"}\n')
        wire = self.wire()
        self.assertEqual(self.next_word(wire), "paused")
        self.assert_closed(wire, "paused")
        with open(self.switch("test.paused"), encoding="ascii") as file:
            self.assertIn("before", file.read())
        self.turn_off("test.paused")
        self.assert_open(wire)

    def test_two_wires_of_one_name_share_their_switches(self):
        one, two = self.wire(), self.wire()
        with two.connect() as stream:
            stream.sendall(connect(f"{HOST}:80"))
            self.assertEqual(status_of(read_head(stream)[0]), 200)
            statuses(one, [METADATA[0]] * METADATA_ASKS)
            self.assertEqual(read_all(stream), b"")
        self.assertEqual((self.next_word(one), self.next_word(two)), ("metadata", "paused"))
        for wire in (one, two):
            self.assert_closed(wire, "paused")
        self.turn_off("test.paused")
        for wire in (one, two):
            self.assert_open(wire)

    def test_a_switch_that_can_not_be_told_stops_and_says_so(self):
        wire = self.wire()

        def folder():
            os.mkdir(self.switch("test.stopped"))
            return lambda: os.rmdir(self.switch("test.stopped"))

        def link():
            os.symlink("/nowhere", self.switch("test.paused"))
            return lambda: self.turn_off("test.paused")

        def written_by_others():
            self.turn_on("stopped")
            os.chmod(self.switch("stopped"), 0o666)
            return lambda: self.turn_off("stopped")

        def moved():
            os.rename(self.switch(""), os.path.join(self.settings, "aside"))
            return lambda: os.rename(os.path.join(self.settings, "aside"), self.switch(""))

        for fault in (folder, link, written_by_others, moved):
            with self.subTest(fault=fault.__name__):
                self.assert_open(wire)
                mend = fault()
                reply = wire.ask(get(HOST))
                self.assertEqual(refusal_of(reply), (503, "stopped"))
                self.assertIn(b"can't be told", reply)
                self.assertEqual(self.next_word(wire), "unreadable")
                mend()
                self.assert_open(wire)
                self.assertEqual(self.next_word(wire), "resume")

    def test_each_person_is_stopped_and_paused_with_landlock_and_without(self):
        support = os.environ.get("LNK_TEST_SUPPORT", "")
        poorer = os.path.join(support, "poorer_kernel")
        for person in client.people():
            for prefix in ((), (poorer, "landlock", "--")) if os.path.exists(poorer) else ((),):
                with self.subTest(person=person.name, prefix=prefix), tempfile.TemporaryDirectory(dir=person.home) as self.settings:
                    person.give(self.settings)
                    with Wire({HOST: [80]}, settings=self.settings, prefix=(*person.prefix, *prefix)) as wire:
                        self.assert_open(wire)
                        statuses(wire, [METADATA[0]] * METADATA_ASKS)
                        self.assert_closed(wire, "paused")
                        self.turn_off("test.paused")
                        self.assert_open(wire)
                        self.turn_on("stopped")
                        person.give(self.switch("stopped"))
                        self.assert_closed(wire, "stopped")


class FullDisk(GateTest):
    """The settings on a disk of the wire's own mount namespace that holds no further file."""

    def test_a_pause_that_can_not_be_kept_holds_and_is_kept_once_it_can(self):
        files = 3  # the disk's top, the folder and its log
        disk = f'mount -t tmpfs -o mode=700,nr_inodes={files} settings {self.settings} && exec "$@"'
        wire = self.wire(prefix=("unshare", "--mount", "--", "sh", "-c", disk, "sh"))
        self.assertEqual(wire.ready, {"ready": True})
        inside = f"/proc/{wire.process.pid}/root{self.settings}/wire/test.paused"
        self.assert_open(wire)
        statuses(wire, [METADATA[0]] * METADATA_ASKS)
        self.assertEqual((self.next_word(wire), self.next_word(wire)), ("metadata", "unwritten"))
        self.assertFalse(os.path.exists(inside))
        self.assert_closed(wire, "paused")
        more = ["nsenter", f"--mount=/proc/{wire.process.pid}/ns/mnt", "mount", "-o", f"remount,nr_inodes={files + 5}", self.settings]
        subprocess.run(more, check=True, timeout=TIMEOUT_S)
        self.assertTrue(wait_until(lambda: os.path.exists(inside), bool))
        self.assert_closed(wire, "paused")
        os.unlink(inside)
        self.assert_open(wire)


if __name__ == "__main__":
    unittest.main()
