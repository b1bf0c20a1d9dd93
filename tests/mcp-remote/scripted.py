# SPDX-License-Identifier: Apache-2.0
"""An MCP server that answers as a test says, and the client's side of mcp-remote."""

import json
import os
import queue
import select
import socket
import subprocess
import sys
import threading
import time

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TREE, "tests"))

from rig import client  # noqa: E402

PROGRAM = client.own_program(os.path.realpath(os.environ.get("LNK_BIN", os.path.join(TREE, "out", "bin", "lnk-sandbox"))))
TIMEOUT_S = 20
LEGACY = "2025-11-25"
STATELESS = "2026-07-28"


class Request:
    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = lines[0].split(" ")
        self.fields = [tuple(line.split(": ", 1)) for line in lines[1:]]
        self.body = body
        self.message = json.loads(body) if body else None

    def field(self, name):
        found = [value for key, value in self.fields if key.lower() == name.lower()]
        assert len(found) < 2, (name, found)
        return found[0] if found else None

    @property
    def asks(self):
        """The message's method, or the request's own where it has none."""
        return self.message.get("method", "answer") if isinstance(self.message, dict) else self.method


class Stream:
    """One connection, to answer on."""

    def __init__(self, connection):
        self.connection = connection

    def raw(self, text):
        self.connection.sendall(text if isinstance(text, bytes) else text.encode())

    def reply(self, status, body=b"", kind=None, **fields):
        head = f"HTTP/1.1 {status} Scripted\r\nContent-Length: {len(body)}\r\n"
        head += f"Content-Type: {kind}\r\n" if kind else ""
        head += "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
        self.raw(head.encode() + b"\r\n" + body)

    def json(self, value, status=200, **fields):
        self.reply(status, json.dumps(value).encode(), "application/json", **fields)

    def begin_events(self, **fields):
        head = "HTTP/1.1 200 Scripted\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
        self.raw(head + "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items()) + "\r\n")

    def chunk(self, text):
        text = text if isinstance(text, bytes) else text.encode()
        self.raw(b"%x\r\n%s\r\n" % (len(text), text))

    def event(self, value=None, number=None, retry=None, kind=None):
        text = f"event: {kind}\n" if kind else ""
        text += f"id: {number}\n" if number is not None else ""
        text += f"retry: {retry}\n" if retry is not None else ""
        self.chunk(text + "data: " + ("" if value is None else json.dumps(value)) + "\n\n")

    def end_events(self):
        self.raw("0\r\n\r\n")

    def wait_closed(self):
        """Until the client has closed its end. True: it did."""
        self.connection.settimeout(TIMEOUT_S)
        try:
            return self.connection.recv(1) == b""
        except ConnectionError:
            return True


class Server:
    """`handle(request, stream)` in a thread for each connection; what it raises fails the test that closes the server."""

    def __init__(self, handle):
        self.handle = handle
        self.requests = []
        self.faults = []
        self.come = queue.Queue()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            try:
                request = self._read(connection)
                if request is None:
                    return
                self.requests.append(request)
                self.come.put(request)
                self.handle(request, Stream(connection))
            except (BrokenPipeError, ConnectionResetError):
                pass
            except Exception as fault:  # the test's own, told in its thread
                self.faults.append(repr(fault))

    @staticmethod
    def _read(connection):
        connection.settimeout(TIMEOUT_S)
        data = b""
        while b"\r\n\r\n" not in data:
            piece = connection.recv(1 << 16)
            if not piece:
                return None
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        size = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
        pieces = [body]
        size -= len(body)
        while size > 0:
            pieces.append(connection.recv(min(size, 1 << 20)))
            assert pieces[-1], "the request was cut off"
            size -= len(pieces[-1])
        return Request(head, b"".join(pieces))

    def wait_for(self, asks):
        """The next request of that kind that comes."""
        ends = time.monotonic() + TIMEOUT_S
        while True:
            request = self.come.get(timeout=max(0.01, ends - time.monotonic()))
            if request.asks == asks:
                return request

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        assert not self.faults, self.faults


class Remote:
    """mcp-remote as a client starts it."""

    def __init__(self, *arguments, env=None, stdin=subprocess.PIPE):
        self.process = subprocess.Popen([PROGRAM, "mcp-remote", *arguments], stdin=stdin, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=env)
        self._buffer = bytearray()
        self._stderr = None

    def send(self, *messages):
        for message in messages:
            self.send_raw((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read_line(self, seconds=TIMEOUT_S):
        """None: the end."""
        ends = time.monotonic() + seconds
        fd = self.process.stdout.fileno()
        looked_at = 0
        while (end := self._buffer.find(b"\n", looked_at)) < 0:
            looked_at = len(self._buffer)
            if not select.select([fd], [], [], max(0, ends - time.monotonic()))[0]:
                raise TimeoutError("no line came")
            piece = os.read(fd, 1 << 20)
            if not piece:
                assert not self._buffer, self._buffer
                return None
            self._buffer += piece
        line = bytes(self._buffer[:end])
        del self._buffer[:end + 1]
        return line

    def read(self):
        line = self.read_line()
        return None if line is None else json.loads(line)

    def end(self):
        """Closes standard input; the lines that still come, and the exit code."""
        if self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        rest = []
        while (line := self.read_line()) is not None:
            rest.append(json.loads(line))
        return rest, self.finish()

    def finish(self):
        code = self.process.wait(TIMEOUT_S)
        self.stderr  # noqa: B018 - read before the pipe is closed
        return code

    @property
    def stderr(self):
        if self._stderr is None:
            self.process.wait(TIMEOUT_S)
            self._stderr = self.process.stderr.read().decode()
        return self._stderr

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(TIMEOUT_S)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()


def initialize(number=0, version=LEGACY):
    return {"jsonrpc": "2.0", "id": number, "method": "initialize",
            "params": {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(number, method="tools/call", **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {"name": "t", "arguments": {}}}


def stateless(number, method="tools/call", **params):
    meta = {"io.modelcontextprotocol/protocolVersion": STATELESS, "io.modelcontextprotocol/clientCapabilities": {}}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": meta}}


def result(number, **value):
    return {"jsonrpc": "2.0", "id": number, "result": value}


def initialize_result(number, version=LEGACY):
    return result(number, protocolVersion=version, capabilities={"tools": {}}, serverInfo={"name": "scripted", "version": "1"})


class Legacy:
    """Answers as a server with sessions, but for what a test gives: {method or HTTP method: handler}."""

    def __init__(self, session="s-1", version=LEGACY, **handlers):
        self.session, self.version = session, version
        self.handlers = {name.replace("__", "/"): handler for name, handler in handlers.items()}

    def __call__(self, asked, stream):
        handler = self.handlers.get(asked.asks)
        if handler:
            handler(asked, stream)
        elif asked.asks == "initialize":
            stream.json(initialize_result(asked.message["id"], self.version), **({"Mcp_Session_Id": self.session} if self.session else {}))
        elif asked.method == "GET":
            stream.reply(405)
        elif asked.method == "DELETE":
            stream.reply(200)
        elif "id" not in asked.message or "method" not in asked.message:
            stream.reply(202)
        else:
            stream.json(result(asked.message["id"], echo=asked.message))


def begin(remote, version=LEGACY):
    """The client's first steps; what initialize was answered with."""
    remote.send(initialize(version=version))
    answer = remote.read()
    remote.send(INITIALIZED)
    return answer
