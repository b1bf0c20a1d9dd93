# SPDX-License-Identifier: Apache-2.0
"""The wire as a process: what it says to its front, what it may do once it serves, what its log is, and when it ends."""

import contextlib
import json
import os
import signal
import stat
import subprocess
import tempfile
import time
import unittest

from wire_process import PARTS, RUN_ID, TIMEOUT_S, Wire, connect, get, read_head, refusal_of, status_of, wait_until

from rig import capability, client

HOST = "allowed.test"
SUPPORT = os.environ.get("LNK_TEST_SUPPORT", os.path.join(PARTS, "..", "..", "bin"))
LOG_BYTES_MAX = 10 << 20


def status_fields(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return {line.partition(":")[0]: line.partition(":")[2].strip() for line in file}


def poorer_kernel(*what):
    program = os.path.join(SUPPORT, "poorer_kernel")
    if not os.path.exists(program):
        capability.lack("poorer_kernel", f"{program} is not built")
    return (program, *what, "--")


@contextlib.contextmanager
def settings_of(person):
    """A settings folder that is the person's."""
    with tempfile.TemporaryDirectory(dir=person.home) as folder:
        person.give(folder)
        yield folder


class ProcessTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()

    def test_it_is_ready_once_it_has_a_socket_and_is_confined(self):
        with Wire({HOST: [80]}) as wire:
            self.assertEqual(wire.ready, {"ready": True})
            fields = status_fields(wire.process.pid)
            self.assertEqual((fields["NoNewPrivs"], fields["Seccomp"], fields["Threads"]), ("1", "2", "1"))

    def test_it_maps_no_tls_library_and_no_boost(self):
        with Wire({HOST: [80]}) as wire:
            with open(f"/proc/{wire.process.pid}/maps", encoding="ascii") as file:
                maps = file.read()
        for library in ("libssl", "libcrypto", "libboost", "libstdc++", "tls.so"):
            self.assertNotIn(library, maps)

    def test_it_takes_a_second_socket(self):
        with Wire({HOST: [80]}) as wire:
            wire.hand_over()
            self.assertEqual(status_of(wire.ask(get(HOST))), 200)

    def test_it_ends_with_its_control_socket_and_cuts_what_is_open(self):
        wire = Wire({HOST: [80]})
        with wire.connect() as stream:
            stream.sendall(connect(f"{HOST}:80"))
            read_head(stream)
            wire.control.close()
            self.assertEqual(wire.process.wait(TIMEOUT_S), 0)
            self.assertEqual(wire.resolver.wait(TIMEOUT_S), 0)
            self.assertEqual(stream.recv(10), b"")
        wire.close()

    def test_it_survives_the_signals_of_a_terminal(self):
        with Wire({HOST: [80]}) as wire:
            self.assertEqual(status_of(wire.ask(get(HOST))), 200)  # both have come to where they ignore them
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP):
                wire.process.send_signal(number)
                wire.resolver.send_signal(number)
            self.assertEqual(status_of(wire.ask(get(HOST))), 200)

    def test_a_configuration_that_can_not_be_is_said_in_words_and_ends_it(self):
        for more, words in (({"hosts": [{"name": "a b", "ports": [80]}]}, "a b"), ({"hosts": [{"name": "a.test", "ports": [0]}]}, "port"),
                            ({"port": 0}, "port"), ({"settings": "/nowhere"}, "/nowhere")):
            wire = Wire({}, more=more, give_listener=False)
            answer = json.loads(wire.control.recv(4096))
            self.assertIn(words, answer["failed"])
            wire.close()
            self.assertEqual(wire.process.returncode, 1)

    def test_an_order_that_it_does_not_know_ends_it(self):
        wire = Wire({HOST: [80]})
        wire.hand_over('{"loosen":"all"}')
        self.assertIn("failed", json.loads(wire.control.recv(4096)))
        wire.close()
        self.assertEqual(wire.process.returncode, 1)

    def test_a_resolver_that_dies_leaves_no_way_out_by_name_and_the_rest_goes_on(self):
        with Wire({HOST: [80], "93.184.215.10": [80]}) as wire:
            wire.resolver.kill()
            wire.resolver.wait()
            self.assertEqual(refusal_of(wire.ask(get(HOST))), (502, "upstream"))
            self.assertEqual(status_of(wire.ask(get("93.184.215.10"))), 200)

    def test_others_of_its_user_can_not_read_its_memory(self):
        with Wire({HOST: [80]}) as wire:
            about = os.stat(f"/proc/{wire.process.pid}/mem")
            self.assertEqual(about.st_uid, 0)
            for pid in (wire.process.pid, wire.resolver.pid):
                limits = subprocess.run(["setpriv", "--reuid=65534", "--clear-groups", "--", "cat", f"/proc/{pid}/environ"], capture_output=True,
                                        check=False)
                self.assertNotEqual(limits.returncode, 0)

    def test_the_folder_and_the_log_are_the_persons_alone(self):
        with Wire({HOST: [80]}) as wire:
            wire.ask(get(HOST))
            modes = [stat.S_IMODE(os.stat(os.path.join(wire.settings, *parts)).st_mode) for parts in (("wire",), ("wire", "test.jsonl"))]
            self.assertEqual(modes, [0o700, 0o600])
            self.assertEqual({line["run"] for line in wire.log()}, {RUN_ID})

    def test_a_full_log_is_turned_over_and_five_are_kept(self):
        with Wire({HOST: [80]}, name="full") as wire:
            folder = os.path.join(wire.settings, "wire")
            for turn in range(7):
                with open(os.path.join(folder, "full.jsonl"), "ab") as file:
                    file.write(b"%d\n" % turn + b"x" * LOG_BYTES_MAX)
                wire.ask(get(f"other{turn}.test"))
            names = sorted(os.listdir(folder))
            self.assertEqual(names, ["full.jsonl"] + [f"full.jsonl.{number}" for number in range(1, 6)])
            self.assertEqual([line["event"] for line in wire.log()], ["refused", "turned-over"])
            with open(os.path.join(folder, "full.jsonl.1"), "rb") as file:
                self.assertTrue(file.readline().endswith(b"}\n"))

    def test_two_wires_of_one_name_share_a_log_that_is_turned_over_under_them(self):
        with tempfile.TemporaryDirectory() as settings, Wire({HOST: [80]}, settings=settings) as one, Wire({HOST: [80]}, settings=settings) as two:
            one.ask(get("other.test"))
            two.ask(get("other.test"))
            self.assertEqual(len(one.log()), 2)
            with open(os.path.join(settings, "wire", "test.jsonl"), "ab") as file:
                file.write(b"x" * LOG_BYTES_MAX + b"\n")
            for wire in (one, two, one):
                wire.ask(get("other.test"))
            self.assertEqual(sorted(os.listdir(os.path.join(settings, "wire"))), ["test.jsonl", "test.jsonl.1"])
            self.assertEqual([line["event"] for line in one.log()], ["refused", "turned-over", "refused", "refused"])

    def test_refusals_that_repeat_are_counted_and_a_flood_hides_no_host_that_was_spoken_to(self):
        with tempfile.TemporaryDirectory() as settings:
            with Wire({HOST: [80]}, settings=settings) as wire:
                for _ in range(25):
                    wire.ask(get("other.test"))
                for number in range(3100):  # a pause, which answers all but the first, hides nothing either
                    wire.ask(get(f"flood{number}.test"))
                wire.resume()
                self.assertEqual(status_of(wire.ask(get(HOST))), 200)
            lines = wire.log()
        self.assertEqual(len([line for line in lines if line.get("host") == "other.test"]), 11)
        other, = [line for line in lines if line.get("host") == "other.test" and "count" in line]
        self.assertEqual((other["event"], other["reason"], other["count"]), ("refused", "host-not-listed", 15))
        self.assertLessEqual(other["first"], other["t"])
        spoken, = [line for line in lines if line.get("host") == HOST]
        self.assertEqual((spoken["event"], spoken["verb"], spoken["count"]), ("calls", "http", 1))
        self.assertGreater(spoken["in"], 0)
        self.assertEqual([line["count"] for line in lines if line["event"] == "left-out"], [3100 - (3000 - 10 - 1)])

    def test_it_serves_each_person_with_landlock_and_without(self):
        for person in client.people():
            for poorer in ((), poorer_kernel("landlock"), poorer_kernel("landlock-off")):
                with self.subTest(person=person.name, poorer=poorer), settings_of(person) as settings:
                    with Wire({HOST: [80]}, settings=settings, prefix=(*person.prefix, *poorer)) as wire:
                        self.assertEqual(wire.ready, {"ready": True})
                        self.assertEqual(status_of(wire.ask(get(HOST))), 200)
                        self.assertEqual([line["event"] for line in wire.log()][:1], ["open"])
                        self.assertEqual(status_fields(wire.process.pid)["NoNewPrivs"], "1")
                        if poorer:
                            root = f"/proc/{wire.process.pid}/root"
                            self.assertEqual(os.listdir(root), [settings.split("/")[1]])
                            self.assertEqual(os.listdir(root + settings), ["wire"])

    def test_where_it_can_not_confine_itself_it_refuses_to_start_in_words(self):
        person = client.people()[1]
        with settings_of(person) as settings:
            wire = Wire({HOST: [80]}, settings=settings, prefix=(*person.prefix, *poorer_kernel("landlock", "userns")))
            self.assertIn("Landlock", wire.ready.get("failed", ""))
            wire.close()
            self.assertEqual(wire.process.returncode, 1)


