# SPDX-License-Identifier: Apache-2.0
"""The hazards as raw bytes through a running wire, with what the servers outside saw as proof: a refused request reaches
nobody, and an odd one that is allowed arrives written anew. The tables of what is refused are the parser's own tests."""

import unittest

from wire_process import Wire, connect, field_of, get, read_all, read_head, refusal_of, status_of

from rig import capability, client

HOST = "allowed.test"


def post(fields, body=b"", version="1.1"):
    return f"POST http://{HOST}/echo HTTP/{version}\r\nHost: {HOST}\r\n".encode() + fields + b"\r\n" + body


CHUNKED = b"Transfer-Encoding: chunked\r\nConnection: close\r\n"
SMUGGLED = b"GET http://allowed.test/smuggled HTTP/1.1\r\nHost: allowed.test\r\n\r\n"

REFUSED = [
    ("1", 400, post(b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + SMUGGLED)),
    ("2", 400, post(b"Content-Length: 0\r\nContent-Length: 5\r\n", SMUGGLED)),
    ("3", 400, post(b"Content-Length: 0\r\nContent-Length: 0\r\n", SMUGGLED)),
    ("4", 400, post(b"Content-Length: 0, 0\r\n", SMUGGLED)),
    ("5", 400, post(b"Content-Length: +0\r\n", SMUGGLED)),
    ("7", 501, post(b"Transfer-Encoding: xchunked\r\n", SMUGGLED)),
    ("8", 400, post(b"Transfer-Encoding: chunked, identity\r\n", SMUGGLED)),
    ("9", 400, post(b"Transfer-Encoding: identity\r\n", SMUGGLED)),
    ("10", 501, post(b"Transfer-Encoding: gzip, chunked\r\n", b"0\r\n\r\n" + SMUGGLED)),
    ("14", 400, post(b"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", b"0\r\n\r\n" + SMUGGLED)),
    ("16", 400, post(b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", "1.0")),
    ("18", 400, post(b"Content-Length : 0\r\n")),
    ("19", 400, get(HOST, fields="X: a\r\n b\r\n")),
    ("20", 400, post(b"Transfer-Encoding:\r\n chunked\r\n", b"0\r\n\r\n")),
    ("22", 400, get(HOST).replace(b"\r\n", b"\n")),
    ("24", 400, get(HOST, fields="X: a\rContent-Length: 5\r\n")),
    ("26", 400, get(HOST, fields="X: a\0\r\n")),
    ("29", 400, b"GET http://allowed.test/\xc3\xa9 HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("30", 400, get(HOST, fields="no colon\r\n")),
    ("41", 400, get(HOST, fields=f"Host: {HOST}\r\n")),
    ("42", 400, b"GET http://allowed.test/ HTTP/1.1\r\n\r\n"),
    ("44", 400, b"GET http://allowed.test/ HTTP/1.1\r\nHost: other.test\r\n\r\n"),
    ("45", 400, b"GET http://u:p@allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("46", 400, b"CONNECT allowed.test HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("47", 400, connect(f"{HOST}:80", "Content-Length: 5\r\n") + b"hello"),
    ("51", 400, b"\r\n" + get(HOST)),
    ("52", 400, b"GET  http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("55", 400, get(HOST, version="2.0")),
    ("56", 400, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ("58", 405, b"OPTIONS * HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("58 with GET", 400, b"GET * HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("59", 405, b"TRACE http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("59 unknown", 501, b"BREW http://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("61", 417, post(b"Expect: 200-ok\r\nContent-Length: 0\r\n")),
    ("63", 431, get(HOST, fields="".join(f"X-{n}: 1\r\n" for n in range(100)))),
    ("63 target", 414, get(HOST, "/" + "a" * 17000)),
    ("63 field", 431, get(HOST, fields="X: " + "a" * 9000 + "\r\n")),
    ("75", 400, b"CONNECT 127.1:80 HTTP/1.1\r\nHost: 127.1:80\r\n\r\n"),
    ("origin-form", 400, b"GET / HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("https in absolute-form", 400, b"GET https://allowed.test/ HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
    ("TLS to the port", 400, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    ("no verb", 404, b"GET /_link/nothing HTTP/1.1\r\nHost: 127.0.0.1:40781\r\nConnection: close\r\n\r\n"),
    ("a verb's path on another host", 400, b"GET /_link/nothing HTTP/1.1\r\nHost: allowed.test\r\n\r\n"),
]

REASONS = {431: "too-large", 414: "too-large", 404: "no-such-verb"}

BAD_REPLIES = [
    ("85 both framings", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello"),
    ("85 lengths", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
    ("85 status", b"HTTP/1.1 1000 OK\r\nContent-Length: 0\r\n\r\n"),
    ("85 bare LF", b"HTTP/1.1 200 OK\nContent-Length: 0\n\n"),
    ("85 CR", b"HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n"),
    ("85 HTTP/2", b"HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ("85 ICY", b"ICY 200 OK\r\n\r\n"),
    ("86", b"HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n"),
    ("87", b"HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n"),
    ("88", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\nhello"),
    ("101 unasked", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
    ("nothing", b""),
    ("cut", b"HTTP/1.1 200 OK\r\nContent-Le"),
    ("too many interim replies", b"HTTP/1.1 103 Early Hints\r\n\r\n" * 20 + b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
]


class HeadsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        capability.need("rig")
        cls.net = client.Internet()
        cls.wire = Wire({HOST: [80, 443]})

    @classmethod
    def tearDownClass(cls):
        cls.wire.close()

    def setUp(self):
        self.net.reset()

    def test_a_hazard_is_refused_closes_and_reaches_nobody(self):
        for row, status, raw in REFUSED:
            with self.subTest(row=row):
                reply = self.wire.ask(raw)
                self.assertEqual(refusal_of(reply), (status, REASONS.get(status, "bad-request")))
                self.assertEqual(reply.count(b"HTTP/1.1 "), 1)
                self.assertEqual(self.net.requests(), [])
                self.assertEqual(self.net.queries(), [])

    def test_a_chunked_body_that_can_be_read_in_two_ways_is_refused_and_never_whole_outside(self):
        for chunks in (b"1 \r\nx\r\n0\r\n\r\n", b"0x1\r\nx\r\n0\r\n\r\n", b"1;a\nb\r\nx\r\n0\r\n\r\n", b"1\nx\n0\n\n", b"1\r\nxy\r\n0\r\n\r\n",
                       b"1;a=\"b\r\nx\r\n0\r\n\"\r\n\r\n", b"10000000000000001\r\nx\r\n", b"1\r\nx\r\n0\r\nContent-Length: 9\r\n\r\n"):
            with self.subTest(chunks=chunks):
                self.net.reset()
                self.assertEqual(refusal_of(self.wire.ask(post(CHUNKED, chunks))), (400, "bad-request"))
                self.assertTrue(all(request["method"] is None or not request["raw"].endswith(b"0\r\n\r\n") for request in self.net.requests()))

    def test_extensions_and_trailers_are_dropped(self):
        body = b"5;a=b\r\nhello\r\n000\r\nHost: other.test\r\nAuthorization: x\r\n\r\n"
        self.assertEqual(status_of(self.wire.ask(post(CHUNKED, body))), 200)
        request, = self.net.requests()
        self.assertEqual(request["body"], b"hello")
        self.assertTrue(request["raw"].endswith(b"\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), request["raw"])

    def test_what_arrives_is_written_anew_without_fields_of_this_hop(self):
        fields = ("X-Kept: 1\r\nConnection: close, X-Hop\r\nX-Hop: 2\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: Basic eA==\r\n"
                  "Keep-Alive: timeout=5\r\nTE: trailers\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n")
        self.wire.ask(get("ALLOWED.test:80", "/a%2Fb?c", fields, close=False))
        request, = self.net.requests()
        self.assertEqual(request["raw"], b"GET /a%2Fb?c HTTP/1.1\r\nHost: allowed.test\r\nX-Kept: 1\r\n\r\n")

    def test_a_bad_reply_is_502(self):
        for row, raw in BAD_REPLIES:
            with self.subTest(row=row):
                self.net.set_reply(HOST, "/odd", raw)
                self.assertEqual(refusal_of(self.wire.ask(get(HOST, "/odd"))), (502, "upstream"))

    def test_interim_replies_are_not_passed_on(self):
        self.net.set_reply(HOST, "/hints", b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        reply = self.wire.ask(get(HOST, "/hints"))
        self.assertEqual((status_of(reply), reply.count(b"HTTP/1.1"), reply[-2:]), (200, 1, b"ok"))

    def test_trailers_and_hop_fields_of_a_reply_are_dropped(self):
        self.net.set_reply(HOST, "/t", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: X-Hop\r\nX-Hop: 1\r\nTrailer: Set-Cookie\r\n\r\n"
                                       b"2;x=y\r\nok\r\n0\r\nSet-Cookie: a=b\r\n\r\n")
        reply = self.wire.ask(get(HOST, "/t"))
        self.assertEqual(reply.partition(b"\r\n\r\n")[2], b"2\r\nok\r\n0\r\n\r\n")
        self.assertNotIn(b"Set-Cookie", reply)
        self.assertNotIn(b"X-Hop", reply)

    def test_a_reply_without_a_length_is_chunked_for_1_1_and_goes_to_the_end_for_1_0(self):
        self.net.set_reply(HOST, "/end", b"HTTP/1.1 200 OK\r\n\r\nto the end")
        self.assertTrue(self.wire.ask(get(HOST, "/end")).endswith(b"\r\n\r\na\r\nto the end\r\n0\r\n\r\n"))
        self.assertTrue(self.wire.ask(get(HOST, "/end", version="1.0")).endswith(b"Connection: close\r\n\r\nto the end"))

    def test_a_chunked_reply_is_decoded_for_1_0(self):
        self.net.set_reply(HOST, "/c", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        reply = self.wire.ask(get(HOST, "/c", version="1.0"))
        self.assertTrue(reply.endswith(b"\r\n\r\nok"))
        self.assertIsNone(field_of(reply, "Transfer-Encoding"))

    def test_a_reply_cut_short_is_cut_short_for_the_client_too(self):
        self.net.set_reply(HOST, "/cut", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        self.assertTrue(self.wire.ask(get(HOST, "/cut", close=False)).endswith(b"half"))
        self.net.set_reply(HOST, "/cut2", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")
        self.assertFalse(self.wire.ask(get(HOST, "/cut2", close=False)).endswith(b"0\r\n\r\n"))

    def test_a_reply_cut_short_is_logged_with_the_status_that_was_sent(self):
        whole = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalf"
        cut = (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
               b"HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
               b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz\r\n")
        with Wire({HOST: [80]}) as wire:
            for raw in (*cut, whole, b"HTTP/1.1 200 OK\r\nContent-Le"):
                self.net.set_reply(HOST, "/cut", raw)
                wire.ask(get(HOST, "/cut"))
            ends = [(line.get("reason"), line["status"]) for line in wire.closed_calls(5)]
        self.assertEqual(ends, [("upstream", 200), ("upstream", 404), ("upstream", 200), (None, 200), ("upstream", 502)])

    def test_head_and_bodiless_statuses_have_no_body_and_the_connection_goes_on(self):
        self.net.set_reply(HOST, "/304", b"HTTP/1.1 304 Not Modified\r\nETag: x\r\n\r\n", close=False)
        self.net.set_reply(HOST, "/204", b"HTTP/1.1 204 No Content\r\n\r\n", close=False)
        with self.wire.connect() as stream:
            head = f"HEAD http://{HOST}/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
            for raw, status in ((head, 200), (get(HOST, "/304", close=False), 304), (get(HOST, "/204", close=False), 204)):
                stream.sendall(raw)
                reply, rest = read_head(stream)
                self.assertEqual((status_of(reply), rest), (status, b""))
            stream.sendall(get(HOST))
            self.assertTrue(read_all(stream).endswith(b"hello from allowed.test\n"))

    def test_pipelined_requests_are_answered_in_order(self):
        paths = [f"/echo?{number}" for number in range(5)]
        with self.wire.connect() as stream:
            stream.sendall(b"".join(get(HOST, path, close=path == paths[-1]) for path in paths))
            reply = read_all(stream)
        found = [int(part.split(b" ", 1)[0]) for part in reply.split(b"GET /echo?")[1:]]
        self.assertEqual(found, [0, 1, 2, 3, 4])
        self.assertEqual([request["target"] for request in self.net.requests()], paths)

    def test_a_connection_outside_serves_the_same_clients_next_request_and_no_other_clients(self):
        with self.wire.connect() as one:
            for _ in range(3):
                one.sendall(get(HOST, close=False))
                self.assertEqual(read_head(one)[1] or one.recv(100), b"hello from allowed.test\n")
            self.assertEqual(len(self.net.connections()), 1)
            self.wire.ask(get(HOST))
            self.assertEqual(len(self.net.connections()), 2)

    def test_a_kept_connection_that_the_server_closed_is_not_used(self):
        self.net.set_reply(HOST, "/once", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", close=True)
        with self.wire.connect() as stream:
            for _ in range(3):
                stream.sendall(get(HOST, "/once", close=False))
                head, rest = read_head(stream)
                self.assertEqual((status_of(head), rest or stream.recv(2)), (200, b"ok"))

    def test_100_continue_is_answered_after_the_decision_and_not_sent_on(self):
        with self.wire.connect() as stream:
            stream.sendall(post(b"Expect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n"))
            self.assertEqual(read_head(stream), (b"HTTP/1.1 100 Continue", b""))
            stream.sendall(b"hello")
            self.assertEqual(status_of(read_all(stream)), 200)
        request, = self.net.requests()
        self.assertEqual(request["body"], b"hello")
        self.assertNotIn("Expect", [name for name, _ in request["fields"]])
        reply = self.wire.ask(b"POST http://other.test/ HTTP/1.1\r\nHost: other.test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        self.assertEqual((refusal_of(reply), reply.count(b"HTTP/1.1")), ((403, "host-not-listed"), 1))

    def test_a_body_arrives_whole_in_either_framing(self):
        body = bytes(range(256)) * 4096
        self.wire.ask(post(b"Content-Length: %d\r\nConnection: close\r\n" % len(body), body))
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(body[at:at + 7777]), body[at:at + 7777]) for at in range(0, len(body), 7777))
        self.wire.ask(post(CHUNKED, chunks + b"0\r\n\r\n"))
        self.assertEqual([request["body"] == body for request in self.net.requests()], [True, True])

    def test_a_head_that_comes_byte_by_byte_is_one_head(self):
        with self.wire.connect() as stream:
            for byte in get(HOST):
                stream.sendall(bytes([byte]))
            self.assertEqual(status_of(read_all(stream)), 200)

    def test_a_reply_that_comes_before_the_body_is_whole_reaches_the_client(self):
        self.net.set_reply(HOST, "/early", b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        with self.wire.connect() as stream:
            stream.sendall(f"POST http://{HOST}/early HTTP/1.1\r\nHost: {HOST}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            stream.sendall(b"0\r\n\r\n")
            self.assertEqual(status_of(read_head(stream)[0]), 413)

    def test_the_log_has_a_pair_a_call_and_one_line_a_refusal_and_nothing_that_was_asked(self):
        with Wire({HOST: [80]}, name="log") as wire:
            wire.ask(get(HOST, "/secret-path?secret-query", "X-Secret: secret-header\r\n"))
            wire.ask(get("other.test", "/secret-path"))
            lines = wire.closed_calls(2)
            log = wire.log()
            with open(f"{wire.settings}/wire/log.jsonl", encoding="ascii") as file:
                text = file.read()
        self.assertEqual([line["event"] for line in log], ["open", "close", "refused"])
        self.assertEqual({key: lines[0][key] for key in ("verb", "host", "port", "status", "in", "out")},
                         {"verb": "http", "host": HOST, "port": 80, "status": 200, "in": 24, "out": 0})
        self.assertEqual((lines[1]["reason"], lines[1]["status"], lines[1]["host"]), ("host-not-listed", 403, "other.test"))
        self.assertNotIn("secret", text)


if __name__ == "__main__":
    unittest.main()
