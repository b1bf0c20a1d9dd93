# SPDX-License-Identifier: Apache-2.0
"""Names inside, where a spec has endpoints: what is answered, what is refused, and what anybody outside is asked."""

import json
import os
import shutil
import unittest

import product
from product import each_person
from test_stop import waits_for

from rig import names

A, TXT, AAAA, SRV, HTTPS, MX, PTR, ANY, AXFR = 1, 16, 28, 33, 65, 15, 12, 255, 252
NO_ERROR, FORM_ERROR, SERVER_FAILURE, NOT_IMPLEMENTED, REFUSED = 0, 1, 2, 4, 5
SOA, OPT = 6, 41
DATABASE, WILD, CLUSTER = "db.test", "wild.test", "cluster0.ab.test"
SERVICE = "_mongodb._tcp." + CLUSTER
ENDPOINTS = (DATABASE + ":5432", "*." + WILD + ":5432", "mongodb+srv://" + CLUSTER)


class NamesTest(product.ProductTest):
    endpoints = ENDPOINTS

    def setUp(self):
        super().setUp()
        self.net.set_name(DATABASE, ["93.184.215.90"])
        self.net.set_records(SERVICE, SRV, [names.srv_data(target, port) for target, port in
                                            (("m0.ab.test", 27017), ("m1.ab.test", 27018), ("m2.other.test", 27017), ("ab.test", 27017))])
        self.net.set_records(CLUSTER, TXT, [names.txt_data("replicaSet=rs0")])

    def spec(self, *more):
        listed = ", ".join(f'"{one}"' for one in self.endpoints)
        return self.place.spec("\n".join([f'[files]\nwrite = ["{self.place.work}"]', f"[tcp]\nendpoints = [{listed}]", *more]) + "\n")

    def inside(self, script, *more, **options):
        return self.place.shell(script, "--spec", self.spec(*more), "--yes", **options)

    def asked(self, *asks, more=()):
        """What each question is answered inside."""
        shutil.copy(os.path.join(os.path.dirname(__file__), "dns_inside.py"), self.place.work)
        self.place.give_all(self.place.work)
        done = self.place.run("--spec", self.spec(*more), "--yes", "--", "python3", "dns_inside.py", *map(json.dumps, asks))
        self.assert_done(done)
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        for reply in replies:
            self.assertTrue(reply["id"] and reply["reply"] and reply["available"] and reply["whole"], reply)
        return replies

    def log(self, event=None, verb=None):
        lines = self.place.listing("log", "spec")
        return [line for line in lines if event in (None, line["event"]) and verb in (None, line.get("verb"))]


