# SPDX-License-Identifier: Apache-2.0
"""A verb that sees replies, streams its own, waits and logs: through the wire as it is shipped, by a module of the tests.

Run on the rig's machine: tests/rig/enter -- python3 tests/verb-host/test_streams.py
"""

import hashlib
import json
import os
import shutil
import socket
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import wire_process  # noqa: E402
from wire_process import FIRST_HANDLE_FD, OWN_PORT, TREE, Wire, read_all, read_head, refusal_of, status_of, wait_until  # noqa: E402

from rig import capability, client  # noqa: E402

PROGRAM = client.own_program(os.path.realpath(os.path.join(wire_process.PARTS, "..", "..", "bin", "lnk-sandbox")))
MODULE = os.path.join(os.environ.get("LNK_BUILD", os.path.join(TREE, "build", "release")), "tests", "verb-host", "streaming.so")
PARTS = wire_process.PARTS = os.path.join(os.path.dirname(PROGRAM), "..", "lib", "lnk-sandbox")
HOST = "api.test"
KEY = "sk-rig/0123456789+abcdefghij"
PIECE = 64 * 1024
MIB = 1 << 20


def reply(status="200 OK", fields="", body=b"", length=None):
    size = f"Content-Length: {len(body) if length is None else length}\r\n"
    return f"HTTP/1.1 {status}\r\n{fields}{size}\r\n".encode() + body


def call(path, method="GET", body=b"", close=True, fields=""):
    length = f"Content-Length: {len(body)}\r\n" if method == "POST" else ""
    end = "Connection: close\r\n" if close else ""
    return f"{method} /_link/streaming/{path} HTTP/1.1\r\nHost: 127.0.0.1:{OWN_PORT}\r\n{fields}{length}{end}\r\n".encode() + body


def body_of(answer):
    """A body, its chunks taken off."""
    head, _, rest = answer.partition(b"\r\n\r\n")
    if b"chunked" not in head:
        return rest
    pieces, at = [], 0
    while at < len(rest):
        line = rest.index(b"\r\n", at)
        size, at = int(rest[at:line], 16), line + 2
        pieces.append(rest[at:at + size])
        at += size + 2
    return b"".join(pieces)


