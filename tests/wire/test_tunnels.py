# SPDX-License-Identifier: Apache-2.0
"""Bytes both ways: nothing lost or changed, each way ending by itself, a slow end holding the other back, and no memory kept."""

import hashlib
import os
import socket
import threading
import unittest

from wire_process import TIMEOUT_S, Wire, connect, get, read_all, read_head, status_of, wait_until

from rig import capability, client

HOST = "bulk.test"
BULK_BYTES = 64 << 20
MOST_KIB_A_TUNNEL = 6  # 2 as built for release; frames are larger without optimisation
MOST_GROWTH_KIB = 4 << 10  # of memory, for bytes on their way: one buffer is 128 KiB


def tunnel(wire, place=f"{HOST}:80", first=b""):
    stream = wire.connect()
    stream.sendall(connect(place) + first)
    head, rest = read_head(stream)
    assert status_of(head) == 200, head
    return stream, rest


def ask_bytes(size):
    return f"GET /bytes/{size} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode()


class TunnelTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        self.wire = Wire({HOST: [80, 443], "allowed.test": [80]})
        self.addCleanup(self.wire.close)

    def assert_nothing_left(self, before):
        count = wait_until(self.wire.descriptors, lambda value: value <= before + 8)  # up to four spare pipes stay
        self.assertLessEqual(count, before + 8)

    def test_bytes_that_come_with_the_head_are_the_tunnels_first(self):
        stream, rest = tunnel(self.wire, first=b"GET / HTTP/1.1\r\nHost: bulk.test\r\nConnection: close\r\n\r\n")
        with stream:
            self.assertTrue((rest + read_all(stream)).endswith(b"hello from bulk.test\n"))
        request, = self.net.requests()
        self.assertEqual(request["raw"], b"GET / HTTP/1.1\r\nHost: bulk.test\r\nConnection: close\r\n\r\n")

    def test_bytes_of_a_tunnel_are_not_looked_at(self):
        body = os.urandom(100000)
        stream, _ = tunnel(self.wire)
        with stream:
            stream.sendall(b"POST / HTTP/1.1\r\nHost: bulk.test\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)
            read_all(stream)
        request, = self.net.requests()
        self.assertEqual(hashlib.sha256(request["body"]).digest(), hashlib.sha256(body).digest())

    def test_an_end_is_passed_on_and_the_other_way_goes_on(self):
        stream, _ = tunnel(self.wire)
        with stream:
            stream.sendall(ask_bytes(5 << 20))
            stream.shutdown(socket.SHUT_WR)
            self.assertEqual(len(read_all(stream).partition(b"\r\n\r\n")[2]), 5 << 20)

    def test_bulk_goes_out_whole(self):
        stream, _ = tunnel(self.wire)
        with stream:
            stream.sendall(f"POST /sink HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {BULK_BYTES}\r\n\r\n".encode())
            piece = bytes(1 << 20)
            for _ in range(BULK_BYTES >> 20):
                stream.sendall(piece)
            head, rest = read_head(stream)
            self.assertEqual((status_of(head), rest or stream.recv(100)), (200, str(BULK_BYTES).encode()))

    def test_a_slow_reader_holds_the_sender_back_and_no_memory_grows(self):
        for request in (None, get(HOST, f"/bytes/{BULK_BYTES}")):
            stream = tunnel(self.wire)[0] if request is None else self.wire.connect()
            with stream:
                before = self.wire.memory_kib()
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
                stream.sendall(ask_bytes(BULK_BYTES) if request is None else request)
                moved = [0]
                most = [0]
                head, rest = read_head(stream)
                self.assertEqual(status_of(head), 200)
                moved[0] = len(rest)
                while moved[0] < BULK_BYTES and (piece := stream.recv(1 << 16)):
                    moved[0] += len(piece)
                    if moved[0] % 16 == 0:
                        most[0] = max(most[0], self.wire.memory_kib() - before)
                self.assertEqual(moved[0], BULK_BYTES)
                self.assertLess(most[0], MOST_GROWTH_KIB)

    def test_a_plain_body_arrives_unchanged(self):
        reply = self.wire.ask(get(HOST, "/bytes/1000000"))
        self.assertEqual(reply.partition(b"\r\n\r\n")[2], bytes(1000000))

    def test_a_client_that_goes_away_leaves_nothing(self):
        before = self.wire.descriptors()
        for _ in range(20):
            stream, _ = tunnel(self.wire)
            stream.sendall(ask_bytes(BULK_BYTES))
            stream.recv(1000)
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            stream.close()
            with self.wire.connect() as plain:
                plain.sendall(get(HOST, f"/bytes/{BULK_BYTES}"))
                plain.recv(1000)
            with self.wire.connect() as half:
                half.sendall(b"GET http://bu")
        lines = self.wire.closed_calls(40)
        self.assertEqual(len(lines), 40)
        self.assert_nothing_left(before)

    def test_many_idle_tunnels_hold_no_buffer(self):
        count = 300
        before, descriptors = self.wire.memory_kib("RssAnon"), self.wire.descriptors()
        streams = [tunnel(self.wire)[0] for _ in range(count)]
        grown = self.wire.memory_kib("RssAnon") - before
        for stream in streams:
            stream.close()
        self.assertLess(grown, count * MOST_KIB_A_TUNNEL)
        self.assertEqual(len(self.wire.closed_calls(count)), count)
        self.assert_nothing_left(descriptors)

    def test_many_at_once_are_all_served(self):
        failures = []

        def one(number):
            try:
                for _ in range(10):
                    stream, _ = tunnel(self.wire)
                    with stream:
                        stream.sendall(ask_bytes(100000 + number))
                        if len(read_all(stream).partition(b"\r\n\r\n")[2]) != 100000 + number:
                            failures.append(number)
            except (OSError, AssertionError) as error:
                failures.append(error)
        threads = [threading.Thread(target=one, args=(number,)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT_S * 3)
        self.assertEqual(failures, [])

    def test_the_log_counts_each_way(self):
        stream, _ = tunnel(self.wire)
        with stream:
            request = ask_bytes(1000)
            stream.sendall(request)
            reply = read_all(stream)
        line, = self.wire.closed_calls(1)
        self.assertEqual((line["verb"], line["host"], line["port"], line["out"], line["in"]), ("connect", HOST, 80, len(request), len(reply)))


if __name__ == "__main__":
    unittest.main()