class Answers(NamesTest):
    @each_person
    def test_each_kind_of_question_for_a_covered_name_is_answered_and_nobody_outside_is_asked(self):
        kinds = (A, AAAA, HTTPS, 64, MX, PTR, 2, 6, 5, 257, TXT, SRV)
        replies = self.asked(*({"name": DATABASE, "type": kind, "edns": 1232} for kind in kinds))
        for kind, reply in zip(kinds, replies):
            with self.subTest(kind=kind):
                self.assertEqual((reply["code"], reply["question"], reply["cut"], reply["edns"]), (NO_ERROR, True, False, [OPT]))
                self.assertEqual(len(reply["answers"]), 1 if kind == A else 0)
                self.assertEqual(reply["authority"], [] if kind == A else [SOA])
        kind, _, data = replies[0]["answers"][0]
        self.assertEqual((kind, data[:4]), (A, "7f40"))
        self.assertEqual(self.net.queries(), [])

    @each_person
    def test_a_name_that_no_endpoint_covers_is_refused_and_nobody_is_asked(self):
        others = ("other.test", "test", "x." + DATABASE, "x" + DATABASE, WILD, "x" + WILD, "m0.ab.test", "_mongodb._tcp.other.test",
                  "localhost", "10.0.0.1", "90.215.184.93.in-addr.arpa", "a b." + WILD, "", "-", "a@b." + WILD)
        kinds = (A, AAAA, SRV, TXT, ANY)
        replies = self.asked(*({"name": name, "type": kind} for name in others for kind in kinds))
        self.assertEqual({(reply["code"], reply["question"], len(reply["answers"])) for reply in replies}, {(REFUSED, True, 0)})
        self.assertEqual(self.net.queries(), [])
        self.endpoints = ("other.test:5432",)
        self.assertEqual(self.asked({"name": "other.test"})[0]["code"], NO_ERROR)

    @each_person
    def test_what_is_no_plain_question_has_its_own_answer(self):
        rows = (({"name": DATABASE, "type": ANY}, REFUSED), ({"name": DATABASE, "type": AXFR, "over": "tcp"}, REFUSED),
                ({"name": DATABASE, "class": 3}, REFUSED), ({"name": "version.bind", "class": 3, "type": TXT}, REFUSED),
                ({"name": DATABASE, "questions": 2}, FORM_ERROR), ({"name": DATABASE, "questions": 0}, FORM_ERROR),
                ({"name": DATABASE, "flags": 0x0800}, NOT_IMPLEMENTED), ({"name": DATABASE, "flags": 0x2800}, NOT_IMPLEMENTED),
                ({"name": "a" * 64}, FORM_ERROR), ({"name": DATABASE, "edns": 512, "version": 1}, 0),
                ({"name": DATABASE, "flags": 0}, NO_ERROR), ({"name": DATABASE, "flags": 0x0110}, NO_ERROR))
        for (ask, code), reply in zip(rows, self.asked(*(ask for ask, _ in rows))):
            with self.subTest(ask=ask):
                self.assertEqual(reply["code"], code, reply)
                self.assertLessEqual(len(reply["answers"]), 1 if code == NO_ERROR and "version" not in ask else 0)
        self.assertEqual(self.net.queries(), [])

    @each_person
    def test_the_case_of_a_question_comes_back_and_names_no_other(self):
        first, second, cased = self.asked({"name": "dB.tEsT"}, {"name": DATABASE}, {"name": "A.WILD.test"})
        self.assertTrue(first["question"] and cased["question"])
        self.assertEqual(first["answers"], second["answers"])
        self.assertEqual(cased["code"], NO_ERROR)

    @each_person
    def test_over_tcp_one_connection_answers_several(self):
        replies = self.asked({"name": DATABASE, "over": "tcp", "times": 3}, {"name": "other.test", "over": "tcp", "times": 2})
        self.assertEqual([reply["code"] for reply in replies], [NO_ERROR] * 3 + [REFUSED] * 2)
        self.assertEqual(len({json.dumps(reply["answers"]) for reply in replies[:3]}), 1)

    @each_person
    def test_what_is_too_long_for_udp_is_cut_and_whole_over_tcp(self):
        self.net.set_records(CLUSTER, TXT, [names.txt_data(letter * 200) for letter in "abcdefg"])
        cases = ((None, "udp", 512), (4096, "udp", 1232), (1200, "udp", 1200), (None, "tcp", None), (512, "tcp", None))
        replies = self.asked(*({"name": CLUSTER, "type": TXT, "edns": edns, "over": over} for edns, over, _ in cases))
        for (edns, _, most), reply in zip(cases, replies):
            with self.subTest(edns=edns, most=most):
                self.assertEqual((reply["code"], reply["question"]), (NO_ERROR, True))
                self.assertEqual((reply["cut"], len(reply["answers"])), (most is not None, 0 if most else 7))
                self.assertLessEqual(reply["size"], most or 65535)
                self.assertEqual(reply["edns"], [] if edns is None else [OPT])


class Servers(NamesTest):
    @each_person
    def test_the_servers_below_a_mongodb_names_own_domain_become_endpoints(self):
        before, servers, text, m0, m1, m2, domain = self.asked(
            {"name": "m0.ab.test"}, {"name": SERVICE, "type": SRV}, {"name": CLUSTER, "type": TXT}, {"name": "m0.ab.test"},
            {"name": "m1.ab.test"}, {"name": "m2.other.test"}, {"name": "ab.test"})
        self.assertEqual(before["code"], REFUSED)
        self.assertEqual([bytes.fromhex(data) for _, _, data in servers["answers"]],
                         [names.srv_data("m0.ab.test", 27017), names.srv_data("m1.ab.test", 27018)])
        self.assertEqual([bytes.fromhex(data) for _, _, data in text["answers"]], [names.txt_data("replicaSet=rs0")])
        self.assertEqual([one["code"] for one in (m0, m1, m2, domain)], [NO_ERROR, NO_ERROR, REFUSED, REFUSED])
        self.assertEqual(sorted((one["name"], one["type"]) for one in self.net.queries()), [(SERVICE, "SRV"), (CLUSTER, "TXT")])

    @each_person
    def test_of_a_name_without_servers_there_is_no_data(self):
        self.net.set_records(SERVICE, SRV, [])
        self.net.set_records(CLUSTER, TXT, [])
        for reply in self.asked({"name": SERVICE, "type": SRV}, {"name": CLUSTER, "type": TXT}):
            self.assertEqual((reply["code"], reply["answers"], reply["authority"]), (NO_ERROR, [], [SOA]))

    @each_person
    def test_an_answer_that_is_no_answer_is_a_failure(self):
        self.net.set_records(SERVICE, SRV, [b"\0\0\0"])
        self.assertEqual(self.asked({"name": SERVICE, "type": SRV})[0]["code"], SERVER_FAILURE)
        self.net.set_records(SERVICE, SRV, [names.srv_data("m0.ab.test", 27017)])
        self.assertEqual(self.asked({"name": SERVICE, "type": SRV})[0]["code"], NO_ERROR)

    @each_person
    def test_only_an_ask_outside_counts_toward_the_limit_of_calls(self):
        limit = ("[limits]\ncalls_per_minute = 1",)
        asks = [{"name": DATABASE}, {"name": DATABASE, "type": AAAA}, {"name": SERVICE, "type": SRV}, {"name": CLUSTER, "type": TXT},
                {"name": DATABASE}]
        self.assertEqual([reply["code"] for reply in self.asked(*asks, more=limit)], [NO_ERROR] * 3 + [REFUSED, NO_ERROR])
        self.assertEqual([one["name"] for one in self.net.queries()], [SERVICE])
        self.assertEqual([line["reason"] for line in self.log("refused", "dns")], ["too-many-calls"])


