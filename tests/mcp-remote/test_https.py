# SPDX-License-Identifier: Apache-2.0
"""mcp-remote and a server elsewhere: whose certificate is held against the machine's trust store, and which alone is sent what a
tool's headers hold.

Run on the rig's machine: tests/rig/enter -- python3 tests/mcp-remote/test_https.py
"""

import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import scripted  # noqa: E402
from scripted import Legacy, Remote, Server, initialize, initialize_result, request, result  # noqa: E402

from rig import capability, client  # noqa: E402

SECRET = "sk-remote-0123456789-the-value"
HOST = "mcp.test"
ADDRESS = "93.184.215.77"
URL = f"https://{HOST}/mcp?x=1"


def raw(value, status=200, fields=""):
    body = json.dumps(value).encode()
    return f"HTTP/1.1 {status} Rig\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{fields}\r\n".encode() + body


class HttpsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        capability.need("rig")
        cls.net = client.Internet()
        cls.net.issue([HOST, "other.test"])

    def setUp(self):
        self.net.reset()
        for name in (HOST, "other.test", "expired.test", "wrong.test"):
            self.net.set_name(name, [ADDRESS])
        self.settings = tempfile.mkdtemp(prefix="settings-")
        self.addCleanup(shutil.rmtree, self.settings)
        os.mkdir(os.path.join(self.settings, "tools"), 0o700)

    def keep(self, url, name="remote", **headers):
        path = os.path.join(self.settings, "tools", name + ".json")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump({"url": url, "headers": headers}, file)
        return "--settings", self.settings, "--tool", name

    def remote(self, *arguments, **options):
        remote = Remote(*arguments, **options)
        self.addCleanup(remote.kill)
        return remote

    def words_of(self, remote):
        remote.send(initialize())
        answer = remote.read()
        self.assertEqual(remote.end(), ([], 0))
        self.assertNotIn(SECRET, remote.stderr + json.dumps(answer))
        return answer["error"]["message"]

    def values(self, one, name):
        return [value for field, value in one["fields"] if field.lower() == name]

    # ---- who is spoken to ----

    def test_a_server_of_a_trusted_name_is_sent_the_headers_of_its_tool(self):
        self.net.set_reply(HOST, "/mcp?x=1", raw(initialize_result(0)))
        env = {**os.environ, "HTTPS_PROXY": "http://127.0.0.1:9", "SSL_CERT_FILE": "/dev/null", "LOCALDOMAIN": "evil.test"}
        remote = self.remote(*self.keep(URL, **{"Authorization": "Bearer " + SECRET, "X-Other": "1"}), URL, env=env)
        remote.send(initialize())
        self.assertEqual(remote.read(), initialize_result(0))
        self.assertEqual(remote.end(), ([], 0))
        (one,) = self.net.requests()
        self.assertEqual((one["host"], one["sni"], one["tls"], one["target"]), (HOST, HOST, True, "/mcp?x=1"))
        self.assertEqual((self.values(one, "authorization"), self.values(one, "x-other")), (["Bearer " + SECRET], ["1"]))
        self.assertEqual({query["name"].lower() for query in self.net.queries()}, {HOST})

    def test_a_certificate_that_is_not_trusted_is_told_and_nothing_is_sent(self):
        self.net.issue(["expired.test"], days=-1)
        for url, words in (("https://expired.test/", "expired"), ("https://wrong.test/", "hostname mismatch"), (f"https://{ADDRESS}/", "mismatch")):
            with self.subTest(url):
                said = self.words_of(self.remote(*self.keep(url, Authorization=SECRET), url))
                self.assertIn("the server is not who it must be", said)
                self.assertIn(words, said)
        self.assertEqual(self.net.requests(), [])

    def test_a_name_that_is_nobodys_is_told(self):
        self.assertIn("nobody.test is not found", self.words_of(self.remote("https://nobody.test/")))

    def test_a_redirect_is_told_and_the_headers_go_nowhere_else(self):
        arguments = self.keep(URL, Authorization="Bearer " + SECRET)
        for place, words in (("https://other.test/mcp", "https://other.test;"), (f"https://other.test/{SECRET}", "https://other.test;"),
                             (f"https://{SECRET}.other.test/", "elsewhere;"), (f"https://{HOST}/new", "another path of its own;"), ("/new", "elsewhere;")):
            with self.subTest(place):
                self.net.set_reply(HOST, "/mcp?x=1", raw({}, 307, f"Location: {place}\r\n"))
                self.assertIn("which leads to " + words, self.words_of(self.remote(*arguments, URL)))
        self.assertEqual({(one["host"], one["target"]) for one in self.net.requests()}, {(HOST, "/mcp?x=1")})

    def test_a_value_that_is_not_taken_is_not_repeated(self):
        self.net.set_reply(HOST, "/mcp?x=1", raw({"error": SECRET}, 401, f"WWW-Authenticate: {SECRET}\r\n"))
        self.assertIn("doesn't take the value of Authorization", self.words_of(self.remote(*self.keep(URL, Authorization=SECRET), URL)))

    # ---- the tool's file ----

    def refused(self, *arguments, code=125):
        remote = self.remote(*arguments)
        self.assertEqual(remote.end(), ([], code))
        self.assertNotIn(SECRET, remote.stderr)
        self.assertEqual(self.net.connections(), [])
        return remote.stderr

    def test_the_headers_of_a_tool_at_another_url_are_never_sent(self):
        arguments = self.keep("https://other.test/", Authorization=SECRET)
        self.assertIn("at another URL", self.refused(*arguments, URL))
        self.assertIn('no tool "nobody" is kept', self.refused("--settings", self.settings, "--tool", "nobody", URL))

    def test_a_tools_file_that_can_not_be_held_is_refused(self):
        for headers, words in (({"Host": "x"}, "set by the transport"), ({"mcp-session-id": "x"}, "set by the transport"),
                               ({"Mcp-Param-X": "x"}, "set by the transport"), ({"A b": SECRET}, "no header's name"),
                               ({"A": SECRET + "\r\nB: 1"}, "printable ASCII"), ({"A": ""}, "empty"), ({"A": "\u00e4"}, "printable ASCII"),
                               ({"A": "x" * 8193}, "8192 bytes"), ({f"A{number}": "x" for number in range(17)}, "more than 16 headers"),
                               ({"A": 1}, "no text")):
            self.assertIn(words, self.refused(*self.keep(URL, **headers), URL))
        os.chmod(os.path.join(self.settings, "tools", "remote.json"), 0o666)
        self.refused(*("--settings", self.settings, "--tool", "remote"), URL)

    def test_a_url_that_is_not_taken_is_refused_by_the_command_line(self):
        for url, words in (("http://mcp.test/", "to another machine"), ("http://127.0.0.2/", "to another machine"), ("ftp://x/", "no scheme"),
                           ("mcp.test", "no scheme"), ("https://", "no host"), (f"https://{SECRET}@mcp.test/", "a user"), ("https://mcp.test/#a", "a fragment"),
                           ("https://mcp.test/a b", "percent-encoded"), ("https://mcp.test/\u00e4", "percent-encoded"), ("https://127.1/", "no host"),
                           ("https://mcp.test:70000/", "no host"), ("https://mcp.test/" + "x" * 4096, "longer than 4096")):
            with self.subTest(url[:40]):
                said = self.refused(url, code=2)
                self.assertIn(words, said)

    def test_a_tools_name_is_one(self):
        self.assertIn("a tool's name", self.refused("--settings", self.settings, "--tool", "../remote", URL, code=2))

    # ---- what it gives up ----

    def test_it_is_confined_and_leaves_no_core(self):
        server = Server(Legacy())
        self.addCleanup(server.close)
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        remote = self.remote(*self.keep(server.url, Authorization="Bearer " + SECRET), server.url)
        scripted.begin(remote)
        remote.send(request(1))
        self.assertEqual(remote.read()["id"], 1)
        self.assertEqual(server.requests[-1].field("authorization"), "Bearer " + SECRET)
        with open(f"/proc/{remote.process.pid}/status", encoding="ascii") as file:
            status = dict(line.rstrip("\n").split(":\t", 1) for line in file)
        self.assertEqual((status["NoNewPrivs"], status["Seccomp"], status["CapEff"]), ("1", "2", "0" * 16))
        # Undumpable: the kernel gives its files to root, whoever runs it (proc(5)).
        self.assertEqual(os.stat(f"/proc/{remote.process.pid}/environ").st_uid in (0, 65534), True)
        if os.geteuid() != 0:
            with self.assertRaises(PermissionError):
                open(f"/proc/{remote.process.pid}/mem", "rb").close()
        remote.process.send_signal(signal.SIGABRT)
        _, state = os.waitpid(remote.process.pid, 0)
        remote.process.returncode = -signal.SIGABRT
        self.assertEqual((os.WTERMSIG(state), os.WCOREDUMP(state)), (signal.SIGABRT, False))

    def test_what_the_server_sends_back_of_a_header_is_the_clients_to_see(self):
        def call(asked, stream):
            stream.json(result(asked.message["id"], text=asked.field("authorization")))
        server = Server(Legacy(tools__call=call))
        self.addCleanup(server.close)
        remote = self.remote(*self.keep(server.url, Authorization="Bearer " + SECRET), server.url)
        scripted.begin(remote)
        remote.send(request(1))
        self.assertEqual(remote.read(), result(1, text="Bearer " + SECRET))


if __name__ == "__main__":
    unittest.main()