def read_much(stream):
    pieces = []
    while piece := stream.recv(1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def is_whole(answer):
    return answer.endswith(b"0\r\n\r\n")


class StreamsTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        if not os.path.exists(MODULE):
            capability.lack("fixtures", "they are not built")
        self.net = client.Internet()
        self.net.reset()
        self.wire = self.start()

    def start(self, leak=KEY):
        self.settings = tempfile.mkdtemp(prefix="settings-")
        self.addCleanup(shutil.rmtree, self.settings)
        module = os.path.join(self.settings, "streaming.so")
        shutil.copy(MODULE, module)
        os.chmod(module, 0o755)
        with open(module, "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        value, name = tempfile.mkstemp(prefix="secret-")
        os.write(value, b"{}\n" + KEY.encode())
        os.unlink(name)
        verb = {"id": "streaming", "file": module, "sha256": digest, "config": {"leak": leak, "upstream": True}, "inside": [8080],
                "upstreams": [{"host": HOST, "port": 443, "handles": ["secret:key"]}]}
        wire = Wire({}, settings=self.settings, more={"verbs": [verb], "handles": {"secret:key": FIRST_HANDLE_FD}},
                    fds={FIRST_HANDLE_FD: value})
        os.close(value)
        self.addCleanup(wire.close)
        return wire

    def counts(self):
        words = body_of(self.wire.ask(call("counts"))).decode().split()
        return {key: int(value) for key, value in (word.split("=") for word in words)}

    def until_gone(self, what, count=1):
        """GONE has come for that many calls of this kind, and for no call of it twice."""
        counts = wait_until(self.counts, lambda counts: counts.get(f"gone-{what}", 0) >= count)
        self.assertEqual((counts.get(f"gone-{what}"), counts["open"]), (count, 1), counts)  # the one that asks
        return counts

    def asked(self, target="/hello"):
        """What reached the service; what an earlier test left may come late, for another."""
        return [request for request in self.net.requests(HOST) if request["target"] == target]

    def last_line(self):
        return self.wire.closed_calls(1)[-1]


class Replies(StreamsTest):
    def test_events_pass_through_the_verb_one_by_one_as_the_service_sends_them(self):
        # The service sends the second once it was asked for /release, which is asked for once the first is here.
        with self.wire.connect() as stream:
            stream.sendall(call("sse/held"))
            received = b""
            while b"data: first\n\n" not in received:
                piece = stream.recv(4096)
                self.assertTrue(piece)
                received += piece
            self.assertNotIn(b"second", received)
            self.assertEqual(status_of(self.wire.ask(call("hold/release"))), 200)
            received += read_all(stream)
        self.assertEqual(body_of(received), b"data: first\n\ndata: second\n\n")
        self.assertTrue(is_whole(received))
        self.until_gone("sse")
        request = self.asked("/held")[0]
        self.assertIn(("authorization", f"Bearer {KEY}"), [(name.lower(), value) for name, value in request["fields"]])

    def test_a_reply_is_held_and_answered_whole(self):
        answer = self.wire.ask(call("hold/hello"))
        self.assertEqual((status_of(answer), body_of(answer)), (200, b"hello from api.test\nthe reply ended with 0"))
        self.until_gone("hold")

    def test_a_body_is_read_and_another_goes_out(self):
        answer = self.wire.ask(call("post/hello", "POST", b"from inside"))
        self.assertEqual(status_of(answer), 200)
        self.assertEqual(self.asked()[0]["body"], b"forwarded from inside")
        answer = self.wire.ask(call("post/hello", "POST", b"x" * 1024))
        self.assertEqual(status_of(answer), 200)
        answer = self.wire.ask(call("post/hello", "POST", b"x" * 1025))
        self.assertEqual(refusal_of(answer), (413, "too-large"))
        chunks = b"401\r\n" + b"x" * 1025 + b"\r\n0\r\n\r\n"
        raw = call("post/hello", fields="Transfer-Encoding: chunked\r\n").replace(b"GET", b"POST", 1) + chunks
        self.assertEqual(refusal_of(self.wire.ask(raw)), (413, "too-large"))
        self.assertEqual(len(self.asked()), 2)
        self.until_gone("post", 4)

    def test_a_body_streams_past_the_verb_that_sees_the_reply(self):
        body = os.urandom(3 * MIB)
        answer = self.wire.ask(call("hold/hello", "POST", body))
        self.assertEqual(status_of(answer), 200)
        self.assertEqual(self.asked()[0]["body"], body)

    def test_a_connection_goes_on_behind_what_a_verb_answered(self):
        with self.wire.connect() as stream:
            stream.sendall(call("sse/hello", close=False) + call("hold/hello", close=False) + call("timer/1", close=False) + call("counts"))
            answers = read_all(stream)
        self.assertEqual(answers.count(b"HTTP/1.1 200 "), 4, answers)
        self.assertIn(b"open=1", answers)

    def test_a_reply_that_the_service_cuts_ends_with_its_status(self):
        self.net.set_reply(HOST, "/hello", reply(body=b"half\n", length=50))
        answer = self.wire.ask(call("hold/hello"))
        self.assertEqual((status_of(answer), body_of(answer)), (502, b"half\nthe reply ended with -7"))
        answer = self.wire.ask(call("sse/hello"))
        self.assertEqual(status_of(answer), 200)
        self.assertIn(b"half\n", answer)
        self.assertFalse(is_whole(answer))
        self.assertEqual((self.last_line()["reason"], self.last_line()["status"]), ("upstream", 200))
        self.until_gone("sse")

    def test_a_service_that_gives_no_reply_is_told_to_the_verb(self):
        for raw in (b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: odd\r\n\r\n"):
            self.net.set_reply(HOST, "/hello", raw)
            answer = self.wire.ask(call("deny/hello"))
            self.assertEqual(refusal_of(answer), (502, "upstream"), raw)
            self.assertIn(b"the reply ended with -7", answer)
        self.until_gone("deny", 3)


class Echoes(StreamsTest):
    def test_a_service_that_echoes_the_secret_is_cut_before_the_verb_sees_it(self):
        self.net.set_reply(HOST, "/hello", reply(body=b"line\nkey " + KEY.encode() + b"\nbehind\n"))
        for way in ("hold", "sse"):
            answer = self.wire.ask(call(f"{way}/hello"))
            for part in (KEY[:14].encode(), b"behind"):
                self.assertNotIn(part, answer)
            self.assertFalse(is_whole(answer) or b"ended with 0" in answer)
        self.assertEqual(self.last_line()["reason"], "upstream")
        self.until_gone("sse")

    def test_a_verb_that_streams_the_secret_is_cut_and_logged(self):
        answer = self.wire.ask(call("leak"))
        self.assertEqual(status_of(answer), 200)
        self.assertNotIn(KEY[:10].encode(), answer)
        self.assertNotIn(b"behind", answer)
        self.assertFalse(is_whole(answer))
        self.assertEqual((self.last_line()["event"], self.last_line()["reason"]), ("close", "upstream"))
        self.until_gone("leak")
        self.wire = self.start(leak="no secret of anything")
        answer = self.wire.ask(call("leak"))
        self.assertEqual((body_of(answer), is_whole(answer)), (b"key: no secret of anything\nbehind\n", True))


class Pressure(StreamsTest):
    def test_a_slow_reader_holds_a_flood_and_the_memory_stays_bounded(self):
        self.assertEqual(len(body_of(self.wire.ask(call("flood/32")))), 32 * PIECE)  # what any call needs is there then
        before = self.wire.memory_kib()
        with self.wire.connect() as stream:
            stream.sendall(call("flood/400"))
            head, rest = read_head(stream)
            self.assertEqual(status_of(head), 200)
            self.assertLess(self.counts()["drained"], 70)
            self.assertLess(self.wire.memory_kib() - before, 8 * 1024)
            answer = head + b"\r\n\r\n" + rest + read_much(stream)
        self.assertEqual(len(body_of(answer)), 400 * PIECE)
        self.assertTrue(is_whole(answer))
        self.assertLess(self.wire.memory_kib() - before, 8 * 1024)
        self.assertGreater(self.until_gone("flood", 2)["drained"], 75)

    def test_a_verb_that_heeds_nothing_is_refused(self):
        answer = self.wire.ask(call("heedless/400"))
        self.assertFalse(is_whole(answer))
        self.assertEqual(self.last_line()["reason"], "verb-off")
        answer = self.wire.ask(call("heedless/32"))
        self.assertTrue(is_whole(answer))

    def test_a_slow_reader_holds_the_service(self):
        size = 32 * MIB
        with self.wire.connect() as stream:
            stream.sendall(call(f"sse/bytes/{size}"))
            head, rest = read_head(stream)
            seen = [-1, 0]
            while seen[0] != seen[1]:  # until nothing more is read outside
                seen = [seen[1], self.counts()["chunks"]]
            self.assertLess(seen[1] * 16 * 1024, size / 2)  # a record of TLS each
            before = self.wire.memory_kib()
            answer = head + b"\r\n\r\n" + rest + read_much(stream)
        self.assertEqual(len(body_of(answer)), size)
        self.assertLess(self.wire.memory_kib() - before, 8 * 1024)


class Leaving(StreamsTest):
    """A program that goes at any step: the verb is told once."""

    def close(self, stream, reset):
        if reset:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        stream.close()

    def test_while_nothing_is_decided_while_a_stream_waits_and_while_the_service_is_silent(self):
        for count, reset in ((1, False), (2, True)):
            for what, path in (("never", "never/86400000"), ("wait", "wait"), ("sse", "sse/held"), ("hold", "hold/held")):
                with self.subTest(what, reset=reset):
                    stream = self.wire.connect()
                    stream.sendall(call(path))
                    wait_until(self.counts, lambda counts: counts["open"] == 2)
                    if what == "wait":
                        self.assertIn(b"waiting", read_head(stream)[1] or stream.recv(4096))
                    self.close(stream, reset)
                    self.until_gone(what, count)

    def test_while_its_body_is_read_and_while_it_goes_out(self):
        for count, reset in ((1, False), (2, True)):
            for what, path, size in (("post", "post/hello", 1000), ("hold", "hold/left", 5 * MIB)):
                with self.subTest(what, reset=reset):
                    stream = self.wire.connect()
                    stream.sendall(call(path, "POST", b"x" * size)[:-10])
                    wait_until(self.counts, lambda counts: counts["open"] == 2)
                    self.close(stream, reset)
                    self.until_gone(what, count)

    def test_while_a_flood_waits_for_it(self):
        for count, reset in ((1, False), (2, True)):
            stream = self.wire.connect()
            stream.sendall(call("flood/100000"))
            self.assertEqual(status_of(read_head(stream)[0]), 200)
            self.close(stream, reset)
            self.until_gone("flood", count)

    def test_the_switch_ends_what_waits(self):
        streams = []
        for path in ("never/86400000", "wait", "sse/held"):
            streams.append(self.wire.connect())
            streams[-1].sendall(call(path))
        wait_until(self.counts, lambda counts: counts["open"] == 4)
        with open(os.path.join(self.settings, "wire", "test.stopped"), "w", encoding="ascii"):
            pass
        for stream in streams:
            read_all(stream)
            stream.close()
        os.unlink(os.path.join(self.settings, "wire", "test.stopped"))
        for what in ("never", "wait", "sse"):
            self.until_gone(what)


class Inside(StreamsTest):
    """The test is the front here: what it is asked for, and what becomes of its answers."""

    def test_a_call_inside_is_made_by_the_socket_that_the_front_gives(self):
        ours, theirs = socket.socketpair()
        with ours, self.wire.connect() as stream:
            ours.settimeout(wire_process.TIMEOUT_S)
            stream.sendall(call("inside/8080"))
            request = json.loads(self.wire.control.recv(4096))["ask"]
            self.assertEqual({key: request[key] for key in ("verb", "what", "port")},
                             {"verb": "streaming", "what": "connect-inside", "port": 8080})
            text = json.dumps({"answer": {"id": request["id"], "status": "ok"}}).encode()
            socket.send_fds(self.wire.control, [text], [theirs.fileno()])
            theirs.close()
            received = b""
            while not received.endswith(b"a=b"):
                received += ours.recv(4096)
            head, _, body = received.partition(b"\r\n\r\n")
            self.assertEqual(head.split(b"\r\n"), [b"POST /callback?code=x HTTP/1.1", b"Host: localhost:1",
                                                   b"Content-Type: application/x-www-form-urlencoded", b"Content-Length: 3",
                                                   b"Connection: close"])
            ours.sendall(b"HTTP/1.1 302 Found\r\nLocation: /done\r\nContent-Length: 0\r\n\r\n")
            self.assertEqual(body_of(read_all(stream)), b"inside said 0 302 /done")
        self.until_gone("inside")

    def test_what_the_front_refuses_is_told_to_the_verb(self):
        for status, told in (("denied", -3), ("upstream", -7), ("timeout", -6), ("ok", -8), ("nonsense", -8)):
            with self.subTest(status), self.wire.connect() as stream:
                stream.sendall(call("inside/8080"))
                request = json.loads(self.wire.control.recv(4096))["ask"]
                self.wire.control.send(json.dumps({"answer": {"id": request["id"], "status": status}}).encode())
                self.assertEqual(body_of(read_all(stream)), f"inside said {told} 0 ".encode())

    def test_a_port_that_is_not_granted_never_reaches_the_front(self):
        for port in (8081, 40781, 1):
            self.assertEqual(refusal_of(self.wire.ask(call(f"inside/{port}"))), (403, "verb-off"))
        self.wire.control.setblocking(False)
        with self.assertRaises(BlockingIOError):
            self.wire.control.recv(4096)

    def test_a_program_that_goes_while_it_is_called_is_gone_once_and_an_answer_for_nobody_is_dropped(self):
        stream = self.wire.connect()
        stream.sendall(call("inside/8080"))
        request = json.loads(self.wire.control.recv(4096))["ask"]
        stream.close()
        self.until_gone("inside")
        for number in (request["id"], request["id"], 4711):
            self.wire.control.send(json.dumps({"answer": {"id": number, "status": "ok"}}).encode())
        self.assertEqual(status_of(self.wire.ask(call("timer/1"))), 200)

    def test_calls_inside_are_counted(self):
        streams = [self.wire.connect() for _ in range(8)]
        requests = []
        for stream in streams:
            stream.sendall(call("inside/8080"))
            requests.append(json.loads(self.wire.control.recv(4096))["ask"]["id"])
        self.assertEqual(len(set(requests)), 8)
        self.assertEqual(refusal_of(self.wire.ask(call("inside/8080"))), (403, "verb-off"))
        for number, stream in zip(requests, streams):
            self.wire.control.send(json.dumps({"answer": {"id": number, "status": "upstream"}}).encode())
            self.assertEqual(body_of(read_all(stream)), b"inside said -7 0 ")
            stream.close()


class Timers(StreamsTest):
    def test_a_call_is_answered_when_its_timer_rings(self):
        answer = self.wire.ask(call("timer/1"))
        self.assertEqual((status_of(answer), body_of(answer)), (200, b"the timer rang"))

    def test_a_timer_of_no_call_speaks_on_a_stream_that_waits(self):
        with self.wire.connect() as stream:
            stream.sendall(call("wait"))
            said = read_head(stream)[1]
            while b"waiting" not in said:
                piece = stream.recv(4096)
                self.assertTrue(piece, said)
                said += piece
            self.assertEqual(status_of(self.wire.ask(call("tick/1"))), 200)
            received = b""
            while b"data: tick" not in received:
                received += stream.recv(4096)
            self.assertEqual(status_of(self.wire.ask(call("say/hello"))), 200)
            while b"data: hello" not in received:
                received += stream.recv(4096)
            self.assertEqual(status_of(self.wire.ask(call("end"))), 200)
            received += read_all(stream)
        self.assertTrue(is_whole(received))

    def test_timers_are_counted(self):
        self.assertEqual(status_of(self.wire.ask(call("timers/256"))), 200)
        self.assertEqual(refusal_of(self.wire.ask(call("timers/257"))), (403, "verb-off"))
        self.assertEqual(status_of(self.wire.ask(call("timers/256"))), 200)  # those of calls that went are free again
        self.assertEqual(refusal_of(self.wire.ask(call("never/86400001"))), (403, "verb-off"))

    def test_a_word_is_logged_and_nothing_else(self):
        self.assertEqual(status_of(self.wire.ask(call("log/session-ended"))), 200)
        self.assertEqual(self.last_line()["reason"], "session-ended")
        self.assertEqual(refusal_of(self.wire.ask(call("log/https://x"))), (403, "verb-off"))
        self.assertNotIn("https", json.dumps(self.wire.log()))


if __name__ == "__main__":
    unittest.main()
