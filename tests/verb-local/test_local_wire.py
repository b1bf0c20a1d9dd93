# SPDX-License-Identifier: Apache-2.0
"""A local runtime behind the running wire: what is inference arrives as it was written anew, and nothing else arrives at all.

Run on the rig's machine: tests/rig/enter -- python3 tests/verb-local/test_local_wire.py
"""

import array
import gzip
import hashlib
import json
import os
import socket
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import wire_process  # noqa: E402
from wire_process import OWN_PORT, TIMEOUT_S, Wire, field_of, read_all, read_head, refusal_of, status_of  # noqa: E402

from rig import capability, client  # noqa: E402
from runtime import WORDS, Runtime  # noqa: E402

BUILT = wire_process.PARTS
# Modules must be trusted: in an ordinary user's rig they are copied to be this user's own.
PROGRAM = client.own_program(os.path.realpath(os.path.join(BUILT, "..", "..", "bin", "lnk-sandbox")))
PARTS = wire_process.PARTS = os.path.join(os.path.dirname(PROGRAM), "..", "lib", "lnk-sandbox")
SECRET = "s" * 43
CHAT = {"model": "llama3.2", "messages": [{"role": "user", "content": "why?"}], "stream": False}


def verb(ports, models=(), upstreams=None):
    file = os.path.join(PARTS, "modules", "verb-local.so")
    with open(file, "rb") as library:
        digest = hashlib.sha256(library.read()).hexdigest()
    granted = [{"host": "localhost", "port": port, "tls": False, "handles": []} for port in ports]
    return {"id": "verb-local", "file": os.path.realpath(file), "sha256": digest, "config": {"models": list(models), "ports": list(ports)},
            "upstreams": granted if upstreams is None else upstreams}


class LocalWire(Wire):
    """A wire with a runtime's port, and a socket that stands for that port inside."""

    def __init__(self, port, models=(), verbs=None, **more):
        super().__init__({}, more={"verbs": verbs or [verb([port], models)], "local": [port]}, **more)
        self.inside = socket.create_server(("127.0.0.1", 0), backlog=64)

    def hand_over_port(self, port):
        packet = json.dumps({"listen": {"kind": "local", "port": port}})
        self.control.sendmsg([packet.encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [self.inside.fileno()]))])

    def at_port(self):
        return socket.create_connection(("127.0.0.1", self.inside.getsockname()[1]), timeout=TIMEOUT_S)

    def ask_port(self, raw):
        with self.at_port() as stream:
            stream.sendall(raw)
            return read_all(stream)

    def close(self):
        super().close()
        self.inside.close()


def request(path, host, method="GET", fields="", body=None):
    text = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = "" if body is None or "Content-Type" in fields else "Content-Type: application/json\r\n"
    length = "" if body is None else f"{kind}Content-Length: {len(text)}\r\n"
    return f"{method} {path} HTTP/1.1\r\nHost: {host}\r\n{fields}{length}\r\n".encode() + text


class LocalWireTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.runtime = Runtime()
        self.addCleanup(self.runtime.close)
        self.wire = LocalWire(self.runtime.port)
        self.addCleanup(self.wire.close)
        self.wire.hand_over_port(self.runtime.port)

    def both(self, path, method="GET", fields="", body=None):
        """The replies of both ways: the port itself, and the path below the sandbox's secret."""
        port = self.runtime.port
        mount = f"/_link/s/{SECRET}/local/{port}{path}"
        yield self.wire.ask_port(request(path, f"localhost:{port}", method, fields, body))
        # One request a connection on this way too: the wire closes it by itself.
        yield self.wire.ask(request(mount, f"127.0.0.1:{OWN_PORT}", method, fields, body))

    def assert_refused(self, told, path, method="GET", fields="", body=None):
        for reply in self.both(path, method, fields, body):
            self.assertEqual(refusal_of(reply), told, (method, path, fields, body, reply))
        self.assertEqual(self.runtime.connections, 0)

    # ---- what arrives ----

    def test_a_read_arrives_exact_with_nothing_of_who_asks(self):
        fields = ("Accept: */*\r\nUser-Agent: rig\r\nAuthorization: Bearer mine\r\nCookie: a=b\r\nOrigin: http://a.test\r\nReferer: http://a.test\r\n"
                  "X-Api-Key: mine\r\nAccept-Encoding: gzip\r\n")
        for reply in self.both("/api/tags", fields=fields):
            self.assertEqual(status_of(reply), 200)
            self.assertEqual((field_of(reply, "Connection"), field_of(reply, "Set-Cookie")), ("close", None))
            self.assertIn(b"llama3.2", reply)
        exact = (f"GET /api/tags HTTP/1.1\r\nHost: 127.0.0.1:{self.runtime.port}\r\nAccept: */*\r\nUser-Agent: rig\r\nAccept-Encoding: identity\r\n"
                 "Connection: close\r\n\r\n").encode()
        self.assertEqual([one.raw for one in self.runtime.requests], [exact, exact])
        calls = self.wire.closed_calls(2)
        self.assertEqual([(one["verb"], one["host"], one["port"], one["status"]) for one in calls], [("verb-local", "localhost", self.runtime.port, 200)] * 2)
        self.assertNotIn("tags", json.dumps(self.wire.log()))

    def test_a_request_arrives_as_it_was_written_anew(self):
        asked = {**CHAT, "keep_alive": -1, "a_field_of_tomorrow": 1}
        for reply in self.both("/api/chat", "POST", body=asked):
            self.assertEqual(status_of(reply), 200)
            self.assertIn("".join(WORDS).encode(), reply)
        written = json.dumps(CHAT, separators=(",", ":")).encode()
        for one in self.runtime.requests:
            self.assertEqual((one.target, one.body, one.value("content-length"), one.value("content-type")),
                             ("/api/chat", written, [str(len(written))], ["application/json"]))
        self.assertEqual(len(self.runtime.requests), 2)

    def test_a_coded_and_a_chunked_body_are_read(self):
        packed = gzip.compress(json.dumps(CHAT).encode())
        for reply in self.both("/api/chat", "POST", "Content-Encoding: gzip\r\n", packed):
            self.assertEqual(status_of(reply), 200)
        text = json.dumps(CHAT).encode()
        head = (f"POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1:{self.runtime.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        self.assertEqual(status_of(self.wire.ask_port(head.encode() + f"{len(text):x}\r\n".encode() + text + b"\r\n0\r\n\r\n")), 200)
        self.assertEqual([(one.json, one.value("content-encoding"), one.value("transfer-encoding")) for one in self.runtime.requests], [(CHAT, [], [])] * 3)

    def test_the_root_and_a_clients_beta_pass(self):
        for reply in self.both("/", "HEAD"):
            self.assertEqual(status_of(reply), 200)
        for reply in self.both("/v1/messages?beta=true", "POST", body={"model": "m", "messages": []}):
            self.assertEqual(status_of(reply), 200)
        self.assertEqual(self.runtime.calls(), [("HEAD", "/")] * 2 + [("POST", "/v1/messages?beta=true")] * 2)

    def test_streams_come_piece_by_piece(self):
        port = self.runtime.port
        for path, first in (("/api/chat", b'"Hello"'), ("/v1/chat/completions", b'"Hello"')):
            for connect, target, host in ((self.wire.at_port, path, f"localhost:{port}"),
                                          (self.wire.connect, f"/_link/s/{SECRET}/local/{port}{path}", f"127.0.0.1:{OWN_PORT}")):
                self.runtime.goes_on.clear()
                with connect() as stream:
                    stream.sendall(request(target, host, "POST", body={**CHAT, "stream": True}))
                    _, got = read_head(stream)
                    while first not in got:
                        got += stream.recv(65536)
                    self.assertNotIn(b'" from"', got)
                    self.runtime.goes_on.set()  # only now does the runtime say more
                    rest = got + read_all(stream)
                self.assertIn(b'" here"', rest)
                self.assertTrue(rest.endswith(b"0\r\n\r\n"), rest)

    # ---- what never arrives ----

    def test_what_is_neither_inference_nor_a_read_never_arrives(self):
        for method, path in (("POST", "/api/pull"), ("POST", "/api/create"), ("POST", "/v1/load_lora_adapter"), ("POST", "/tools"), ("POST", "/anything")):
            self.assert_refused((403, "not-inference"), path, method, body={"model": "m"})
        for method, path in (("DELETE", "/api/delete"), ("GET", "/api/chat"), ("GET", "/slots"), ("GET", "/cors-proxy"), ("GET", "/metrics"),
                             ("OPTIONS", "/api/chat"), ("GET", "/API/TAGS")):
            self.assert_refused((403, "not-inference"), path, method)
        for reply in self.both("/api/tags"):
            self.assertEqual(status_of(reply), 200)

    def test_a_path_of_two_readings_or_a_query_never_arrives(self):
        for path in ("/api//tags", "/api/./tags", "/x/../api/tags", "/api/%74ags", "/api/tags/", "/api/tags;x", "//api/tags", "/api/tags?a=1", "/api/tags?"):
            self.assert_refused((403, "path-refused"), path)
        for reply in self.both("/api/tags"):
            self.assertEqual(status_of(reply), 200)

    def test_a_body_by_which_a_runtime_reaches_out_never_arrives(self):
        image = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://a.test/x.png"}}]}
        for change, told in (({"messages": [image]}, "url-refused"), ({"model": "x:cloud"}, "not-inference"), ({"model": "org/x"}, "not-inference"),
                             ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "tool-refused"), ({"mcp_servers": [{"url": "https://a.test"}]}, "tool-refused"),
                             ({"adapters": "x"}, "not-inference"), ({"template": "{{ . }}"}, "not-inference"), ({"draft_model": "x"}, "not-inference")):
            self.assert_refused((403, told), "/v1/chat/completions", "POST", body={**CHAT, **change})
        for body in (b'{"model":"a","model":"b:cloud"}', b"\xef\xbb\xbf{}", b"[]", b"{", b""):
            self.assert_refused((400, "bad-body"), "/api/chat", "POST", body=body)
        for kind in ("text/plain", "multipart/form-data; boundary=x", "application/json; charset=utf-16"):
            self.assert_refused((415, "bad-body"), "/api/chat", "POST", f"Content-Type: {kind}\r\n", CHAT)
        self.assert_refused((415, "bad-body"), "/api/chat", "POST", "Content-Encoding: br\r\n", CHAT)
        reply = self.wire.ask_port(request("/v1/chat/completions", f"localhost:{self.runtime.port}", "POST", body={**CHAT, "messages": [image]}))
        self.assertIn(b"messages[0].content[0].image_url.url", reply)
        inline = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}}]}
        for reply in self.both("/v1/chat/completions", "POST", body={**CHAT, "messages": [inline]}):
            self.assertEqual(status_of(reply), 200)

    def test_an_upgrade_another_host_and_a_proxys_form_never_arrive(self):
        port = self.runtime.port
        self.assert_refused((426, "no-upgrade"), "/v1/responses", fields="Upgrade: websocket\r\nConnection: Upgrade, close\r\nSec-WebSocket-Key: x\r\n")
        for raw in (request("/api/tags", "a.test"), request("/api/tags", f"a.test:{port}"), request("/api/tags", f"127.0.0.1:{port + 1}"),
                    f"GET http://localhost:{port}/api/tags HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode(),
                    f"CONNECT localhost:{port} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()):
            self.assertEqual(refusal_of(self.wire.ask_port(raw)), (400, "bad-request"), raw)
        self.assertEqual(refusal_of(self.wire.ask_port(request(f"/_link/s/{SECRET}/local/{port}/api/tags", f"localhost:{port}"))), (403, "not-inference"))
        self.assertEqual(self.runtime.connections, 0)
        for host in ("localhost", "127.0.0.1", "[::1]", "LOCALHOST"):
            self.assertEqual(status_of(self.wire.ask_port(request("/api/tags", f"{host}:{port}"))), 200)

    def test_a_connection_takes_one_request(self):
        one = request("/api/tags", f"localhost:{self.runtime.port}")
        reply = self.wire.ask_port(one + one)
        self.assertEqual(reply.count(b"HTTP/1.1 200"), 1)
        self.assertEqual(self.runtime.calls(), [("GET", "/api/tags")])

    def test_a_wrong_secret_is_as_nothing_there(self):
        port, host = self.runtime.port, f"127.0.0.1:{OWN_PORT}"
        close = "Connection: close\r\n"
        nothing = self.wire.ask(request(f"/_link/s/{SECRET}/nothing/{port}/api/tags", host, fields=close))
        self.assertEqual(refusal_of(nothing), (404, "no-such-verb"))
        for path in (f"s/{'t' * 43}/local/{port}", f"s/{SECRET[:-1]}/local/{port}", f"s//local/{port}", f"local/{port}", f"s/{SECRET}/local/{port + 1}",
                     f"s/{SECRET}/local"):
            self.assertEqual(self.wire.ask(request(f"/_link/{path}/api/tags", host, fields=close)), nothing, path)
        self.assertEqual(self.runtime.connections, 0)
        self.assertEqual(status_of(self.wire.ask(request(f"/_link/s/{SECRET}/local/{port}/api/tags", host))), 200)

    def test_where_no_runtime_listens_the_call_fails_in_words(self):
        self.runtime.close()
        for reply in self.both("/api/tags"):
            self.assertEqual(refusal_of(reply), (502, "upstream"))


class Granted(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.runtime = Runtime()
        self.addCleanup(self.runtime.close)

    def start(self, verbs):
        wire = LocalWire(self.runtime.port, verbs=verbs)
        self.addCleanup(wire.close)
        return wire.ready

    def test_a_port_that_the_snapshot_does_not_grant_the_verb_starts_no_wire(self):
        port = self.runtime.port
        place = {"host": "localhost", "port": port, "tls": False, "handles": []}
        for granted in ([], [{**place, "port": port + 1}], [{**place, "tls": True}], [{**place, "host": "a.test", "tls": False}]):
            self.assertIn("failed", self.start([verb([port], upstreams=granted)]), granted)
        self.assertEqual(self.start([verb([port], upstreams=[place])]), {"ready": True})

    def test_a_socket_for_a_port_that_is_not_named_ends_the_wire(self):
        wire = LocalWire(self.runtime.port)
        self.addCleanup(wire.close)
        wire.hand_over_port(self.runtime.port + 1)
        self.assertIn("doesn't name", json.loads(wire.control.recv(4096))["failed"])

    def test_the_specs_models_are_asked_for_alone(self):
        wire = LocalWire(self.runtime.port, models=["org/*"])
        self.addCleanup(wire.close)
        wire.hand_over_port(self.runtime.port)
        for model, told in (("org/x", None), ("llama3.2", "not-inference"), ("org/x:cloud", "not-inference")):
            reply = wire.ask_port(request("/api/chat", f"localhost:{self.runtime.port}", "POST", body={**CHAT, "model": model}))
            self.assertEqual(field_of(reply, "Link-Refused"), told, reply)
        self.assertEqual([one.json["model"] for one in self.runtime.requests], ["org/x"])


if __name__ == "__main__":
    unittest.main()
