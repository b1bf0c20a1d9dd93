# SPDX-License-Identifier: Apache-2.0
"""mcp-remote before a server of the stateless family (2026-07-28).

Run on the rig's machine: tests/rig/enter -- python3 tests/mcp-remote/test_stateless.py
"""

import base64
import os
import sys
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import scripted  # noqa: E402
from scripted import LEGACY, STATELESS, Legacy, Remote, Server, begin, result, stateless  # noqa: E402


def echo(asked, stream):
    stream.json(result(asked.message["id"], resultType="complete"))


class StatelessTest(unittest.TestCase):
    def start(self, handle=echo):
        server = Server(handle)
        self.addCleanup(server.close)
        remote = Remote(server.url)
        self.addCleanup(remote.kill)
        return server, remote

    def test_each_request_has_its_headers_and_no_session(self):
        def answer(asked, stream):
            stream.json(result(asked.message["id"]), Mcp_Session_Id="unasked")
        server, remote = self.start(answer)
        for number, (method, params, name) in enumerate((
                ("server/discover", {}, None), ("tools/list", {}, None), ("tools/call", {"name": "t", "arguments": {}}, "t"),
                ("resources/read", {"uri": "test://a b"}, "test://a b"), ("prompts/get", {"name": "p"}, "p"),
                ("tools/call", {"name": "n\u00e4me"}, "=?base64?" + base64.b64encode("n\u00e4me".encode()).decode() + "?="),
                ("tools/call", {"name": " padded"}, "=?base64?" + base64.b64encode(b" padded").decode() + "?="),
                ("tools/call", {"name": "a\r\nX-Evil: 1"}, "=?base64?" + base64.b64encode(b"a\r\nX-Evil: 1").decode() + "?="),
                ("tools/call", {"name": "=?base64?YQ==?="}, "=?base64?" + base64.b64encode(b"=?base64?YQ==?=").decode() + "?="))):
            with self.subTest(method=method, name=name):
                remote.send(stateless(number, method, **params))
                self.assertEqual(remote.read(), result(number))
                sent = server.requests[-1]
                self.assertEqual((sent.method, sent.field("mcp-protocol-version"), sent.field("mcp-method"), sent.field("mcp-name")),
                                 ("POST", STATELESS, method, name))
                self.assertEqual((sent.field("mcp-session-id"), sent.field("x-evil")), (None, None))
        self.assertEqual(remote.end(), ([], 0))
        self.assertEqual({one.method for one in server.requests}, {"POST"})

    def test_arguments_that_the_schema_names_are_repeated_in_fields(self):
        text = {"type": "string", "x-mcp-header": "Region"}
        tools = [{"name": "t", "inputSchema": {"type": "object", "properties": {
                     "region": text, "flag": {"type": "boolean", "x-mcp-header": "Flag"}, "plain": {"type": "string"},
                     "deep": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "Deep"}}}}}},
                 {"name": "wrong", "inputSchema": {"properties": {"a": {"type": "string", "x-mcp-header": "bad name"}, "region": text}}},
                 {"name": "twice", "inputSchema": {"properties": {"a": {"type": "string", "x-mcp-header": "REGION"}, "region": text}}},
                 {"name": "object", "inputSchema": {"properties": {"a": {"type": "object", "x-mcp-header": "A"}}}}]

        def answer(asked, stream):
            stream.json(result(asked.message["id"], **({"tools": tools} if asked.asks == "tools/list" else {})))
        server, remote = self.start(answer)

        def sent(name, **arguments):
            remote.send(stateless(1, "tools/call", name=name, arguments=arguments))
            self.assertEqual(remote.read(), result(1))
            return {field.lower(): value for field, value in server.requests[-1].fields if field.lower().startswith("mcp-param")}
        self.assertEqual(sent("t", region="eu"), {})  # not known yet
        remote.send(stateless(2, "tools/list"))
        remote.read()
        self.assertEqual(sent("t", region="eu", flag=True, plain="x", deep={"n": 42}),
                         {"mcp-param-region": "eu", "mcp-param-flag": "true", "mcp-param-deep": "42"})
        self.assertEqual(sent("t", region="\u00fc", flag=None), {"mcp-param-region": "=?base64?w7w=?="})
        self.assertEqual(sent("t", region={"a": 1}, deep=[]), {})
        for name in ("wrong", "twice", "object"):
            self.assertEqual(sent(name, region="eu", a="b"), {})

    def test_cancelling_closes_the_reply_and_sends_nothing(self):
        closed = threading.Event()

        def answer(asked, stream):
            if asked.asks != "tools/call":
                return echo(asked, stream)
            stream.begin_events()
            stream.chunk(": still here\n\n")
            if stream.wait_closed():
                closed.set()
        server, remote = self.start(answer)
        remote.send(stateless(1, "tools/call", name="t"))
        server.wait_for("tools/call")
        remote.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        self.assertTrue(closed.wait(scripted.TIMEOUT_S))
        remote.send(stateless(2, "tools/list"))
        self.assertEqual(remote.read()["id"], 2)
        self.assertNotIn("notifications/cancelled", [one.asks for one in server.requests])
        self.assertEqual(remote.end(), ([], 0))

    def test_a_stream_of_notices_stays_open_beside_other_requests(self):
        notice = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {}}
        go_on = threading.Event()

        def answer(asked, stream):
            if asked.asks != "subscriptions/listen":
                return echo(asked, stream)
            stream.begin_events()
            stream.event({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {}})
            self.assertTrue(go_on.wait(scripted.TIMEOUT_S))
            stream.event(notice)
            self.assertTrue(stream.wait_closed())
        _, remote = self.start(answer)
        remote.send(stateless("sub", "subscriptions/listen", notifications={"toolsListChanged": True}))
        self.assertEqual(remote.read()["method"], "notifications/subscriptions/acknowledged")
        remote.send(stateless(2, "tools/list"))
        self.assertEqual(remote.read()["id"], 2)
        go_on.set()
        self.assertEqual(remote.read(), notice)
        self.assertEqual(remote.end(), ([], 0))

    def test_a_stream_that_breaks_off_is_an_error_and_no_get(self):
        def answer(asked, stream):
            stream.begin_events()
            stream.event(None, number=5)
        server, remote = self.start(answer)
        remote.send(stateless(1, "tools/call", name="t"))
        self.assertIn("in the middle of a reply", remote.read()["error"]["message"])
        self.assertEqual({one.method for one in server.requests}, {"POST"})

    def test_the_servers_errors_are_passed_on(self):
        for status, error in ((400, {"code": -32020, "message": "mismatch"}), (404, {"code": -32601, "message": "no such method"}),
                              (400, {"code": -32022, "message": "version", "data": {"supported": [LEGACY]}})):
            with self.subTest(code=error["code"]):
                answer = {"jsonrpc": "2.0", "id": 1, "error": error}
                _, remote = self.start(lambda asked, stream, status=status, answer=answer: stream.json(answer, status=status))
                remote.send(stateless(1, "tools/call", name="t"))
                self.assertEqual(remote.read(), answer)

    def test_an_answer_of_the_client_goes_nowhere(self):
        server, remote = self.start()
        remote.send(stateless(1, "tools/list"))
        remote.read()
        remote.send(result("x"))
        remote.send(stateless(2, "tools/list"))
        remote.read()
        self.assertEqual(len(server.requests), 2)
        remote.end()
        self.assertIn("dropped", remote.stderr)

    def test_a_client_that_probes_and_falls_back_has_a_session(self):
        """As clients of both families do: server/discover first, then initialize."""
        handle = Legacy()

        def answer(asked, stream):
            if asked.field("mcp-protocol-version") == STATELESS:
                stream.json({"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "unsupported version"}}, status=400)
            else:
                handle(asked, stream)
        server, remote = self.start(answer)
        remote.send(stateless("probe", "server/discover"))
        self.assertEqual(remote.read()["error"]["code"], -32000)
        begin(remote)
        remote.send(scripted.request(1))
        self.assertEqual(remote.read()["id"], 1)
        self.assertEqual((server.requests[-1].field("mcp-session-id"), server.requests[-1].field("mcp-method")), ("s-1", None))


if __name__ == "__main__":
    unittest.main()
