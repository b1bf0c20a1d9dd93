# SPDX-License-Identifier: Apache-2.0
"""The rig itself: clients reach its internet with nothing between, what it records is what came, and it leaves nothing."""

import os
import signal
import socket
import subprocess
import tempfile
import unittest

from rig import capability, client, internet, machine, sites

NODE_TRUST = {"NODE_EXTRA_CA_CERTS": client.TRUST_FILE}


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **more)


class RigTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()

    def test_a_name_is_counted_when_it_is_asked_for(self):
        self.assertEqual(self.net.queries("allowed.test"), [])
        self.assertEqual(run(["curl", "-sS4", "https://allowed.test/"]).stdout, "hello from allowed.test\n")
        self.assertIn({"name": "allowed.test", "type": "A", "transport": "udp"}, self.net.queries("allowed.test"))

    def test_a_request_is_kept_as_the_bytes_that_came(self):
        raw = b"GET /a?b HTTP/1.1\r\nHost: allowed.test\r\nx-Odd:  two  spaces\r\nConnection: close\r\n\r\n"
        with socket.create_connection(("allowed.test", 80)) as stream:
            stream.sendall(raw)
            while stream.recv(4096):
                pass
        request, = self.net.requests("allowed.test")
        self.assertEqual(request["raw"], raw)

    def test_a_body_is_kept_in_either_framing(self):
        for fields, body in (("Content-Length: 3", b"abc"), ("Transfer-Encoding: chunked", b"3\r\nabc\r\n0\r\n\r\n")):
            self.net.reset()
            with socket.create_connection(("allowed.test", 80)) as stream:
                stream.sendall(f"POST / HTTP/1.1\r\nHost: allowed.test\r\n{fields}\r\nConnection: close\r\n\r\n".encode() + body)
                while stream.recv(4096):
                    pass
            request, = self.net.requests("allowed.test")
            self.assertEqual((request["body"], request["raw"].endswith(body)), (b"abc", True))

    def test_the_authority_is_trusted_by_each_client(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(run(["git", "clone", "-q", f"https://git.test/{sites.REPOSITORY}", folder + "/clone"]).returncode, 0)
            with open(folder + "/clone/README", encoding="ascii") as file:
                self.assertEqual(file.read(), sites.README_TEXT)
        script = "import urllib.request as u; print(u.urlopen('https://allowed.test/').read().decode(), end='')"
        self.assertEqual(run(["python3", "-c", script]).stdout, "hello from allowed.test\n")

    def test_npm_installs_the_package(self):
        capability.need("npm")
        with tempfile.TemporaryDirectory() as folder:
            done = run(["npm", "install", "--ignore-scripts", f"--registry=https://{sites.REGISTRY}/", sites.PACKAGE], cwd=folder,
                       env={**os.environ, **NODE_TRUST, "HOME": folder})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(run(["node", "-e", f"require('{sites.PACKAGE}')"], cwd=folder).stdout, sites.PACKAGE + "\n")

    def test_a_name_can_change_between_two_questions(self):
        self.net.set_name("turning.test", ["93.184.215.90"], then=["127.0.0.1"])
        first, second = (socket.getaddrinfo("turning.test", 80, socket.AF_INET)[0][4][0] for _ in range(2))
        self.assertEqual((first, second), ("93.184.215.90", "127.0.0.1"))

    def test_a_reply_can_be_told_byte_by_byte(self):
        self.net.set_reply("allowed.test", "/odd", b"HTTP/1.1 299 Odd\r\nContent-Length: 2\r\n\r\nok")
        self.assertEqual(run(["curl", "-sS", "-w", "%{http_code}", "http://allowed.test/odd"]).stdout, "ok299")

    def test_a_certificate_can_be_issued_for_a_new_name_or_be_out_of_date(self):
        self.net.set_name("new.test", ["93.184.215.91"])
        self.assertNotEqual(run(["curl", "-sS", "https://new.test/"]).returncode, 0)
        self.net.issue(["new.test"])
        self.assertEqual(run(["curl", "-sS", "https://new.test/"]).returncode, 0)
        self.net.issue(["new.test"], days=-1)
        self.assertIn("expired", run(["curl", "-sS", "https://new.test/"]).stderr)

    def test_closed_places_answer_so_that_silence_proves_something(self):
        for address in (internet.METADATA, internet.GATEWAY_4):
            self.assertEqual(run(["curl", "-sS", "-o", "/dev/null", f"http://{address}/"]).returncode, 0)
            self.assertEqual(len(self.net.connections(address)), 1)

    def test_bytes_come_whole_with_and_without_tls(self):
        for scheme in ("http", "https"):
            done = run(["curl", "-sS", "-o", "/dev/null", "-w", "%{size_download}", f"{scheme}://bulk.test/bytes/100000000"])
            self.assertEqual(done.stdout, "100000000")

    def test_an_ordinary_user_is_one(self):
        _, ordinary = client.people()
        self.assertEqual(run([*ordinary.prefix, "id", "-un"]).stdout.strip(), machine.ORDINARY_NAME)


class EndOfRigTest(unittest.TestCase):
    """A rig within the rig: its end is seen from outside it."""

    def setUp(self):
        capability.need("rig")
        self.enter = os.path.join(os.path.dirname(os.path.abspath(__file__)), "enter")

    def test_the_exit_code_is_the_commands(self):
        for command, code in ((["sh", "-c", "exit 7"], 7), (["sh", "-c", "kill -TERM $$"], 128 + signal.SIGTERM),
                              (["/no/such/program"], 127)):
            self.assertEqual(run([self.enter, "--", *command]).returncode, code)

    def test_nothing_is_left_when_it_is_killed(self):
        before = set(os.listdir("/tmp"))
        command = ["sh", "-c", f"echo up; read never # {MARK}"]
        process = subprocess.Popen([self.enter, "--", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"up\n")
        self.assertTrue(processes_with(MARK))
        process.kill()
        process.communicate()  # ends when the last process that holds the pipe is gone
        self.assertEqual(processes_with(MARK), [])
        self.assertEqual(set(os.listdir("/tmp")), before)


MARK = "a mark in the command line"


def processes_with(words):
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", encoding="utf-8", errors="replace") as file:
                    if words in file.read():
                        found.append(int(name))
            except OSError:
                pass
    return found


if __name__ == "__main__":
    unittest.main()
