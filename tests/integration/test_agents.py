# SPDX-License-Identifier: Apache-2.0
"""Agents that people use, whole inside a sandbox: a scripted provider asks each for a shell command and gets its result."""

import json
import os

import product
from product import each_person

from rig import agents, client

KEY = "sk-the-real-key-of-this-test-0002"
COMMAND = "echo made-inside > made.txt; cat made.txt; curl -sS -o /dev/null -w '%{http_connect}' https://other.test/"


def events(*said):
    """A reply as server-sent events."""
    body = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in said).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(body) + body


class AgentTest(product.ProductTest):
    needs = ("agents",)
    provider = host = target = ""

    def setUp(self):
        super().setUp()
        self.net.set_name(self.host, ["93.184.215.61"])
        self.net.issue([self.host])

    def run_agent(self, *command):
        self.assert_done(self.place.lnk("key", "add", self.provider, stdin=KEY + "\n"))
        home = self.place.path("agent")
        spec = self.place.spec(f'[files]\nread = ["{agents.FOLDER}"]\nwrite = ["{self.place.work}", "{home}"]\n'
                               f'[model]\nproviders = ["{self.provider}"]\n')
        # An agent's own folder is a home of its own, beside the project's.
        done = self.place.run("--spec", spec, "--yes", "--", "sh", "-c", 'export HOME=$0; exec "$@"', home, *command, timeout=180)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def folder(self, files):
        for name, text in files.items():
            self.place.folder(*os.path.dirname(name).split("/"))
            self.place.write(name, text)
        self.place.give_all(self.place.path("agent"))

    def assert_worked(self, done, result):
        """The command ran inside, what it was refused was refused, and the provider saw its result and the key, never the placeholder."""
        with open(self.place.path("work", "made.txt"), encoding="ascii") as file:
            self.assertEqual(file.read(), "made-inside\n")
        self.assertIn("all done", done.stdout + done.stderr)
        requests = self.net.requests(self.host)
        self.assertTrue(any(result(json.loads(one["body"])) for one in requests if one["body"]), [one["target"] for one in requests])
        for one in requests:
            self.assertIn(KEY.encode(), one["raw"])
            self.assertNotIn(b"lnk-", one["raw"].split(b"\r\n\r\n")[0].lower().replace(b"lnk-sandbox", b""))
        self.assertEqual(self.net.queries("other.test"), [])
        self.assertEqual({name["name"] for name in self.net.queries()}, {self.host})


class Codex(AgentTest):
    provider, host, target = "openai", "api.openai.com", "/v1/responses"

    def say(self, when, item):
        self.net.set_reply(self.host, self.target, events(
            {"type": "response.created", "response": {"id": "resp_1"}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": {"id": "resp_1", "usage": {
                "input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None, "total_tokens": 2}}}),
            when=when)

    @each_person
    def test_codex_runs_what_its_model_asks_for_and_shows_it_the_result(self):
        self.say(b"", {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "exec_command", "arguments": json.dumps({"cmd": COMMAND})})
        self.say(b"function_call_output", {"type": "message", "id": "msg_1", "role": "assistant",
                                           "content": [{"type": "output_text", "text": "all done"}]})
        self.folder({"agent/.codex/config.toml":
                     'model = "gpt-5"\nmodel_provider = "wire"\n[model_providers.wire]\nname = "wire"\n'
                     'base_url = "http://127.0.0.1:40781/_link/model/openai/v1"\nenv_key = "OPENAI_API_KEY"\n'
                     'wire_api = "responses"\nsupports_websockets = false\n'})
        done = self.run_agent(agents.CODEX, "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "make a file")

        def has_result(body):
            outputs = [item for item in body["input"] if item["type"] == "function_call_output"]
            return any("made-inside" in json.dumps(item) and "403" in json.dumps(item) for item in outputs)
        self.assert_worked(done, has_result)
        sent = [tool["type"] for one in self.net.requests(self.host) for tool in json.loads(one["body"])["tools"]]
        self.assertEqual(set(sent), {"function", "namespace"})  # it asks for web_search too


class OpenCode(AgentTest):
    provider, host, target = "anthropic", "api.anthropic.com", "/v1/messages"

    def say(self, when, block, delta, stop):
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [], "stop_reason": None,
                   "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        self.net.set_reply(self.host, self.target, events(
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 2}},
            {"type": "message_stop"}), when=when)

    @each_person
    def test_opencode_runs_what_its_model_asks_for_and_shows_it_the_result(self):
        says = ({"type": "text", "text": ""}, {"type": "text_delta", "text": "all done"}, "end_turn")
        self.say(b"", *says)
        self.say(b'"tools"', {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {}},
                 {"type": "input_json_delta", "partial_json": json.dumps({"command": COMMAND, "description": "x"})}, "tool_use")
        self.say(b'"tool_result"', *says)
        self.folder({"agent/.config/opencode/opencode.json": json.dumps({
            "model": "anthropic/claude-sonnet-4-5", "small_model": "anthropic/claude-sonnet-4-5", "autoupdate": False, "share": "disabled",
            "permission": "allow",
            "provider": {"anthropic": {"options": {"baseURL": "{env:ANTHROPIC_BASE_URL}/v1", "apiKey": "{env:ANTHROPIC_API_KEY}"},
                                       "models": {"claude-sonnet-4-5": {"name": "Claude"}}}}})})
        done = self.run_agent(agents.OPENCODE, "run", "make a file")

        def has_result(body):
            parts = [part for message in body["messages"] if isinstance(message["content"], list) for part in message["content"]]
            return any(part["type"] == "tool_result" and "made-inside" in json.dumps(part) and "403" in json.dumps(part) for part in parts)
        self.assert_worked(done, has_result)


if __name__ == "__main__":
    product.unittest.main()
