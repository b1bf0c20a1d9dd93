# SPDX-License-Identifier: Apache-2.0
"""A local runtime of models in a sandbox: real runs, with a stand-in runtime outside and real clients inside."""

import json
import os
import shlex
import sys
import unittest

import product
from product import TREE, each_person

sys.path.insert(0, os.path.join(TREE, "tests", "verb-local"))

from rig import npm_clients  # noqa: E402
from rig.loopback import Server  # noqa: E402
from runtime import WORDS, Runtime  # noqa: E402

SAID = "".join(WORDS)
CHAT = {"model": "llama3.2", "messages": [{"role": "user", "content": "why?"}]}
# The two npm clients, as their documentation has them, against the usual address of a runtime.
OLLAMA = """
import {{ Ollama }} from 'ollama'
const client = new Ollama({{ host: 'http://localhost:{port}' }})
const messages = [{{ role: 'user', content: 'why?' }}]
console.log((await client.list()).models[0].name)
console.log((await client.chat({{ model: 'llama3.2', messages }})).message.content)
console.log((await client.embed({{ model: 'llama3.2', input: ['a'] }})).embeddings[0].length)
let said = ''
for await (const piece of await client.chat({{ model: 'llama3.2', messages, stream: true }})) {{
  if (said === '') await fetch('http://localhost:{port}/api/version')  // says that the first piece is there
  said += piece.message.content
}}
console.log(said)
for (const ask of [() => client.pull({{ model: 'x' }}), () => client.chat({{ model: 'x:cloud', messages }})])
  await ask().then(() => console.log('passed'), error => console.log(String(error.status_code)))
"""
OPENAI = """
import OpenAI from 'openai'
const client = new OpenAI({{ baseURL: 'http://localhost:{port}/v1', apiKey: 'ollama' }})
const messages = [{{ role: 'user', content: 'why?' }}]
const tools = [{{ type: 'function', function: {{ name: 'shell', parameters: {{ type: 'object', properties: {{}} }} }} }}]
for await (const model of client.models.list()) console.log(model.id)
console.log((await client.chat.completions.create({{ model: 'llama3.2', messages, tools }})).choices[0].message.tool_calls[0].function.name)
console.log((await client.responses.create({{ model: 'llama3.2', input: 'why?' }})).output_text)
let said = ''
for await (const piece of await client.chat.completions.create({{ model: 'llama3.2', messages, stream: true }})) {{
  if (said === '') await fetch('http://localhost:{port}/api/version')
  said += piece.choices[0].delta.content
}}
console.log(said)
const image = [{{ role: 'user', content: [{{ type: 'image_url', image_url: {{ url: 'https://a.test/x.png' }} }}] }}]
await client.chat.completions.create({{ model: 'llama3.2', messages: image }}).catch(error => console.log(error.status, error.headers.get('link-refused')))
await client.responses.create({{ model: 'llama3.2', input: 'x', tools: [{{ type: 'mcp', server_label: 'a', server_url: 'https://a.test' }}] }})
  .catch(error => console.log(error.status, error.headers.get('link-refused')))
"""


class LocalModelsTest(product.ProductTest):
    def running(self):
        runtime = Runtime()
        self.addCleanup(runtime.close)
        return runtime

    def spec(self, *ports, more="", model="", files=""):
        return self.place.spec(f'name = "local"\n[files]\nwrite = ["{self.place.work}"]\n{files}[model]\nlocal = {list(ports)}\n{model}{more}')

    @staticmethod
    def curl(url, *arguments):
        return "curl -sS -w '%{http_code}\\n' " + shlex.join(arguments) + f" {url}"


