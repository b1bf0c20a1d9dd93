# SPDX-License-Identifier: Apache-2.0
"""Hosts and addresses: what is listed is reached, what isn't is refused with no question asked of DNS."""

import json
import subprocess
import unittest

from wire_process import Wire, connect, field_of, get, read_all, read_head, refusal_of, status_of

from rig import capability, client

LISTED, UNLISTED = "allowed.test", "other.test"
ADDRESS = "93.184.215.10"  # of the listed name

# Listed, and closed all the same: by the name, or by what it resolves to.
CLOSED_NAMES = ["localhost", "a.localhost", "metadata.google.internal", "instance-data"]
CLOSED_BY_ADDRESS = ["loopback.test", "private.test", "machine.test", "metadata.test", "mapped.test", "mixed.test"]
CLOSED_LITERALS = ["127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "169.254.169.254", "192.168.77.1", "192.168.77.2", "100.64.0.1",
                   "224.0.0.1", "255.255.255.255", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[fe80::1]", "[fd77::1]", "[64:ff9b::7f00:1]",
                   "[2002:7f00:1::]", "[2001::1]", "[2001:db8::1]"]
ODD_LITERALS = ["127.1", "0177.0.0.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0", "127.0.0.01", "[::1%25lo]", "[::1",
                "exa%6dple.test", "u@allowed.test", "b\xfccher.test"]


def ports(*names):
    return {name.strip("[]"): [80, 443, 40781] for name in names}


RESOLV_CONF = "/etc/resolv.conf"  # the rig's own


class SearchDomainsTest(unittest.TestCase):
    """What the machine searches below its domains, a sandbox's names are never asked for."""

    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        with open(RESOLV_CONF, encoding="ascii") as file:
            self.addCleanup(self.configure, file.read())

    def configure(self, text):
        with open(RESOLV_CONF, "w", encoding="ascii") as file:
            file.write(text)

    def test_a_name_is_asked_as_it_is_however_often(self):
        with open(RESOLV_CONF, encoding="ascii") as file:
            base = file.read()
        self.net.reset()
        self.net.set_name(f"intra.{UNLISTED}", [ADDRESS])
        for extra in (f"search {UNLISTED}\n", f"search {UNLISTED} corp.test\n", f"search {UNLISTED}\noptions ndots:5\n"):
            self.configure(base + extra)
            with Wire(ports("nosuch.allowed.test", "intra", LISTED)) as wire:
                for _ in range(3):
                    for name in ("nosuch.allowed.test", "intra"):
                        self.assertEqual(refusal_of(wire.ask(get(name))), (502, "upstream"), (extra, name))
                    self.assertEqual(status_of(wire.ask(get(LISTED))), 200)
            self.assertEqual({query["name"] for query in self.net.queries()}, {"nosuch.allowed.test", "intra", LISTED}, extra)
            self.assertEqual({request["host"] for request in self.net.requests()}, {LISTED})


class HostsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        capability.need("rig")
        cls.net = client.Internet()
        cls.wire = Wire(ports(LISTED, "*.allowed.test", ADDRESS, "six.test", "nodata.test", "absent.test", *CLOSED_NAMES,
                              *CLOSED_BY_ADDRESS, *CLOSED_LITERALS))

    @classmethod
    def tearDownClass(cls):
        cls.wire.close()

    def setUp(self):
        self.net.reset()
        self.wire.resume()

    def ask(self, raw):
        """As a person lets it go on whatever was asked for before."""
        self.wire.resume()
        return self.wire.ask(raw)

    def test_a_listed_name_is_reached_and_an_unlisted_one_is_refused_with_no_query(self):
        self.assertEqual(status_of(self.ask(get(LISTED))), 200)
        self.assertEqual(refusal_of(self.ask(get(UNLISTED))), (403, "host-not-listed"))
        self.assertEqual(refusal_of(self.ask(connect(f"{UNLISTED}:443"))), (403, "host-not-listed"))
        self.assertEqual({query["name"] for query in self.net.queries()}, {LISTED})
        self.assertEqual(self.net.requests(UNLISTED), [])

    def test_a_tunnel_reaches_the_listed_name(self):
        with self.wire.connect() as stream:
            stream.sendall(connect(f"{LISTED}:80"))
            head, rest = read_head(stream)
            self.assertEqual((status_of(head), rest), (200, b""))
            stream.sendall(b"GET / HTTP/1.1\r\nHost: allowed.test\r\nConnection: close\r\n\r\n")
            self.assertTrue(read_all(stream).endswith(b"hello from allowed.test\n"))

    def test_a_name_is_matched_without_case_and_last_dot_and_goes_out_folded(self):
        self.assertEqual(status_of(self.ask(get("ALLOWED.test."))), 200)
        self.assertEqual([request["fields"][0] for request in self.net.requests()], [["Host", "allowed.test"]])

    def test_a_name_below_a_star_is_reached_and_its_look_alikes_are_not(self):
        self.assertEqual(status_of(self.ask(get("www.allowed.test"))), 200)
        for name in ("evil-allowed.test", "allowed.test.other.test"):
            self.assertEqual(refusal_of(self.ask(get(name))), (403, "host-not-listed"), name)

    def test_a_port_that_is_not_listed_is_refused(self):
        self.assertEqual(refusal_of(self.ask(connect(f"{LISTED}:8080"))), (403, "host-not-listed"))

    def test_a_listed_address_is_reached_with_no_query(self):
        self.assertEqual(status_of(self.ask(get(ADDRESS))), 200)
        self.assertEqual(self.net.queries(), [])

    def test_a_name_with_an_ipv6_address_alone_is_reached(self):
        self.assertEqual(status_of(self.ask(get("six.test"))), 200)
        self.assertEqual([one["address"] for one in self.net.connections()], ["2606:2800:77::70"])

    def test_a_name_that_is_closed_is_refused_with_no_query_though_it_is_listed(self):
        for name in CLOSED_NAMES:
            for raw in (get(name), connect(f"{name}:443")):
                self.assertEqual(refusal_of(self.ask(raw)), (403, "closed-address"), name)
        self.assertEqual(self.net.queries(), [])

    def test_a_name_that_resolves_to_a_closed_address_is_refused_with_nothing_sent(self):
        for name in CLOSED_BY_ADDRESS:
            for raw in (get(name), connect(f"{name}:80")):
                self.assertEqual(refusal_of(self.ask(raw)), (403, "closed-address"), name)
        self.assertEqual(self.net.connections(), [])

    def test_a_closed_address_is_refused_though_it_is_listed(self):
        for place in CLOSED_LITERALS:
            for raw in (get(place), connect(f"{place}:80")):
                self.assertEqual(refusal_of(self.ask(raw)), (403, "closed-address"), place)
        self.assertEqual((self.net.connections(), self.net.queries()), ([], []))

    def test_every_other_spelling_of_an_address_is_400_with_no_query(self):
        for place in ODD_LITERALS:
            for raw in (f"GET http://{place}/ HTTP/1.1\r\nHost: {place}\r\n\r\n", f"CONNECT {place}:80 HTTP/1.1\r\nHost: {place}:80\r\n\r\n"):
                self.assertEqual(refusal_of(self.ask(raw.encode("latin-1"))), (400, "bad-request"), place)
        self.assertEqual((self.net.connections(), self.net.queries()), ([], []))

    def test_a_name_that_is_not_there_is_502(self):
        for name in ("absent.test", "nodata.test"):
            reply = self.ask(get(name))
            self.assertEqual(refusal_of(reply), (502, "upstream"), name)
            self.assertIn(f"{name}:80 ".encode(), reply)

    def test_a_port_where_nobody_listens_is_502(self):
        reply = self.ask(connect(f"{LISTED}:40781"))
        self.assertEqual(refusal_of(reply), (502, "upstream"))
        self.assertIn(f"{LISTED}:40781 can't be connected to".encode(), reply)

    def test_a_name_is_asked_for_once_a_call_and_the_answer_is_what_is_connected_to(self):
        self.net.set_name("turning.allowed.test", ["93.184.215.90"], then=["127.0.0.1"])
        self.assertEqual(status_of(self.ask(get("turning.allowed.test"))), 200)
        self.assertEqual(len(self.net.queries("turning.allowed.test")), 2)  # A and AAAA
        self.assertEqual([one["address"] for one in self.net.connections()], ["93.184.215.90"])
        self.assertEqual(refusal_of(self.ask(get("turning.allowed.test"))), (403, "closed-address"))

    def test_a_refusal_says_which_key_would_allow_it(self):
        body = self.ask(get(UNLISTED)).partition(b"\r\n\r\n")[2].decode()
        self.assertIn('add "other.test" to hosts under [network]', body)
        self.assertIn("or where it has none start it with --host other.test", body)
        self.assertEqual(body.count("\n"), 1)

    def test_a_refusal_of_a_closed_address_names_the_table_that_would_open_it(self):
        for name, words in (("private.test", 'add "private.test:80" to machines under [lan]'), ("loopback.test", "under [localhost]"),
                            ("machine.test", "under [localhost]"), ("metadata.test", "nothing in a spec opens")):
            self.assertIn(words, self.ask(get(name)).partition(b"\r\n\r\n")[2].decode(), name)

    def test_what_follows_a_refused_connect_is_never_read_as_a_request(self):
        reply = self.ask(connect(f"{UNLISTED}:443") + get(LISTED))
        self.assertEqual(reply.count(b"HTTP/1.1 "), 1)
        self.assertEqual(self.net.requests(), [])


