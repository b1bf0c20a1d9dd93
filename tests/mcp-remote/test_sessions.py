# SPDX-License-Identifier: Apache-2.0
"""mcp-remote before a server of the family with sessions (2025-03-26 to 2025-11-25): what is sent, what comes back, and what is
said where it doesn't.

Run on the rig's machine: tests/rig/enter -- python3 tests/mcp-remote/test_sessions.py
"""

import json
import os
import signal
import socket
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import scripted  # noqa: E402
from scripted import INITIALIZED, LEGACY, Legacy, Remote, Server, begin, initialize_result, request, result  # noqa: E402

MIB = 1 << 20
MESSAGE_BYTES_MAX = 16 * MIB


class RemoteTest(unittest.TestCase):
    def start(self, handle, *arguments, **options):
        server = Server(handle)
        self.addCleanup(server.close)
        remote = Remote(*arguments, server.url, **options)
        self.addCleanup(remote.kill)
        return server, remote

    def error_words(self, answer, number):
        self.assertEqual((answer["id"], answer["error"]["code"]), (number, -32000), answer)
        return answer["error"]["message"]

    # ---- what is sent ----

    def test_each_line_is_a_post_with_the_session_and_the_end_deletes_it(self):
        server, remote = self.start(Legacy())
        self.assertEqual(begin(remote), initialize_result(0))
        asked = request("one", name="näme")
        remote.send(asked)
        self.assertEqual(remote.read(), result("one", echo=asked))
        self.assertEqual(remote.end(), ([], 0))
        self.assertEqual(remote.stderr, "")
        first, *later = server.requests
        self.assertEqual((first.field("mcp-session-id"), first.field("mcp-protocol-version")), (None, None))
        for one in later:
            self.assertEqual((one.target, one.field("mcp-session-id"), one.field("mcp-protocol-version")), ("/mcp", "s-1", LEGACY))
        posts = [one for one in server.requests if one.method == "POST"]
        for one in posts:
            self.assertEqual(one.field("content-type"), "application/json")
            self.assertEqual(one.field("accept"), "application/json, text/event-stream")
        self.assertEqual([one.asks for one in posts], ["initialize", "notifications/initialized", "tools/call"])
        self.assertEqual(server.requests[-1].method, "DELETE")

    def test_initialized_is_taken_before_what_follows_it_is_sent(self):
        taken = threading.Event()

        def slowly(_asked, stream):
            self.assertNotIn("tools/call", [one.asks for one in server.requests])
            taken.set()
            stream.reply(202)

        def call(asked, stream):
            self.assertTrue(taken.is_set())
            stream.json(result(asked.message["id"]))
        server, remote = self.start(Legacy(notifications__initialized=slowly, tools__call=call))
        remote.send(scripted.initialize())
        remote.read()
        remote.send(INITIALIZED, request(1))
        self.assertEqual(remote.read(), result(1))

    def test_a_server_without_sessions_is_sent_none_and_no_delete(self):
        server, remote = self.start(Legacy(session=None))
        begin(remote)
        remote.send(request(1))
        remote.read()
        self.assertEqual(remote.end(), ([], 0))
        self.assertEqual({one.field("mcp-session-id") for one in server.requests}, {None})
        self.assertNotIn("DELETE", [one.method for one in server.requests])

    def test_the_version_that_was_negotiated_is_sent(self):
        server, remote = self.start(Legacy(version="2025-03-26"))
        begin(remote)
        remote.send(request(1))
        remote.read()
        self.assertEqual(server.requests[-1].field("mcp-protocol-version"), "2025-03-26")

    def test_a_batch_is_one_post_and_each_of_it_is_answered(self):
        def batch(asked, stream):
            stream.begin_events()
            stream.event(result(asked.message[1]["id"]))
            stream.event([result(asked.message[0]["id"])])
        handle = Legacy(version="2025-03-26")
        server, remote = self.start(lambda asked, stream: batch(asked, stream) if isinstance(asked.message, list) else handle(asked, stream))
        begin(remote, "2025-03-26")
        remote.send([request(1), request(2)])
        self.assertEqual([remote.read(), remote.read()], [result(2), [result(1)]])

    def test_no_variable_of_the_environment_is_honoured(self):
        dead = "http://127.0.0.1:9"
        env = {**os.environ, **{name: dead for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy")}}
        _, remote = self.start(Legacy(), env=env)
        self.assertEqual(begin(remote), initialize_result(0))
        if os.geteuid() == 0:  # of an undumpable process nobody else sees it
            with open(f"/proc/{remote.process.pid}/environ", "rb") as file:
                self.assertEqual(file.read(), b"")

    # ---- what comes back ----

    def test_events_are_lines_and_the_clients_answer_goes_back(self):
        progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}}
        asks = {"jsonrpc": "2.0", "id": "server-1", "method": "sampling/createMessage", "params": {}}
        answered = threading.Event()

        def call(asked, stream):
            stream.begin_events()
            stream.event(progress)
            stream.event({"not": "seen"}, kind="other")
            stream.event(None, number=1)
            stream.event(asks)
            self.assertTrue(answered.wait(scripted.TIMEOUT_S))
            stream.event(result(asked.message["id"], done=True))
            self.assertTrue(stream.wait_closed())

        def take(asked, stream):
            self.assertEqual(asked.message, result("server-1", role="assistant"))
            answered.set()
            stream.reply(202)
        _, remote = self.start(Legacy(tools__call=call, answer=take))
        begin(remote)
        remote.send(request(1))
        self.assertEqual([remote.read(), remote.read()], [progress, asks])
        remote.send(result("server-1", role="assistant"))
        self.assertEqual(remote.read(), result(1, done=True))
        self.assertEqual(remote.end(), ([], 0))

    def test_events_cut_at_every_byte_are_the_same(self):
        text = 'event: message\r\nid: 7\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"notifications/x","params":{"a":"\u00e4"}}\r\n\r\n'

        def call(asked, stream):
            stream.begin_events()
            for byte in text.encode():
                stream.chunk(bytes([byte]))
            stream.event(result(asked.message["id"]))
        _, remote = self.start(Legacy(tools__call=call))
        begin(remote)
        remote.send(request(1))
        self.assertEqual(remote.read_line().decode(), '{"jsonrpc":"2.0", "method":"notifications/x","params":{"a":"\u00e4"}}')
        self.assertEqual(remote.read(), result(1))

    def test_json_over_several_lines_is_one_line_byte_for_byte(self):
        body = b'{\r\n "jsonrpc": "2.0",\n "id": 1,\n "result": {"n": 1e400, "big": 123456789012345678901234567890, "t": "a\\nb"}\n}\n'

        def call(_asked, stream):
            stream.reply(200, body, "application/json; charset=utf-8")
        _, remote = self.start(Legacy(tools__call=call))
        begin(remote)
        remote.send(request(1))
        self.assertEqual(remote.read_line(), body.replace(b"\r", b" ").replace(b"\n", b" "))

    def test_a_slow_request_holds_no_other(self):
        go_on = threading.Event()

        def slow(asked, stream):
            self.assertTrue(go_on.wait(scripted.TIMEOUT_S))
            stream.json(result(asked.message["id"], slow=True))
        _, remote = self.start(Legacy(tools__slow=slow))
        begin(remote)
        remote.send(request(1, "tools/slow"), request(2), request(3))
        self.assertEqual({remote.read()["id"], remote.read()["id"]}, {2, 3})
        go_on.set()
        self.assertEqual(remote.read(), result(1, slow=True))

    def test_an_answer_to_nothing_that_is_open_is_dropped(self):
        def call(asked, stream):
            stream.begin_events()
            stream.event(result("of nobody"))
            stream.event(result(asked.message["id"]))
        _, remote = self.start(Legacy(tools__call=call))
        begin(remote)
        remote.send(request(1))
        self.assertEqual(remote.read(), result(1))
        self.assertEqual(remote.end(), ([], 0))

    def test_a_cancelled_request_is_told_and_waited_for_no_longer(self):
        closed = threading.Event()

        def call(_asked, stream):
            stream.begin_events()
            stream.event(None, number=1)
            if stream.wait_closed():
                closed.set()
        server, remote = self.start(Legacy(tools__call=call))
        begin(remote)
        remote.send(request(1))
        server.wait_for("tools/call")
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        remote.send(cancel)
        self.assertEqual(server.wait_for("notifications/cancelled").message, cancel)
        self.assertTrue(closed.wait(scripted.TIMEOUT_S))
        self.assertEqual(remote.end(), ([], 0))

    # ---- the end of a session ----

    def test_a_lost_session_is_told_and_a_new_one_begun_with_the_same_words(self):
        sessions = ["s-1", "s-2"]
        handle = Legacy()

        def lose(asked, stream):
            if asked.asks == "initialize":
                handle.session = sessions.pop(0)
            if asked.field("mcp-session-id") == "s-1" and asked.asks == "tools/call":
                stream.reply(404)
            else:
                handle(asked, stream)
        server, remote = self.start(lose)
        begin(remote)
        remote.send(request(1))
        # Another server may stand there now, and its tools be others.
        self.assertEqual(remote.read(), {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        words = self.error_words(remote.read(), 1)
        self.assertIn("ended the session", words)
        self.assertIn("ask again", words)
        remote.send(request(2))
        self.assertEqual(remote.read()["id"], 2)
        self.assertEqual(server.requests[-1].field("mcp-session-id"), "s-2")
        first, second = [one.message for one in server.requests if one.asks == "initialize"]
        self.assertEqual(first["params"], second["params"])
        self.assertNotEqual(first["id"], second["id"])
        self.assertEqual([one.field("mcp-session-id") for one in server.requests if one.asks == "notifications/initialized"], ["s-1", "s-2"])
        self.assertEqual(remote.end(), ([], 0))
        self.assertEqual(server.requests[-1].field("mcp-session-id"), "s-2")

    def test_a_session_that_can_not_be_begun_anew_is_told(self):
        handle = Legacy()

        def lose(asked, stream):
            if asked.field("mcp-session-id"):
                stream.reply(404)
            elif len([one for one in server.requests if one.asks == "initialize"]) > 1:
                stream.reply(500)
            else:
                handle(asked, stream)
        server, remote = self.start(lose)
        begin(remote)
        remote.send(request(1))
        self.assertIn("could not be begun", self.error_words(remote.read(), 1))

    def test_term_ends_the_session_too(self):
        server, remote = self.start(Legacy())
        begin(remote)
        server.wait_for("GET")
        remote.process.send_signal(signal.SIGTERM)
        self.assertEqual(remote.finish(), 0)
        self.assertEqual(server.requests[-1].method, "DELETE")

    def test_it_ends_when_nobody_reads(self):
        server, remote = self.start(Legacy())
        begin(remote)
        remote.process.stdout.close()
        remote.send(request(1))
        self.assertEqual(remote.finish(), 0)
        self.assertEqual(server.requests[-1].method, "DELETE")

    def test_messages_may_be_in_a_file(self):
        server = Server(Legacy())
        self.addCleanup(server.close)
        with tempfile.TemporaryFile() as lines:
            for message in (scripted.initialize(), request(1)):
                lines.write(json.dumps(message).encode() + b"\n")
            lines.seek(0)
            remote = Remote(server.url, stdin=lines)
        self.addCleanup(remote.kill)
        answers, code = remote.end()
        self.assertEqual(({answer["id"] for answer in answers}, code), ({0, 1}, 0))

    def test_a_clients_pipe_is_left_as_it_was(self):
        """No flag of a description that the client's other programs may hold is set."""
        _, remote = self.start(Legacy())
        begin(remote)
        for stream in (remote.process.stdin, remote.process.stdout):
            self.assertTrue(os.get_blocking(stream.fileno()))
        ours, theirs = os.pipe()
        self.addCleanup(os.close, ours)
        self.addCleanup(os.close, theirs)
        other = Remote("http://127.0.0.1:9/", stdin=ours)
        self.addCleanup(other.kill)
        os.write(theirs, b"x\n")
        other.read()
        self.assertTrue(os.get_blocking(ours))

    # ---- what is said ----

    def test_what_is_no_answer_is_an_error_in_words(self):
        for name, answer, words in (
                ("401", lambda stream: stream.reply(401, WWW_Authenticate='Bearer realm="x"'), "--header Authorization"),
                ("403", lambda stream: stream.reply(403), "--header Authorization"),
                ("500", lambda stream: stream.reply(500, b"oh", "text/html"), "answered 500"),
                ("202", lambda stream: stream.reply(202), "without an MCP message"),
                ("type", lambda stream: stream.reply(200, b"{}", "text/html"), "without an MCP message"),
                ("no JSON", lambda stream: stream.reply(200, b"{", "application/json"), "no JSON"),
                ("no message", lambda stream: stream.reply(200, b"{}", "application/json"), "neither a request nor an answer"),
                ("not UTF-8", lambda stream: stream.reply(200, b'{"id":1,"result":"\xff"}', "application/json"), "no JSON"),
                ("another's", lambda stream: stream.json(result(9)), "before an answer came"),
                ("encoded", lambda stream: stream.reply(200, b"x", "application/json", Content_Encoding="gzip"), "encoded"),
                ("no HTTP", lambda stream: stream.raw("hello\r\n\r\n"), "can't be read"),
                ("two lengths", lambda stream: stream.raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}"), "can't be read"),
                ("nothing", lambda stream: None, "closed the connection"),
                ("a stream's end", lambda stream: (stream.begin_events(), stream.end_events()), "before an answer came"),
                ("a stream cut", lambda stream: stream.begin_events(), "in the middle")):
            with self.subTest(name):
                _, remote = self.start(Legacy(tools__call=lambda _asked, stream, answer=answer: answer(stream)))
                begin(remote)
                remote.send(request(1))
                said = self.error_words(remote.read(), 1)
                self.assertIn(words, said)
                remote.send(request(2, "tools/list"))
                self.assertEqual(remote.read()["id"], 2)
                self.assertEqual(remote.end(), ([], 0))
                self.assertIn(said, remote.stderr)

    def test_a_servers_own_error_is_passed_on_with_the_requests_id(self):
        def call(_asked, stream):
            stream.json({"jsonrpc": "2.0", "id": None, "error": {"code": -32602, "message": "no", "data": [1]}}, status=400)
        _, remote = self.start(Legacy(tools__call=call))
        begin(remote)
        remote.send(request(1))
        self.assertEqual(remote.read(), {"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no", "data": [1]}})

    def test_a_redirect_is_never_followed(self):
        other = Server(lambda _asked, stream: stream.json(result(1)))
        self.addCleanup(other.close)
        for status in (301, 302, 303, 307, 308):
            _, remote = self.start(Legacy(tools__call=lambda _asked, stream, status=status: stream.reply(status, Location=other.url + "?a=b")))
            begin(remote)
            remote.send(request(1))
            words = self.error_words(remote.read(), 1)
            self.assertIn(f"http://127.0.0.1:{other.port};", words.replace(" that", ""))
            self.assertNotIn("a=b", words)
        self.assertEqual(other.requests, [])

    def test_nobody_there_is_told(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        remote = Remote(f"http://localhost:{port}/")
        self.addCleanup(remote.kill)
        remote.send(scripted.initialize())
        self.assertIn(f"http://localhost:{port} can't be connected to: Connection refused", self.error_words(remote.read(), 0))

    def test_lines_that_are_no_messages_are_told_and_not_sent(self):
        server, remote = self.start(Legacy())
        begin(remote)
        server.wait_for("GET")
        count = len(server.requests)
        for line in (b"{", b"1", b'{"jsonrpc":"2.0"}', b'{"id":{},"method":"x"}', b'{"method":1,"id":1}', b"[]", b'"\xff"', b"[" * 300 + b"]" * 300):
            remote.send(line)
            answer = remote.read()
            self.assertEqual(answer["id"], None)
            self.assertIn("was not sent", answer["error"]["message"])
        remote.send(b"", b"  ", request(1))
        self.assertEqual(remote.read()["id"], 1)
        self.assertEqual(len(server.requests), count + 1)

    # ---- limits ----

    def test_a_message_of_16_mib_passes_both_ways_and_a_longer_one_is_refused(self):
        def call(asked, stream):
            size = asked.message["params"]["size"]
            line = json.dumps(result(asked.message["id"], text="")).encode()
            body = line.replace(b'""', b'"' + b"x" * (size - len(line)) + b'"')
            if asked.message["params"]["as"] == "json":
                stream.reply(200, body, "application/json")
            else:
                stream.begin_events()
                stream.chunk(b"data:" + body + b"\n\n")
        _, remote = self.start(Legacy(tools__call=call, tools__list=lambda asked, stream: stream.json(result(1, size=len(asked.body)))))
        begin(remote)
        for size in (MESSAGE_BYTES_MAX, MESSAGE_BYTES_MAX + 1):
            line = json.dumps(request(1, "tools/list", text="")).encode()
            line = line.replace(b'"text": ""', b'"text": "' + b"y" * (size - len(line)) + b'"')
            self.assertEqual(len(line), size)
            threading.Thread(target=remote.send, args=(line,)).start()
            answer = remote.read()
            if size > MESSAGE_BYTES_MAX:
                self.assertIn("16777216 bytes", answer["error"]["message"])
            else:
                self.assertEqual(answer, result(1, size=size))
        for kind in ("json", "events"):
            size = MESSAGE_BYTES_MAX - len("data:") * (kind == "events")
            remote.send(request(2, size=size, **{"as": kind}))
            self.assertEqual(len(remote.read_line()), size)
            remote.send(request(3, size=MESSAGE_BYTES_MAX + 1, **{"as": kind}))
            self.assertIn("16777216 bytes", self.error_words(remote.read(), 3))
        self.assertEqual(remote.end()[1], 0)

    def test_65_requests_at_once_are_one_too_many(self):
        go_on = threading.Event()

        def slow(asked, stream):
            self.assertTrue(go_on.wait(scripted.TIMEOUT_S))
            stream.json(result(asked.message["id"]))
        _, remote = self.start(Legacy(tools__slow=slow))
        begin(remote)
        remote.send(*[request(number, "tools/slow") for number in range(65)])
        self.assertIn("more than 64 requests", self.error_words(remote.read(), 64))
        go_on.set()
        self.assertEqual({remote.read()["id"] for _ in range(64)}, set(range(64)))

    def test_a_request_with_the_id_of_one_that_is_open_is_refused(self):
        go_on = threading.Event()

        def slow(asked, stream):
            self.assertTrue(go_on.wait(scripted.TIMEOUT_S))
            stream.json(result(asked.message["id"]))
        server, remote = self.start(Legacy(tools__slow=slow))
        begin(remote)
        remote.send(request(1, "tools/slow"))
        server.wait_for("tools/slow")
        remote.send(request(1))
        self.assertIn("id is open", self.error_words(remote.read(), 1))
        go_on.set()
        self.assertEqual(remote.read(), result(1))

    def test_messages_that_wait_for_the_client_are_bounded_together(self):
        sent = threading.Semaphore(0)

        def call(asked, stream):
            head, tail = json.dumps(result(asked.message["id"], text="|")).encode().split(b"|")
            try:
                stream.reply(200, head + b"x" * (MESSAGE_BYTES_MAX - 100) + tail, "application/json")
            finally:
                sent.release()
        _, remote = self.start(Legacy(tools__call=call))
        begin(remote)
        remote.send(*[request(number) for number in range(32)])
        for _ in range(32):
            self.assertTrue(sent.acquire(timeout=scripted.TIMEOUT_S))
        lines = [remote.read_line() for _ in range(32)]
        errors = [json.loads(line)["error"]["message"] for line in lines if len(line) < MIB]
        self.assertTrue(0 < len(errors) < 32)
        self.assertEqual(set(errors), {"more than 268435456 bytes of messages are on their way"})
        with open(f"/proc/{remote.process.pid}/status", encoding="ascii") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        self.assertLess(peak, 480 << 10)  # 32 of the largest, unbounded, are more

    def test_a_reader_that_waits_stops_the_server(self):
        sent = []
        stuck = threading.Event()
        piece = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * (256 << 10)}}

        def flood(asked, stream):
            stream.begin_events()
            stream.connection.settimeout(1)
            try:
                while len(sent) < 4096:
                    stream.event(piece)
                    sent.append(1)
            except TimeoutError:
                stuck.set()
        _, remote = self.start(Legacy(tools__call=flood))
        begin(remote)
        remote.send(request(1))
        self.assertTrue(stuck.wait(2 * scripted.TIMEOUT_S))
        with open(f"/proc/{remote.process.pid}/status", encoding="ascii") as file:
            resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        self.assertLess(resident, 40 << 10)
        self.assertLess(len(sent) * (256 << 10), 64 * MIB)


if __name__ == "__main__":
    unittest.main()
