# SPDX-License-Identifier: Apache-2.0
"""What a request to a hosted model can hold, taken from the clients' own type files and not from the filter's table: what the
provider would run or fetch never arrives, what the program runs arrives as it was."""

import json
import os
import subprocess
import unittest

import product
from product import each_person

from rig import npm_clients

KEY = "sk-the-real-key-of-this-test-0001"
FUTURE = "future_tool_20991231"
CANARY = "https://canary.test/fetched"
KEY_FIELDS = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}
HOSTS = {"anthropic": "api.anthropic.com", "openai": "api.openai.com", "gemini": "generativelanguage.googleapis.com",
         "mistral": "api.mistral.ai", "groq": "api.groq.com"}
# Run by the program itself, as the services' own documents say: their calls come back to it.
PROGRAM_RUNS = {
    "anthropic": {"custom", "bash_20241022", "bash_20250124", "browser_toolset_20260801", "computer_20241022", "computer_20250124",
                  "computer_20251124", "computer_toolset_20260801", "memory_20250818", "text_editor_20241022", "text_editor_20250124",
                  "text_editor_20250429", "text_editor_20250728", "tool_search_tool_bm25", "tool_search_tool_bm25_20251119",
                  "tool_search_tool_regex", "tool_search_tool_regex_20251119"},
    "openai": {"function", "custom", "namespace", "apply_patch", "local_shell", "computer", "computer_use_preview"},
    "groq": {"function"}, "mistral": {"function"},
    "gemini": {"functionDeclarations", "function_declarations", "computerUse", "computer_use"}}
# Or by whom depends on more than the type.
EITHER = {"openai": {"shell", "tool_search"}}
# Says where something came from, in what went before: no service fetches it (facts of a conversation, not orders).
SAID_BEFORE = ("citations", "annotations", "web_search_result", "web_fetch_result", "tabs@browser_state", "state_changes@", "action@web_search_call",
               "results@file_search_call", "code_execution_output", "outputs@code_interpreter_call", "tool_reference")
SENDS = """
import http.client, json, os, sys
host, _, base = os.environ['LNK_WIRE'].removeprefix('http://').partition('/')
for line in open('samples.jsonl'):
    sample = json.loads(line)
    provider = sample['provider']
    field = {key_fields}.get(provider, 'authorization')
    placeholder = os.environ[provider.upper() + '_API_KEY']
    connection = http.client.HTTPConnection(host, timeout=60)
    body = sample['raw'] if 'raw' in sample else json.dumps(sample['body'])
    connection.request('POST', '/_link/model/' + provider + sample['path'], body,
                       {{'Content-Type': 'application/json', field: placeholder if field != 'authorization' else 'Bearer ' + placeholder}})
    reply = connection.getresponse()
    print(json.dumps([reply.status, reply.getheader('Link-Refused'), reply.read().decode()]), flush=True)
    connection.close()
"""


def holds(value, name):
    """Whether a tool of that type, or of Gemini's an object of that member, stands in it."""
    if isinstance(value, dict):
        return value.get("type") == name or name in value or any(holds(each, name) for each in value.values())
    return isinstance(value, list) and any(holds(each, name) for each in value)