class NeighboursTest(unittest.TestCase):
    """A route without a gateway: the addresses behind it are machines on the link, in a public range as in a private one."""

    NAMES = ("near.test", "near6.test", "far.test")

    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        self.net.set_name("near.test", ["93.184.215.100"])
        self.net.set_name("near6.test", ["2606:2800:77::100"])
        self.net.set_name("far.test", ["93.184.215.10"])

    def route(self, *what):
        """For as long as the test runs, on the rig's own machine. A link that goes takes its routes along."""
        subprocess.run(["ip", "route", "add", *what], check=True)
        self.addCleanup(subprocess.run, ["ip", "route", "del", *what], check=False, capture_output=True)

    def answers(self, wire):
        return [refusal_of(wire.ask(get(name))) for name in self.NAMES]

    def test_a_public_address_on_the_link_is_closed_and_one_behind_a_gateway_is_not(self):
        with Wire({**ports(*self.NAMES), "93.184.215.100": [80]}) as wire:
            self.assertEqual(self.answers(wire), [(200, None)] * 3)
            self.net.reset()
            self.route("93.184.215.96/28", "dev", "wan")
            self.route("2606:2800:77::100/124", "dev", "wan")
            self.assertEqual(self.answers(wire), [(403, "closed-address"), (403, "closed-address"), (200, None)])
            for raw in (get("93.184.215.100"), connect("near.test:443"), connect("93.184.215.100:80")):
                self.assertEqual(refusal_of(wire.ask(raw)), (403, "closed-address"))
            self.assertEqual({one["address"] for one in self.net.connections()}, {"93.184.215.10"})

    def test_a_route_of_several_hops_is_the_links_where_one_of_them_has_no_gateway(self):
        gateway = json.loads(subprocess.run(["ip", "-j", "route", "get", "93.184.215.100"], check=True, capture_output=True).stdout)[0]["gateway"]
        subprocess.run(["ip", "link", "add", "second", "type", "veth", "peer", "name", "nobody"], check=True)
        self.addCleanup(subprocess.run, ["ip", "link", "del", "second"], check=True)
        for link in ("nobody", "second"):
            subprocess.run(["ip", "link", "set", link, "up"], check=True)
        with Wire(ports("near.test")) as wire:
            self.route("93.184.215.96/28", "nexthop", "via", gateway, "nexthop", "via", gateway)
            self.assertEqual(refusal_of(wire.ask(get("near.test"))), (200, None))
        for hops in (("nexthop", "via", gateway, "nexthop", "dev", "second"), ("nexthop", "dev", "wan", "nexthop", "dev", "second")):
            subprocess.run(["ip", "route", "del", "93.184.215.96/28"], check=True)
            with Wire(ports("near.test")) as wire:
                self.route("93.184.215.96/28", *hops)
                self.assertEqual(refusal_of(wire.ask(get("near.test"))), (403, "closed-address"), hops)

    def test_this_machines_own_public_address_is_closed_as_its_own(self):
        with Wire(ports("near.test")) as wire:
            self.assertEqual(refusal_of(wire.ask(get("near.test"))), (200, None))
            subprocess.run(["ip", "address", "add", "93.184.215.100/32", "dev", "lo"], check=True)
            self.addCleanup(subprocess.run, ["ip", "address", "del", "93.184.215.100/32", "dev", "lo"], check=True)
            answer = wire.ask(get("near.test"))
            self.assertEqual(refusal_of(answer), (403, "closed-address"))
            self.assertIn(b"this machine", answer)

    def test_an_uplink_without_a_gateway_closes_nothing(self):
        with Wire(ports(*self.NAMES)) as wire:
            self.route("92.0.0.0/7", "dev", "wan")
            self.assertEqual(self.answers(wire), [(200, None)] * 3)

    def test_a_network_behind_a_link_without_neighbours_is_not_closed(self):
        # As a tunnel is: no ARP, no gateway. Nobody is behind this one, so what is sent there gets no answer.
        subprocess.run(["ip", "link", "add", "tunnel", "type", "veth", "peer", "name", "nobody"], check=True)
        self.addCleanup(subprocess.run, ["ip", "link", "del", "tunnel"], check=True)
        subprocess.run(["ip", "link", "set", "nobody", "up"], check=True)
        subprocess.run(["ip", "link", "set", "tunnel", "up", "arp", "off"], check=True)
        self.route("93.184.215.96/28", "dev", "tunnel")
        with Wire(ports(*self.NAMES)) as wire:
            self.assertEqual(refusal_of(wire.ask(get("near.test"))), (504, "upstream"))


class AnyHostTest(unittest.TestCase):
    def test_a_star_opens_public_hosts_and_no_closed_address(self):
        capability.need("rig")
        net = client.Internet()
        net.reset()
        with Wire({"*": [80, 443]}) as wire:
            self.assertEqual(status_of(wire.ask(get(UNLISTED))), 200)
            self.assertEqual(status_of(wire.ask(get(ADDRESS))), 200)
            for place in ["loopback.test", "localhost", "127.0.0.1", "machine.test", "metadata.test"]:
                self.assertEqual(refusal_of(wire.ask(get(place))), (403, "closed-address"), place)

    def test_no_host_opens_nothing(self):
        capability.need("rig")
        with Wire({}) as wire:
            self.assertEqual(refusal_of(wire.ask(get(LISTED))), (403, "host-not-listed"))
            self.assertEqual(field_of(wire.ask(get(LISTED)), "Connection"), "close")


if __name__ == "__main__":
    unittest.main()
