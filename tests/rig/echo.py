# SPDX-License-Identifier: Apache-2.0
"""The rig's plainest server: says where it was reached, then sends back what comes, to the end of it."""

import socket
import threading

PIECE_BYTES = 1 << 16


def _serve(stream, address, port):
    with stream:
        try:
            stream.sendall(f"hello on {address}:{port}\n".encode())
            while piece := stream.recv(PIECE_BYTES):
                stream.sendall(piece)
        except OSError:
            pass


def listen(port, ledger):
    """Each connection is kept as those of the other servers. A test's own server may have the port at one address."""
    server = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=512, reuse_port=True)

    def accept():
        while True:
            stream, peer = server.accept()
            address = stream.getsockname()[0].removeprefix("::ffff:")
            ledger.add_connection({"id": None, "address": address, "port": port, "tls": False, "sni": None, "bytes": 0,
                                   "spoken": False, "peer": peer[0].removeprefix("::ffff:")})
            threading.Thread(target=_serve, args=(stream, address, port), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
