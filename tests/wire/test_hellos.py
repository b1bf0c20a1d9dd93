# SPDX-License-Identifier: Apache-2.0
"""A tunnel to port 443 goes on where its ClientHello asks for the host it was asked for, and for no other: by real clients, and byte
by byte. What was refused sent nothing: the server outside tells whether a byte reached it."""

import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest

from wire_process import TIMEOUT_S, Wire, connect, read_all, read_head, status_of, wait_until

from rig import capability, client

HOST, OTHER = "allowed.test", "other.test"  # OTHER isn't listed, and is another name of the same servers
ADDRESS = "93.184.215.201"
CLIENT_S = 60
NEVER_S = 10  # the wire's own patience for a hello, and no test's


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


# As large as one with a post-quantum share (X25519MLKEM768: 1,216 bytes), and with an encrypted one for show (RFC 9849: outer).
SHARE, FOR_SHOW = (0x2A2A, bytes(1216)), (0xFE0D, b"\0\0\1\0\1\x20\0\x20" + bytes(32) + b"\0\x90" + bytes(144))


class Hellos(unittest.TestCase):
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

    def test_the_name_that_was_asked_for_goes_on_and_no_other(self):
        self.assert_goes_on([hello(HOST)])
        self.assert_goes_on([hello(HOST.upper())])
        for name in (OTHER, f"www.{HOST}", f"{HOST}.{OTHER}", f"x{HOST}", None):
            self.assert_closed([hello(name)])

    def test_it_is_read_wherever_it_is_split(self):
        whole = hello(HOST)
        self.assert_goes_on([bytes([byte]) for byte in whole])
        for size in (len(whole) // 2, 64, 20):
            self.assert_goes_on([in_records(whole, size)])
        wrong = hello(OTHER)
        self.assert_closed([bytes([byte]) for byte in wrong])
        self.assert_closed([in_records(wrong, 20)])
        self.assert_closed([in_records(whole, 1)])  # over 32 records

    def test_it_is_read_cut_in_two_at_every_byte_in_segments_and_in_records(self):
        whole, wrong = hello(HOST), hello(OTHER)
        for at in range(1, len(whole)):
            self.assert_goes_on([whole[:at], whole[at:]])
        for at in range(1, len(whole) - 5):
            self.assert_goes_on([cut_in_two_records(whole, at)])
        for at in range(1, len(wrong) - 5, 16):
            self.assert_closed([wrong[:at], wrong[at:]])
            self.assert_closed([cut_in_two_records(wrong, at)])

    def test_one_of_post_quantum_size_with_an_encrypted_one_for_show_is_read(self):
        for name, check in ((HOST, self.assert_goes_on), (OTHER, self.assert_closed)):
            large = grown(hello(name), SHARE, FOR_SHOW)
            self.assertGreater(len(large), 1700)
            check([large])
            check([large[:1448], large[1448:]])
            check([in_records(large, 128)])
        self.assert_closed([grown(hello(None), SHARE, FOR_SHOW)])

    def test_one_with_two_names_an_inner_one_or_no_room_for_itself_is_closed(self):
        other = OTHER.encode()
        entry = b"\0" + len(other).to_bytes(2, "big") + other
        second = (0, len(entry).to_bytes(2, "big") + entry)
        for more in (second, (0xFE0D, b"\1")):
            self.assert_closed([grown(hello(HOST), more)])
        self.assert_closed([grown(hello(HOST), *[(0x2A2A, bytes(16000))] * 4)])  # over 64 KiB

    def test_one_that_came_with_the_head_is_read_too(self):
        stream = self.tunnel(first=hello(HOST))
        self.assertEqual(stream.recv(1), b"\x16")
        self.net.reset()
        stream = self.tunnel(first=hello(OTHER))
        self.assertEqual(read_all(stream), b"")

    def test_what_is_no_hello_is_closed(self):
        for bytes_ in (b"GET / HTTP/1.1\r\nHost: allowed.test\r\n\r\n", b"SSH-2.0-OpenSSH_9\r\n", b"PRI * HTTP/2.0\r\n\r\n", b"\x80\x2e\x01\x00\x02",
                       b"\x15\x03\x01\x00\x02\x01\x00", hello(HOST) [:5] + b"\x02" + hello(HOST)[6:]):
            self.assert_closed([bytes_])

    def test_one_that_is_cut_is_closed(self):
        stream = self.tunnel()
        stream.sendall(hello(HOST)[:-1])
        stream.shutdown(socket.SHUT_WR)
        self.assertEqual(read_all(stream), b"")
        self.assertEqual(self.wire.closed_calls(1)[-1]["reason"], "name-mismatch")
        # And one that is never whole, once the wire's patience is at its end.
        stream = self.tunnel()
        stream.settimeout(NEVER_S + TIMEOUT_S)
        stream.sendall(hello(HOST)[:-1])
        self.assertEqual(read_all(stream), b"")
        self.assert_nothing_was_sent(2)

    def test_other_ports_are_not_read(self):
        for port in (80, 8443):
            stream = self.tunnel(f"{HOST}:{port}")
            stream.sendall(b"x")
        found = wait_until(self.net.connections, lambda all_: [one["spoken"] for one in all_] == [True, True])
        self.assertEqual([one["spoken"] for one in found], [True, True])

    def test_a_listed_address_comes_without_a_name(self):
        self.assert_goes_on([hello(None)], f"{ADDRESS}:443")
        self.assert_closed([hello(HOST)], f"{ADDRESS}:443")

    def test_where_any_host_is_open_none_is_read(self):
        with Wire({"*": [443]}) as wire:
            self.assert_goes_on([hello(OTHER)], wire=wire)

    # Clients -------------------------------------------------------------------------------------------------------

    def forward(self):
        """A port whose connections are tunnels to the host, for clients that know no proxy."""
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def relay(source, sink):
            try:
                while piece := source.recv(1 << 16):
                    sink.sendall(piece)
                sink.shutdown(socket.SHUT_WR)
            except OSError:
                sink.close()

        def serve():
            while True:
                try:
                    near, _ = server.accept()
                except OSError:
                    return
                far = self.tunnel()
                far.settimeout(None)
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=relay, args=ends, daemon=True).start()
        threading.Thread(target=serve, daemon=True).start()
        return server.getsockname()[1]

    def said(self, command, text="", **environment):
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=CLIENT_S, check=False,
                              env={**os.environ, **environment})
        return done.stdout + done.stderr

    def test_curl(self):
        proxy = f"http://127.0.0.1:{self.wire.port}"
        self.assertIn(f"hello from {HOST}", self.said(["curl", "-sS", "--proxy", proxy, f"https://{HOST}/"]))
        self.net.reset()
        # By the name of one host to the tunnel of another.
        said = self.said(["curl", "-sS", "--proxy", proxy, "--connect-to", f"{OTHER}:443:{HOST}:443", f"https://{OTHER}/"])
        self.assertNotIn("hello from", said)
        self.assert_nothing_was_sent(1)

    def test_openssl(self):
        ask = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
        command = ["openssl", "s_client", "-quiet", "-no_ign_eof", "-connect", f"{HOST}:443", "-proxy", f"127.0.0.1:{self.wire.port}", "-servername"]
        self.assertIn(f"hello from {HOST}", self.said([*command[:3], "-ign_eof", *command[4:], HOST], ask))
        self.net.reset()
        self.assertNotIn("hello from", self.said([*command, OTHER], ask))
        self.assert_nothing_was_sent(1)

    def test_gnutls(self):
        capability.need("gnutls-cli")
        command = ["gnutls-cli", "--port", str(self.forward()), "--x509cafile", client.TRUST_FILE, "127.0.0.1", "--verify-hostname", HOST, "--sni-hostname"]
        ask = f"GET / HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n"
        self.assertIn("Handshake was completed", self.said([*command, HOST], ask))
        self.net.reset()
        self.assertNotIn("Handshake was completed", self.said([*command, OTHER], ask))
        self.assert_nothing_was_sent(1)

    def test_node(self):
        capability.need("npm")
        script = "const t = require('tls').connect({port: +process.argv[1], host: '127.0.0.1', servername: process.argv[2]}, " \
                 "() => { console.log('shaken'); process.exit(); }); t.on('error', () => process.exit()); t.on('end', () => process.exit());"
        port = str(self.forward())
        self.assertIn("shaken", self.said(["node", "-e", script, port, HOST], NODE_EXTRA_CA_CERTS=client.TRUST_FILE))
        self.net.reset()
        self.assertNotIn("shaken", self.said(["node", "-e", script, port, OTHER], NODE_EXTRA_CA_CERTS=client.TRUST_FILE))
        self.assert_nothing_was_sent(1)

    def test_chromium_whose_hello_is_post_quantum_and_has_an_encrypted_one_for_show(self):
        capability.need("chromium")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, True)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors", f"--user-data-dir={folder}",
                   f"--proxy-server=http://127.0.0.1:{self.wire.port}", "--dump-dom", f"https://{HOST}/"]
        self.assertIn(f"hello from {HOST}", self.said(command, HOME=folder))


if __name__ == "__main__":
    unittest.main()
