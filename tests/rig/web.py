# SPDX-License-Identifier: Apache-2.0
"""The rig's servers: TLS and plain HTTP that keep each request as the bytes that came, and answer as told.

They read as leniently as a careless server would: what a test looks at is what arrived, not what was understood.
"""

import base64
import hashlib
import json
import socket
import ssl
import threading

MOST_HEAD_BYTES = 1 << 20
PIECE_BYTES = 1 << 16
WEBSOCKET_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 1.3
HELD_SECONDS = 20  # how long a held reply waits for its release


class Ledger:
    """What reached the internet: connections as they were accepted, and requests as they were read."""

    def __init__(self):
        self._lock = threading.Lock()
        self._released = threading.Condition(self._lock)
        self._connections = []
        self._requests = []
        self._replies = {}

    def reset(self):
        with self._lock:
            self._connections.clear()
            self._requests.clear()
            self._replies.clear()

    def add_connection(self, entry):
        with self._lock:
            self._connections.append(entry)

    def add_request(self, entry):
        with self._lock:
            self._requests.append(entry)
            self._released.notify_all()

    def wait_for_release(self, host):
        """Until that host was asked for /release, or by a client of that name."""
        def is_released():
            return any(one["host"] == host and (one["target"] == "/release" or ["User-Agent", "rig-release"] in [list(field) for field in one["fields"]])
                       for one in self._requests)
        with self._lock:
            return self._released.wait_for(is_released, HELD_SECONDS)

    def set_reply(self, host, target, raw, close, when=b""):
        with self._lock:
            self._replies.setdefault((host, target), {})[when] = (raw, close)

    def reply_for(self, request):
        """Of several the one that was set last of those whose bytes stand in the body."""
        with self._lock:
            told = self._replies.get((request.host, request.target), {})
            return next((told[when] for when in reversed(told) if when in request.body), None)

    def connections(self):
        with self._lock:
            return [dict(entry) for entry in self._connections]

    def requests(self):
        with self._lock:
            return [dict(entry) for entry in self._requests]


class Request:
    """A request as it was read, its head split without judging it."""

    def __init__(self, head, body, host_of_connection):
        lines = head.split(b"\r\n")
        words = lines[0].decode("latin-1").split(" ")
        self.method, self.target = words[0], words[1] if len(words) > 1 else ""
        self.fields = [tuple(part.strip() for part in line.decode("latin-1").split(":", 1)) for line in lines[1:]
                       if b":" in line]
        self.head, self.body = head, body
        self.host = (self.field("host") or host_of_connection or "").rsplit(":", 1)[0].lower()
        self.path = self.target.split("?")[0]

    def field(self, name):
        return next((field[1] for field in self.fields if field[0].lower() == name), None)

    def keeps_alive(self):
        return "close" not in (self.field("connection") or "").lower() and b"HTTP/1.1" in self.head.split(b"\r\n")[0]


class Connection:
    """One accepted connection, read and answered on a thread of its own."""

    def __init__(self, stream, entry, ledger, sites):
        self._stream, self._entry, self._ledger, self._sites = stream, entry, ledger, sites
        self._buffer = b""
        self._raw = b""

    def _more(self):
        piece = self._stream.recv(PIECE_BYTES)
        self._buffer += piece
        self._raw += piece
        self._entry["bytes"] += len(piece)
        return bool(piece)

    def _until(self, end):
        while end not in self._buffer:
            if len(self._buffer) > MOST_HEAD_BYTES or not self._more():
                return None
        part, self._buffer = self._buffer.split(end, 1)
        return part

    def _exactly(self, size):
        while len(self._buffer) < size:
            if not self._more():
                break
        part, self._buffer = self._buffer[:size], self._buffer[size:]
        return part

    def _body(self, head):
        probe = Request(head, b"", None)
        if (probe.field("expect") or "").lower() == "100-continue":
            self._stream.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in (probe.field("transfer-encoding") or "").lower():
            return self._chunks()
        return self._exactly(int(probe.field("content-length") or 0))

    def _chunks(self):
        body = b""
        while True:
            size = int((self._until(b"\r\n") or b"0").split(b";")[0], 16)
            if size == 0:
                while self._until(b"\r\n"):
                    pass
                return body
            body += self._exactly(size)
            self._exactly(2)

    def _drop_body(self, head):
        """A sink: counts what comes and keeps none of it, so that a large one can be sent."""
        left = int(Request(head, b"", None).field("content-length") or 0)
        size = left
        left -= len(self._buffer)
        self._buffer = b""
        while left > 0:
            piece = self._stream.recv(min(left, 1 << 20))
            if not piece:
                break
            left -= len(piece)
        return size - left

    def serve(self):
        while True:
            self._raw = self._buffer
            head = self._until(b"\r\n\r\n")
            if head is None:
                if self._buffer:
                    self._record(self._raw, None, "")
                return
            if Request(head, b"", None).path == "/sink":
                _send(self._stream, 200, str(self._drop_body(head)).encode())
                continue
            body = self._body(head)
            request = Request(head, body, self._entry.get("sni"))
            self._record(self._raw[:len(self._raw) - len(self._buffer)], request, request.host)
            if not self._answer(request):
                return

    def _answer_held(self, request):
        """/held, or a client of the name rig-held: one piece at once, the next when /release is asked for. Who reads the first by then gets them as they come."""
        self._stream.sendall(b"HTTP/1.1 200 Rig\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" +
                             _chunk(b"data: first\n\n"))
        was_released = self._ledger.wait_for_release(request.host)
        self._stream.sendall(_chunk(b"data: second\n\n" if was_released else b"data: nobody came\n\n") + _chunk(b""))
        return request.keeps_alive()

    def _answer_websocket(self, request):
        """/websocket: the switch where it is asked for, and from there on what comes as it comes."""
        if (request.field("upgrade") or "").lower() != "websocket":
            _send(self._stream, 426, b"")
            return request.keeps_alive()
        self._stream.sendall(switching(request) + self._buffer)
        while piece := self._stream.recv(PIECE_BYTES):
            self._entry["bytes"] += len(piece)
            self._stream.sendall(piece)
        return False

    def _record(self, raw, request, host):
        self._ledger.add_request({
            "connection": self._entry["id"], "tls": self._entry["tls"], "sni": self._entry.get("sni"),
            "address": self._entry["address"], "port": self._entry["port"], "host": host,
            "method": request.method if request else None, "target": request.target if request else None,
            "fields": request.fields if request else [], "raw": base64.b64encode(raw).decode(),
            "body": base64.b64encode(request.body if request else b"").decode(),
        })

    def _answer(self, request):
        told = self._ledger.reply_for(request)
        if told:
            self._stream.sendall(told[0])
            return not told[1]
        if request.path == "/held" or request.field("user-agent") == "rig-held":
            return self._answer_held(request)
        if request.path == "/websocket":
            return self._answer_websocket(request)
        site = self._sites.get(request.host, default_site)
        site(request, self._stream)
        return request.keeps_alive()


