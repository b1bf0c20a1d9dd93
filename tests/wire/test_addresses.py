# SPDX-License-Identifier: Apache-2.0
"""Every special range through the running wire, to both of its ends, by address and by name, though all of it is listed: closed with
nothing sent and, by address, nothing asked. The neighbours outside each range are the parts' own tests; here the twin is one open place."""

import ipaddress
import unittest

from wire_process import Wire, connect, get, refusal_of, status_of

from rig import capability, client

RANGES_4 = ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
            "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
            "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32", "168.63.129.16/32"]
RANGES_6 = ["::/128", "::1/128", "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23",
            "2001::/32", "2001:1::1/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28", "2001:20::/28", "2001:30::/28",
            "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "4000::/3",
            "1000::/4", "8000::/2", "fd00:ec2::/32", "fd20:ce::254/128", "fd00:c1::a9fe:a9fe/128", "fd00:100::100:200/128", "fd00:a9fe:a9fe::1/128",
            "fd00:42::42/128", "fe80::a9fe:a9fe/128"]
METADATA_4 = ["169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.42.42", "169.254.0.23", "169.254.10.10", "100.100.100.200", "192.0.0.192"]
WITHIN = ["2002:a9fe:a9fe::1", "64:ff9b::a9fe:a9fe", "::ffff:a9fe:a9fe", "2606:2800:77::5efe:7f00:1", "2606:2800:77::200:5efe:a00:1"]
OPEN_4, OPEN_6 = "93.184.215.10", "2606:2800:77::10"


def ends(ranges):
    for text in ranges:
        network = ipaddress.ip_network(text)
        yield from {str(network[0]), str(network[-1])}


CLOSED = [*ends(RANGES_4), *ends(RANGES_6), *METADATA_4, *WITHIN]


def literal(address):
    return f"[{address}]" if ":" in address else address


class Addresses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        capability.need("rig")
        cls.net = client.Internet()
        cls.net.reset()
        cls.names = {f"n{number}.test": address for number, address in enumerate(CLOSED)}
        listed = [*CLOSED, OPEN_4, OPEN_6, *cls.names, "open4.test", "open6.test", "one.test", "two.test", "three.test", "turning.test"]
        cls.wire = Wire({host: [80, 443] for host in listed})

    @classmethod
    def tearDownClass(cls):
        cls.wire.close()

    def setUp(self):
        self.net.reset()
        self.net.set_name("open4.test", [OPEN_4])
        self.net.set_name("open6.test", [OPEN_6])

    def answer(self, raw):
        self.wire.resume()
        return refusal_of(self.wire.ask(raw))

    def test_by_address_each_is_closed_with_nothing_asked_and_nothing_sent(self):
        for address in CLOSED:
            with self.subTest(address=address):
                for raw in (get(literal(address)), connect(f"{literal(address)}:443")):
                    self.assertEqual(self.answer(raw), (403, "closed-address"))
        self.assertEqual((self.net.connections(), self.net.queries()), ([], []))
        for address in (OPEN_4, OPEN_6):
            self.assertEqual(self.answer(get(literal(address))), (200, None))

    def test_by_name_each_is_closed_with_nothing_sent_alone_and_beside_an_open_one(self):
        for name, address in self.names.items():
            with self.subTest(address=address):
                for beside in ([], [OPEN_4], [OPEN_6]):
                    self.net.set_name(name, [address, *beside])
                    self.assertEqual(self.answer(get(name)), (403, "closed-address"), beside)
                self.assertEqual(self.answer(connect(f"{name}:443")), (403, "closed-address"))
        self.assertEqual(self.net.connections(), [])
        for name in ("open4.test", "open6.test"):
            self.assertEqual(self.answer(get(name)), (200, None))

    def test_a_chain_of_names_ends_where_its_addresses_are_and_is_looked_at_there(self):
        for address, answer in (("10.0.0.1", (403, "closed-address")), ("169.254.169.254", (403, "closed-address")), (OPEN_4, (200, None))):
            self.net.reset()
            self.net.set_alias("one.test", "two.unlisted.test")
            self.net.set_alias("two.unlisted.test", "three.unlisted.test")
            self.net.set_name("three.unlisted.test", [address])
            self.assertEqual(self.answer(get("one.test")), answer)
            # The server gives the whole chain: the names between are asked of nobody.
            self.assertEqual({query["name"] for query in self.net.queries()}, {"one.test"})
            self.assertEqual({one["address"] for one in self.net.connections()}, {address} if answer == (200, None) else set())
        self.assertEqual(self.answer(get("three.unlisted.test")), (403, "host-not-listed"))

    def test_a_name_that_turns_between_check_and_connection_is_connected_to_as_it_was_checked(self):
        for turned in ("127.0.0.1", "192.168.77.1", "169.254.169.254"):
            self.net.reset()
            self.net.set_name("turning.test", [OPEN_4], then=[turned])
            self.assertEqual(self.answer(get("turning.test")), (200, None))
            self.assertEqual([one["address"] for one in self.net.connections()], [OPEN_4])
            self.assertEqual(len(self.net.queries("turning.test")), 2)  # A and AAAA, once
            self.assertEqual(self.answer(get("turning.test")), (403, "closed-address"))
            self.assertEqual(len(self.net.connections()), 1)

    def test_a_name_that_is_refused_is_asked_of_nobody(self):
        for name in ("unlisted.test", "x.one.test", "localhost", "a.localhost", "metadata.google.internal", "metadata.azure.com", "ipv4only.arpa"):
            for raw in (get(name), connect(f"{name}:443")):
                self.assertIn(self.answer(raw)[1], ("host-not-listed", "closed-address"))
        self.assertEqual((self.net.queries(), self.net.connections()), ([], []))


if __name__ == "__main__":
    unittest.main()
