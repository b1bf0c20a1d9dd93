# SPDX-License-Identifier: Apache-2.0
"""mcp-remote and streams that break off, and the stream of the server's own messages.

Run on the rig's machine: tests/rig/enter -- python3 tests/mcp-remote/test_streams.py
"""

import os
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import scripted  # noqa: E402
from scripted import Legacy, Remote, Server, begin, request, result  # noqa: E402


class StreamTest(unittest.TestCase):
    def start(self, handle):
        server = Server(handle)
        self.addCleanup(server.close)
        remote = Remote(server.url)
        self.addCleanup(remote.kill)
        return server, remote

    def notice(self, text):
        return {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": text}}

    def test_a_reply_that_breaks_off_is_gone_on_with_after_the_last_event(self):
        gets = []

        def call(asked, stream):
            stream.begin_events()
            stream.event(None, number="a-0")
            stream.event(self.notice("one"), number="a-1", retry=1500)
            gets.append(time.monotonic())
            # Half an event, which is none.
            stream.chunk('id: a-2\ndata: {"jsonrpc":')

        def get(asked, stream):
            last = asked.field("last-event-id")
            if last is None:
                stream.reply(405)
                return
            gets.append(time.monotonic())
            stream.begin_events()
            if last == "a-1":
                stream.event(self.notice("two"), number="a-2")
                stream.end_events()
            else:
                self.assertEqual(last, "a-2")
                stream.event(result(1, done=True), number="a-3")
        server, remote = self.start(Legacy(tools__call=call, GET=get))
        begin(remote)
        remote.send(request(1))
        self.assertEqual([remote.read(), remote.read(), remote.read()], [self.notice("one"), self.notice("two"), result(1, done=True)])
        self.assertEqual([one.field("mcp-session-id") for one in server.requests if one.field("last-event-id")], ["s-1", "s-1"])
        self.assertGreaterEqual(gets[1] - gets[0], 1.5)
        self.assertEqual(remote.end(), ([], 0))

    def test_a_stream_that_the_server_will_not_go_on_with_is_an_error(self):
        def call(_asked, stream):
            stream.begin_events()
            stream.event(None, number=1)
            stream.end_events()

        def get(_asked, stream):
            stream.reply(405)
        server, remote = self.start(Legacy(tools__call=call, GET=get))
        begin(remote)
        remote.send(request(1))
        self.assertIn("answered 405", remote.read()["error"]["message"])
        self.assertEqual(len([one for one in server.requests if one.field("last-event-id")]), 1)

    def test_tries_that_fail_are_counted(self):
        def call(_asked, stream):
            stream.begin_events()
            stream.event(None, number=1, retry=1)

        def get(asked, stream):
            stream.reply(503 if asked.field("last-event-id") else 405)
        server, remote = self.start(Legacy(tools__call=call, GET=get))
        begin(remote)
        remote.send(request(1))
        self.assertIn("could not be gone on with", remote.read()["error"]["message"])
        self.assertEqual(len([one for one in server.requests if one.field("last-event-id")]), 5)

    def test_an_id_that_no_field_can_hold_is_not_sent_back(self):
        def call(_asked, stream):
            stream.begin_events()
            stream.chunk("id: a b\ndata:\n\n")
        server, remote = self.start(Legacy(tools__call=call))
        begin(remote)
        remote.send(request(1))
        self.assertIn("in the middle", remote.read()["error"]["message"])
        self.assertEqual([one.field("last-event-id") for one in server.requests if one.method == "GET"], [None])

    def test_the_servers_own_messages_come_by_a_get_which_is_opened_again(self):
        over = threading.Event()

        def get(asked, stream):
            stream.begin_events()
            if asked.field("last-event-id") is None:
                stream.event(self.notice("one"), number=1)
                stream.end_events()
            else:
                self.assertEqual(asked.field("last-event-id"), "1")
                stream.event(self.notice("two"), number=2)
                if stream.wait_closed():
                    over.set()
        server, remote = self.start(Legacy(GET=get))
        begin(remote)
        self.assertEqual([remote.read(), remote.read()], [self.notice("one"), self.notice("two")])
        remote.send(request(1))
        self.assertEqual(remote.read()["id"], 1)
        self.assertEqual(remote.end(), ([], 0))
        self.assertTrue(over.wait(scripted.TIMEOUT_S))
        self.assertEqual({one.field("accept") for one in server.requests if one.method == "GET"}, {"text/event-stream"})

    def test_an_answer_that_comes_by_the_other_stream_is_one_and_frees_its_id(self):
        broken = threading.Event()

        def call(_asked, stream):
            if broken.is_set():
                return stream.json(result(1, second=True))
            stream.begin_events()
            stream.event(None, number=1, retry=60000)
            stream.end_events()
            broken.set()

        def get(asked, stream):
            self.assertIsNone(asked.field("last-event-id"))
            stream.begin_events()
            self.assertTrue(broken.wait(scripted.TIMEOUT_S))
            stream.event(result(1, first=True))
            stream.wait_closed()
        server, remote = self.start(Legacy(tools__call=call, GET=get))
        begin(remote)
        remote.send(request(1))
        self.assertEqual(remote.read(), result(1, first=True))
        remote.send(request(1))
        self.assertEqual(remote.read(), result(1, second=True))
        self.assertEqual(remote.end(), ([], 0))

    def test_a_lost_session_has_a_new_stream(self):
        sessions = ["s-1", "s-2"]
        handle = Legacy()

        def lose(asked, stream):
            if asked.asks == "initialize":
                handle.session = sessions.pop(0)
            if asked.method == "GET":
                stream.begin_events()
                stream.event(self.notice(asked.field("mcp-session-id")))
                stream.wait_closed()
            elif asked.field("mcp-session-id") == "s-1" and asked.asks == "tools/call":
                stream.reply(404)
            else:
                handle(asked, stream)
        _, remote = self.start(lose)
        begin(remote)
        self.assertEqual(remote.read(), self.notice("s-1"))
        remote.send(request(1))
        got = [remote.read(), remote.read(), remote.read()]
        self.assertIn(self.notice("s-2"), got)
        self.assertIn({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}, got)
        self.assertEqual([one.get("id") for one in got if "error" in one], [1])
        self.assertEqual(remote.end(), ([], 0))


if __name__ == "__main__":
    unittest.main()
