# SPDX-License-Identifier: Apache-2.0
"""Machines of the local network: real runs, and the .local names that stand for the address that was approved."""

import json
import subprocess
import unittest

import product
from product import EXIT_REFUSED, each_person
from leftovers import Moment  # after product, by which the rig is found
from rig.internet import GATEWAY_4, MACHINE_4, METADATA

NOBODY = "192.168.77.3"
STATUS = "curl -sS -o /dev/null -w '%{http_code}\\n' "


class LanTest(product.ProductTest):
    def spec(self, *machines, name="home", more=""):
        listed = ", ".join(f'"{machine}"' for machine in machines)
        return self.place.spec(f'name = "{name}"\n[files]\nwrite = ["{self.place.work}"]\n[lan]\nmachines = [{listed}]\n{more}')

    def asks(self, *hosts):
        return "; ".join(f"{STATUS} http://{host}/" for host in hosts)

    def done(self, *arguments):
        done = self.place.lnk(*arguments)
        self.assert_done(done)
        return done.stdout

    def addresses(self):
        return [one["address"] for one in self.net.connections()]


class Machines(LanTest):
    @each_person
    def test_a_named_machine_is_reached_at_its_port_alone(self):
        script = self.asks(GATEWAY_4, f"{GATEWAY_4}:8080", "private.test", NOBODY)
        self.assert_started(self.place.shell(script, "--spec", self.spec(f"{GATEWAY_4}:80"), "--yes"), "200\n403\n403\n403\n")
        self.assertEqual(self.addresses(), [GATEWAY_4])
        self.assertEqual(self.net.queries(), [])
        listed = self.spec(f"{GATEWAY_4}:80", f"{GATEWAY_4}:8080", "private.test:80")
        self.assert_started(self.place.shell(script, "--spec", listed, "--yes"), "200\n200\n200\n403\n")

    @each_person
    def test_there_is_no_way_there_but_the_wire(self):
        script = f"curl -sS --noproxy '*' http://{GATEWAY_4}/ || echo refused; {self.asks(GATEWAY_4)}"
        self.assert_started(self.place.shell(script, "--spec", self.spec(f"{GATEWAY_4}:80"), "--yes"), "refused\n200\n")
        self.assertEqual(self.addresses(), [GATEWAY_4])

    @each_person
    def test_this_machine_and_a_metadata_service_stay_closed_whatever_is_named(self):
        names = ("machine.test", "loopback.test", "metadata.test", MACHINE_4)
        spec = self.spec(*(f"{name}:80" for name in names), f"{GATEWAY_4}:80")
        self.assert_started(self.place.shell(self.asks(*names, GATEWAY_4), "--spec", spec, "--yes"), "403\n" * 4 + "200\n")
        self.assertEqual(self.addresses(), [GATEWAY_4])

    @each_person
    def test_a_name_that_turns_to_this_machine_is_closed(self):
        self.net.set_name("turning.test", [GATEWAY_4], then=["127.0.0.1"])
        done = self.place.shell(self.asks("turning.test", "turning.test"), "--spec", self.spec("turning.test:80"), "--yes")
        self.assert_started(done, "200\n403\n")

    @each_person
    def test_it_is_described_and_explained(self):
        spec = self.spec(f"{GATEWAY_4}:80", "nas.test:445")
        told = self.done("describe", "--spec", spec)
        self.assertIn(f"reaches  {GATEWAY_4} of your network (port 80)\n", told)
        self.assertIn("reaches  nas.test, wherever that name leads, your network included (port 445)\n", told)
        for asked, allowed, mend in ((f"{GATEWAY_4}:80", True, None), ("nas.test:445", True, None), ("nas.test:446", False, '[network] hosts = ["nas.test:446"]'),
                                     ("10.0.0.9:80", False, '[lan] machines = ["10.0.0.9:80"]'), ("tv.local:80", False, '[lan] machines = ["tv.local:80"]'),
                                     (f"{MACHINE_4}:80", False, None), (METADATA, False, None)):
            answer = json.loads(self.done("why", "--spec", spec, "--json", "host", asked))
            self.assertEqual((answer["allowed"], answer["mend"]), (allowed, mend), (asked, answer))


