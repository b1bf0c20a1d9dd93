# SPDX-License-Identifier: Apache-2.0
"""Ports of this machine's loopback, carried into a sandbox: real runs, with servers outside and clients inside."""

import json
import shlex
import socket
import subprocess
import unittest

import product
from product import each_person
from leftovers import Moment  # after product, by which the rig is found
from rig.loopback import Server

# argv: port, bytes to send. Ends its side, and prints what comes back, or the error's name.
CLIENT = """
import socket, sys
try:
    with socket.create_connection((sys.argv[3] if len(sys.argv) > 3 else "localhost", int(sys.argv[1])), 10) as stream:
        stream.sendall(sys.argv[2].encode())
        stream.shutdown(socket.SHUT_WR)
        print(b"".join(iter(lambda: stream.recv(65536), b"")).decode() or "closed")
except OSError as error:
    print(type(error).__name__)
"""
# Sixteen at once, each with its own bytes, both ways at a time.
MANY = """
import socket, sys, threading
wrong = []
def one(number):
    data = bytes([65 + number]) * 300000
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 30) as stream:
        threading.Thread(target=lambda: (stream.sendall(data), stream.shutdown(socket.SHUT_WR))).start()
        if b"".join(iter(lambda: stream.recv(65536), b"")) != data: wrong.append(number)
threads = [threading.Thread(target=one, args=(number,)) for number in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(wrong)
"""
# Speaks a database's protocol of lines on one connection: asks and answers in turn.
LINES = """
import os, socket
stream = socket.create_connection(("localhost", int(os.environ["PORT"])), 10).makefile("rw")
for line in ("PING", "SET a 1", "GET a"):
    stream.write(line + "\\r\\n"); stream.flush(); print(stream.readline().strip())
"""


def echo(stream):
    """As it comes, and an end behind the client's."""
    while piece := stream.recv(65536):
        stream.sendall(piece)


def lines(stream):
    kept, file = {}, stream.makefile("rw")
    for line in file:
        words = line.split()
        if words[0] == "SET":
            kept[words[1]] = words[2]
        file.write({"PING": "+PONG", "SET": "+OK"}.get(words[0], kept.get(words[-1], "-ERR")) + "\r\n")
        file.flush()


class LocalhostTest(product.ProductTest):
    def serving(self, answer=echo, port=0):
        server = Server(answer, port=port)
        self.addCleanup(server.close)
        return server

    def spec(self, *ports, name="local", more=""):
        text = f'name = "{name}"\n[files]\nwrite = ["{self.place.work}"]\n[localhost]\nports = {list(ports)}\n{more}'
        return self.place.spec(text)

    def client(self, *arguments):
        self.place.write("work/client.py", CLIENT)
        return "python3 client.py " + shlex.join(str(one) for one in arguments)

    def log(self, name="local"):
        return [(line["event"], line["verb"], line["host"], line["port"], line.get("reason")) for line in self.place.listing("log", name)]


