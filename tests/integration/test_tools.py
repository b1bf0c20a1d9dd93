# SPDX-License-Identifier: Apache-2.0
"""MCP tools that run outside: how they are kept, what of them is approved, and that they end with their run."""

import hashlib
import http.server
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import unittest
import urllib.parse

import product
from product import each_person

from rig import npm_clients

HERE = os.path.dirname(os.path.abspath(__file__))
SERVER, CLIENT = os.path.join(HERE, "tool_server.py"), os.path.join(HERE, "tool_client.py")
READ = {"name": "read", "description": "Reads", "inputSchema": {"type": "object", "properties": {"n": {"type": "number", "minimum": 0.5}}}}
OTHERS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("write", "leave", "roots")]
PATIENCE_S = 20


def hash_of(tool):
    """As the host and the verb take it: keys in order, no blanks, text as it is."""
    return hashlib.sha256(json.dumps(tool, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def wait_for_end(pid):
    """Whether it has ended within a test's patience."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([fd], [], [], PATIENCE_S)[0])
    finally:
        os.close(fd)


class ToolTest(product.ProductTest):
    def listed(self, tools):
        return self.place.write("tools.json", json.dumps(tools))

    def server(self):
        """The words of a server that lists READ and OTHERS, in a place that no sandbox of these tests writes."""
        script = self.place.path("tool_server.py")
        if not os.path.exists(script):
            shutil.copy(SERVER, script)
            self.place.person.give(script)
            self.listed([READ, *OTHERS])
        return ["python3", script, self.place.path("tools.json")]

    def add(self, *flags, **more):
        return self.place.lnk("tool", "add", "demo", *flags, "--", *self.server(), **more)

    def kept(self):
        with open(os.path.join(self.place.settings, "tools", "demo.json"), encoding="utf-8") as file:
            return json.load(file)

    def uses(self):
        return self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[tools]\nuse = ["demo"]\n')


class Keeping(ToolTest):
    @each_person
    def test_a_tool_is_kept_with_the_hashes_of_what_is_allowed(self):
        done = self.add("--allow", "read", "--root", self.place.work, "--env", "TOKEN", "--env", "MODE=a=b", environment={"TOKEN": "t0ken"})
        self.assert_done(done)
        self.assertIn("each call but the allowed ones asks you", done.stderr)
        kept = self.kept()
        self.assertEqual(kept["allow"], {"read": hash_of(READ)})
        self.assertEqual((kept["roots"], kept["env"], kept["ask"]), ([self.place.work], {"TOKEN": "t0ken", "MODE": "a=b"}, "all"))
        self.assertTrue(os.path.isabs(kept["argv"][0]) and kept["argv"][0].endswith("python3"))
        for name, mode in (("tools", 0o700), ("tools/demo.json", 0o600), ("tools/demo.log", 0o600)):
            self.assertEqual(os.stat(os.path.join(self.place.settings, name)).st_mode & 0o777, mode, name)
        with open(os.path.join(self.place.settings, "tools", "demo.log"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "serving\n")
        one, = json.loads(self.place.lnk("tool", "list", "--json").stdout)
        self.assertEqual((one["name"], one["allow"], one["env"], one["fault"]), ("demo", ["read"], ["MODE", "TOKEN"], ""))
        for text in (json.dumps(one), self.place.lnk("tool", "list").stdout):
            self.assertNotIn("t0ken", text)
        self.assertIn("replaces the one of that name", self.add("--ask", "none").stderr)
        self.assertEqual((self.kept()["ask"], self.kept()["allow"]), ("none", {}))
        self.assert_done(self.place.lnk("tool", "remove", "demo"))
        self.assertEqual(os.listdir(os.path.join(self.place.settings, "tools")), [])
        self.assert_refused(self.place.lnk("tool", "remove", "demo"), "lnk-sandbox tool list")

    @each_person
    def test_what_the_server_has_not_or_cannot_tell_is_refused_and_nothing_is_kept(self):
        self.assert_refused(self.add("--allow", "raed"), 'has none of that name; did you mean "read"?', "it has leave, read, roots, write")
        self.listed([READ, {**READ, "title": "another"}])
        self.assert_refused(self.add("--allow", "read"), 'lists the tool "read" twice')
        self.listed("none")
        self.assert_refused(self.add("--allow", "read"), "form that isn't known")
        refused = self.place.lnk("tool", "add", "demo", "--allow", "read", "--", "sh", "-c", "echo out of order >&2; exit 3")
        self.assert_refused(refused, "ended with 3 before it told its tools", "tools/demo.log")
        self.assert_refused(self.place.lnk("tool", "add", "demo", "--", "no-such-server"), "was not found")
        loose = self.place.write("loose.sh", "#!/bin/sh\n", mode=0o777)
        self.assert_refused(self.place.lnk("tool", "add", "demo", "--", loose), "the tool's program", loose)
        self.assert_refused(self.add("--env", "NOT_SET_HERE"), "there is no such variable here")
        self.assert_refused(self.add("--root", self.place.path("nowhere")), "is no folder that is there")
        self.assertEqual(json.loads(self.place.lnk("tool", "list", "--json").stdout), [])

    @each_person
    def test_a_command_line_that_says_two_things_is_wrong(self):
        here = ("--", "true")
        for words, said in ((("add", "demo"), "--url"), (("add", "demo", "--"), "--url"), (("add", "demo", "--url", "https://a.test", *here), "not both"),
                            (("add", "demo", "--header", "X", *here), "--env"), (("add", "demo", "--url", "https://a.test", "--env", "A=b"), "--header"),
                            (("add", "demo", "--ask", "some", *here), "all or none"), (("add", "demo", "--ask", "none", "--allow", "a", *here), "--allow"),
                            (("add", "Demo", *here), "a tool's name"), (("add", "demo", "--rot", "/", *here), "--root"), (("ad",), "tool add"), ((), "add, list or remove")):
            with self.subTest(words):
                done = self.place.lnk("tool", *words)
                self.assert_done(done, product.EXIT_USAGE)
                self.assertIn(said, done.stderr)

    @each_person
    def test_a_url_is_held_to_what_crosses_no_network_in_the_clear_and_shows_no_secret(self):
        for url in ("http://mcp.test/mcp", "ftp://mcp.test", "https://u:p4ss@mcp.test/", "https://mcp.test/?api_key=p4ss", "https://mcp.test/#p4ss"):
            done = self.place.lnk("tool", "add", "demo", "--url", url)
            self.assert_refused(done)
            self.assertNotIn("p4ss", done.stderr)
        self.assert_refused(self.place.lnk("tool", "add", "demo", "--url", "https://mcp.test/", "--header", "Host", stdin="x\n"), "transport's own")
        self.assert_refused(self.place.lnk("tool", "add", "demo", "--url", "https://mcp.test/", "--header", "Authorization"), "no value came")
        self.assert_done(self.place.lnk("tool", "add", "demo", "--url", "https://mcp.test/mcp?project=7", "--header", "Authorization", stdin="Bearer t0ken\n"))
        self.assertEqual(self.kept()["headers"], {"Authorization": "Bearer t0ken"})
        spec = self.uses()
        shown = self.place.lnk("tool", "list").stdout + self.place.lnk("tool", "list", "--json").stdout + self.place.lnk("describe", "--spec", spec, "--json").stdout
        self.assertIn("https://mcp.test/mcp?project=7", shown)
        self.assertNotIn("t0ken", shown)


class Endpoint(http.server.BaseHTTPRequestHandler):
    """A server at a URL, that wants a field."""

    protocol_version = "HTTP/1.1"
    seen = []

    def say(self, status, value=None):
        text = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Endpoint.seen.append((message["method"], self.headers["Authorization"]))
        if self.headers["Authorization"] != "Bearer t0ken":
            return self.say(401)
        results = {"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}},
                   "tools/list": {"tools": [READ]},
                   "tools/call": {"content": [{"type": "text", "text": json.dumps(message.get("params", {}))}]}}
        if "id" not in message:
            return self.say(202)
        return self.say(200, {"jsonrpc": "2.0", "id": message["id"], "result": results[message["method"]]})

    def do_GET(self):
        self.say(405)

    do_DELETE = do_GET

    def log_message(self, *_):
        pass


class AtUrl(ToolTest):
    @each_person
    def test_what_a_server_at_a_url_offers_is_learnt_with_its_field(self):
        Endpoint.seen.clear()
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as endpoint:
            threading.Thread(target=endpoint.serve_forever, daemon=True).start()
            self.addCleanup(endpoint.shutdown)
            url = f"http://127.0.0.1:{endpoint.server_address[1]}/mcp"
            words = ("tool", "add", "demo", "--allow", "read", "--url", url, "--header", "Authorization")
            self.assert_refused(self.place.lnk(*words, stdin="Bearer wrong\n"), 'the tool "demo"')
            self.assertFalse(os.path.exists(os.path.join(self.place.settings, "tools", "demo.json")))
            self.assert_done(self.place.lnk(*words, stdin="Bearer t0ken\n"))
        self.assertEqual((self.kept()["allow"], self.kept()["url"]), ({"read": hash_of(READ)}, url))
        self.assertIn(("tools/list", "Bearer t0ken"), Endpoint.seen)
        self.assertFalse(os.path.exists(os.path.join(self.place.settings, "tool-adding")))

    @each_person
    def test_what_an_addition_that_was_killed_left_goes_with_the_next(self):
        asked, goes_on = threading.Event(), threading.Event()

        class Slow(Endpoint):
            def do_POST(self):
                asked.set()
                goes_on.wait(PATIENCE_S)
                super().do_POST()

        adding = os.path.join(self.place.settings, "tool-adding")
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow) as endpoint:
            threading.Thread(target=endpoint.serve_forever, daemon=True).start()
            self.addCleanup(endpoint.shutdown)
            url = f"http://127.0.0.1:{endpoint.server_address[1]}/mcp"
            killed = self.place.start("tool", "add", "other", "--allow", "read", "--url", url, "--header", "Authorization", stdin=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
            killed.stdin.write("Bearer t0ken\n")
            killed.stdin.close()
            self.assertTrue(asked.wait(PATIENCE_S))
            killed.kill()
            killed.wait()
            self.assertTrue(os.path.exists(os.path.join(adding, "tools", "other.json")))
            goes_on.set()
            self.assert_done(self.place.lnk("tool", "add", "demo", "--allow", "read", "--url", url, "--header", "Authorization", stdin="Bearer t0ken\n"))
        self.assertFalse(os.path.exists(adding))
        self.assertFalse(os.path.exists(os.path.join(self.place.settings, "tools", "other.json")))


class RealServers(ToolTest):
    needs = ("npm_clients",)

    @each_person
    def test_servers_from_npm_tell_their_tools(self):
        for package, allowed in (("server-filesystem", "read_text_file"), ("server-memory", "read_graph")):
            script = os.path.join(npm_clients.MODULES, "@modelcontextprotocol", package, "dist", "index.js")
            done = self.place.lnk("tool", "add", "demo", "--allow", allowed, "--root", self.place.work, "--", "node", script,
                                  *([self.place.work] if package == "server-filesystem" else []))
            self.assert_done(done)
            once = self.kept()["allow"]
            self.assertEqual(list(once), [allowed])
            tool = self.definition(["node", script, self.place.work], allowed)
            self.assertEqual(once[allowed], hash_of(tool))

    def definition(self, words, name):
        lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
                 {"jsonrpc": "2.0", "method": "notifications/initialized"}, {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}]
        server = subprocess.Popen([*self.place.person.prefix, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  text=True, env=self.place.environment())
        with server:
            server.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
            server.stdin.flush()
            listed = next(message for message in map(json.loads, server.stdout) if message.get("id") == 2)
            server.kill()
        return next(tool for tool in listed["result"]["tools"] if tool["name"] == name)


class Approving(ToolTest):
    @each_person
    def test_what_a_tool_is_is_approved_and_a_change_asks_again(self):
        spec = self.uses()
        self.assert_refused(self.place.lnk("describe", "--spec", spec), 'spec.toml:4:8: no tool "demo" is kept', "lnk-sandbox tool add demo")
        self.assert_done(self.add("--allow", "read"))
        described = self.place.lnk("describe", "--spec", spec).stdout
        for words in ('the tool "demo", which runs outside of the sandbox as you', self.place.path("tool_server.py"), 'unasked for "read"', "asks     you before each other call"):
            self.assertIn(words, described)
        self.assert_started(self.place.shell("echo $LNK_MCP_DEMO | sed 's/s.[^/]*.mcp/s.S.mcp/'", "--spec", spec, "--yes"), "http://127.0.0.1:40781/_link/s.S.mcp/demo\n")
        wrapped = json.loads(self.place.lnk("wrap", "--spec", spec, "--json", "--", "sh", "-c", "echo started").stdout)["argv"]
        self.assert_done(self.add("--allow", "read"))  # the same again
        self.assert_started(self.place.shell("true", "--spec", spec))
        self.assert_done(self.add("--allow", "read", "--allow", "write"))
        self.assert_refused(self.place.shell("true", "--spec", spec), 'new   uses     the tool "demo" unasked for "read", "write"')
        self.assert_refused(self.place.lnk(*wrapped[1:]), "snapshot-stale", 'the tool "demo"')
        # A person who types it is not asked.
        self.assert_started(self.place.shell("true", "--tool", "demo"))

    @each_person
    def test_a_sandbox_that_could_change_what_runs_outside_is_refused(self):
        self.assert_done(self.add())
        self.assert_started(self.place.shell("true", "--tool", "demo", "--read", self.place.root))
        inner = self.place.write("work/server.py", "")
        self.assert_done(self.place.lnk("tool", "add", "demo", "--", "python3", inner))
        self.assert_refused(self.place.shell("true", "--tool", "demo", "--write", self.place.work), "the program could change it")
        self.assert_started(self.place.shell("true", "--tool", "demo", "--read", self.place.work))


    @each_person
    def test_what_a_tools_variables_lead_to_is_not_the_programs_to_change(self):
        inner = self.place.folder("work/bin")
        outer = self.place.folder("bin")
        for value, is_refused in ((f"/usr/bin:{inner}", True), (f"--require={inner}/hook.js", True), (f"/usr/bin:{outer}", False), ("work", False)):
            with self.subTest(value):
                self.assert_done(self.add("--env", "DEMO_PATH=" + value))
                done = self.place.shell("true", "--tool", "demo", "--write", self.place.work)
                if is_refused:
                    self.assert_refused(done, "is given, in DEMO_PATH,", "the program could change it")
                else:
                    self.assert_started(done)


class Running(ToolTest):
    def start(self, *names):
        """Calls tools from inside; its standard output has a line for each."""
        self.place.write("work/client.py", open(CLIENT, encoding="utf-8").read())
        front = self.place.start("run", "--spec", self.uses(), "--yes", "--", "sh", "-c", 'exec python3 client.py "$LNK_MCP_DEMO" "$@"', "sh", *names,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(front.communicate)
        self.addCleanup(front.kill)
        return front

    def said(self, front):
        """What the tool answered to one call."""
        line = front.stdout.readline()
        if not line:
            self.fail(front.stderr.read())
        result = json.loads(line)
        self.assertFalse(result.get("isError"), result)
        return json.loads(result["content"][0]["text"])

    @each_person
    def test_an_allowed_tool_is_called_unasked_with_what_it_was_given(self):
        self.assert_done(self.add("--allow", "read", "--env", "TOKEN=t0ken"))
        front = self.start('read={"n": 7}')
        said = self.said(front)
        self.assertEqual((said["name"], said["arguments"], said["environment"]["TOKEN"]), ("read", {"n": 7}, "t0ken"))
        self.assertEqual(set(said["environment"]) - {"LC_CTYPE"}, {"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "USER", "TOKEN"})
        front.communicate("", timeout=product.RUN_TIMEOUT_S)
        self.assertEqual(front.returncode, 0)
        self.assertTrue(wait_for_end(said["pids"][0]))

    @each_person
    def test_a_server_is_told_of_the_folders_that_it_was_added_with_and_of_no_others(self):
        folder = self.place.folder("given away")
        for flags, told in ((("--root", folder), [{"uri": "file://" + urllib.parse.quote(folder)}]), ((), None)):
            with self.subTest(flags):
                self.assert_done(self.add("--ask", "none", *flags))
                front = self.start("roots")
                roots = self.said(front)["roots"]
                self.assertEqual([{"uri": root["uri"]} for root in roots["roots"]] if told else roots, told or "none")
                front.communicate("", timeout=product.RUN_TIMEOUT_S)

    @each_person
    def test_another_call_waits_for_the_person(self):
        self.assert_done(self.add("--allow", "read"))
        front = self.start("write")
        question = None
        while question is None and front.poll() is None:
            question = next(iter(json.loads(self.place.lnk("answer", "--json").stdout)), None)
        self.assertIsNotNone(question, front.returncode)
        self.assertEqual(question["kind"], "tool")
        self.assertIn("demo", question["title"] + " ".join(question["lines"]))
        self.assert_done(self.place.lnk("answer", question["id"], "yes"))
        self.assertEqual(self.said(front)["name"], "write")

    @each_person
    def test_a_tool_ends_with_what_it_started_however_its_run_ends(self):
        self.assert_done(self.add("--ask", "none"))
        for way in ("end", "kill"):
            with self.subTest(way):
                front = self.start("leave")
                pids = self.said(front)["pids"]
                self.assertEqual(len(pids), 2)
                if way == "kill":
                    front.send_signal(signal.SIGKILL)
                    front.wait()
                else:
                    front.communicate("", timeout=product.RUN_TIMEOUT_S)
                for pid in pids:
                    self.assertTrue(wait_for_end(pid), way)

    @each_person
    def test_a_server_at_a_url_is_called_from_inside_and_its_field_is_put_in_outside(self):
        Endpoint.seen.clear()
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as endpoint:
            threading.Thread(target=endpoint.serve_forever, daemon=True).start()
            self.addCleanup(endpoint.shutdown)
            url = f"http://127.0.0.1:{endpoint.server_address[1]}/mcp"
            self.assert_done(self.place.lnk("tool", "add", "demo", "--allow", "read", "--url", url, "--header", "Authorization",
                                            stdin="Bearer t0ken\n"))
            front = self.start('read={"n": 7}')
            self.assertEqual(self.said(front)["arguments"], {"n": 7})
            front.communicate("", timeout=product.RUN_TIMEOUT_S)
            self.assertEqual(front.returncode, 0)
        self.assertIn(("tools/call", "Bearer t0ken"), Endpoint.seen)

    @each_person
    def test_one_that_was_changed_meanwhile_is_not_started(self):
        self.assert_done(self.add("--ask", "none"))
        self.place.write("work/client.py", open(CLIENT, encoding="utf-8").read())
        front = self.place.start("run", "--spec", self.uses(), "--yes", "--", "sh", "-c", 'echo started; read go; python3 client.py "$LNK_MCP_DEMO" read </dev/null; echo $?',
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(front.stdout.readline(), "started\n")
        self.assert_done(self.add("--env", "MORE=1", "--ask", "none"))
        out, errors = front.communicate("go\n", timeout=product.RUN_TIMEOUT_S)
        self.assertNotEqual(out, "0\n")
        self.assertIn('the tool "demo" can\'t be started: snapshot-stale', errors)


if __name__ == "__main__":
    sys.exit(unittest.main())