class LinkNames(LanTest):
    def pinned(self, spec):
        return json.loads(self.done("describe", "--spec", spec, "--json"))["grants"]["lan"]["machines"]

    @each_person
    def test_a_local_name_stands_for_the_address_that_was_approved_until_it_is_approved_again(self):
        self.net.set_name("nas.local", [GATEWAY_4])
        spec = self.spec("nas.local:80", "nas.local:8080")
        self.assertIn(f"reaches  nas.local of your network (port 80), always at {GATEWAY_4}", self.done("approve", "--spec", spec))
        self.net.set_name("nas.local", [NOBODY])
        before = len(self.net.queries("nas.local"))
        self.assert_started(self.place.shell(self.asks("nas.local", "nas.local:8080"), "--spec", spec), "200\n200\n")
        self.assertEqual(self.pinned(spec), [{"name": "nas.local", "port": port, "address": GATEWAY_4} for port in (80, 8080)])
        self.assertTrue(json.loads(self.done("why", "--spec", spec, "--json", "host", "nas.local:80"))["allowed"])
        self.assertEqual((self.addresses(), len(self.net.queries("nas.local"))), ([GATEWAY_4] * 2, before))
        told = self.done("approve", "--spec", spec)
        for words in (f"new   reaches  nas.local of your network (port 80), always at {NOBODY}", f"gone  reaches  nas.local of your network (port 80), always at {GATEWAY_4}"):
            self.assertIn(words, told)
        self.assertEqual({machine["address"] for machine in self.pinned(spec)}, {NOBODY})

    @each_person
    def test_a_machine_that_is_off_is_only_missed_when_it_is_approved(self):
        self.net.set_name("nas.local", [GATEWAY_4])
        spec = self.spec("nas.local:80")
        self.done("approve", "--spec", spec)
        self.net.drop_name("nas.local")
        self.assert_started(self.place.shell(self.asks("nas.local"), "--spec", spec), "200\n")
        self.assert_refused(self.place.lnk("approve", "--spec", spec), "spec.toml:5:13", "nas.local", "can't be resolved")
        self.done("forget", "--spec", spec)
        self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"), "nas.local", "can't be resolved")
        self.net.set_name("nas.local", [GATEWAY_4])
        self.assert_started(self.place.shell(self.asks("nas.local"), "--spec", spec, "--yes"), "200\n")

    @each_person
    def test_a_local_name_of_this_machine_or_a_metadata_service_is_refused(self):
        for addresses, words in (([MACHINE_4], "this machine"), (["127.0.0.1"], "loopback"), ([METADATA], "a metadata service")):
            self.net.set_name("nas.local", addresses)
            self.assert_refused(self.place.lnk("describe", "--spec", self.spec("nas.local:80")), words, "[lan] doesn't open")
        self.net.set_name("nas.local", ["fe80::7", GATEWAY_4])
        self.assertEqual(self.pinned(self.spec("nas.local:80"))[0]["address"], GATEWAY_4)

    @each_person
    def test_a_wrapped_command_goes_to_the_address_that_was_approved_and_leaves_nothing(self):
        self.net.set_name("nas.local", [GATEWAY_4])
        spec = self.spec("nas.local:80")
        self.done("approve", "--spec", spec)
        self.assert_started(self.place.shell("true", "--spec", spec))
        self.net.set_name("nas.local", [NOBODY])
        argv = json.loads(self.done("wrap", "--spec", spec, "--json", "--", "sh", "-c", self.asks("nas.local")))["argv"]
        self.net.drop_name("nas.local")
        before = Moment(self.place.root)
        run = subprocess.run([*self.place.person.prefix, *argv], cwd=self.place.work, env=self.place.environment(), capture_output=True, text=True,
                             check=False, timeout=product.RUN_TIMEOUT_S)
        self.assertEqual((run.returncode, run.stdout), (0, "200\n"), run.stderr)
        self.assertEqual(before.difference(), [])
        before = Moment(self.place.root)
        self.assertEqual(self.place.lnk("approve", "--spec", spec).returncode, EXIT_REFUSED)
        self.assertEqual(before.difference(), [])


if __name__ == "__main__":
    unittest.main()
