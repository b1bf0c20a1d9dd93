# SPDX-License-Identifier: Apache-2.0
"""What the tests of ClientHellos share: bytes of them, and whether a tunnel that they come through goes on."""

import ssl
import unittest

from wire_process import Wire, connect, read_all, read_head, status_of, wait_until

from rig import capability, client

HOST, OTHER = "allowed.test", "other.test"  # OTHER isn't listed, and is another name of the same servers
ADDRESS = "93.184.215.201"


def hello(name, session=True):
    """What OpenSSL sends first."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    came, goes = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context.wrap_bio(came, goes, server_hostname=name)
    try:
        tls.do_handshake()
    except ssl.SSLWantReadError:
        pass
    return goes.read()


def in_records(bytes_, size):
    message = bytes_[5:]
    pieces = [message[at:at + size] for at in range(0, len(message), size)]
    return b"".join(b"\x16\x03\x01" + len(piece).to_bytes(2, "big") + piece for piece in pieces)


def grown(bytes_, *extensions):
    """The same with more extensions behind its own: {kind, data}."""
    body = bytearray(bytes_[9:])
    at = 34
    at += 1 + body[at]  # session id
    at += 2 + int.from_bytes(body[at:at + 2], "big")  # cipher suites
    at += 1 + body[at]  # compression
    more = b"".join(kind.to_bytes(2, "big") + len(data).to_bytes(2, "big") + data for kind, data in extensions)
    body[at:at + 2] = (int.from_bytes(body[at:at + 2], "big") + len(more)).to_bytes(2, "big")
    message = b"\x01" + (len(body) + len(more)).to_bytes(3, "big") + bytes(body) + more
    return b"\x16\x03\x01" + len(message).to_bytes(2, "big") + message


def cut_in_two_records(bytes_, at):
    message = bytes_[5:]
    return b"".join(b"\x16\x03\x01" + len(piece).to_bytes(2, "big") + piece for piece in (message[:at], message[at:]))


class HelloTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()
        self.wire = Wire({HOST: [443, 80, 8443], ADDRESS: [443]})
        self.addCleanup(self.wire.close)

    def tunnel(self, place=f"{HOST}:443", wire=None, first=b""):
        stream = (wire or self.wire).connect()
        self.addCleanup(stream.close)
        stream.sendall(connect(place) + first)
        head, rest = read_head(stream)
        self.assertEqual((status_of(head), rest), (200, b""))
        return stream

    def assert_nothing_was_sent(self, count):
        found = wait_until(self.net.connections, lambda all_: len(all_) >= count)
        self.assertEqual([one["spoken"] for one in found], [False] * count)

    def assert_closed(self, pieces, place=f"{HOST}:443"):
        """The tunnel ends with nothing for either side, and the log says why."""
        self.net.reset()
        before = len(self.wire.closed_calls(0))
        stream = self.tunnel(place)
        try:
            for piece in pieces:
                stream.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass
        self.assertEqual(read_all(stream), b"")
        line = self.wire.closed_calls(before + 1)[-1]
        self.assertEqual((line["event"], line["reason"], line.get("out", 0)), ("close", "name-mismatch", 0))
        self.assert_nothing_was_sent(1)

    def assert_goes_on(self, pieces, place=f"{HOST}:443", wire=None):
        """The server answers with its own hello."""
        stream = self.tunnel(place, wire)
        for piece in pieces:
            stream.sendall(piece)
        self.assertEqual(stream.recv(1)[:1], b"\x16")
        stream.close()
