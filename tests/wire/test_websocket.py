# SPDX-License-Identifier: Apache-2.0
"""A WebSocket in plain proxying: the one switch of protocols that is passed on, to a listed host, where it was asked for."""

import os
import socket
import subprocess
import unittest

from wire_process import Wire, field_of, get, read_all, read_head, refusal_of, status_of

from rig import capability, client

HOST, UNLISTED = "allowed.test", "other.test"
KEY, ACCEPT = "dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="  # RFC 6455 1.3
WEBSOCKET = f"Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n"
SMUGGLED = get(HOST, "/smuggled")
NODE_S = 60


def ask(fields=WEBSOCKET, host=HOST, path="/websocket", version="1.1"):
    return get(host, path, fields, version, close=False)


def read_exactly(stream, size, data=b""):
    while len(data) < size and (piece := stream.recv(size - len(data))):
        data += piece
    return data


class WebSockets(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        self.wire = Wire({HOST: [80]})
        self.addCleanup(self.wire.close)

    def switched(self, first=b""):
        stream = self.wire.connect()
        self.addCleanup(stream.close)
        stream.sendall(ask() + first)
        head, rest = read_head(stream)
        self.assertEqual((status_of(head), field_of(head, "Upgrade"), field_of(head, "Connection")), (101, "websocket", "Upgrade"))
        self.assertEqual(field_of(head, "Sec-WebSocket-Accept"), ACCEPT)
        return stream, rest

    def test_a_listed_hosts_websocket_is_a_tunnel(self):
        stream, rest = self.switched()
        message = os.urandom(300_000)
        for piece in (b"\x81\x85abcd", b"GET / HTTP/1.1\r\n\r\n", b"\0" * 10):
            stream.sendall(piece)
            self.assertEqual(read_exactly(stream, len(piece), rest), piece)
            rest = b""
        stream.sendall(message[:100_000])
        self.assertEqual(read_exactly(stream, 100_000), message[:100_000])
        request, = self.net.requests()
        self.assertEqual(request["raw"], f"GET /websocket HTTP/1.1\r\nHost: {HOST}\r\nSec-WebSocket-Key: {KEY}\r\nSec-WebSocket-Version: 13\r\n"
                                         "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n".encode())
        stream.shutdown(socket.SHUT_WR)  # an end is passed on, and the other way goes on until it has its own
        self.assertEqual(read_all(stream), b"")
        line, = self.wire.closed_calls(1)
        self.assertEqual([line[key] for key in ("verb", "host", "port", "status")], ["http", HOST, 80, 101])
        self.assertEqual([one["event"] for one in self.wire.log()], ["open", "close"])
        moved = 100_000 + 6 + 18 + 10
        self.assertEqual((line["out"], line["in"]), (moved, moved))

    def test_what_comes_behind_the_request_is_the_tunnels_and_no_request(self):
        stream, rest = self.switched(SMUGGLED)
        stream.shutdown(socket.SHUT_WR)
        self.assertEqual(rest + read_all(stream), SMUGGLED)
        self.assertEqual([request["target"] for request in self.net.requests()], ["/websocket"])

    def test_where_the_host_does_not_switch_what_comes_behind_is_the_next_request(self):
        with self.wire.connect() as stream:
            stream.sendall(ask(path="/echo") + get(HOST, "/next"))
            reply = read_all(stream)
        self.assertEqual(reply.count(b"HTTP/1.1 200"), 2)
        self.assertEqual([request["target"] for request in self.net.requests()], ["/echo", "/next"])

    def test_a_host_that_is_not_listed_is_refused_with_no_query(self):
        with self.wire.connect() as stream:
            stream.sendall(ask(host=UNLISTED) + SMUGGLED)
            stream.shutdown(socket.SHUT_WR)
            self.assertEqual(refusal_of(read_all(stream)), (403, "host-not-listed"))
        self.assertEqual((self.net.queries(UNLISTED), self.net.requests(UNLISTED)), ([], []))

    def test_every_other_upgrade_is_left_out_and_the_request_goes_on_without(self):
        for fields in ("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
                       "Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n", "Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n",
                       "Connection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n", "Upgrade: websocket\r\n"):
            with self.subTest(fields=fields):
                self.net.reset()
                self.assertEqual(status_of(self.wire.ask(ask(fields + "Connection: close\r\n", path="/x"))), 200)
                request, = self.net.requests()
                self.assertEqual(request["raw"], f"GET /x HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        self.net.reset()
        self.assertEqual(status_of(self.wire.ask(ask(path="/x", version="1.0"))), 200)
        self.assertNotIn(b"Upgrade", self.net.requests()[0]["raw"])

    def test_a_switch_that_nobody_asked_for_or_to_something_else_is_502(self):
        good = b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        for raw, fields in ((good, ""), (good, "Connection: Upgrade\r\nUpgrade: h2c\r\n"), (good.replace(b"websocket", b"h2c"), WEBSOCKET),
                            (good.replace(b"websocket", b"websocket, h2c"), WEBSOCKET), (good + b"Content-Length: 5\r\n", WEBSOCKET),
                            (good + b"Transfer-Encoding: chunked\r\n", WEBSOCKET), (good.replace(b"Upgrade: websocket\r\n", b""), WEBSOCKET),
                            (good.replace(b"Connection: Upgrade\r\n", b""), WEBSOCKET), (good.replace(b"1.1", b"1.0"), WEBSOCKET)):
            with self.subTest(raw=raw, fields=fields):
                self.net.set_reply(HOST, "/odd", raw + b"\r\nhello")
                with self.wire.connect() as stream:
                    stream.sendall(ask(fields, path="/odd"))
                    stream.shutdown(socket.SHUT_WR)
                    reply = read_all(stream)
                self.assertEqual((refusal_of(reply), reply.count(b"HTTP/1.1 ")), ((502, "upstream"), 1))
        self.net.set_reply(HOST, "/odd", good + b"\r\nhello")
        with self.wire.connect() as stream:
            stream.sendall(ask(path="/odd"))
            head, rest = read_head(stream)
            self.assertEqual((status_of(head), read_exactly(stream, 5, rest)), (101, b"hello"))

    def test_a_client_that_goes_away_leaves_nothing(self):
        self.switched()[0].close()
        self.wire.closed_calls(1)
        before = self.wire.descriptors()
        for _ in range(20):
            stream, _ = self.switched()
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            stream.close()
        self.assertEqual(len(self.wire.closed_calls(21)), 21)
        self.assertLessEqual(self.wire.descriptors(), before)

    def test_node_switches_through_the_proxy(self):
        capability.need("npm")
        script = """
const [port, host] = process.argv.slice(1);
const asked = require('http').request({host: '127.0.0.1', port, path: `http://${host}/websocket`,
  headers: {Host: host, Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ=='}});
asked.on('upgrade', (reply, socket) => {
  socket.on('data', (data) => { console.log(reply.statusCode, data.toString()); socket.end(); });
  socket.write('ping');
});
asked.on('response', (reply) => { console.log(reply.statusCode); process.exit(); });
asked.end();
"""
        for host, said in ((HOST, "101 ping\n"), (UNLISTED, "403\n")):
            done = subprocess.run(["node", "-e", script, str(self.wire.port), host], capture_output=True, text=True, timeout=NODE_S, check=False)
            self.assertEqual(done.stdout, said, done.stderr)


if __name__ == "__main__":
    unittest.main()