class Reached(LocalModelsTest):
    @each_person
    def test_the_port_itself_and_the_path_lead_to_the_runtime_and_no_other_port(self):
        runtime, other = self.running(), Server(lambda stream: None)
        self.addCleanup(other.close)
        quiet = ("-o", "/dev/null")
        script = "; ".join([self.curl(f"http://localhost:{runtime.port}/api/version"),
                            self.curl(f"$LNK_WIRE/_link/s/$LNK_SECRET/local/{runtime.port}/api/version"),
                            self.curl(f"http://127.0.0.1:{runtime.port}/api/pull", *quiet, "-X", "POST"),
                            self.curl(f"$LNK_WIRE/_link/s/{'x' * 43}/local/{runtime.port}/api/version", *quiet),
                            self.curl(f"$LNK_WIRE/_link/s/$LNK_SECRET/local/{other.port}/api/version", *quiet),
                            self.curl(f"http://localhost:{other.port}/", *quiet) + " 2>/dev/null"])
        done = self.place.shell(script, "--spec", self.spec(runtime.port), "--yes")
        version = '{"version": "0.0.0"}200\n'
        self.assert_started(done, version + version + "403\n404\n404\n000\n")
        self.assertEqual((runtime.calls(), other.count), ([("GET", "/api/version")] * 2, 0))
        self.assertEqual([one.value("host") for one in runtime.requests], [[f"127.0.0.1:{runtime.port}"]] * 2)
        self.assertNotIn("version", json.dumps(self.place.listing("log", "local")))

    @each_person
    def test_a_chat_arrives_and_one_that_reaches_out_does_not(self):
        runtime = self.running()
        said = [self.curl(f"http://localhost:{runtime.port}/api/chat", "-o", "/dev/null", "-H", "Content-Type: application/json", "-d", json.dumps({**CHAT, **change}))
                for change in ({}, {"model": "x:cloud"}, {"model": "org/x"}, {"tools": [{"type": "web_search"}]})]
        self.assert_started(self.place.shell("; ".join(said), "--spec", self.spec(runtime.port), "--yes"), "200\n403\n403\n403\n")
        self.assertEqual([one.json for one in runtime.requests], [CHAT])
        done = self.place.shell("; ".join(said), "--spec", self.spec(runtime.port, model='models = ["org/*"]\n'), "--yes")
        self.assert_started(done, "403\n403\n200\n403\n")
        self.assertEqual(runtime.requests[-1].json["model"], "org/x")

    @each_person
    def test_the_same_port_carried_in_as_it_is_passes_all(self):
        """The twin: [localhost] filters nothing, so it can't be beside it."""
        runtime = self.running()
        script = self.curl(f"http://localhost:{runtime.port}/api/pull", "-o", "/dev/null", "-X", "POST")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[localhost]\nports = [{runtime.port}]\n')
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"), "200\n")
        spec = self.spec(runtime.port)
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"), "403\n")
        self.assert_refused(self.place.shell(script, "--spec", spec, "--yes", "--port", str(runtime.port)), "local runtime's in [model] local (")
        self.assertEqual(runtime.calls(), [("POST", "/api/pull")])


class Clients(LocalModelsTest):
    needs = ("npm_clients",)

    def run_client(self, runtime, text):
        self.place.write("work/client.mjs", text.format(port=runtime.port))
        link = self.place.path("work", "node_modules")
        if not os.path.lexists(link):
            os.symlink(npm_clients.MODULES, link)
        spec = self.spec(runtime.port, files=f'read = ["{npm_clients.FOLDER}"]\n')
        return self.place.shell("node --dns-result-order=ipv4first client.mjs", "--spec", spec, "--yes")

    @each_person
    def test_the_client_of_ollama_runs_inside(self):
        runtime = self.running()
        refused = "Getting text from response\n403\n"  # the first line is the client's own
        self.assert_started(self.run_client(runtime, OLLAMA), f"llama3.2\n{SAID}\n2\n{SAID}\n{refused}{refused}")
        self.assertEqual(runtime.calls(), [("GET", "/api/tags"), ("POST", "/api/chat"), ("POST", "/api/embed"), ("POST", "/api/chat"), ("GET", "/api/version")])

    @each_person
    def test_the_client_of_openai_runs_inside(self):
        runtime = self.running()
        self.assert_started(self.run_client(runtime, OPENAI), f"llama3.2\nshell\n{SAID}\n{SAID}\n403 url-refused\n403 tool-refused\n")
        self.assertEqual(runtime.calls(), [("GET", "/v1/models"), ("POST", "/v1/chat/completions"), ("POST", "/v1/responses"),
                                           ("POST", "/v1/chat/completions"), ("GET", "/api/version")])
        self.assertEqual([one.value("authorization") for one in runtime.requests], [[]] * 5)
        self.assertEqual(runtime.requests[1].json["tools"][0]["function"]["name"], "shell")


class Words(LocalModelsTest):
    @each_person
    def test_it_is_described_asked_about_and_explained(self):
        spec = self.spec(11434)
        told = self.place.lnk("describe", "--spec", spec).stdout
        self.assertIn("asks     the local runtime of models at port 11434 of this machine, for inference alone, at localhost:11434 inside", told)
        self.assertIn("OLLAMA_NO_CLOUD=1", told)
        self.assertEqual(json.loads(self.place.lnk("describe", "--spec", spec, "--json").stdout)["grants"]["model"]["local"], [11434])
        self.assertIn("port 11434", self.place.lnk("approve", "--spec", spec).stdout)
        self.assertIn("new   asks     the local runtime of models at port 1234", self.place.lnk("describe", "--spec", self.spec(1234, 11434)).stdout)
        for asked, allowed, mend in (("localhost:11434", True, None), ("127.0.0.1:11434", True, None), ("localhost:11435", False, "[localhost] ports = [11435]")):
            answer = json.loads(self.place.lnk("why", "--spec", spec, "--json", "host", asked).stdout)
            self.assertEqual((answer["allowed"], answer["mend"]), (allowed, mend), asked)
        self.assertIn("for inference", self.place.lnk("why", "--spec", spec, "host", "localhost:11434").stdout)


if __name__ == "__main__":
    unittest.main()
