# SPDX-License-Identifier: Apache-2.0
"""model_load: a hosted model's client inside a sandbox, for scripts/bench model.

    timed ROUNDS    the same requests by the wire's verb and through a plain CONNECT to the same server, in turn: samples as JSON
    streams COUNT   so many streams at once; says `open` when each has had its first event, and ends them when a line is read
"""

import http.client
import json
import os
import selectors
import socket
import ssl
import sys
import time
import urllib.parse

BASE = urllib.parse.urlsplit(os.environ["ANTHROPIC_BASE_URL"])
PLACEHOLDER = os.environ["ANTHROPIC_API_KEY"]
PLAIN_HOST = "plain-model.test"
LARGE_BYTES = 1 << 20
FIELDS = {"Content-Type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": PLACEHOLDER}
CONTEXT = ssl.create_default_context()


def body(size, **more):
    """A request whose text makes it about so large: many messages, as a long conversation is."""
    text = 'some words of a conversation, with "caf\u00e9" and\na line\'s end in them; ' * 16
    count = max(1, size // (len(text) + 80))
    value = {"model": "claude-rig", "max_tokens": 64, "messages": [{"role": "user", "content": text}] * count, **more}
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


STREAMED, LARGE = body(0, stream=True), body(LARGE_BYTES)


class Verb:
    """By the wire's verb, as a client of the provider is led there."""

    target = BASE.path + "/v1/messages"

    @staticmethod
    def connection():
        return http.client.HTTPConnection(BASE.hostname, BASE.port)


class Plain:
    """Through a tunnel to a listed host, with TLS of the client's own."""

    target = "/v1/messages"

    @staticmethod
    def connection():
        made = http.client.HTTPSConnection(BASE.hostname, BASE.port, context=CONTEXT)
        made.set_tunnel(PLAIN_HOST, 443)
        return made


def ask(connection, way, content, fields=None):
    """Milliseconds from before the request (and the connection, where it is a new one) to the first byte of the reply's body."""
    began = time.perf_counter()
    connection.request("POST", way.target, content, {**FIELDS, **(fields or {})})
    reply = connection.getresponse()
    first = reply.read1(1)
    took = (time.perf_counter() - began) * 1000
    if reply.status != 200 or not first:
        sys.exit(f"{way.__name__}: {reply.status} {first + reply.read()}")
    return took, reply


def timed(rounds):
    samples, kept = {}, {way: way.connection() for way in (Verb, Plain)}
    for number in range(rounds + 2):
        # Who begins changes each round.
        for way in ((Verb, Plain), (Plain, Verb))[number % 2]:
            for name, content in (("stream", STREAMED), ("large", LARGE)):
                for case in ("new", "kept"):
                    connection = kept[way] if case == "kept" else way.connection()
                    took, reply = ask(connection, way, content)
                    reply.read()
                    if case == "new":
                        connection.close()
                    if number >= 2:  # the first connect, and bring code into memory
                        samples.setdefault(f"{name} {case} {way.__name__}", []).append(took)
    print(json.dumps(samples))


def streams(count):
    """The server holds a stream of the client called rig-held after its first event until one called rig-release asks."""
    request = (f"POST {Verb.target} HTTP/1.1\r\nHost: {BASE.netloc}\r\nUser-Agent: rig-held\r\nContent-Length: {len(STREAMED)}\r\n" +
               "".join(f"{name}: {value}\r\n" for name, value in FIELDS.items()) + "\r\n").encode() + STREAMED
    waiting, got = selectors.DefaultSelector(), {}
    for _ in range(count):
        stream = socket.create_connection((BASE.hostname, BASE.port))
        stream.sendall(request)
        waiting.register(stream, selectors.EVENT_READ)
        got[stream] = b""
    opened = set()
    while len(opened) < count:
        for key, _ in waiting.select():
            piece = key.fileobj.recv(65536)
            got[key.fileobj] += piece
            if b"data: first" in got[key.fileobj]:
                opened.add(key.fileobj)
            elif not piece:
                sys.exit(f"a stream ended: {got[key.fileobj][:500]}")
    print("open", flush=True)
    sys.stdin.readline()
    release = Verb.connection()
    release.request("POST", Verb.target, STREAMED, {**FIELDS, "User-Agent": "rig-release"})
    for stream in got:
        while b"data: second" not in got[stream]:
            piece = stream.recv(65536)
            if not piece:
                sys.exit(f"a stream wasn't whole: {got[stream][:500]}")
            got[stream] += piece
    print("ended", flush=True)


{"timed": timed, "streams": streams}[sys.argv[1]](int(sys.argv[2]))
