# SPDX-License-Identifier: Apache-2.0
"""Machines that [lan] names, through a running wire: each at its port, and never this machine or a metadata service."""

import subprocess
import unittest

from wire_process import Wire, connect, get, read_all, read_head, refusal_of, status_of

from rig import capability, client
from rig.internet import GATEWAY_4, GATEWAY_6, MACHINE_4, MACHINE_6, METADATA

CLOSED = (403, "closed-address")
OPEN = (200, None)


def machine(name, address=""):
    """Of "name" or "name:port", as the front lists it; port 80 where none is named."""
    host, _, port = name.rpartition(":")
    has_port = port.isdigit() and host and not name.endswith("]")
    return {"name": host if has_port else name, "port": int(port) if has_port else 80, "address": address}


class LanTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()

    def wire(self, *names, hosts=None, pinned=None):
        listed = [machine(name) for name in names] + [machine(*each) for each in (pinned or {}).items()]
        wire = Wire(hosts or {}, more={"machines": listed})
        self.addCleanup(wire.close)
        return wire

    def addresses(self):
        return [one["address"] for one in self.net.connections()]

    def test_a_machine_is_reached_by_its_private_address(self):
        wire = self.wire(GATEWAY_4, f"{GATEWAY_4}:8080", f"[{GATEWAY_6}]")
        reply = wire.ask(get(GATEWAY_4))
        self.assertEqual((status_of(reply), reply.endswith(b"hello from 192.168.77.1\n")), (200, True), reply)
        self.assertEqual(refusal_of(wire.ask(get(f"[{GATEWAY_6}]"))), OPEN)
        with wire.connect() as stream:
            stream.sendall(connect(f"{GATEWAY_4}:8080"))
            self.assertEqual(status_of(read_head(stream)[0]), 200)
            stream.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            self.assertTrue(read_all(stream).endswith(b"hello from x\n"))
        self.assertEqual(self.addresses(), [GATEWAY_4, GATEWAY_6, GATEWAY_4])
        lines = [(line["event"], line["verb"], line["host"], line["port"]) for line in wire.closed_calls(3)]
        self.assertEqual(lines, [("close", "http", GATEWAY_4, 80), ("close", "http", GATEWAY_6, 80), ("close", "connect", GATEWAY_4, 8080)])

    def test_another_port_and_another_machine_stay_closed(self):
        wire = self.wire(GATEWAY_4)
        for raw in (get(f"{GATEWAY_4}:8080"), connect(f"{GATEWAY_4}:443"), get("192.168.77.3"), connect("10.0.0.1:80"), get(f"[{GATEWAY_6}]"),
                    get(f"[::ffff:{GATEWAY_4}]"), get("private.test")):
            self.assertIn(wire.ask(raw).partition(b" ")[2][:3], (b"403", b"400"), raw)
        self.assertEqual(self.addresses(), [])
        self.assertEqual(self.net.queries(), [])
        self.assertEqual(refusal_of(wire.ask(get(GATEWAY_4))), OPEN)

    def test_a_name_is_looked_up_and_may_be_private_or_public(self):
        hosts = {"private.test": [80]}
        self.assertEqual(refusal_of(self.wire(hosts=hosts).ask(get("private.test"))), CLOSED)
        wire = self.wire("private.test", "allowed.test", "mixed.test", hosts=hosts)
        for name in ("private.test", "allowed.test", "mixed.test"):
            self.assertEqual(refusal_of(wire.ask(get(name))), OPEN, name)
        self.assertEqual(self.addresses()[0], GATEWAY_4)

    def test_a_neighbour_with_a_public_address_is_reached_where_it_is_named(self):
        self.net.set_name("near.test", ["93.184.215.100"])
        subprocess.run(["ip", "route", "add", "93.184.215.96/28", "dev", "wan"], check=True)
        self.addCleanup(subprocess.run, ["ip", "route", "del", "93.184.215.96/28", "dev", "wan"], check=True)
        self.assertEqual(refusal_of(self.wire(hosts={"near.test": [80]}).ask(get("near.test"))), CLOSED)
        self.assertEqual(refusal_of(self.wire("near.test").ask(get("near.test"))), OPEN)

    def test_this_machine_is_closed_by_each_of_its_addresses_though_it_is_named(self):
        names = ("loopback.test", "machine.test", "mapped.test", "localhost", "127.0.0.1", MACHINE_4, f"[{MACHINE_6}]", "[::1]", "0.0.0.0")
        wire = self.wire(*names)
        for name in names:
            reply = wire.ask(get(name))
            self.assertEqual(refusal_of(reply), CLOSED, name)
            if name in ("machine.test", MACHINE_4, f"[{MACHINE_6}]"):
                self.assertIn(b"is this machine,", reply)

    def test_a_metadata_service_is_closed_though_it_is_named(self):
        names = ("metadata.test", METADATA)
        wire = self.wire(*names, GATEWAY_4)
        for name in names:
            self.assertEqual(refusal_of(wire.ask(get(name))), CLOSED, name)
        self.assertEqual(self.addresses(), [])
        self.assertEqual(refusal_of(wire.ask(get(GATEWAY_4))), OPEN)
        # They are asks for one, as the gate counts them.
        self.assertEqual(refusal_of(wire.ask(get(names[0]))), CLOSED)
        self.assertEqual(refusal_of(wire.ask(get(GATEWAY_4))), (503, "paused"))

    def test_a_name_that_turns_opens_nothing_of_this_machine(self):
        wire = self.wire("turning.test", "both.test")
        for closed in ("127.0.0.1", MACHINE_4, METADATA):
            self.net.set_name("turning.test", [GATEWAY_4], then=[closed])
            self.assertEqual(refusal_of(wire.ask(get("turning.test"))), OPEN)
            self.assertEqual(refusal_of(wire.ask(get("turning.test"))), CLOSED, closed)
        self.net.set_name("both.test", [GATEWAY_4, "127.0.0.1"])
        self.assertEqual(refusal_of(wire.ask(get("both.test"))), CLOSED)
        self.assertEqual(self.addresses(), [GATEWAY_4] * 3)

    def test_a_pinned_name_is_never_looked_up(self):
        wire = self.wire(pinned={"nas.local": GATEWAY_4})
        self.assertEqual(refusal_of(wire.ask(get("nas.local"))), OPEN)
        self.assertEqual((self.addresses(), self.net.queries()), ([GATEWAY_4], []))
        for raw in (get("nas.local:8080"), get("other.local"), get("a.nas.local")):
            reply = wire.ask(raw)
            self.assertEqual(refusal_of(reply), (403, "host-not-listed"))
            self.assertIn(b"to machines under [lan]", reply)

    def test_a_pinned_address_is_checked_as_any(self):
        wire = self.wire(pinned={"a.local": "127.0.0.1", "b.local": MACHINE_4, "c.local": METADATA})
        for name in ("a.local", "b.local", "c.local"):
            self.assertEqual(refusal_of(wire.ask(get(name))), CLOSED, name)

    def test_a_pinned_address_where_nobody_answers_is_told_with_it(self):
        reply = self.wire(pinned={"nas.local:81": GATEWAY_4}).ask(connect("nas.local:81"))
        self.assertEqual(refusal_of(reply), (502, "upstream"))
        self.assertIn(f"at {GATEWAY_4}, the address that was approved".encode(), reply)


if __name__ == "__main__":
    unittest.main()
