# SPDX-License-Identifier: Apache-2.0
"""Endpoints: programs that speak no proxy reach them by name, and nothing else."""

import json
import os
import shutil
import subprocess
import unittest

import product
from leftovers import Moment
from product import each_person

from rig import names

SRV = 33
DATABASE, ADDRESS = "db.test", "93.184.215.90"
GREETING = f"hello on {ADDRESS}:5432\n"
# Says the greeting of what it reaches, sends a line, ends its half, and says what came back.
TALKS = ("import socket, sys\n"
         "for place in sys.argv[1:]:\n"
         "    host, port = place.rsplit(':', 1)\n"
         "    try:\n"
         "        with socket.create_connection((host, int(port)), 20) as stream, stream.makefile('rb') as file:\n"
         "            greeting = file.readline().decode()\n"
         "            stream.sendall(b'x' * 100000)\n"
         "            stream.shutdown(socket.SHUT_WR)\n"
         "            print(greeting.strip() or 'closed', len(file.read()) if greeting else '', flush=True)\n"
         "    except socket.gaierror:\n"
         "        print('no name', flush=True)\n"
         "    except OSError:\n"
         "        print('closed ', flush=True)\n")


class EndpointTest(product.ProductTest):
    def setUp(self):
        super().setUp()
        self.net.set_name(DATABASE, [ADDRESS])

    def spec(self, *more, endpoints=(DATABASE + ":5432",)):
        listed = ", ".join(f'"{one}"' for one in endpoints)
        return self.place.spec("\n".join([f'[files]\nwrite = ["{self.place.work}"]', f"[tcp]\nendpoints = [{listed}]", *more]) + "\n")

    def inside(self, script, *more, **options):
        self.place.write("work/talk.py", TALKS)
        return self.place.shell(script, "--spec", self.spec(*more, **options), "--yes")

    def talk(self, *places, more=(), **options):
        """A line for each place that a program inside connects to."""
        done = self.inside("python3 talk.py " + " ".join(places), *more, **options)
        self.assert_started(done)
        return [line.strip() for line in done.stdout.splitlines()[1:]]

    def log(self, verb):
        return [line for line in self.place.listing("log", "spec") if line.get("verb") == verb]


class Connections(EndpointTest):
    @each_person
    def test_an_endpoint_is_reached_by_its_name_and_its_bytes_are_carried_both_ways(self):
        before = Moment()
        self.assertEqual(self.talk(f"{DATABASE}:5432"), [f"{GREETING.strip()} 100000"])
        self.assertEqual({one["name"] for one in self.net.queries()}, {DATABASE})
        opened, closed = self.log("tcp")
        self.assertEqual((opened["event"], opened["host"], opened["port"]), ("open", DATABASE, 5432))
        self.assertEqual((closed["event"], closed["out"], closed["in"]), ("close", 100000, 100000 + len(GREETING)))
        self.assertEqual(Moment().processes.keys() - before.processes.keys(), set())

    @each_person
    def test_another_port_of_it_and_another_name_are_not_reached(self):
        places = (f"{DATABASE}:27017", "other.test:5432", f"{ADDRESS}:5432", f"{DATABASE}:5432")
        self.assertEqual(self.talk(*places), ["closed", "no name", "closed", f"{GREETING.strip()} 100000"])
        self.assertEqual([(one["address"], one["port"]) for one in self.net.connections()], [(ADDRESS, 5432)])
        self.assertEqual(self.net.queries("other.test"), [])
        both = (DATABASE + ":5432", DATABASE + ":27017")
        self.assertEqual(self.talk(f"{DATABASE}:27017", endpoints=both), [f"hello on {ADDRESS}:27017 100000"])

    @each_person
    def test_each_name_below_a_star_has_an_address_of_its_own(self):
        self.net.set_name("a.wild.test", ["93.184.215.91"])
        self.net.set_name("b.c.wild.test", ["93.184.215.92"])
        self.net.set_name("wild.test", ["93.184.215.93"])
        places = ("a.wild.test:5432", "b.c.wild.test:5432", "A.wild.TEST:5432", "wild.test:5432", "nobody.wild.test:5432")
        self.assertEqual(self.talk(*places, endpoints=("*.wild.test:5432",)),
                         ["hello on 93.184.215.91:5432 100000", "hello on 93.184.215.92:5432 100000",
                          "hello on 93.184.215.91:5432 100000", "no name", "closed"])
        self.assertEqual(self.net.queries("wild.test"), [])

    @each_person
    def test_a_name_that_leads_to_a_closed_place_reaches_nothing(self):
        closed = ("loopback.test", "private.test", "machine.test", "metadata.test", "mapped.test", "mixed.test")
        self.assertEqual(self.talk(*(f"{name}:5432" for name in closed), endpoints=[f"{name}:5432" for name in closed]), ["closed"] * 6)
        self.assertEqual(self.net.connections(), [])
        self.assertEqual({line["reason"] for line in self.log("tcp")}, {"closed-address"})

    @each_person
    def test_a_name_that_moves_is_looked_up_once_a_connection(self):
        self.net.set_name(DATABASE, [ADDRESS], then=["127.0.0.1"])
        self.assertEqual(self.talk(f"{DATABASE}:5432", f"{DATABASE}:5432"), [f"{GREETING.strip()} 100000", "closed"])

    @each_person
    def test_the_servers_of_a_mongodb_name_are_reached_on_the_ports_it_gives(self):
        cluster, target = "cluster0.ab.test", "m0.ab.test"
        self.net.set_name(target, ["93.184.215.94"])
        self.net.set_records("_mongodb._tcp." + cluster, SRV, [names.srv_data(target, 27018)])
        shutil.copy(os.path.join(os.path.dirname(__file__), "dns_inside.py"), self.place.work)
        self.place.give_all(self.place.work)
        ask = json.dumps({"name": "_mongodb._tcp." + cluster, "type": SRV})
        done = self.inside(f"python3 talk.py {target}:27018; python3 dns_inside.py '{ask}' >asked; python3 talk.py {target}:27018 {target}:27017",
                           endpoints=("mongodb+srv://" + cluster,))
        self.assert_started(done, "no name\nhello on 93.184.215.94:27018 100000\nclosed \n")

    @each_person
    def test_what_the_program_serves_itself_stands_beside_an_endpoint_of_the_same_port(self):
        script = ("python3 -c \"import socket; s = socket.create_server(('127.0.0.1', 5432)); open('up', 'w').close(); "
                  "c = s.accept()[0]; c.sendall(b'mine\\n'); c.shutdown(1); c.makefile('rb').read()\" & "
                  "while ! [ -e up ]; do :; done; python3 talk.py localhost:5432 db.test:5432")
        self.assert_started(self.inside(script), f"mine 0\n{GREETING.strip()} 100000\n")

    @each_person
    def test_an_endpoint_is_no_host_of_the_proxy(self):
        done = self.inside("curl -sS -o /dev/null -w '%{http_code}\\n' http://db.test:5432/")
        self.assert_started(done, "403\n")
        self.assertEqual(self.net.queries(), [])


