# SPDX-License-Identifier: Apache-2.0
"""Each known hazard of HTTP/1 as raw bytes through a running wire, in plain proxying, with CONNECT and on a verb, with what the servers
outside saw as proof: of a refused request nothing, or no whole one and none behind it; of its mended twin one clean request."""

import os
import re
import sys
import unittest

import hazard_rows as rows
from hazard_rows import CONNECT, HOST, PLAIN, VERB
from wire_process import OWN_PORT, TREE, field_of, read_all, read_head, refusal_of, status_of, wait_until

from rig import capability, client

sys.path.insert(0, os.path.join(TREE, "tests", "verb-secret"))

import test_secret_wire as secret_wire  # noqa: E402

API = secret_wire.HOST
ASK = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
REASONS = {404: "no-such-verb", 414: "too-large", 426: "no-upgrade", 431: "too-large"}
OWN = f"127.0.0.1:{OWN_PORT}"
ROADS = {PLAIN: ("POST", f"http://{HOST}/echo", HOST, ""), CONNECT: ("CONNECT", f"{HOST}:80", f"{HOST}:80", ""),
         VERB: ("POST", "/_link/secret/key/echo", OWN, secret_wire.bearer())}


def on(road, template):
    for mark, text in zip(("<M>", "<T>", "<H>", "<A>"), ROADS[road]):
        template = template.replace(mark, text)
    return template.encode("latin-1")