class Carried(LocalhostTest):
    @each_person
    def test_a_named_port_is_reached_at_localhost_and_no_other(self):
        server, other = self.serving(), self.serving()
        script = "; ".join([self.client(server.port, "hello"), self.client(server.port, "again", "127.0.0.1"), self.client(other.port, "hello")])
        done = self.place.shell(script, "--spec", self.spec(server.port), "--yes")
        self.assert_started(done, "hello\nagain\nConnectionRefusedError\n")
        self.assertEqual((server.count, other.count), (2, 0))
        self.assertEqual(sorted(self.log()), sorted([(event, "localhost", "localhost", server.port, None) for event in ("open", "close")] * 2))
        done = self.place.shell(script, "--spec", self.spec(server.port, other.port), "--yes")
        self.assert_started(done, "hello\nagain\nhello\n")

    @each_person
    def test_a_flag_needs_no_spec_and_adds_to_one(self):
        server, other = self.serving(), self.serving()
        self.assert_started(self.place.shell(self.client(server.port, "x"), "--port", str(server.port)), "x\n")
        script = self.client(server.port, "x") + "; " + self.client(other.port, "y")
        done = self.place.shell(script, "--spec", self.spec(server.port), "--yes", "--port", str(other.port), "--port", str(server.port))
        self.assert_started(done, "x\ny\n")

    @each_person
    def test_a_protocol_of_lines_and_http_work_without_the_proxy(self):
        server = self.serving(lines)
        site = subprocess.Popen(["python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"], cwd="/usr/share", stdout=-1,
                                stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(site.communicate)
        self.addCleanup(site.terminate)
        port = int(site.stdout.readline().split(" port ")[1].split()[0])
        self.place.write("work/lines.py", LINES)
        script = f"PORT={server.port} python3 lines.py; curl -sS -o /dev/null -w '%{{http_code}}\\n' http://localhost:{port}/"
        self.assert_started(self.place.shell(script, "--spec", self.spec(server.port, port), "--yes"), "+PONG\n+OK\n1\n200\n")

    @each_person
    def test_the_proxy_does_not_lead_there_and_udp_is_not_carried(self):
        server = self.serving()
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(datagrams.close)
        datagrams.bind(("127.0.0.1", server.port))
        datagrams.setblocking(False)
        send = f"import socket; s = socket.socket(2, 2); s.connect(('127.0.0.1', {server.port})); s.send(b'x'); print('sent')"
        script = (f"for host in localhost 127.0.0.1; do curl -sS -o /dev/null --noproxy '' -x $LNK_WIRE -w '%{{http_code}}\\n' http://$host:{server.port}/; done;"
                  f'python3 -c "{send}"; {self.client(server.port, "x")}')
        self.assert_started(self.place.shell(script, "--spec", self.spec(server.port), "--yes"), "403\n403\nsent\nx\n")
        self.assertEqual(server.count, 1)
        with self.assertRaises(BlockingIOError):
            datagrams.recv(10)

    @each_person
    def test_a_port_where_nobody_listens_closes_the_connection(self):
        server = self.serving()
        server.close()
        self.assert_started(self.place.shell(self.client(server.port, ""), "--spec", self.spec(server.port), "--yes"), "closed\n")
        self.assertEqual(self.log(), [("refused", "localhost", "localhost", server.port, "upstream")])

    @each_person
    def test_sixteen_at_once_are_apart_and_leave_nothing(self):
        server = self.serving()
        self.place.write("work/many.py", MANY)
        spec = self.spec(server.port)
        self.assert_started(self.place.shell("true", "--spec", spec, "--yes"))
        before = Moment(self.place.root)
        self.assert_started(self.place.shell(f"python3 many.py {server.port}", "--spec", spec), "[]\n")
        self.assertEqual(server.count, 16)
        self.assertEqual(sorted(line[0] for line in self.log()), ["close"] * 16 + ["open"] * 16)
        self.assertEqual(before.difference(), [])

    @each_person
    def test_a_low_port_is_carried_too(self):
        self.serving(port=389)
        self.assert_started(self.place.shell(self.client(389, "x"), "--spec", self.spec(389), "--yes"), "x\n")

    @each_person
    def test_a_wrapped_command_carries_what_was_approved(self):
        server = self.serving()
        self.place.write("work/client.py", CLIENT)
        spec = self.spec(server.port)
        done = self.place.lnk("wrap", "--spec", spec, "--approved", "--json", "--", "python3", "client.py", str(server.port), "x")
        self.assert_done(done)
        argv = json.loads(done.stdout)["argv"]
        run = subprocess.run([*self.place.person.prefix, *argv], cwd=self.place.work, env=self.place.environment(), capture_output=True, text=True,
                             check=False, timeout=product.RUN_TIMEOUT_S)
        self.assertEqual((run.returncode, run.stdout), (0, "x\n"), run.stderr)

    @each_person
    def test_a_limit_counts_connections(self):
        server = self.serving()
        script = "; ".join([self.client(server.port, "x")] * 2 + [self.client(server.port, "")])
        done = self.place.shell(script, "--spec", self.spec(server.port, more="[limits]\ncalls_per_minute = 2\n"), "--yes")
        self.assert_started(done, "x\nx\nclosed\n")
        self.assertEqual(self.log()[-1], ("refused", "localhost", "localhost", server.port, "too-many-calls"))


class Stopped(LocalhostTest):
    @each_person
    def test_stop_cuts_what_is_open_and_closes_the_next(self):
        server = self.serving()
        probe = ("import socket, sys\nport = int(sys.argv[1])\n"
                 "def open_one():\n  s = socket.create_connection(('localhost', port), 30); return s\n"
                 "def told(s):\n  try: return s.recv(10)\n  except OSError: return b''\n"
                 "s = open_one(); s.send(b'a'); print(told(s), flush=True)\nprint(told(s), flush=True)\n"
                 "s = open_one(); print(told(s), flush=True)\nsys.stdin.readline()\n"
                 "s = open_one(); s.send(b'b'); print(told(s), flush=True)\n")
        self.place.write("work/probe.py", probe)
        front = self.place.start("run", "--spec", self.spec(server.port), "--yes", "--", "python3", "probe.py", str(server.port), stdin=-1, stdout=-1,
                                 stderr=-1)
        self.addCleanup(front.communicate)
        self.assertEqual(front.stdout.readline(), "b'a'\n")
        self.assert_done(self.place.lnk("stop", "local"))
        self.assertEqual((front.stdout.readline(), front.stdout.readline()), ("b''\n", "b''\n"))
        self.assertEqual(server.count, 1)
        self.assert_done(self.place.lnk("resume", "local"))
        front.stdin.write("\n")
        front.stdin.flush()
        self.assertEqual(front.stdout.readline(), "b'b'\n")
        self.assertEqual(front.wait(product.RUN_TIMEOUT_S), 0)
        reasons = [(line["event"], line.get("reason")) for line in self.place.listing("log", "local") if line["event"] in ("close", "refused")]
        self.assertEqual(reasons, [("close", "stopped"), ("refused", "stopped"), ("close", None)])


class Words(LocalhostTest):
    @each_person
    def test_it_is_described_asked_about_and_explained(self):
        spec = self.spec(5432)
        told = self.place.lnk("describe", "--spec", spec).stdout
        self.assertIn("reaches  port 5432 of this machine's loopback, at localhost:5432 inside", told)
        self.assertIn("open     what listens on a port of this machine takes the program for you", told)
        self.assertEqual(json.loads(self.place.lnk("describe", "--spec", spec, "--json").stdout)["grants"]["localhost"], {"ports": [5432]})
        self.assertIn("port 5432", self.place.lnk("approve", "--spec", spec).stdout)
        self.assertIn("new   reaches  port 5433", self.place.lnk("describe", "--spec", self.spec(5432, 5433)).stdout)
        for asked, allowed, mend in (("localhost:5432", True, None), ("127.0.0.1:5432", True, None), ("localhost:5434", False, "[localhost] ports = [5434]"),
                                     ("[::1]:5432", False, None), ("example.com", False, '[network] hosts = ["example.com"]')):
            answer = json.loads(self.place.lnk("why", "--spec", spec, "--json", "host", asked).stdout)
            self.assertEqual((answer["allowed"], answer["mend"]), (allowed, mend), asked)


if __name__ == "__main__":
    unittest.main()