class Hello(EndpointTest):
    @each_person
    def test_on_port_443_another_name_is_not_asked_for(self):
        ask = "curl -sS --noproxy '*' --connect-to ::allowed.test: -o /dev/null -w '%{http_code}\\n' https://"
        done = self.inside(ask + "other.test/; " + ask + "allowed.test/", endpoints=("allowed.test:443",))
        self.assert_started(done, "000\n200\n")
        self.assertEqual([one["sni"] for one in self.net.connections() if one["spoken"]], ["allowed.test"])
        self.assertEqual([line["reason"] for line in self.log("tcp") if "reason" in line], ["name-mismatch"])


class Limits(EndpointTest):
    @each_person
    def test_a_connection_is_a_call_that_the_limit_counts(self):
        more = ("[limits]\ncalls_per_minute = 2",)
        self.assertEqual(self.talk(*[f"{DATABASE}:5432"] * 3, more=more), [f"{GREETING.strip()} 100000"] * 2 + ["closed"])
        self.assertEqual([line["reason"] for line in self.log("tcp") if line["event"] == "refused"], ["too-many-calls"])

    @each_person
    def test_the_kill_switch_cuts_what_is_open_and_refuses_what_comes(self):
        self.place.write("work/talk.py", TALKS)
        hold = ("import socket; s = socket.create_connection(('db.test', 5432), 20); f = s.makefile('rb'); f.readline(); print('open', flush=True); "
                "print(f.read(), flush=True)")
        front = self.place.start("run", "--spec", self.spec(), "--yes", "--", "sh", "-c",
                                 f'python3 -c "{hold}"; python3 talk.py db.test:5432; read go; python3 talk.py db.test:5432', stdin=-1, stdout=-1, stderr=-1)
        self.addCleanup(front.communicate)
        self.assertEqual(front.stdout.readline(), "open\n")
        self.assert_done(self.place.lnk("stop", "spec"))
        self.assertEqual([front.stdout.readline() for _ in range(2)], ["b''\n", "no name\n"])
        self.assert_done(self.place.lnk("resume", "spec"))
        front.stdin.write("\n")
        front.stdin.flush()
        self.assertEqual(front.stdout.readline(), f"{GREETING.strip()} 100000\n")


