# SPDX-License-Identifier: Apache-2.0
"""The clients and servers of MCP's own SDKs with mcp-remote between them, as they are without it.

Run on the rig's machine: tests/rig/enter -- python3 tests/mcp-remote/test_clients.py
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from scripted import PROGRAM, TIMEOUT_S, Remote, stateless  # noqa: E402

from rig import capability, npm_clients  # noqa: E402

SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clients")
EXAMPLES = os.path.join(npm_clients.MODULES, "@modelcontextprotocol", "sdk", "dist", "esm", "examples", "server")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class ClientsTest(unittest.TestCase):
    def setUp(self):
        capability.need("npm_clients")
        self.folder = tempfile.mkdtemp(prefix="clients-")
        self.addCleanup(shutil.rmtree, self.folder)
        for name in os.listdir(SCRIPTS):
            shutil.copy(os.path.join(SCRIPTS, name), self.folder)
        os.symlink(npm_clients.MODULES, os.path.join(self.folder, "node_modules"))

    def serve(self, script, *arguments, **env):
        """Its first line, which it prints once it listens."""
        server = subprocess.Popen(["node", script, *arguments], cwd=self.folder, env={**os.environ, **env}, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(lambda: (server.kill(), server.wait(), server.stdout.close()))
        return server.stdout.readline().strip()

    def ask(self, script, mode, url):
        """What the client says, by its words, and on standard error."""
        done = subprocess.run(["node", script, mode, PROGRAM, "mcp-remote", url], cwd=self.folder, capture_output=True, text=True, timeout=3 * TIMEOUT_S,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        said = {}
        for line in done.stdout.splitlines():
            said.update(json.loads(line))
        return said, done.stderr

    def test_the_example_server_with_sessions(self):
        port = free_port()
        self.assertIn(str(port), self.serve(os.path.join(EXAMPLES, "simpleStreamableHttp.js"), MCP_PORT=str(port)))
        said, stderr = self.ask("sessions_client.mjs", "all", f"http://localhost:{port}/mcp")
        self.assertEqual(said["server"], "simple-streamable-http-server")
        self.assertIn("greet", said["tools"])
        self.assertEqual(said["greeted"], "Hello, Zo\u00eb!")
        self.assertTrue(said["heard"])
        self.assertIn("contact", said["asked"])
        self.assertIn("ann@example.com", said["info"])
        self.assertIn("Zo\u00eb", said["prompt"])
        self.assertEqual(said["resource"], "Hello, world!")
        self.assertTrue(said["refused"])
        self.assertEqual(stderr, "")

    def test_the_example_server_that_lets_its_clients_poll(self):
        self.assertIn("3001", self.serve(os.path.join(EXAMPLES, "ssePollingExample.js")))
        said, stderr = self.ask("sessions_client.mjs", "poll", "http://127.0.0.1:3001/mcp")
        self.assertEqual(said["done"], "Long task completed successfully!")
        self.assertEqual(len(said["heard"]), 4)
        self.assertEqual(stderr, "")

    def test_a_stateless_server(self):
        port = self.serve("stateless_server.mjs", "strict")
        for mode in ("pin", "auto"):
            with self.subTest(mode):
                said, stderr = self.ask("stateless_client.mjs", mode, f"http://127.0.0.1:{port}/mcp")
                self.assertEqual((said["version"], said["tools"]), ("2026-07-28", ["ech\u00f6", "confirm"]))
                self.assertEqual((said["said"], said["asked"], said["confirmed"]), ("gr\u00fc\u00df dich", "sure?", "confirmed"))
                self.assertEqual(stderr, "")

    def test_a_stateless_server_takes_no_call_without_the_fields_that_its_schema_wants(self):
        """The twin: the tools were not listed, so nothing is known of their schemas."""
        remote = Remote(f"http://127.0.0.1:{self.serve('stateless_server.mjs', 'strict')}/mcp")
        self.addCleanup(remote.kill)
        for number, words in ((1, "error"), (3, "result")):
            remote.send(stateless(number, "tools/call", name="ech\u00f6", arguments={"text": "x"}))
            self.assertIn(words, remote.read())
            remote.send(stateless(number + 1, "tools/list"))
            self.assertIn("result", remote.read())

    def test_a_client_of_both_families_and_servers_of_each(self):
        port = self.serve("stateless_server.mjs", "both")
        said, _ = self.ask("stateless_client.mjs", "legacy", f"http://127.0.0.1:{port}/mcp")
        self.assertEqual((said["version"], said["said"]), ("2025-11-25", "gr\u00fc\u00df dich"))


if __name__ == "__main__":
    unittest.main()