class Resolvers(NamesTest):
    @each_person
    def test_what_programs_resolve_by_gives_one_address_and_asks_once(self):
        probe = f"import socket; print(sorted({{one[4][0] for one in socket.getaddrinfo('{DATABASE}', 5432)}}))"
        done = self.inside(f'python3 -c "{probe}"; getent ahosts {DATABASE} | cut -d" " -f1 | sort -u; getent hosts other.test || echo none')
        self.assert_started(done, "['127.64.0.1']\n127.64.0.1\nnone\n")
        self.assertEqual(self.net.queries(), [])
        # A and AAAA of each: nothing was asked again.
        self.assertEqual(len([line for line in self.log("dns") if line["host"] == DATABASE]), 4)

    @each_person
    def test_resolv_conf_names_the_wire_alone_whatever_the_machines_is(self):
        text = "# The endpoints of this sandbox's spec, and no other name.\nnameserver 127.0.0.1\noptions ndots:1\n"
        self.assert_started(self.inside("cat /etc/resolv.conf; echo x >>/etc/resolv.conf || echo kept"), text + "kept\n")
        done = self.place.shell("cat /etc/resolv.conf", "--host", DATABASE)
        with open("/etc/resolv.conf", encoding="utf-8") as file:
            self.assert_started(done, file.read())

    def kept(self, path):
        """The machine's file is as it was behind the test."""
        with open(path, encoding="utf-8") as file:
            text = file.read()

        def restore():
            if os.path.lexists(path):
                os.unlink(path)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.addCleanup(restore)
        return text

    @each_person
    def test_a_linked_or_missing_resolv_conf_is_no_way_past_it(self):
        path, folder = "/etc/resolv.conf", "/run/resolver-of-a-test"
        text = self.kept(path)
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        look = f"grep -c 127.0.0.1 {path}; getent hosts {DATABASE} | cut -d' ' -f1"
        for target, is_there in ((folder + "/stub.conf", True), (folder + "/none.conf", False), ("../run/" + os.path.basename(folder) + "/stub.conf", True),
                                 (None, False)):
            with self.subTest(target=target):
                os.unlink(path)
                os.makedirs(folder, exist_ok=True)
                os.chmod(folder, 0o755)
                with open(folder + "/stub.conf", "w", encoding="utf-8") as file:
                    file.write(text)
                if target is not None:
                    os.symlink(target, path)
                self.place = self.as_person(self.place.person)  # of another machine, as far as what was found of it is kept
                done = self.inside(look)
                self.assert_started(done, ("1\n" if target else "") + "127.64.0.1\n")
                with open(folder + "/stub.conf", encoding="utf-8") as file:
                    self.assertEqual(file.read(), text)
                self.assertEqual(os.path.exists(path), is_there)
                if target is None:
                    os.symlink(folder + "/stub.conf", path)
        # The same place, where what was found of the machine is kept: the file that was none is a link now.
        self.assert_started(self.inside(look), "1\n127.64.0.1\n")

    @each_person
    def test_services_that_stand_before_dns_in_nsswitch_conf_are_passed(self):
        path = "/etc/nsswitch.conf"
        text = self.kept(path)
        for hosts in ("files mymachines resolve [!UNAVAIL=return] dns", "files mdns4_minimal [NOTFOUND=return] dns", "files myhostname dns mdns4"):
            with self.subTest(hosts=hosts):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("".join(line for line in text.splitlines(keepends=True) if not line.startswith("hosts:")) + f"hosts: {hosts}\n")
                self.assert_started(self.inside(f"getent hosts {DATABASE} | cut -d' ' -f1"), "127.64.0.1\n")

    @each_person
    def test_a_name_by_flag_needs_no_spec(self):
        self.assert_started(self.place.shell(f"getent hosts {DATABASE} | cut -d' ' -f1", "--tcp", DATABASE + ":5432"), "127.64.0.1\n")

    @each_person
    def test_without_endpoints_nothing_answers_names(self):
        probe = "import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.connect(('127.0.0.1', 53)); s.send(b'x' * 20); s.recv(9)"
        done = self.place.shell(f'python3 -c "{probe}" 2>&1 | tail -n 1', "--host", DATABASE)
        self.assert_started(done, "ConnectionRefusedError: [Errno 111] Connection refused\n")