def switching(request):
    """The head of the switch to a WebSocket."""
    accept = base64.b64encode(hashlib.sha1(((request.field("sec-websocket-key") or "") + WEBSOCKET_GUID).encode()).digest()).decode()
    return f"HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n".encode()


def _chunk(text):
    return b"%x\r\n%s\r\n" % (len(text), text)


def _send(stream, status, body, kind="text/plain", fields=()):
    head = [f"HTTP/1.1 {status} Rig", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    head += [f"{name}: {value}" for name, value in fields]
    stream.sendall("\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body)


def send(request, stream, status, body, kind="text/plain", fields=()):
    _send(stream, status, b"" if request.method == "HEAD" else body, kind, fields)


def default_site(request, stream):
    """/bytes/N: N zero bytes. /echo: the request itself. /sink: counts a body. Anything else: a line with the host."""
    if request.path.startswith("/bytes/"):
        _send_zeros(stream, int(request.path.rsplit("/", 1)[1]))
    elif request.path == "/echo":
        send(request, stream, 200, request.head + b"\r\n\r\n" + request.body)
    else:
        send(request, stream, 200, f"hello from {request.host}\n".encode())


_zeros = None
_zeros_lock = threading.Lock()
ZEROS_BYTES = 64 << 20


def _zeros_file():
    """A file in memory that is sent again and again, by sendfile where there is no TLS."""
    global _zeros
    with _zeros_lock:
        if _zeros is None:
            import os
            _zeros = os.memfd_create("zeros")
            os.write(_zeros, bytes(ZEROS_BYTES))
        return _zeros


def _send_zeros(stream, size):
    import os
    head = f"HTTP/1.1 200 Rig\r\nContent-Type: application/octet-stream\r\nContent-Length: {size}\r\n\r\n"
    stream.sendall(head.encode())
    left = size
    if isinstance(stream, ssl.SSLSocket):
        piece = bytes(PIECE_BYTES)
        while left:
            part = piece[:min(left, len(piece))]
            stream.sendall(part)
            left -= len(part)
        return
    while left:
        left -= os.sendfile(stream.fileno(), _zeros_file(), 0, min(left, ZEROS_BYTES))


class Web:
    """Listens on ports of every address of the internet. Certificates are chosen by the name that the client asks."""

    def __init__(self, ledger, sites):
        self._ledger, self._sites = ledger, sites
        self._contexts = {}
        self._lock = threading.Lock()
        self._next = 0

    def add_certificate(self, names, pem):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem)
        context.sni_callback = self._choose
        with self._lock:
            for name in names:
                self._contexts[name] = context
            self._contexts.setdefault("", context)

    def _choose(self, stream, name, _context):
        stream.asked_name = name
        with self._lock:
            found = self._contexts.get(name or "")
        if found:
            stream.context = found

    def listen(self, port, tls):
        server = socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=512)
        threading.Thread(target=self._accept, args=(server, port, tls), daemon=True).start()

    def _accept(self, server, port, tls):
        while True:
            stream, peer = server.accept()
            threading.Thread(target=self._serve, args=(stream, peer, port, tls), daemon=True).start()

    def _serve(self, stream, peer, port, tls):
        with self._lock:
            self._next += 1
            number = self._next
        address = stream.getsockname()[0].removeprefix("::ffff:")
        entry = {"id": number, "address": address, "port": port, "tls": tls, "sni": None, "bytes": 0, "spoken": False, "ended": False,
                 "peer": peer[0].removeprefix("::ffff:")}
        self._ledger.add_connection(entry)
        try:
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            entry["spoken"] = stream.recv(1, socket.MSG_PEEK) != b""
            if tls:
                stream = self._contexts[""].wrap_socket(stream, server_side=True)
                entry["sni"] = getattr(stream, "asked_name", None)
            Connection(stream, entry, self._ledger, self._sites).serve()
        except (OSError, ValueError) as error:
            entry["error"] = str(error)
        finally:
            stream.close()
            entry["ended"] = True


def json_reply(request, stream, value, status=200):
    send(request, stream, status, json.dumps(value).encode(), "application/json")
