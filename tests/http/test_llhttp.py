# SPDX-License-Identifier: Apache-2.0
"""What leaves the wire is the request that it understood to llhttp too, a reader that isn't ours: method, target, host, and where it ends.
Heads are the fuzzers' own, the hazards', and both damaged by a seeded hand."""

import glob
import json
import os
import random
import subprocess
import sys
import unittest

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TREE, "tests"), os.path.join(TREE, "tests", "wire")]

import hazard_rows as rows  # noqa: E402
from rig import capability  # noqa: E402

SUPPORT = os.environ.get("LNK_TEST_SUPPORT", os.path.join(TREE, "build", "release", "bin"))
PROGRAM = os.path.join(SUPPORT, "written_heads")
READER = os.path.join(TREE, "tests", "http", "read_heads.js")
ROUNDS = 60_000
PIECES = [b"\r\n", b"\n", b"\r", b" ", b"\t", b":", b",", b";", b"\0", b"\x80", b"\xa0", b"\x0b", b"chunked", b"identity", b"close", b"Upgrade", b"websocket",
          b"Content-Length: 6\r\n", b"Content-Length: 0\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: evil.test\r\n", b"Connection: Host, Content-Length\r\n",
          b"Connection: upgrade\r\nUpgrade: websocket\r\n", b"Transfer_Encoding: chunked\r\n", b"X: \r\n", b"http://", b"@", b"%0d%0a", b"?", b"#", b"//", b"*",
          b"POST", b"CONNECT", b"PATCH", b"MKCOL", b"OPTIONS", b"Keep-Alive: 1\r\n", b"Expect: 100-continue\r\n", b"Trailer: X\r\n", b"TE: trailers\r\n"]
MARKS = {"<M>": "POST", "<T>": "http://allowed.test/echo?a", "<H>": "allowed.test", "<A>": ""}


def seeds():
    for path in sorted(glob.glob(os.path.join(TREE, "fuzz", "corpus", "head", "*")) + glob.glob(os.path.join(TREE, "fuzz", "found", "head", "*"))):
        with open(path, "rb") as file:
            yield file.read()
    for row in rows.REQUESTS:
        for template in (row.refused, row.allowed):
            for mark, text in MARKS.items():
                template = template.replace(mark, text)
            yield template.encode("latin-1")


def damaged(head, hand):
    for _ in range(hand.randrange(4)):
        at = hand.randrange(len(head) + 1)
        kind = hand.randrange(4)
        if kind == 0:
            head = head[:at] + hand.choice(PIECES) + head[at:]
        elif kind == 1:
            head = head[:at] + head[at + 1 + hand.randrange(4):]
        elif kind == 2:
            head = head[:at] + bytes([hand.randrange(256)]) + head[at + 1:]
        else:  # a line of its own, where lines begin
            lines = head.split(b"\r\n")
            lines.insert(hand.randrange(len(lines)), hand.choice(PIECES).rstrip(b"\r\n"))
            head = b"\r\n".join(lines)
    return head


class Llhttp(unittest.TestCase):
    def setUp(self):
        capability.need("npm")
        if not os.path.exists(PROGRAM):
            capability.lack("written_heads", f"{PROGRAM} is not built")

    def read(self, written):
        done = subprocess.run(["node", READER], input=written, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def test_it_reads_what_leaves_the_wire_as_the_wire_understood_it(self):
        hand = random.Random(11)
        known = list(seeds())
        heads = known + [damaged(hand.choice(known), hand) for _ in range(ROUNDS)]
        asked = "".join(head.hex() + "\n" for head in heads)
        written = subprocess.run([PROGRAM], input=asked, capture_output=True, text=True, check=True).stdout
        self.assertEqual(written.count("\n"), len(heads))
        found = self.read(written)
        self.assertEqual(found["faults"], [])
        # It would say little if nearly all were refused.
        self.assertGreater(found["taken"], ROUNDS // 10)
        self.assertLess(found["taken"], ROUNDS * 9 // 10)

    def test_the_reader_finds_each_way_in_which_a_head_could_be_another_request(self):
        def line(head, method="POST", target="/a", host="h.test", framing="none", length=0, count=1):
            return f"{method} {target.encode().hex()} {host.encode().hex()} {framing} {length} {count} {head.encode('latin-1').hex()}\n"
        good = "POST /a HTTP/1.1\r\nHost: h.test\r\n"
        self.assertEqual(self.read(line(good + "\r\n"))["count"], 0)
        for told in (line(good + "\r\n", method="PUT"), line(good + "\r\n", target="/b"), line(good + "\r\n", host="i.test"),
                     line(good + "Content-Length: 5\r\n\r\n", count=2), line(good + "Transfer-Encoding: chunked\r\n\r\n", count=2),
                     line(good + "X: 1\r\n\r\n"), line(good + "Content-Length: 6\r\n\r\n", framing="length", length=5, count=2),
                     line(good + "Host: h.test\r\n\r\n", count=2), line(good + "\r\nGET / HTTP/1.1\r\nHost: h.test\r\n\r\n"), line(good)):
            self.assertEqual(self.read(told)["taken"], 1)
            self.assertGreater(self.read(told)["count"], 0, told)


if __name__ == "__main__":
    unittest.main()
