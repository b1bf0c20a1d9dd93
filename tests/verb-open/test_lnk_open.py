# SPDX-License-Identifier: Apache-2.0
"""lnk-open by itself, before a wire that is played here: what it sends, and what it says of each answer."""

import os
import subprocess
import unittest

from rig.loopback import Server

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PARTS = os.environ.get("LNK_PARTS", os.path.join(TREE, "out", "lib", "lnk-sandbox"))
PROGRAM = os.path.join(PARTS, "os-linux", "lnk-open")
OPENED, REFUSED, WRONG_USE = 0, 1, 2
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nopened\n"


class LnkOpen(unittest.TestCase):
    def run_before(self, reply, *arguments, **environment):
        """The code, the standard error, and the request that came."""
        requests = []

        def answer(stream):
            received = b""
            while b"\r\n\r\n" not in received:
                received += stream.recv(65536)
            head, _, body = received.partition(b"\r\n\r\n")
            while len(body) < int(head.rpartition(b"Content-Length: ")[2]):
                body += stream.recv(65536)
            requests.append((head, body))
            stream.sendall(reply)

        wire = Server(answer)
        self.addCleanup(wire.close)
        given = {"LNK_WIRE": f"http://127.0.0.1:{wire.port}", "LNK_SECRET": "abc_-1", **environment}
        done = subprocess.run([PROGRAM, *arguments], env=given, capture_output=True, timeout=60, check=False)
        self.assertEqual(done.stdout, b"")
        return done.returncode, done.stderr.decode("ascii"), requests

    def test_it_sends_the_first_argument_that_is_a_url(self):
        for arguments in (["https://a.example/x?y#z"], ["--new-window", "https://a.example/x?y#z", "http://b.example/"], ["%s", "https://a.example/x?y#z"]):
            code, said, [(head, body)] = self.run_before(OK, *arguments)
            self.assertEqual((code, said, body), (OPENED, "", b"https://a.example/x?y#z"))
            self.assertTrue(head.startswith(b"POST /_link/s/abc_-1/open HTTP/1.1\r\nHost: 127.0.0.1:"), head)

    def test_a_refusal_is_told_on_one_line_of_plain_ascii(self):
        code, said, _ = self.run_before(b"HTTP/1.1 403 Forbidden\r\nLink-Refused: page-refused\r\n\r\nno \x1b[2J\xc3\xa9\nmore", "HTTPS://a.example/")
        self.assertEqual((code, said), (REFUSED, "lnk-open: no ?[2J??\n"))
        code, said, _ = self.run_before(b"", "https://a.example/")
        self.assertEqual(code, REFUSED)
        self.assertIn("closed without an answer", said)

    def test_what_is_no_use_of_it_is_told_and_nothing_sent(self):
        for arguments in ([], ["file:///etc/passwd"], ["-h"], ["a https://b"]):
            code, said, requests = self.run_before(OK, *arguments)
            self.assertEqual((code, requests), (WRONG_USE, []))
            self.assertIn("usage: lnk-open URL", said)
        for environment in ({"LNK_SECRET": "a/b"}, {"LNK_SECRET": ""}, {"LNK_SECRET": "a" * 257}, {"LNK_WIRE": "http://192.0.2.1:1"}, {"LNK_WIRE": "http://127.0.0.1:0"},
                            {"LNK_WIRE": "http://127.0.0.1:80/x"}):
            code, said, requests = self.run_before(OK, "https://a.example/", **environment)
            self.assertEqual((code, requests), (WRONG_USE, []), environment)
        code, said, requests = self.run_before(OK, "https://a.example/" + "a" * 16384)
        self.assertEqual((code, requests), (REFUSED, []))
        self.assertIn("more than 16 KiB", said)


if __name__ == "__main__":
    unittest.main()