class Stops(NamesTest):
    # A connection that the stop cuts tells when it is in force; the answer by UDP has none.
    ASKS = f"""
import socket, sys
import dns_inside
ask = {{"name": "{SERVICE}", "type": {SRV}}}
cut = socket.create_connection(("{DATABASE}", 5432), 20)
names = socket.socket(type=socket.SOCK_DGRAM)
names.connect(dns_inside.SERVER)
names.send(dns_inside.packet_of(ask))
if sys.argv[1] == "stopped":
    cut.makefile("rb").read()
    print("cut", flush=True)
reply = dns_inside.told(ask, names.recv(65535))
print(reply["code"], len(reply["answers"]), flush=True)
"""

    def answered(self, how):
        """What the program says of a question that the server outside answers late: after the stop where there is one."""
        shutil.copy(os.path.join(os.path.dirname(__file__), "dns_inside.py"), self.place.work)
        self.place.write("work/asks.py", self.ASKS)
        self.place.give_all(self.place.work)
        self.net.hold_name(SERVICE)
        front = self.place.start("run", "--spec", self.spec(), "--yes", "--", "python3", "asks.py", how, stdin=-3, stdout=-1, stderr=-1)
        self.addCleanup(front.communicate)
        self.addCleanup(self.net.release_names)
        waits_for(lambda: self.net.queries(SERVICE))
        if how == "stopped":
            self.assert_done(self.place.lnk("stop", "spec"))
            self.assertEqual(front.stdout.readline(), "cut\n")
        self.net.release_names()
        return front.stdout.readline()

    @each_person
    def test_an_answer_by_udp_that_is_under_way_when_a_stop_is_written_is_refused(self):
        self.assertEqual(self.answered("stopped"), f"{REFUSED} 0\n")
        self.assertEqual([line["reason"] for line in self.log("refused", "dns")], ["stopped"])

    @each_person
    def test_an_answer_by_udp_that_comes_late_is_given_where_there_is_no_stop(self):
        self.assertEqual(self.answered("goes on"), f"{NO_ERROR} 2\n")


class Pauses(NamesTest):
    @each_person
    def test_asks_for_many_different_names_pause_the_wire(self):
        count = 250
        replies = self.asked(*({"name": f"n{number}.other.test"} for number in range(count)), {"name": DATABASE})
        self.assertEqual({reply["code"] for reply in replies}, {REFUSED})
        entry, = self.place.listing("paused")
        self.assertEqual((entry["name"], entry["state"]), ("spec", "paused"))
        self.assertEqual(self.net.queries(), [])

    @each_person
    def test_asks_for_a_metadata_service_pause_the_wire(self):
        names = ("metadata.google.internal", "metadata.goog", "instance-data.ec2.internal")
        replies = self.asked(*({"name": name} for name in names), {"name": DATABASE})
        self.assertEqual([reply["code"] for reply in replies], [REFUSED] * 4)
        entry, = self.place.listing("paused")
        self.assertEqual(entry["state"], "paused")

    @each_person
    def test_one_lookup_by_the_c_library_is_one_ask(self):
        # Of A and AAAA, and of both again where they are refused.
        script = ("for name in metadata.google.internal metadata.goog; do getent ahosts $name; done; "
                  "for number in $(seq 170); do getent ahosts n$number.other.test; done; echo done")
        self.assert_started(self.place.shell(script, "--tcp", DATABASE + ":5432", "--name", "spec"), "done\n")
        self.assertEqual(self.place.listing("paused"), [])

    @each_person
    def test_covered_names_pause_nothing(self):
        replies = self.asked(*({"name": f"n{number}." + WILD} for number in range(250)), {"name": DATABASE})
        self.assertEqual({reply["code"] for reply in replies}, {NO_ERROR})
        self.assertEqual(self.place.listing("paused"), [])

    @each_person
    def test_the_names_of_one_run_are_so_many(self):
        replies = self.asked(*({"name": f"n{number}." + WILD} for number in range(258)))
        self.assertEqual([reply["code"] for reply in replies], [NO_ERROR] * 256 + [SERVER_FAILURE] * 2)
        self.assertEqual(len({reply["answers"][0][2] for reply in replies[:256]}), 256)


if __name__ == "__main__":
    unittest.main()
