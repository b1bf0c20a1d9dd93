# SPDX-License-Identifier: Apache-2.0
"""MCP's streamable HTTP at the running wire, with servers that run outside and a front that says what a person would.

Run on the rig's machine: tests/rig/enter -- python3 tests/verb-mcp/test_mcp_wire.py
"""

import concurrent.futures
import http.client
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from mcp_front import OWN_PORT, SECRET, McpWire, tool  # noqa: E402
from wire_process import TIMEOUT_S, wait_until  # noqa: E402

from rig import capability  # noqa: E402

SERVER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small_server.py")
INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize",
              "params": {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "t", "version": "1"}}}
BOTH = "application/json, text/event-stream"


def call(number, name, **arguments):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}


def messages(text):
    """Of a stream: (id, message), without those that only say where it stands."""
    found = []
    for event in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
        if fields.get("data"):
            found.append((fields.get("id"), json.loads(fields["data"])))
    return found


class Client:
    """Speaks HTTP by hand, one connection a request."""

    def __init__(self, name="small"):
        self.path = f"/_link/s/{SECRET}/mcp/{name}"
        self.session = None

    def open(self, method, body=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", OWN_PORT, timeout=TIMEOUT_S)
        head = {"Accept": BOTH, **fields}
        if self.session:
            head |= {"Mcp-Session-Id": self.session, "MCP-Protocol-Version": "2025-11-25"}
        if body is not None:
            head["Content-Type"] = "application/json"
        connection.request(method, self.path, None if body is None else json.dumps(body), head)
        return connection, connection.getresponse()

    def post(self, body, **fields):
        """Status and all of the reply."""
        connection, reply = self.open("POST", body, **fields)
        text = reply.read().decode()
        connection.close()
        if reply.getheader("Mcp-Session-Id"):
            self.session = reply.getheader("Mcp-Session-Id")
        return reply.status, text

    def begin(self):
        status, text = self.post(INITIALIZE)
        assert status == 200, text
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return json.loads(text)

    def result(self, body):
        """The last message of the reply."""
        status, text = self.post(body)
        assert status == 200, text
        return messages(text)[-1][1]


class McpWireTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        self.said = "yes"
        self.wire = McpWire([tool("small", [sys.executable, SERVER]), tool("quiet", [sys.executable, SERVER], ask="none")],
                            lambda title, lines: self.said)
        self.addCleanup(self.wire.close)
        self.client = Client()

    def test_a_call_goes_after_a_yes_and_a_no_is_a_result_in_words(self):
        self.client.begin()
        self.assertEqual(self.client.result(call(1, "echo", text="one"))["result"]["content"][0]["text"], "one")
        self.said = "no"
        refused = self.client.result(call(2, "echo", text="two"))["result"]
        self.assertTrue(refused["isError"])
        self.assertIn("said no", refused["content"][0]["text"])
        self.said = "timed out"
        self.assertIn("nobody answered", self.client.result(call(3, "echo", text="three"))["result"]["content"][0]["text"])
        self.assertEqual([title for title, _ in self.wire.asked], ['Let the tool server "small" run echo?'] * 3)
        self.assertEqual(self.wire.asked[0][1], ['text: "one"', "the server says: readOnlyHint true"])
        self.assertEqual(self.client.result(call(4, "seen"))["result"]["isError"], True)
        self.said = "yes"
        self.assertEqual(self.client.result(call(5, "seen"))["result"]["content"][0]["text"], "echo seen")
        self.assertIn("tool-refused", [line.get("reason") for line in self.wire.closed_calls(7)])

    def test_of_a_hundred_equal_calls_one_yes_lets_one_go(self):
        self.client.begin()
        said = iter(["yes"])
        self.wire.answer = lambda title, lines: next(said, "no")
        with concurrent.futures.ThreadPoolExecutor(25) as threads:
            results = list(threads.map(lambda number: self.client.result(call(number, "echo", text="same")), range(100)))
        done = [one for one in results if "result" in one and not one["result"].get("isError")]
        self.assertEqual([one["result"]["content"][0]["text"] for one in done], ["same"])
        self.wire.answer = lambda title, lines: "yes"
        self.assertEqual(self.client.result(call(200, "seen"))["result"]["content"][0]["text"], "echo seen")

    def test_a_question_goes_with_its_connection(self):
        self.client.begin()
        self.said = None
        connection, reply = self.client.open("POST", call(1, "echo", text="x"))
        self.assertEqual(reply.status, 200)
        self.assertTrue(wait_until(lambda: self.wire.asked, bool))
        connection.close()
        reply.close()
        self.assertTrue(wait_until(lambda: self.wire.withdrawn, bool))

    def test_a_broken_stream_is_resumed(self):
        self.client.path = self.client.path.replace("small", "quiet")
        self.client.begin()
        connection, reply = self.client.open("POST", call(1, "wait"))
        first = reply.readline() + reply.readline() + reply.readline() + reply.readline()
        last = first.decode().split("\n", 1)[0].removeprefix("id: ")
        connection.close()
        reply.close()
        self.assertEqual(self.client.result(call(2, "release"))["result"]["content"][0]["text"], "released")
        connection, reply = self.client.open("GET", **{"Last-Event-ID": last})
        self.assertEqual([message["id"] for _, message in messages(reply.read().decode())], [1])
        connection.close()

    def test_a_server_that_ends_is_words_and_the_next_call_starts_it(self):
        self.client.path = self.client.path.replace("small", "quiet")
        self.client.begin()
        failed = self.client.result(call(1, "end"))
        self.assertIn("ended with exit code 3; the next call starts it again", failed["error"]["message"])
        self.assertEqual(self.client.result(call(2, "echo", text="again"))["result"]["content"][0]["text"], "again")
        self.assertEqual(self.wire.starts, ["quiet", "quiet"])

    def test_delete_ends_the_process(self):
        self.client.begin()
        process = next(iter(self.wire.processes.values()))
        connection, reply = self.client.open("DELETE")
        self.assertEqual((reply.status, reply.read()), (200, b""))
        connection.close()
        process.wait(TIMEOUT_S)
        self.assertEqual(self.client.post(call(1, "echo"))[0], 404)

    def test_large_messages_go_both_ways(self):
        self.client.path = self.client.path.replace("small", "quiet")
        self.client.begin()
        text = "x" * (3 * 1024 * 1024)
        self.assertEqual(self.client.result(call(1, "echo", text=text))["result"]["content"][0]["text"], text)

    def test_other_pages_hosts_and_secrets_are_refused(self):
        self.client.begin()
        self.assertEqual(self.client.post(call(1, "echo"), Origin="http://evil.test")[0], 403)
        status, text = self.client.post(call(1, "echo"), Origin="null")
        self.assertEqual((status, json.loads(text)["error"]["code"]), (403, -32000))
        self.assertEqual(self.client.post(call(1, "echo"), Origin=f"http://127.0.0.1:{OWN_PORT}")[0], 200)
        self.client.path = self.client.path.replace("sss", "ssx", 1)
        self.assertEqual(self.client.post(call(1, "echo"))[0], 404)
        self.client.path = f"/_link/s/{SECRET}/mcp/other"
        self.assertEqual(self.client.post(call(1, "echo"))[0], 404)


if __name__ == "__main__":
    unittest.main()
