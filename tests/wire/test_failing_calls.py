# SPDX-License-Identifier: Apache-2.0
"""The kernel says no, at each place where it can: the wire ends that one call, keeps its log in pairs, loses no descriptor and goes on.
A library that is loaded before it answers every so manieth call of one name with an error instead of making it, so that each place has
its turn."""

import contextlib
import errno
import os
import socket
import unittest

from test_websocket import ask as ask_websocket
from wire_process import PARTS, Wire, connect, get, read_all, read_head, status_of, wait_until

from rig import capability, client

SUPPORT = os.environ.get("LNK_TEST_SUPPORT", os.path.join(PARTS, "..", "..", "bin"))
LIBRARY = os.path.join(SUPPORT, "failing_calls.so")
HOST = "93.184.215.10"  # an address, so that no lookup stands between: those have their own tests
STEP = 5
ROUNDS = STEP + 1
SPARE = 8  # descriptors of pipes that are kept for reuse
BULK_BYTES = 3 << 20
# Of a call that was let through, refused since it could not be checked, or failed outside; or nothing came.
OUTCOMES = {200, 101, 403, 502, 504, None}

SHORT = 0  # one byte moves, where more was asked for

OF_BYTES = [
    ("recv", errno.ECONNRESET), ("recv", errno.ENOMEM), ("recv", SHORT), ("send", errno.EPIPE), ("send", errno.ENOBUFS), ("send", SHORT),
    ("splice", errno.EPIPE), ("splice", errno.EINVAL), ("splice", errno.ENOMEM), ("splice", SHORT), ("pipe2", errno.EMFILE, 1), ("fcntl", errno.EPERM, 1),
]
OF_CONNECTIONS = [
    ("accept4", errno.ECONNABORTED), ("accept4", errno.EINTR), ("accept4", errno.ENETDOWN), ("accept4", errno.EHOSTUNREACH),
    ("accept4", errno.EMFILE, 60), ("connect", errno.ECONNREFUSED), ("connect", errno.ENETUNREACH), ("connect", errno.EADDRNOTAVAIL),
    ("socket", errno.EMFILE), ("bind", errno.EACCES), ("epoll_ctl", errno.ENOSPC), ("epoll_wait", errno.EINTR), ("shutdown", errno.ENOTCONN),
    ("getsockopt", errno.ENOBUFS), ("setsockopt", errno.ENOBUFS),
]


def end_writing(stream):
    """Where the wire has not ended it by a reset."""
    try:
        stream.shutdown(socket.SHUT_WR)
    except OSError as error:
        if error.errno != errno.ENOTCONN:
            raise


class FailingCalls(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        if not os.path.exists(LIBRARY):
            capability.lack("failing_calls", f"{LIBRARY} is not built")
        self.net = client.Internet()
        self.net.reset()

    def asks(self):
        """Ways in which a client uses it, and goes away."""
        bulk = f"GET /bytes/{BULK_BYTES} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()
        post = f"POST http://{HOST}/echo HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n".encode()
        return {
            "plain": (get(HOST), b""), "two": (get(HOST, close=False), get(HOST)), "body": (post, bytes(100_000)),
            "chunks": (post.replace(b"Content-Length: 100000", b"Transfer-Encoding: chunked"), b"5\r\nhello\r\n0\r\n\r\n"),
            "tunnel": (connect(f"{HOST}:80"), bulk), "websocket": (ask_websocket(host=HOST), b"ping"), "bulk": (get(HOST, f"/bytes/{BULK_BYTES}"), b""),
            "half": (get(HOST)[:20], b""), "gone": (connect(f"{HOST}:80"), None), "cut body": (post, b"some"),
        }

    def use(self, wire, first, then):
        """The status of what came first. It ends whatever fails, or the test stands here."""
        with wire.connect() as stream, contextlib.suppress(BrokenPipeError, ConnectionResetError):
            stream.sendall(first)
            if then is None:
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                return None
            if first.startswith(b"CONNECT") or b"Upgrade" in first:
                head, _ = read_head(stream)
                if status_of(head) not in (200, 101):
                    return status_of(head)
                stream.sendall(then)
                end_writing(stream)
                read_all(stream)
                return status_of(head)
            stream.sendall(then)
            end_writing(stream)
            return status_of(read_all(stream))
        return None

    @staticmethod
    def failing(call, error, step):
        return Wire({HOST: [80]}, prefix=("env", "-i", f"LD_PRELOAD={LIBRARY}", f"LNK_FAILING={call}:{error}:{step}"))

    def assert_goes_on(self, call, error, step=STEP):
        with self.failing(call, error, step) as wire:
            self.assertEqual(wire.ready, {"ready": True})
            before = wire.descriptors()
            seen = [self.use(wire, *ask) for _ in range(ROUNDS) for ask in self.asks().values()]
            self.assertLessEqual(set(seen), OUTCOMES)
            self.assertIn(200, seen)
            # Nothing is left open, and each call that was opened has its one end.
            left = wait_until(wire.descriptors, lambda count: count <= before + SPARE)
            self.assertLessEqual(left, before + SPARE)
            lines = wait_until(wire.log, lambda found: self.ids(found, "open") == self.ids(found, "close"))
            self.assertEqual(self.ids(lines, "open"), self.ids(lines, "close"))
            self.assertEqual(len(set(self.ids(lines, "close"))), len(self.ids(lines, "close")))
            self.assertTrue(any(self.use(wire, *ask) == 200 for _ in range(ROUNDS) for ask in self.asks().values()))
        self.assertGreater(wire.stderr.count("!"), 0)
        self.assertEqual(wire.stderr.strip("!"), "")
        self.assertEqual(wire.process.returncode, 0)

    @staticmethod
    def ids(lines, event):
        return sorted(line["id"] for line in lines if line["event"] == event)

    def test_one_call_in_several_that_moves_bytes_fails_and_the_wire_goes_on(self):
        self.assert_each_goes_on(OF_BYTES)

    def test_one_call_in_several_that_makes_connections_or_waits_fails_and_the_wire_goes_on(self):
        self.assert_each_goes_on(OF_CONNECTIONS)

    def assert_each_goes_on(self, failures):
        for call, error, *step in failures:
            with self.subTest(call=call, error=errno.errorcode.get(error)):
                self.assert_goes_on(call, error, *step)

    def test_where_it_can_not_tell_what_an_address_is_it_connects_to_none(self):
        for call, error in (("bind", errno.EACCES), ("bind", errno.ENOMEM), ("bind", errno.EADDRINUSE), ("socket", errno.EMFILE)):
            with self.subTest(call=call, error=errno.errorcode[error]):
                self.net.reset()
                with self.failing(call, error, step=1) as wire:
                    for ask in ("plain", "tunnel", "websocket"):
                        self.assertEqual(self.use(wire, *self.asks()[ask]), 403)
                self.assertEqual(self.net.connections(), [])


if __name__ == "__main__":
    unittest.main()
