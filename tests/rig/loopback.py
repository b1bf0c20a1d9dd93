# SPDX-License-Identifier: Apache-2.0
"""A small server on this machine's loopback."""

import contextlib
import socket
import threading


class Server:
    """`answer` is given each connection, on a thread of its own."""

    def __init__(self, answer, address="127.0.0.1", port=0):
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.listener = socket.create_server((address, port), family=family, backlog=64)
        self.port, self.answer, self.count = self.listener.getsockname()[1], answer, 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                stream, _ = self.listener.accept()
                self.count += 1
                threading.Thread(target=self._serve, args=(stream,), daemon=True).start()

    def _serve(self, stream):
        with stream, contextlib.suppress(OSError):
            self.answer(stream)

    def close(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
