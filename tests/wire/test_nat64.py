# SPDX-License-Identifier: Apache-2.0
"""A network that reaches IPv4 from IPv6 by a prefix of its own: what is closed is closed in that form too, and what is open is reached."""

import unittest

from wire_process import Wire, connect, get, refusal_of, status_of

from rig import capability, client
from rig.names import AAAA

# In the rig's own IPv6 network, so that what would be sent there is seen: the prefix is 2606:2800:77::/96.
PREFIX = "2606:2800:77::"
PROBE, PROBED = "ipv4only.arpa", ["192.0.0.170", "192.0.0.171", PREFIX + "192.0.0.170", PREFIX + "192.0.0.171"]
CLOSED = ["10.0.0.1", "127.0.0.1", "169.254.169.254", "192.168.77.1", "192.168.77.2", "100.64.0.1", "224.0.0.1", "0.0.0.0", "168.63.129.16"]
OPEN = "93.184.215.14"


class Nat64(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        self.names = {f"n{number}.test": address for number, address in enumerate(CLOSED)}
        for name, address in self.names.items():
            self.net.set_name(name, [PREFIX + address])
        self.net.set_name("open.test", [PREFIX + OPEN])
        self.addCleanup(self.net.drop_name, PROBE)

    def wire(self):
        hosts = [*self.names, "open.test", "allowed.test", *(PREFIX + address for address in CLOSED), PREFIX + OPEN]
        return Wire({host: [80] for host in hosts})

    def test_a_closed_address_in_the_networks_prefix_is_closed_and_an_open_one_is_reached(self):
        self.net.set_name(PROBE, PROBED)
        with self.wire() as wire:
            for name, address in self.names.items():
                for raw in (get(name), connect(f"{name}:80"), get(f"[{PREFIX}{address}]")):
                    wire.resume()
                    self.assertEqual(refusal_of(wire.ask(raw)), (403, "closed-address"), address)
            self.assertEqual(self.net.connections(), [])
            wire.resume()
            self.assertEqual(status_of(wire.ask(get("open.test"))), 200)
            self.assertEqual(status_of(wire.ask(get(f"[{PREFIX}{OPEN}]"))), 200)
            self.assertEqual([query["type"] for query in self.net.queries(PROBE)], ["AAAA"])  # once

    def test_without_such_a_network_the_same_addresses_are_addresses_like_any(self):
        self.net.drop_name(PROBE)
        with self.wire() as wire:
            for name in self.names:
                self.assertEqual(status_of(wire.ask(get(name))), 200)

    def test_it_is_asked_of_nobody_until_an_ipv6_address_is_connected_to(self):
        with self.wire() as wire:
            self.assertEqual(status_of(wire.ask(get("allowed.test"))), 200)
            self.assertEqual(refusal_of(wire.ask(get("other.test"))), (403, "host-not-listed"))
            self.assertEqual(self.net.queries(PROBE), [])
            wire.ask(get("open.test"))
            self.assertNotEqual(self.net.queries(PROBE), [])

    def test_where_it_can_not_be_asked_no_ipv6_address_is_connected_to_and_ipv4_ones_are(self):
        with Wire({PREFIX + OPEN: [80], "93.184.215.10": [80]}) as wire:
            wire.resolver.kill()
            wire.resolver.wait()
            self.assertEqual(refusal_of(wire.ask(get(f"[{PREFIX}{OPEN}]"))), (502, "upstream"))
            self.assertEqual(status_of(wire.ask(get("93.184.215.10"))), 200)
        self.assertEqual({one["address"] for one in self.net.connections()}, {"93.184.215.10"})

    def test_where_addresses_of_ipv6_alone_can_not_be_asked_for_none_is_connected_to_either(self):
        self.net.set_name(PROBE, ["192.0.0.170", "192.0.0.171"])
        with Wire({PREFIX + OPEN: [80]}) as wire:
            self.net.set_failing(PROBE, AAAA)
            self.assertEqual(refusal_of(wire.ask(get(f"[{PREFIX}{OPEN}]"))), (502, "upstream"))
            self.assertEqual(self.net.connections(), [])
            self.net.reset()
            self.net.set_name(PROBE, ["192.0.0.170", "192.0.0.171"])
            self.assertEqual(status_of(wire.ask(get(f"[{PREFIX}{OPEN}]"))), 200)


if __name__ == "__main__":
    unittest.main()
