# SPDX-License-Identifier: Apache-2.0
"""Sockets that listen inside and lead to a port of this machine's loopback: bytes as they are, and a call like any."""

import array
import contextlib
import json
import os
import socket
import threading
import unittest

from wire_process import RUN_ID, TIMEOUT_S, Wire, connect, read_all, refusal_of, wait_until

from rig import capability
from rig.loopback import Server

BULK_BYTES = 16 << 20
MOST_GROWTH_KIB = 4 << 10


def echo(greeting=b""):
    """Answers a connection, once its client has ended, with what it sent; the greeting goes out first."""
    def answer(stream):
        stream.sendall(greeting)
        stream.sendall(read_all(stream))
    return answer


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class CarriedTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.server = self.serving()

    def serving(self, *where, greeting=b""):
        server = Server(echo(greeting), *where)
        self.addCleanup(server.close)
        return server

    def wire(self, *ports, **more):
        wire = Wire({}, more={"localhost": [self.server.port, *ports], **more})
        self.addCleanup(wire.close)
        return wire

    def carry(self, wire, port):
        """The place of a listener that leads there."""
        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.addCleanup(listener.close)
        packet = json.dumps({"listen": {"kind": "localhost", "port": port}}).encode()
        wire.control.sendmsg([packet], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [listener.fileno()]))])
        return listener.getsockname()

    @staticmethod
    def say(place, data):
        """What comes back once all was sent and ended."""
        with socket.create_connection(place, timeout=TIMEOUT_S) as stream:
            stream.sendall(data)
            stream.shutdown(socket.SHUT_WR)
            return read_all(stream)

    def lines(self, wire):
        return [(line["event"], line["verb"], line["host"], line["port"], line.get("reason")) for line in wire.log()]

    def test_bytes_go_both_ways_as_they_are_and_an_end_is_passed_on(self):
        wire = self.wire()
        data = os.urandom(100_000)
        self.assertEqual(self.say(self.carry(wire, self.server.port), data), data)
        wire.closed_calls(1)
        self.assertEqual(self.lines(wire), [(event, "localhost", "localhost", self.server.port, None) for event in ("open", "close")])
        opened, closed = wire.log()
        self.assertEqual((opened["run"], opened["id"], "status" in opened), (RUN_ID, closed["id"], False))
        self.assertEqual((closed["in"], closed["out"]), (len(data), len(data)))

    def test_a_server_that_speaks_first_is_heard(self):
        server = self.serving(greeting=b"+OK ready\r\n")
        with socket.create_connection(self.carry(self.wire(server.port), server.port), timeout=TIMEOUT_S) as stream:
            self.assertEqual(stream.recv(100), b"+OK ready\r\n")

    def test_a_server_on_the_other_loopback_alone_is_reached(self):
        server = self.serving("::1")
        self.assertEqual(self.say(self.carry(self.wire(server.port), server.port), b"six"), b"six")

    def test_a_port_that_nobody_listens_on_closes_the_connection(self):
        port = free_port()
        wire = self.wire(port)
        self.assertEqual(self.say(self.carry(wire, port), b""), b"")
        wire.closed_calls(1)
        self.assertEqual(self.lines(wire), [("refused", "localhost", "localhost", port, "upstream")])

    def test_the_proxy_reaches_no_loopback_whatever_is_carried(self):
        wire = self.wire()
        place = self.carry(wire, self.server.port)
        for host in ("localhost", "127.0.0.1", "[::1]"):
            reply = wire.ask(connect(f"{host}:{self.server.port}"))
            self.assertEqual(refusal_of(reply), (403, "closed-address"))
            self.assertIn(f"localhost:{self.server.port}".encode(), reply)  # where it is
        self.assertEqual(self.server.count, 0)
        self.assertEqual(self.say(place, b"x"), b"x")

    def test_many_at_once_are_apart(self):
        wire, failures = self.wire(), []
        place = self.carry(wire, self.server.port)

        def one(number):
            data = bytes([number]) * 200_000
            if self.say(place, data) != data:
                failures.append(number)

        threads = [threading.Thread(target=one, args=(number,)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT_S)
        self.assertEqual(failures, [])
        events = [line["event"] for line in wire.closed_calls(16)]
        self.assertEqual(events, ["close"] * 16)

    def test_a_slow_end_holds_the_other_back(self):
        wire = self.wire()
        place = self.carry(wire, self.server.port)
        before = wire.memory_kib()
        with socket.create_connection(place, timeout=TIMEOUT_S) as stream:
            stream.sendall(bytes(BULK_BYTES))
            stream.shutdown(socket.SHUT_WR)
            first = stream.recv(1)  # all has come there, and starts to come back
            self.assertLess(wire.memory_kib() - before, MOST_GROWTH_KIB)
            self.assertEqual(len(first + read_all(stream)), BULK_BYTES)

    def test_a_connection_is_a_call_that_the_limit_counts(self):
        wire = self.wire(calls_per_minute=2)
        place = self.carry(wire, self.server.port)
        self.assertEqual([self.say(place, b"x") for _ in range(2)], [b"x", b"x"])
        self.assertEqual(self.say(place, b""), b"")
        self.assertEqual(wire.closed_calls(3)[-1]["reason"], "too-many-calls")
        self.assertEqual(self.server.count, 2)

    def test_a_switch_cuts_it_and_closes_the_next(self):
        wire = self.wire()
        place = self.carry(wire, self.server.port)
        with socket.create_connection(place, timeout=TIMEOUT_S) as stream:
            stream.sendall(b"begun")
            wait_until(lambda: self.server.count, lambda count: count == 1)
            switch = os.path.join(wire.settings, "wire", "test.stopped")
            with open(switch, "w", encoding="ascii"):
                pass
            self.assertEqual(read_all(stream), b"")
        self.assertEqual(self.say(place, b""), b"")
        self.assertEqual([line.get("reason") for line in wire.closed_calls(2)], ["stopped", "stopped"])
        self.assertEqual(self.server.count, 1)
        os.unlink(switch)
        self.assertEqual(self.say(place, b"again"), b"again")

    def test_clients_that_vanish_leave_nothing(self):
        wire = self.wire()
        place = self.carry(wire, self.server.port)
        self.assertEqual(self.say(place, b"x"), b"x")
        wire.closed_calls(1)
        before = wire.descriptors()
        for _ in range(20):
            stream = socket.create_connection(place, timeout=TIMEOUT_S)
            stream.sendall(b"half")
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            stream.close()
        self.assertEqual(len(wire.closed_calls(21)), 21)
        self.assertLessEqual(wait_until(wire.descriptors, lambda count: count <= before), before)

    def test_what_the_front_never_says_ends_the_wire(self):
        # The last is a port that the configuration doesn't name.
        for use in ({"kind": "host", "port": 1}, {"kind": "localhost", "port": 0}, {"kind": "localhost", "port": 65536}, {"kind": "localhost"},
                    {"kind": "localhost", "port": "1"}, {"kind": "localhost", "port": 1, "host": "a"}, ["localhost", 1], None, "tcp",
                    {"kind": "localhost", "port": 2}):
            wire = Wire({}, more={"localhost": [1]}, give_listener=False)
            wire.hand_over(json.dumps({"listen": use}))
            self.assertIn("failed", json.loads(wire.control.recv(4096)), use)
            wire.close()

    def test_a_stop_while_the_first_address_is_waited_for_leaves_the_second_alone(self):
        full = socket.create_server(("127.0.0.1", 0), backlog=0)
        port = full.getsockname()[1]
        with contextlib.ExitStack() as stack:
            stack.enter_context(full)
            second = stack.enter_context(socket.create_server(("::1", port), family=socket.AF_INET6))
            for _ in range(4):  # the queue is full, and who asks waits
                waiting = stack.enter_context(socket.socket())
                waiting.setblocking(False)
                waiting.connect_ex(("127.0.0.1", port))
            wire = self.wire(port)
            before = asking(port)
            stack.enter_context(socket.create_connection(self.carry(wire, port)))
            self.assertEqual(wait_until(lambda: asking(port), lambda count: count > before), before + 1)
            with open(os.path.join(wire.settings, "wire", "test.stopped"), "w", encoding="ascii") as file:
                os.chmod(file.name, 0o600)
            self.assertEqual([line["reason"] for line in wire.closed_calls(1)], ["stopped"])
            second.setblocking(False)
            self.assertRaises(BlockingIOError, second.accept)


def asking(port):
    """Connections to that port of 127.0.0.1 that nobody has taken yet."""
    with open("/proc/net/tcp", encoding="ascii") as file:
        rows = [line.split() for line in file][1:]
    return sum(row[2] == f"0100007F:{port:04X}" and row[3] == "02" for row in rows)


if __name__ == "__main__":
    unittest.main()