class RequestTypes(product.ProductTest):
    needs = ("npm_clients",)

    @classmethod
    def setUpClass(cls):
        script = os.path.join(product.TREE, "tests", "verb-model", "request_samples.js")
        cls.samples = []
        if npm_clients.why_not_there() is None:
            made = subprocess.run(["node", script, npm_clients.MODULES], capture_output=True, text=True, check=True, timeout=300)
            cls.samples = [json.loads(line) for line in made.stdout.splitlines()]

    def sent(self, samples, provider, more=""):
        """For each sample: its status, the reason it was refused by, and what arrived of it."""
        if self.place.lnk("key", "list", "--json").stdout.find(f'"{provider}"') < 0:
            self.assert_done(self.place.lnk("key", "add", provider, stdin=KEY + "\n"))
        self.place.write("work/samples.jsonl", "".join(json.dumps(sample) + "\n" for sample in samples))
        self.place.write("work/send.py", SENDS.format(key_fields=KEY_FIELDS))
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[model]\nproviders = ["{provider}"]\n{more}')
        self.net.reset()
        self.net.set_name(HOSTS[provider], ["93.184.215.62"])
        self.net.issue([HOSTS[provider]])
        done = self.place.shell("python3 send.py", "--spec", spec, "--yes", timeout=300)
        self.assert_started(done)
        outcomes = [json.loads(line) for line in done.stdout.splitlines()[1:]]
        self.assertEqual(len(outcomes), len(samples), done.stderr)
        arrived = iter(self.net.requests(HOSTS[provider]))
        whole = [(status, reason, next(arrived) if reason is None else None) for status, reason, _ in outcomes]
        self.assertIsNone(next(arrived, None))
        for _, _, request in whole:
            if request is not None:
                self.assertIn(KEY.encode(), request["raw"])
        return [(status, reason, None if request is None else json.loads(request["body"])) for status, reason, request in whole]

    def of(self, provider, kind):
        found = [sample for sample in self.samples if (sample["provider"], sample["kind"]) == (provider, kind)]
        self.assertTrue(found or (provider, kind) == ("gemini", "fetched"), f"{provider}: no samples of {kind}")
        return found

    def check_tools(self, provider):
        samples = [sample for sample in self.of(provider, "tool") if sample["name"] != "(none)"]
        kept = set()
        for sample, (status, reason, body) in zip(samples, self.sent(samples, provider)):
            name = sample["name"]
            with self.subTest(provider=provider, path=sample["path"], where=sample["where"], type=name):
                if name in PROGRAM_RUNS[provider]:
                    self.assertEqual((status, reason), (200, None))
                    self.assertTrue(holds(body, name), body)
                    kept.add(name)
                elif name not in EITHER.get(provider, ()) and body is not None:
                    self.assertFalse(holds(body, name), body)
        return kept

    @each_person
    def test_a_tool_arrives_only_where_the_program_runs_it(self):
        for provider in PROGRAM_RUNS:
            self.assertTrue(self.check_tools(provider), provider)

    @each_person
    def test_a_type_that_nobody_knows_yet_arrives_nowhere(self):
        for provider in PROGRAM_RUNS:
            places = {}
            for sample in self.of(provider, "tool"):
                if sample["name"] != "(none)":
                    places.setdefault((sample["path"], sample["where"]), sample)
            samples = [{**sample, "raw": json.dumps(sample["body"]).replace(json.dumps(sample["name"]), json.dumps(FUTURE))}
                       for sample in places.values()]
            for sample, (_, _, body) in zip(samples, self.sent(samples, provider)):
                with self.subTest(provider=provider, path=sample["path"], where=sample["where"]):
                    self.assertIn(FUTURE, sample["raw"])
                    self.assertFalse(body is not None and holds(body, FUTURE), body)

    @each_person
    def test_with_server_tools_each_arrives(self):
        for provider in PROGRAM_RUNS:
            samples = [sample for sample in self.of(provider, "tool") if sample["name"] != "(none)"]
            arrived = set()
            for sample, (_, reason, body) in zip(samples, self.sent(samples, provider, "server_tools = true\n")):
                with self.subTest(provider=provider, path=sample["path"], where=sample["where"], type=sample["name"]):
                    if reason is None:
                        self.assertTrue(holds(body, sample["name"]), body)
                        arrived.add(sample["name"])
            wanted = {sample["name"] for sample in samples if CANARY not in json.dumps(sample["body"])}
            self.assertEqual(wanted - arrived, set(), provider)

    @each_person
    def test_what_somebody_else_would_fetch_arrives_nowhere(self):
        for provider in ("anthropic", "openai", "groq", "mistral"):
            samples = [sample for sample in self.of(provider, "fetched") if not any(word in sample["where"] for word in SAID_BEFORE)]
            for sample, (_, _, body) in zip(samples, self.sent(samples, provider)):
                with self.subTest(provider=provider, path=sample["path"], where=sample["where"]):
                    self.assertIn(CANARY, json.dumps(sample["body"]))
                    self.assertFalse(body is not None and CANARY in json.dumps(body), body)

    @each_person
    def test_other_spellings_hide_no_tool(self):
        provider, path, hidden = "anthropic", "/v1/messages", "web_search_20250305"
        rest = '"model":"claude-x","max_tokens":1,"messages":[{"role":"user","content":"x"}]'
        raws = {
            "twice": f'{{{rest},"tools":[{{"type":"custom","type":"{hidden}","name":"a"}}]}}',
            "twice by escape": f'{{{rest},"tools":[{{"type":"custom","\\u0074ype":"{hidden}","name":"a"}}]}}',
            "tools twice": f'{{{rest},"tools":[],"tools":[{{"type":"{hidden}","name":"a"}}]}}',
            "escaped key": f'{{{rest},"\\u0074ools":[{{"\\u0074ype":"{hidden}","name":"a"}}]}}',
            "escaped value": f'{{{rest},"tools":[{{"type":"\\u0077eb_search_20250305","name":"a"}}]}}',
            "case": f'{{{rest},"Tools":[{{"Type":"{hidden}","name":"a"}}]}}',
            "case of the value": f'{{{rest},"tools":[{{"type":"WEB_SEARCH_20250305","name":"a"}}]}}',
            "blank": f'{{{rest},"tools":[{{"type":" {hidden}","name":"a"}}]}}',
            "nested list": f'{{{rest},"tools":[[{{"type":"{hidden}","name":"a"}}]]}}',
            "an object": f'{{{rest},"tools":{{"type":"{hidden}","name":"a"}}}}',
            "a number": f'{{{rest},"tools":[{{"type":7,"name":"a"}}]}}'}
        samples = [{"provider": provider, "path": path, "raw": raw} for raw in raws.values()]
        for name, (status, reason, body) in zip(raws, self.sent(samples, provider)):
            with self.subTest(name=name):
                if reason is None:
                    self.assertNotIn("web_search", json.dumps(body).lower())
                    self.assertNotIn('"type": 7', json.dumps(body))
                else:
                    self.assertIn(status, (400, 403))


if __name__ == "__main__":
    unittest.main()
