# SPDX-License-Identifier: Apache-2.0
"""Hosted models on the running wire: the real key arrives at the provider's one host, the placeholder nowhere, and of a request
what the tables name.

Run on the rig's machine: tests/rig/enter -- python3 tests/verb-model/test_model_wire.py
"""

import gzip
import hashlib
import json
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import wire_process  # noqa: E402
from wire_process import FIRST_HANDLE_FD, OWN_PORT, Wire, field_of, read_all, refusal_of, status_of  # noqa: E402

from rig import capability, client  # noqa: E402

PROGRAM = client.own_program(os.path.realpath(os.path.join(wire_process.PARTS, "..", "..", "bin", "lnk-sandbox")))
PARTS = wire_process.PARTS = os.path.join(os.path.dirname(PROGRAM), "..", "lib", "lnk-sandbox")
PLACEHOLDER = "lnk-placeholder-0123456789abcdefghij"
KEY = "sk-rig-0123456789-the-real-key"
HOSTS = {"anthropic": "api.anthropic.com", "openai": "api.openai.com", "gemini": "generativelanguage.googleapis.com",
         "bedrock": "bedrock-runtime.us-east-1.amazonaws.com", "cohere": "api.cohere.com"}
MIB = 1 << 20
FUNCTION = {"name": "f", "input_schema": {"type": "object"}}


def verb(hosts, server_tools=False, models=(), any_host=False):
    file = os.path.realpath(os.path.join(PARTS, "modules", "verb-model.so"))
    with open(file, "rb") as library:
        digest = hashlib.sha256(library.read()).hexdigest()
    providers = [{"name": name, "host": host, "placeholder": PLACEHOLDER} for name, host in hosts.items()]
    return {"id": "verb-model", "file": file, "sha256": digest,
            "config": {"providers": providers, "server_tools": server_tools, "models": list(models), "any_host": any_host},
            "upstreams": [{"host": host, "port": 443, "handles": [f"key:{name}"]} for name, host in hosts.items()]}


def kept_key(name, host):
    fd, path = tempfile.mkstemp(prefix="key-")
    os.write(fd, (json.dumps({"host": host, "provider": name}, separators=(",", ":")) + "\n" + KEY).encode())
    os.fchmod(fd, 0o600)
    os.unlink(path)
    return fd


class ModelWire(Wire):
    def __init__(self, hosts=None, more=None, **policy):
        hosts = HOSTS if hosts is None else hosts
        settings = tempfile.mkdtemp(prefix="settings-")
        handles, fds = {}, {}
        for number, (name, host) in enumerate(hosts.items(), FIRST_HANDLE_FD):
            handles[f"key:{name}"], fds[number] = number, kept_key(name, host)
        super().__init__({}, settings=settings, more={"verbs": [verb(hosts, **policy)], "handles": handles, **(more or {})}, fds=fds)
        for fd in fds.values():
            os.close(fd)

    def close(self):
        super().close()
        shutil.rmtree(self.settings, ignore_errors=True)


def call(path, body=None, method=None, fields="", key=f"x-api-key: {PLACEHOLDER}\r\n"):
    method = method or ("GET" if body is None else "POST")
    body = json.dumps(body).encode() if isinstance(body, dict) else body or b""
    length = f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\n" if method == "POST" else ""
    head = f"{method} /_link/model/{path} HTTP/1.1\r\nHost: 127.0.0.1:{OWN_PORT}\r\n{key}{fields}{length}Connection: close\r\n\r\n"
    return head.encode() + body


def messages(**more):
    return {"model": "claude-x", "max_tokens": 1, "messages": [{"role": "user", "content": "hello"}], **more}


def body_of(reply):
    return reply.partition(b"\r\n\r\n")[2]


class ModelWireTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        capability.need("rig")
        cls.net = client.Internet()
        cls.wire = ModelWire()
        cls.net.issue(list(HOSTS.values()))

    @classmethod
    def tearDownClass(cls):
        cls.wire.close()
        for secret in (KEY, PLACEHOLDER):
            assert secret not in cls.wire.stderr, cls.wire.stderr

    def setUp(self):
        self.net.reset()
        for number, host in enumerate(HOSTS.values(), 100):
            self.net.set_name(host, [f"93.184.215.{number}"])

    def only_request(self):
        requests = self.net.requests()
        self.assertEqual(len(requests), 1, requests)
        self.assertTrue(requests[0]["tls"])
        self.assertEqual(requests[0]["host"], requests[0]["sni"])
        self.assertNotIn(PLACEHOLDER.encode(), requests[0]["raw"] + requests[0]["body"])
        return requests[0]

    def values(self, request, name):
        return [value for key, value in request["fields"] if key.lower() == name]

    def assert_nothing_left(self):
        self.assertEqual((self.net.queries(), self.net.connections()), ([], []))

    # ---- what arrives ----

    def test_the_key_arrives_at_the_providers_host_and_tools_are_those_the_program_runs(self):
        tools = [FUNCTION, {"type": "bash_20250124", "name": "bash"}, {"type": "web_search_20250305", "name": "web_search"},
                 {"type": "a_tool_of_tomorrow", "name": "x"}]
        body = messages(tools=tools, mcp_servers=[{"type": "url", "url": "https://x.test", "name": "x"}], tool_choice={"type": "tool", "name": "web_search"})
        answer = self.wire.ask(call("anthropic/v1/messages?beta=true", body, fields="Cookie: a=b\r\nAuthorization: Bearer mine\r\nanthropic-version: 2023-06-01\r\n"))
        self.assertEqual((status_of(answer), body_of(answer)), (200, b"hello from api.anthropic.com\n"))
        request = self.only_request()
        self.assertEqual((request["host"], request["method"], request["target"]), (HOSTS["anthropic"], "POST", "/v1/messages?beta=true"))
        self.assertEqual(self.values(request, "x-api-key"), [KEY])
        self.assertEqual(self.values(request, "authorization") + self.values(request, "cookie"), [])
        self.assertEqual(self.values(request, "accept-encoding"), ["identity"])
        self.assertEqual(self.values(request, "anthropic-version"), ["2023-06-01"])
        self.assertEqual(json.loads(request["body"]), messages(tools=tools[:2], tool_choice={"type": "auto"}))

    def test_each_provider_gets_its_key_in_its_own_field(self):
        for name, path, body, field, value in (
                ("openai", "v1/responses", {"model": "m", "input": "x", "store": False}, "authorization", f"Bearer {KEY}"),
                ("gemini", "v1beta/models/g:generateContent", {"contents": []}, "x-goog-api-key", KEY),
                ("bedrock", "model/a.b-v1%3A0/converse", {"messages": []}, "authorization", f"Bearer {KEY}"),
                ("cohere", "v2/chat", {"model": "m", "messages": []}, "authorization", f"Bearer {KEY}")):
            with self.subTest(provider=name):
                self.setUp()
                key = f"x-goog-api-key: {PLACEHOLDER}\r\n" if name == "gemini" else f"Authorization: Bearer {PLACEHOLDER}\r\n"
                self.assertEqual(status_of(self.wire.ask(call(f"{name}/{path}", body, key=key))), 200)
                request = self.only_request()
                self.assertEqual((request["host"], request["target"]), (HOSTS[name], f"/{path}"))
                self.assertEqual(self.values(request, field), [value])
                self.assertEqual(json.loads(request["body"]), body)

    def test_a_key_in_the_query_goes_as_one_in_a_field(self):
        answer = self.wire.ask(call(f"gemini/v1beta/models?key={PLACEHOLDER}&pageSize=5", key=""))
        self.assertEqual(status_of(answer), 200)
        request = self.only_request()
        self.assertEqual(request["target"], "/v1beta/models?pageSize=5")
        self.assertEqual(self.values(request, "x-goog-api-key"), [KEY])

    def test_a_body_in_a_coding_arrives_plain(self):
        body = gzip.compress(json.dumps(messages()).encode())
        self.assertEqual(status_of(self.wire.ask(call("anthropic/v1/messages", body, fields="Content-Encoding: gzip\r\n"))), 200)
        request = self.only_request()
        self.assertEqual(self.values(request, "content-encoding"), [])
        self.assertEqual(json.loads(request["body"]), messages())

    def test_a_large_body_goes_whole_and_a_larger_one_is_refused(self):
        body = messages(system="x\n" * MIB)
        self.assertEqual(status_of(self.wire.ask(call("anthropic/v1/messages", body))), 200)
        self.assertEqual(json.loads(self.only_request()["body"]), body)
        self.net.reset()
        self.assertEqual(refusal_of(self.wire.ask(call("anthropic/v1/messages", b"{}").replace(b"Length: 2", f"Length: {33 * MIB}".encode()))), (413, "too-large"))
        self.assert_nothing_left()

    def test_server_tools_leave_the_providers_own(self):
        body = messages(tools=[{"type": "web_search_20250305", "name": "w"}, {"type": "a_tool_of_tomorrow"}], container="c")
        with ModelWire(server_tools=True) as wire:
            self.assertEqual(status_of(wire.ask(call("anthropic/v1/messages", body))), 200)
        self.assertEqual(json.loads(self.only_request()["body"]), body)

    # ---- what stays ----

    def assert_refused(self, answer, status, reason):
        self.assertEqual(refusal_of(answer), (status, reason))
        self.assertEqual(field_of(answer, "content-type"), "application/json")
        return json.loads(body_of(answer))

    def test_a_refusal_has_the_providers_own_form(self):
        image = {"type": "image", "source": {"type": "url", "url": "https://x.test/a.png"}}
        error = self.assert_refused(self.wire.ask(call("anthropic/v1/messages", messages(messages=[{"role": "user", "content": [image]}]))), 403, "url-refused")
        self.assertEqual(error["type"], "error")
        self.assertIn("messages[0].content[0].source.url", error["error"]["message"])
        error = self.assert_refused(self.wire.ask(call("openai/v1/files", key="")), 403, "not-inference")
        self.assertEqual(error["error"]["code"], "not-inference")
        error = self.assert_refused(self.wire.ask(call("gemini/v1beta/models/deep-research-x:generateContent", {"contents": []}, key=f"x-goog-api-key: {PLACEHOLDER}\r\n")), 403, "model-searches")
        self.assertEqual(error["error"]["code"], 403)
        self.assertIn("message", self.assert_refused(self.wire.ask(call("cohere/v2/chat", {"model": "m"}, key="Authorization: Bearer mine\r\n")), 401, "wrong-placeholder"))
        self.assertIn("message", self.assert_refused(self.wire.ask(call("bedrock/model/x/converse", b"{]", key=f"Authorization: Bearer {PLACEHOLDER}\r\n")), 400, "bad-body"))
        self.assert_nothing_left()

    def test_the_wires_own_refusals_have_it_too(self):
        upgrade = "GET /_link/model/openai/v1/responses HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n" % OWN_PORT
        error = self.assert_refused(self.wire.ask(upgrade.encode()), 426, "no-upgrade")
        self.assertEqual(error["error"]["code"], "no-upgrade")
        self.net.drop_name(HOSTS["anthropic"])
        self.assertEqual(self.assert_refused(self.wire.ask(call("anthropic/v1/messages", messages())), 502, "upstream")["type"], "error")
        with ModelWire(more={"calls_per_minute": 1}) as wire:
            wire.ask(call("anthropic/v1/files", key=""))
            error = self.assert_refused(wire.ask(call("anthropic/v1/files", key="")), 429, "too-many-calls")
            self.assertIn("calls_per_minute", error["error"]["message"])
        with ModelWire() as wire:
            folder = os.path.join(wire.settings, "wire")
            with open(os.path.join(folder, wire.name + ".paused"), "w", encoding="ascii"):
                pass
            self.assertEqual(self.assert_refused(wire.ask(call("anthropic/v1/messages", messages())), 503, "paused")["type"], "error")
        answer = self.wire.ask(call("nobody/v1/messages", messages()))
        self.assertEqual((refusal_of(answer), field_of(answer, "content-type")), ((404, "no-such-verb"), "text/plain; charset=utf-8"))

    def test_a_type_that_is_not_json_is_refused(self):
        raw = call("anthropic/v1/messages", messages()).replace(b"application/json", b"application/jsonx")
        self.assert_refused(self.wire.ask(raw), 415, "bad-body")
        self.assert_nothing_left()

    def test_an_echoed_key_is_cut(self):
        self.net.set_reply(HOSTS["anthropic"], "/v1/messages", b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\ndata: " + KEY.encode() + b"\n\n")
        answer = self.wire.ask(call("anthropic/v1/messages", messages(stream=True)))
        self.assertNotIn(KEY.encode(), answer)

    # ---- streams ----

    def test_an_event_goes_on_at_once(self):
        with self.wire.connect() as stream:
            stream.sendall(call("anthropic/v1/messages", messages(stream=True), fields="User-Agent: rig-held\r\n"))
            got = b""
            while b"data: first\n\n" not in got:
                piece = stream.recv(65536)
                self.assertTrue(piece, got)
                got += piece
            # The second event comes when this one has been read: whoever held it back would wait in vain.
            self.assertEqual(status_of(self.wire.ask(call("anthropic/v1/models", fields="User-Agent: rig-release\r\n"))), 200)
            got += read_all(stream)
        self.assertIn(b"data: second\n\n", got)
        self.assertNotIn(b"nobody came", got)
        self.assertEqual(field_of(got, "content-type"), "text/event-stream")

    # ---- memory ----

    def test_the_bodies_of_all_calls_have_one_limit(self):
        wire = ModelWire()
        self.addCleanup(wire.close)
        large = b"x" * (32 * MIB)
        head = call("anthropic/v1/messages", large)[:-len(large)]
        held = [wire.connect() for _ in range(8)]
        try:
            for stream in held:
                stream.sendall(head + large[:-1])
            # Who holds so much is not answered, and the last of it may still be on its way; one who asks meanwhile is.
            replies = []
            while len(replies) < 50 and (not replies or status_of(replies[-1]) != 429):
                replies.append(wire.ask(call("anthropic/v1/messages", messages(system="x" * MIB))))
            self.assertEqual(refusal_of(replies[-1]), (429, "too-many-calls"))
            self.assertIn(b"256 MiB of bodies", replies[-1])
            self.assertLess(wire.memory_kib(), 400 * 1024)
        finally:
            for stream in held:
                stream.close()
        while status_of(wire.ask(call("anthropic/v1/messages", messages(system="x" * MIB)))) == 429:
            pass
        self.assertEqual(status_of(wire.ask(call("anthropic/v1/messages", messages()))), 200)


if __name__ == "__main__":
    unittest.main()
