# SPDX-License-Identifier: Apache-2.0
"""A stand-in for a local runtime of models, on this machine's loopback: it records what arrives, byte for byte, and answers as
Ollama and OpenAI's API do, streams in pieces that are waited for."""

import json
import threading

from rig.loopback import Server

WORDS = ("Hello", " from", " here")
EVENTS_TYPE = "text/event-stream"
LINES_TYPE = "application/x-ndjson"


class Request:
    def __init__(self, head, body):
        self.raw = head + b"\r\n\r\n" + body
        first, *fields = head.decode("latin-1").split("\r\n")
        self.method, self.target, self.version = first.split(" ")
        self.fields = [tuple(line.split(": ", 1)) for line in fields]
        self.body = body

    def value(self, name):
        return [value for key, value in self.fields if key.lower() == name]

    @property
    def json(self):
        return json.loads(self.body)


class Runtime:
    def __init__(self, port=0):
        self.requests, self.connections = [], 0
        self.goes_on = threading.Event()  # set once a client said that it has a stream's first piece
        self.server = Server(self._answer, port=port)
        self.port = self.server.port

    def close(self):
        self.goes_on.set()
        self.server.close()

    def calls(self):
        return [(one.method, one.target) for one in self.requests]

    def _answer(self, stream):
        self.connections += 1
        data = b""
        while b"\r\n\r\n" not in data:
            piece = stream.recv(65536)
            if not piece:
                return
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        length = next((int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0)
        while len(body) < length:
            body += stream.recv(65536)
        request = Request(head, body)
        self.requests.append(request)
        if request.target == "/api/version":
            self.goes_on.set()
        asks = json.loads(body) if body else {}
        if asks.get("stream"):
            self._stream(stream, request.target, asks)
        else:
            self._whole(stream, request, asks)

    def _whole(self, stream, request, asks):
        body = json.dumps(_whole_reply(request.target, asks)).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nSet-Cookie: a=b\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        stream.sendall(head + (b"" if request.method == "HEAD" else body))

    def _stream(self, stream, target, asks):
        kind = LINES_TYPE if target.startswith("/api/") else EVENTS_TYPE
        stream.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        for number, piece in enumerate(_pieces(target, asks)):
            if number == 1:
                self.goes_on.wait()
            stream.sendall(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        stream.sendall(b"0\r\n\r\n")


def _whole_reply(target, asks):
    model = asks.get("model", "m")
    if target == "/api/version":
        return {"version": "0.0.0"}
    if target == "/api/tags":
        return {"models": [{"name": "llama3.2", "model": "llama3.2"}]}
    if target == "/v1/models":
        return {"object": "list", "data": [{"id": "llama3.2", "object": "model", "created": 1, "owned_by": "library"}]}
    if target == "/api/embed":
        return {"model": model, "embeddings": [[0.5, 0.25]]}
    if target == "/v1/embeddings":
        return {"object": "list", "model": model, "data": [{"object": "embedding", "index": 0, "embedding": [0.5]}], "usage": {"prompt_tokens": 1, "total_tokens": 1}}
    if target == "/v1/chat/completions":
        call = [{"id": "c", "type": "function", "function": {"name": "shell", "arguments": "{}"}}] if asks.get("tools") else None
        return {"id": "x", "object": "chat.completion", "created": 1, "model": model,
                "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "".join(WORDS), "tool_calls": call}}]}
    if target == "/v1/responses":
        return {"id": "r", "object": "response", "created_at": 1, "model": model, "status": "completed", "output": [
            {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "".join(WORDS), "annotations": []}]}]}
    return {"model": model, "message": {"role": "assistant", "content": "".join(WORDS)}, "response": "".join(WORDS), "done": True}


def _pieces(target, asks):
    model = asks.get("model", "m")
    if target == "/api/chat":
        lines = [{"model": model, "message": {"role": "assistant", "content": word}, "done": False} for word in WORDS]
        return [json.dumps(line).encode() + b"\n" for line in [*lines, {"model": model, "message": {"role": "assistant", "content": ""}, "done": True}]]
    events = [{"id": "x", "object": "chat.completion.chunk", "created": 1, "model": model, "choices": [{"index": 0, "delta": {"content": word}}]} for word in WORDS]
    return [b"data: " + json.dumps(event).encode() + b"\n\n" for event in events] + [b"data: [DONE]\n\n"]