class Hazards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        capability.need("rig")
        cls.net = client.Internet()
        cls.wire = secret_wire.SecretWire({"key": (secret_wire.HEADER, secret_wire.RANDOM, secret_wire.KEY)}, hosts={HOST: [80, 443]})

    @classmethod
    def tearDownClass(cls):
        cls.wire.close()

    def setUp(self):
        self.net.reset()

    def ask(self, raw, goes_on=False):
        """As a person lets it go on whatever was asked for before. `goes_on`: what it says once it has answered, in a tunnel."""
        self.wire.resume()
        with self.wire.connect() as stream:
            stream.sendall(raw)
            if not goes_on:
                stream.shutdown(1)
                return read_all(stream)
            head, _ = read_head(stream)
            stream.sendall(ASK.encode())
            read_all(stream)
            return head + b"\r\n\r\n"

    def assert_clean(self, request):
        """What arrived is one request that every reader reads alike."""
        raw = request["raw"]
        head, end, body = raw.partition(b"\r\n\r\n")
        self.assertTrue(end)
        first, *lines = head.split(b"\r\n")
        self.assertRegex(first, rb"\A[A-Z]+ [\x21-\x7e]+ HTTP/1\.1\Z")
        names = []
        for line in lines:
            self.assertRegex(line, rb"\A[!#$%&'*+.^_`|~0-9A-Za-z-]+: ?([\x21-\x7e\x80-\xff]([\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?\Z")
            names.append(line.partition(b":")[0].lower())
        self.assertEqual(names.count(b"host"), 1)
        self.assertLessEqual(names.count(b"content-length") + names.count(b"transfer-encoding"), 1)
        self.assertTrue(b"connection" not in names or b"\r\nConnection: close\r\n" in raw)  # a verb's own
        for hop in (b"keep-alive", b"te", b"trailer", b"upgrade", b"expect"):
            self.assertNotIn(hop, names)
        if b"transfer-encoding" in names:
            self.assertIsNotNone(re.fullmatch(rb"(?:[1-9a-f][0-9a-f]*\r\n(?s:.*?)\r\n)*0\r\n\r\n", body))
        else:
            self.assertEqual(body, request["body"])

    def assert_refused(self, road, row):
        self.net.reset()
        reply = self.ask(on(road, row.refused))
        reason = REASONS.get(row.status, "bad-request")
        if row.status == 403:
            self.assertEqual(status_of(reply), 403)
            self.assertIn(field_of(reply, "Link-Refused"), ("path-refused", "closed-address", "host-not-listed"))
        else:
            self.assertEqual(refusal_of(reply), (row.status, reason))
        self.assertEqual(reply.count(b"HTTP/1.1 "), 1)
        if row.status in (400, 501):
            self.assertEqual(field_of(reply, "Connection"), "close")
        if row.number not in rows.IN_THE_BODY or road == CONNECT:
            self.assertEqual((self.net.requests(), self.net.connections(), self.net.queries()), ([], [], []))
            return
        # A body is looked at as it comes: what came before its fault has gone out, and never a whole request.
        ended = wait_until(self.net.connections, lambda found: found and all(one["ended"] for one in found))
        self.assertEqual(len(ended), 1)
        for request in self.net.requests():
            self.assertFalse(request["raw"].endswith(b"0\r\n\r\n"), request["raw"])
            self.assertNotIn(b"smuggled", request["raw"])

    def assert_allowed(self, road, row):
        self.net.reset()
        reply = self.ask(on(road, row.allowed), goes_on=road == CONNECT)
        self.assertEqual(status_of(reply), 200 if b"100-continue" not in on(road, row.allowed) else 100, reply)
        request, = self.net.requests()
        self.assertEqual(request["host"], API if road == VERB else HOST)
        if road == CONNECT:
            self.assertEqual(request["raw"], ASK.encode())
        else:
            self.assert_clean(request)

    def test_each_request_is_refused_and_its_mended_twin_arrives_clean_on_every_road(self):
        for row in rows.REQUESTS:
            for road in row.roads:
                with self.subTest(row=row.number, road=road, refused=row.refused[:100]):
                    self.assert_refused(road, row)
                with self.subTest(row=row.number, road=road, allowed=row.allowed[:100]):
                    self.assert_allowed(road, row)

    def test_every_hazard_of_the_list_has_its_row(self):
        known = {row.number for row in rows.REQUESTS} | set(rows.SHOWN_ELSEWHERE) | rows.OF_BODY_READING_VERBS
        gaps = {"6", "12", "15", "17", "25", "31", "37", "53", "54", "57", "62", "66", "71", "76", "80"}  # numbers that the list leaves out
        self.assertEqual(known, {str(number) for number in range(1, 83)} - gaps)

    def test_a_byte_beyond_ascii_in_a_value_passes_in_plain_proxying_as_it_is(self):
        self.assertEqual(status_of(self.ask(on(PLAIN, rows.head("X: a\xa0\x85\xff\r\n")))), 200)
        request, = self.net.requests()
        self.assert_clean(request)
        self.assertIn(b"\r\nX: a\xa0\x85\xff\r\n", request["raw"])

    # Replies -------------------------------------------------------------------------------------------------------

    def reply_to(self, road, raw, method="GET"):
        self.net.set_reply(API if road == VERB else HOST, "/odd", raw.encode("latin-1"))
        self.wire.resume()
        more = secret_wire.bearer() if road == VERB else ""
        target, place = ("/_link/secret/key/odd", OWN) if road == VERB else (f"http://{HOST}/odd", HOST)
        return self.wire.ask(f"{method} {target} HTTP/1.1\r\nHost: {place}\r\n{more}Connection: close\r\n\r\n".encode())

    def test_each_bad_reply_is_502_and_its_mended_twin_arrives(self):
        for row in rows.REPLIES:
            for road in (PLAIN, VERB):
                with self.subTest(row=row.number, road=road, refused=row.refused[:100]):
                    reply = self.reply_to(road, row.refused)
                    self.assertEqual((refusal_of(reply), reply.count(b"HTTP/1.1 ")), ((502, "upstream"), 1))
                with self.subTest(row=row.number, road=road, allowed=row.allowed[:100]):
                    reply = self.reply_to(road, row.allowed)
                    self.assertEqual((field_of(reply, "Link-Refused"), reply.count(b"HTTP/1.1 ")), (None, 1))
                    self.assertNotIn(b"103 Early", reply)

    def test_a_reply_to_head_has_no_body_whatever_follows(self):
        for road in (PLAIN, VERB):
            reply = self.reply_to(road, rows.OK_LENGTH + "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled", "HEAD")
            self.assertTrue(reply.endswith(b"\r\n\r\n"), reply)
            self.assertNotIn(b"hello", reply)
            self.assertNotIn(b"smuggled", reply)

    def test_what_follows_a_reply_is_nobodys(self):
        """A server that answers twice: the second is not given to the client's next request."""
        twice = (rows.OK_LENGTH + "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled").encode()
        self.net.set_reply(HOST, "/odd", twice, close=False)
        with self.wire.connect() as stream:
            ask = f"GET http://{HOST}/odd HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
            stream.sendall(ask)
            head, rest = read_head(stream)
            while len(rest) < 5:
                rest += stream.recv(100)
            self.assertEqual((status_of(head), rest), (200, b"hello"))
            stream.sendall(ask.replace(b"/odd", b"/even").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
            self.assertTrue(read_all(stream).endswith(b"hello from allowed.test\n"))

    def test_a_reply_without_a_length_is_chunked_and_closes(self):
        self.assertTrue(self.reply_to(PLAIN, rows.ok(body="to the end")).endswith(b"\r\n\r\na\r\nto the end\r\n0\r\n\r\n"))

    def test_trailers_of_a_reply_are_dropped(self):
        raw = rows.ok("Transfer-Encoding: chunked\r\nTrailer: Set-Cookie\r\n", "5;x=y\r\nhello\r\n0\r\nSet-Cookie: a=b\r\nContent-Type: x\r\n\r\n")
        for road in (PLAIN, VERB):
            reply = self.reply_to(road, raw)
            self.assertTrue(reply.endswith(b"hello\r\n0\r\n\r\n"), reply)
            for word in (b"Set-Cookie", b"Trailer", b"Content-Type", b"x=y"):
                self.assertNotIn(word, reply)

    def test_what_a_reply_says_of_other_places_is_not_followed_on_a_verb(self):
        fields = {"Location": "http://other.test/", "Refresh": "0;url=http://other.test/", "Alt-Svc": 'h3=":443"', "Set-Cookie": "a=b"}
        raw = "HTTP/1.1 302 Found\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "Content-Length: 0\r\n\r\n"
        reply = self.reply_to(VERB, raw)
        self.assertEqual(status_of(reply), 302)
        self.assertEqual([field_of(reply, name) for name in fields], [fields["Location"], fields["Refresh"], None, None])
        self.assertEqual((self.net.queries("other.test"), self.net.requests("other.test")), ([], []))


if __name__ == "__main__":
    unittest.main()