class FewDescriptors(EndpointTest):
    """The machine lets a process have few open files."""

    @each_person
    def test_the_sockets_of_names_leave_its_connections_theirs(self):
        self.place.outer = ("prlimit", "--nofile=256:256", "--")
        for number in range(240):
            self.net.set_name(f"n{number}.wild.test", [ADDRESS])
        self.place.write("work/many.py", "import socket\n"
                         "def found(number):\n"
                         "    try: return bool(socket.gethostbyname(f'n{number}.wild.test'))\n"
                         "    except OSError: return False\n"
                         "held = []\n"
                         "for number in range(40):\n"
                         "    held.append(socket.create_connection(('n0.wild.test', 5432)))\n"
                         "    held[-1].settimeout(1)\n"
                         "count = sum(found(number) for number in range(240))\n"
                         "held.clear()\n"
                         "print('few' if 8 < count < 128 else count)\n")
        done = self.inside("python3 many.py && python3 talk.py n0.wild.test:5432", endpoints=("*.wild.test:5432",))
        self.assert_started(done, f"few\n{GREETING.strip()} {100000}\n")

    @each_person
    def test_too_few_of_them_start_nothing(self):
        self.place.outer = ("prlimit", "--nofile=80:80", "--")
        done = self.inside("true")
        self.assertEqual(done.returncode, product.EXIT_REFUSED)
        self.assertIn("it may have 80 open files and needs 91; raise the hard limit (ulimit -Hn)", done.stderr)


class DescriptorsOnTheirWay(EndpointTest):
    """Another program of the user's has so many descriptors on their way in Unix sockets that the kernel takes no more of who may
    open as few files as the sandbox here: unix(7), ETOOMANYREFS. Others on this machine may open more, and don't notice."""

    MOST = 256  # the kernel takes 253 at once
    TAKES = ("import array, socket, sys\n"
             "pairs = [socket.socketpair() for _ in range(2)]\n"
             "for out, _ in pairs:\n"
             "    out.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0] * 200))])\n"
             "print('taken', flush=True)\n"
             "sys.stdin.read()\n")

    def take_all(self):
        """Until the caller is done with what it gives."""
        taking = subprocess.Popen([*self.place.person.prefix, "python3", "-c", self.TAKES], stdin=-1, stdout=-1, text=True)
        self.addCleanup(taking.communicate)
        self.assertEqual(taking.stdout.readline(), "taken\n")
        return taking

    @each_person
    def test_the_next_name_is_not_answered_and_those_after_it_are(self):
        self.place.outer = ("prlimit", f"--nofile={self.MOST}:{self.MOST}", "--")
        self.net.set_name("a.wild.test", [ADDRESS])
        self.net.set_name("b.wild.test", [ADDRESS])
        self.place.write("work/talk.py", TALKS)
        script = "for name in a b a b; do read go; python3 talk.py $name.wild.test:5432; done"
        front = self.place.start("run", "--spec", self.spec(endpoints=("*.wild.test:5432",)), "--yes", "--", "sh", "-c", "echo started; " + script,
                                 stdin=-1, stdout=-1)
        self.addCleanup(front.communicate)

        def next_says():
            front.stdin.write("\n")
            front.stdin.flush()
            return front.stdout.readline().strip()
        self.assertEqual(front.stdout.readline(), "started\n")
        reached = f"{GREETING.strip()} 100000"
        self.assertEqual(next_says(), reached)
        taking = self.take_all()
        self.assertEqual(next_says(), "no name")
        self.assertEqual(next_says(), reached)  # what it has is served on
        taking.communicate()
        self.assertEqual(next_says(), reached)


class Words(EndpointTest):
    @each_person
    def test_what_is_opened_is_said_and_why_names_its_line(self):
        spec = self.spec(endpoints=(DATABASE + ":5432", "*.wild.test:22", "mongodb+srv://c.ab.test"))
        said = self.place.lnk("describe", "--spec", spec).stdout
        for words in ("db.test on port 5432", "*.wild.test on port 22", "the servers that mongodb+srv://c.ab.test names"):
            self.assertIn(words, said)
        for host, verdict, words in ((DATABASE + ":5432", "allowed", "spec.toml:4"), ("a.wild.test:22", "allowed", "spec.toml:4"),
                                     (DATABASE + ":5433", "refused", "on another port"), ("wild.test:22", "refused", "hosts")):
            with self.subTest(host=host):
                done = self.place.lnk("why", "--spec", spec, "host", host)
                self.assertEqual(done.stdout.partition(" ")[0], verdict, done.stdout + done.stderr)
                self.assertIn(words, done.stdout)

    @each_person
    def test_it_is_refused_beside_direct_and_where_it_goes_round_a_secrets_rule(self):
        done = self.place.shell("true", "--spec", self.spec("[network]\ndirect = true"), "--yes")
        self.assert_refused(done, "[tcp] endpoints goes through the wire")
        self.assert_done(self.place.lnk("secret", "add", "telegram", "--rule", "telegram", stdin="1:secret\n"))
        for endpoint in ("api.telegram.org:5432", "*.telegram.org:443", "mongodb+srv://c.telegram.org"):
            done = self.place.shell("true", "--spec", self.spec('[secrets]\nuse = ["telegram"]', endpoints=(endpoint,)), "--yes")
            self.assert_refused(done, "covers the host of the secret")
        self.assert_started(self.place.shell("true", "--spec", self.spec('[secrets]\nuse = ["telegram"]'), "--yes"))


if __name__ == "__main__":
    unittest.main()