class SlowTest(unittest.TestCase):
    """Deadlines, in real time: all at once, so that the file takes as long as the longest."""

    def test_a_head_that_is_not_whole_in_30_seconds_is_408(self):
        capability.need("rig")
        with Wire({HOST: [80]}) as wire:
            start = time.monotonic()
            streams = {name: wire.connect() for name in ("silent", "half")}
            streams["half"].sendall(b"GET http://allowed.test/ HTTP/1.1\r\nHost: all")
            for stream in streams.values():
                stream.settimeout(45)
                self.assertEqual(refusal_of(read_head(stream)[0] + b"\r\n\r\n"), (408, "too-slow"))
                self.assertGreaterEqual(time.monotonic() - start, 30)
                stream.close()
            self.assertLess(time.monotonic() - start, 35)

    def test_a_body_that_stalls_for_60_seconds_is_408_and_never_whole_outside(self):
        capability.need("rig")
        net = client.Internet()
        net.reset()
        with Wire({HOST: [80]}) as wire:
            head = f"POST http://{HOST}/echo HTTP/1.1\r\nHost: {HOST}\r\n".encode()
            bodies = (b"Content-Length: 5\r\n\r\nhell", b"Content-Length: 5\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                      b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n")
            streams = [wire.connect() for _ in bodies]
            for stream, body in zip(streams, bodies):
                stream.settimeout(90)
                stream.sendall(head + body)
            for stream in streams:
                self.assertEqual(refusal_of(read_head(stream)[0] + b"\r\n\r\n"), (408, "too-slow"))
                stream.close()
            ended = wait_until(net.connections, lambda found: len(found) == len(bodies) and all(one["ended"] for one in found))
            self.assertEqual(len(ended), len(bodies))
            self.assertEqual([one for one in net.requests() if one["raw"].endswith(b"0\r\n\r\n") or one["body"] == b"hello" and
                              b"Content-Length" in one["raw"]], [])


if __name__ == "__main__":
    unittest.main()
