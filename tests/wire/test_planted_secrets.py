# SPDX-License-Identifier: Apache-2.0
"""Secrets planted wherever a call has a place for one are found in nothing that the wire leaves: its log, its standard error, the
settings, and no dump of its memory, which the kernel makes of none of its deaths."""

import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

from wire_process import TREE, OWN_PORT, connect, get, read_all, read_head, status_of

from rig import capability, client

sys.path.insert(0, os.path.join(TREE, "tests", "verb-secret"))

import test_secret_wire as secret_wire  # noqa: E402

HOST = "allowed.test"
PLACES = ("path", "query", "field", "field-name", "body", "chunk-extension", "trailer", "reply-field", "reply-body", "reply-phrase", "bad-reply",
          "tunnel", "refused-path", "refused-body", "bad-head", "verb-path", "verb-query", "verb-body", "placeholder", "kept-secret")
PLANTED = {place: f"Pl4nted{number:02}zQ" for number, place in enumerate(PLACES)}
PLACEHOLDER = PLANTED["placeholder"].ljust(43, "A")  # of the length that all have
RULE = {**secret_wire.HEADER, "host": secret_wire.HOST}


class PlantedSecrets(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        self.wire = secret_wire.SecretWire({"key": (RULE, PLACEHOLDER, PLANTED["kept-secret"] * 4)}, hosts={HOST: [80, 443]})
        self.addCleanup(lambda: self.wire.process.returncode is None and self.wire.close())
        self.assertEqual(self.wire.ready, {"ready": True})

    def plain(self, path="/echo", fields="", body=b"", method="POST"):
        return f"{method} http://{HOST}{path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n{fields}\r\n".encode() + body

    def speak(self):
        """One call for each place; each answer is looked at, so that each was taken or refused as it should be."""
        secret = {place: text.encode() for place, text in PLANTED.items()}
        self.net.set_reply(HOST, "/told", b"HTTP/1.1 500 " + secret["reply-phrase"] + b"\r\nX: " + secret["reply-field"] + b"\r\n\r\n" + secret["reply-body"])
        self.net.set_reply(HOST, "/bad", b"HTTP/1.1 200 OK\r\n" + secret["bad-reply"] + b"\r\n\r\n")
        chunked = b"5;a=" + secret["chunk-extension"] + b"\r\nhello\r\n0\r\nX: " + secret["trailer"] + b"\r\n\r\n"
        own = f"Host: 127.0.0.1:{OWN_PORT}\r\nAuthorization: Bearer {PLACEHOLDER}\r\nConnection: close\r\n"
        verb = f"POST /_link/secret/key/{PLANTED['verb-path']}?q={PLANTED['verb-query']} HTTP/1.1\r\n{own}Content-Length: 10\r\n\r\n".encode()
        asks = [
            (200, self.plain(f"/{PLANTED['path']}?{PLANTED['query']}", f"X: {PLANTED['field']}\r\n{PLANTED['field-name']}: 1\r\n", method="GET")),
            (200, self.plain(fields="Content-Length: 10\r\n", body=secret["body"][:10])), (200, self.plain(fields="Transfer-Encoding: chunked\r\n", body=chunked)),
            (500, self.plain("/told", method="GET")), (502, self.plain("/bad", method="GET")), (403, get("other.test", "/" + PLANTED["refused-path"])),
            (400, self.plain(fields="Transfer-Encoding: chunked\r\n", body=secret["refused-body"])), (400, b"GET " + secret["bad-head"] + b" x HTTP/1.1\r\n\r\n"),
            (200, verb + secret["verb-body"][:10]), (401, verb.replace(secret["placeholder"], secret["kept-secret"]) + bytes(10)),
        ]
        for status, raw in asks:
            self.assertEqual(status_of(self.wire.ask(raw)), status, raw)
        with self.wire.connect() as stream:
            stream.sendall(connect(f"{HOST}:80"))
            self.assertEqual(status_of(read_head(stream)[0]), 200)
            stream.sendall(b"GET /" + secret["tunnel"] + b" HTTP/1.1\r\nHost: allowed.test\r\nConnection: close\r\n\r\n")
            stream.shutdown(socket.SHUT_WR)
            read_all(stream)
        return len(asks) + 1

    def assert_nowhere(self, text, where):
        for place, secret in PLANTED.items():
            self.assertNotIn(secret[:10].encode(), text, (place, where))

    def test_none_is_in_what_the_wire_leaves(self):
        count = self.speak()
        self.assertEqual(len(self.wire.closed_calls(count)), count)
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.wire.settings) for name in names]
        self.assertTrue(files)
        for path in files:
            with open(path, "rb") as file:
                self.assert_nowhere(file.read(), path)
        self.assert_nowhere(str(files).encode(), "the names of files")
        # They did arrive where they should: the test would say nothing if they had not been sent.
        seen = b"".join(request["raw"] for request in self.net.requests())
        for place in ("path", "query", "field", "field-name", "body", "tunnel", "verb-path", "verb-query", "kept-secret"):
            self.assertIn(PLANTED[place][:10].encode(), seen, place)
        for place in ("chunk-extension", "trailer", "placeholder", "refused-path", "bad-head"):
            self.assertNotIn(PLANTED[place].encode(), seen, place)
        self.wire.close()
        self.assert_nowhere(self.wire.stderr.encode(), "standard error")

    def test_the_kernel_dumps_no_memory_of_a_wire_that_dies(self):
        self.speak()
        number = self.wire.process.pid
        # As root may say of any process; the wire's own word that it is not to be dumped stands before it.
        resource.prlimit(number, resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.assertEqual(self.dies(number, signal.SIGSEGV), (signal.SIGSEGV, False))
        self.wire.process.returncode = -signal.SIGSEGV
        self.wire.close()
        self.assert_nowhere(self.wire.stderr.encode(), "standard error")

    @unittest.skipUnless(open("/proc/sys/kernel/core_pattern", encoding="ascii").read(1) not in "|/@", "cores go elsewhere here")
    def test_its_twin_that_says_nothing_of_dumps_is_dumped(self):
        with tempfile.TemporaryDirectory() as folder:
            twin = subprocess.Popen(["cat"], cwd=folder, stdin=subprocess.PIPE)
            resource.prlimit(twin.pid, resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            self.assertEqual(self.dies(twin.pid, signal.SIGSEGV), (signal.SIGSEGV, True))
            twin.returncode = -signal.SIGSEGV
            twin.stdin.close()

    @staticmethod
    def dies(number, how):
        os.kill(number, how)
        _, status = os.waitpid(number, 0)
        return os.WTERMSIG(status), os.WCOREDUMP(status)


if __name__ == "__main__":
    unittest.main()
