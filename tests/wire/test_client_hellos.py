# SPDX-License-Identifier: Apache-2.0
"""The ClientHellos that clients make: each shakes hands through a tunnel to the host that it asks for, and through no other's; and what it
sends first is read wherever it is split."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import unittest

from hello_checks import HOST, OTHER, HelloTest, cut_in_two_records, in_records

from clients import build
from rig import capability, client

CLIENT_S = 60
RECORD = 5  # bytes before a record's own
NODE = """
const t = require('tls').connect({port: +process.argv[1], host: '127.0.0.1', servername: process.argv[2]}, () => { console.log('shaken'); process.exit(); });
t.on('error', () => process.exit());
t.on('end', () => process.exit());
"""


def nss(port, name):
    """NSS's own client; the rig's authority is in no store of its. Asks for no name where it is None: it connects by address."""
    return ["tstclnt", "-h", "127.0.0.1", "-p", str(port), *(("-a", name) if name else ()), "-D", "-b", "-o", "-v", "-Q"]


def gnutls(port, name):
    asks = ("--sni-hostname", name) if name else ("--disable-sni",)
    return ["gnutls-cli", "--port", str(port), "--x509cafile", client.TRUST_FILE, "127.0.0.1", "--verify-hostname", HOST, *asks]


def node(port, name):
    return ["node", "-e", NODE, str(port), name or ""]


def chromium(port, name, *, home):
    return ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors", f"--user-data-dir={home}",
            f"--host-resolver-rules=MAP {name} 127.0.0.1:{port}", "--dump-dom", f"https://{name}/"]


class ClientTest(HelloTest):
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

    def go(self):
        capability.need("go")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        program = build.go(folder)
        return lambda port, name: [program, "shake", f"127.0.0.1:{port}", name or ""]


class Shakes(ClientTest):
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

    def check(self, client_of, words, names=(OTHER, None), **environment):
        """`client_of(port, name)` says the words where it shook hands."""
        port = self.forward()
        self.assertIn(words, self.said(client_of(port, HOST), **environment))
        for name in names:
            self.net.reset()
            self.assertNotIn(words, self.said(client_of(port, name), **environment))
            self.assert_nothing_was_sent(1)

    def test_gnutls(self):
        capability.need("gnutls-cli")
        self.check(gnutls, "Handshake was completed")

    def test_node(self):
        capability.need("npm")
        self.check(node, "shaken", NODE_EXTRA_CA_CERTS=client.TRUST_FILE)

    def test_nss(self):
        capability.need("tstclnt")
        self.check(nss, "tstclnt: SSL version 3.4")
        # With an encrypted one for show: that names nobody.
        self.check(lambda port, name: [*nss(port, name), "-i", "32"], "tstclnt: SSL version 3.4")

    def test_go(self):
        self.check(self.go(), "shaken")

    def test_chromium_whose_hello_is_post_quantum_and_has_an_encrypted_one_for_show(self):
        capability.need("chromium")
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder, True)
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--ignore-certificate-errors", f"--user-data-dir={folder}",
                   f"--proxy-server=http://127.0.0.1:{self.wire.port}", "--dump-dom", f"https://{HOST}/"]
        self.assertIn(f"hello from {HOST}", self.said(command, HOME=folder))


class Splits(ClientTest):
    """What clients send first, sent through tunnels in pieces."""

    def caught(self, client_of, name):
        """The hello, whole, as it came to a port of the test's own; the client is told nothing."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(CLIENT_S)
            running = subprocess.Popen(client_of(server.getsockname()[1], name), stdin=-3, stdout=-3, stderr=-3)
            self.addCleanup(running.wait)
            self.addCleanup(running.kill)
            stream, _ = server.accept()
        with stream, stream.makefile("rb") as file:
            head = file.read(RECORD)
            return head + file.read(int.from_bytes(head[3:], "big"))

    def check(self, client_of, step=1, names=(OTHER, None)):
        whole = self.caught(client_of, HOST)
        self.assertIn(HOST.encode(), whole)
        for at in range(1, len(whole), step):
            self.assert_goes_on([whole[:at], whole[at:]])
        for at in range(1, len(whole) - RECORD, step):
            self.assert_goes_on([cut_in_two_records(whole, at)])
        self.assert_goes_on([bytes([byte]) for byte in whole])
        self.assert_goes_on([in_records(whole, -(-len(whole) // 30))])  # as many as are read, nearly
        for name in names:
            wrong = self.caught(client_of, name)
            self.assertEqual((HOST.encode() in wrong, OTHER.encode() in wrong), (False, name is not None))
            for at in range(1, len(wrong) - RECORD, 32):
                self.assert_closed([wrong[:at], wrong[at:]])
                self.assert_closed([cut_in_two_records(wrong, at)])

    def test_nsss_at_every_byte(self):
        capability.need("tstclnt")
        self.check(nss)

    def test_gos_at_every_byte(self):
        self.check(self.go())

    def test_gnutlss(self):
        capability.need("gnutls-cli")
        self.check(gnutls, step=8)

    def test_nodes(self):
        capability.need("npm")
        self.check(node, step=8)

    def test_chromiums(self):
        capability.need("chromium")
        home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, home, True)
        self.check(lambda port, name: chromium(port, name, home=home), step=8, names=(OTHER,))


if __name__ == "__main__":
    unittest.main()
