# SPDX-License-Identifier: Apache-2.0
"""The clients that people use for hosted models, from npm, inside, with the variables that a sandbox gives and no more: streams and
calls of tools, the real key at the provider alone and in its own field, and of the tools those that the program runs itself."""

import json
import os
import shutil

import product
from product import each_person

from rig import npm_clients

KEY = "sk-rig-4711-the-real-key-of-the-clients"
SCRIPTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "model_clients")
NOT_A_MODEL = "not one by which a model is asked"
RESULT, CALL = b"21 degrees", {"place": "here"}
ARGUMENTS = json.dumps(CALL)
SAID = ["It is ", "warm."]
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n"


def reply(value):
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return HEAD % b"application/json" + b"Content-Length: %d\r\n\r\n" % len(body) + body


def stream(events, end=b""):
    """Server-sent events, each a chunk of its own; those with a type carry its name."""
    texts = [((f"event: {one['type']}\n" if "type" in one else "") + f"data: {json.dumps(one)}\n\n").encode() for one in events]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(text), text) for text in [*texts, *([end] if end else [])])
    return HEAD % b"text/event-stream" + b"Transfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\n\r\n"


class ClientTest(product.ProductTest):
    needs = ("npm_clients",)
    provider = host = script = field = value = ""

    def setUp(self):
        super().setUp()
        self.net.set_name(self.host, ["93.184.215.61"])
        self.net.issue([self.host])

    def inside(self, *lines):
        """What came of the script's steps, with more lines below [model]."""
        self.assert_done(self.place.lnk("key", "add", self.provider, stdin=KEY + "\n"))
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{npm_clients.FOLDER}"]\n'
                               f'[model]\nproviders = ["{self.provider}"]\n' + "".join(line + "\n" for line in lines))
        for name in ("said.mjs", self.script):
            shutil.copy(os.path.join(SCRIPTS, name), self.place.path("work", name))
        os.symlink(npm_clients.MODULES, self.place.path("work", "node_modules"))
        self.place.give_all(self.place.work)
        done = self.place.run("--spec", spec, "--yes", "--", "sh", "-c", f"env; exec node {self.script}")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn(KEY, done.stdout + done.stderr)
        told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"step"')]
        self.held = {line.partition("=")[2] for line in done.stdout.splitlines() if "_API_KEY=" in line}
        self.assertEqual(len(self.held), 1, done.stdout)
        self.refused = {one["step"]: one["refused"] for one in told if "refused" in one}
        return {one["step"]: one["value"] for one in told if "value" in one}

    def arrived(self):
        """The requests, each with the key once, in the provider's field, and without the placeholder. Nobody else was asked."""
        requests = self.net.requests()
        for one in requests:
            self.assertEqual((one["host"], one["tls"]), (self.host, True))
            self.assertEqual([value for name, value in one["fields"] if name.lower() == self.field], [self.value])
            self.assertEqual(one["raw"].count(KEY.encode()), 1)
            for held in self.held:
                self.assertNotIn(held.encode(), one["raw"])
            self.assertNotIn(b"evil.test", one["raw"])
        self.assertEqual({one["name"].lower() for one in self.net.queries()}, {self.host})
        return requests

    def assert_refused_in_words(self, kind, **steps):
        """Each refused step as the provider's own kind of error, with the wire's words."""
        self.assertEqual(set(self.refused), set(name.replace("_", "-") for name in steps), self.refused)
        for name, words in steps.items():
            one = self.refused[name.replace("_", "-")]
            self.assertIn(kind, one["kinds"])
            self.assertEqual(one["status"], 403)
            self.assertIn(words, one["words"])

    def assert_tools_of_the_first(self, *types):
        """With `server_tools = true` the first request has all of its tools."""
        self.place = self.as_root()
        self.inside("server_tools = true")
        tools = self.bodies(self.net.requests(self.host))[0]["tools"]
        self.assertEqual([tool.get("type", next(iter(tool))) for tool in tools], list(types))

    def bodies(self, requests):
        return [json.loads(one["body"]) for one in requests if one["method"] == "POST"]


class Anthropic(ClientTest):
    provider, host, script, field, value = "anthropic", "api.anthropic.com", "anthropic.mjs", "authorization", f"Bearer {KEY}"

    def message(self, content, stop):
        return {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-rig", "content": content,
                "stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}

    def streamed(self, block, deltas, stop):
        return stream([{"type": "message_start", "message": self.message([], None)},
                       {"type": "content_block_start", "index": 0, "content_block": block},
                       *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
                       {"type": "content_block_stop", "index": 0},
                       {"type": "message_delta", "usage": {"output_tokens": 2}, "delta": {"stop_reason": stop, "stop_sequence": None}},
                       {"type": "message_stop"}])

    @each_person
    def test_anthropics(self):
        self.net.set_reply(self.host, "/v1/messages", reply(self.message([{"type": "text", "text": "hello"}], "end_turn")))
        self.net.set_reply(self.host, "/v1/messages", self.streamed(
            {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}},
            [{"type": "input_json_delta", "partial_json": part} for part in (ARGUMENTS[:6], ARGUMENTS[6:])], "tool_use"),
            when=b'"stream":true')
        self.net.set_reply(self.host, "/v1/messages", self.streamed(
            {"type": "text", "text": ""}, [{"type": "text_delta", "text": text} for text in SAID], "end_turn"), when=RESULT)
        self.net.set_reply(self.host, "/v1/messages/count_tokens", reply({"input_tokens": 5}))
        came = self.inside()
        self.assertEqual(came, {
            "create": "hello", "beta": "hello", "count": 5,
            "stream": {"events": ["message_start", "content_block_start", "content_block_delta", "content_block_delta",
                                  "content_block_stop", "message_delta", "message_stop"],
                       "call": CALL, "stop": "tool_use", "pieces": SAID}}, self.refused)
        requests = self.arrived()
        self.assertEqual([one["target"] for one in requests], ["/v1/messages"] * 4 + ["/v1/messages/count_tokens"])
        bodies = self.bodies(requests)
        for body in bodies[:4]:
            self.assertEqual([(tool.get("type"), tool["name"]) for tool in body["tools"]],
                             [(None, "weather"), ("bash_20250124", "bash")])
        self.assertEqual(bodies[2]["messages"][2]["content"][0]["content"], RESULT.decode())
        self.assertNotIn("mcp_servers", bodies[3])
        betas = [value for name, value in requests[3]["fields"] if name.lower() == "anthropic-beta"]
        self.assertEqual(betas, ["interleaved-thinking-2025-05-14"])
        self.assert_refused_in_words("PermissionDeniedError", url="messages[0].content[0].source.url", path=NOT_A_MODEL)

    def test_server_tools_stay_where_the_spec_says_so(self):
        self.assert_tools_of_the_first("name", "bash_20250124", "web_search_20250305", "code_execution_20250825")


def completion(message, stop):
    return {"id": "c_1", "object": "chat.completion", "created": 1, "model": "rig",
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": stop}]}


def chunks(*deltas):
    """A streamed completion; the last of the deltas has why it ends."""
    return stream([{"id": "c_1", "object": "chat.completion.chunk", "created": 1, "model": "rig",
                    "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]} for delta, stop in deltas], b"data: [DONE]\n\n")


FUNCTION_CALL = {"index": 0, "id": "call12345", "type": "function", "function": {"name": "weather", "arguments": ARGUMENTS}}
CALLED = (({"role": "assistant", "content": "", "tool_calls": [FUNCTION_CALL]}, None), ({"content": ""}, "tool_calls"))
TOLD = (({"role": "assistant", "content": SAID[0]}, None), ({"content": SAID[1]}, "stop"))


class ChatTest(ClientTest):
    chat = ""

    def set_chat(self):
        self.net.set_reply(self.host, self.chat, reply(completion({"content": "hello"}, "stop")))
        self.net.set_reply(self.host, self.chat, chunks(*CALLED), when=b'"stream":true')
        self.net.set_reply(self.host, self.chat, chunks(*TOLD), when=RESULT)

    def assert_functions_alone(self, bodies):
        for body in bodies:
            self.assertEqual([(tool["type"], tool["function"]["name"]) for tool in body["tools"]], [("function", "weather")])
            self.assertLessEqual(set(body), {"model", "messages", "tools", "stream"})
        self.assertEqual(bodies[-1]["messages"][2]["content"], RESULT.decode())


class OpenAi(ChatTest):
    provider, host, script, field, value = "openai", "api.openai.com", "openai.mjs", "authorization", f"Bearer {KEY}"
    chat = "/v1/chat/completions"

    def response(self, *items):
        return {"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "gpt-rig",
                "output": list(items), "tools": [], "usage": None, "error": None}

    @each_person
    def test_openais(self):
        self.set_chat()
        text = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": "hello", "annotations": []}]}
        call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "weather", "arguments": ARGUMENTS,
                "status": "completed"}
        at = {"output_index": 0}
        started = {"type": "response.created", "response": {**self.response(), "status": "in_progress"}}
        self.net.set_reply(self.host, "/v1/responses", reply(self.response(text)))
        self.net.set_reply(self.host, "/v1/responses", stream([
            started, {"type": "response.output_item.added", **at, "item": {**call, "arguments": ""}},
            {"type": "response.function_call_arguments.delta", **at, "item_id": "fc_1", "delta": ARGUMENTS},
            {"type": "response.output_item.done", **at, "item": call},
            {"type": "response.completed", "response": self.response(call)}]), when=b'"stream":true')
        self.net.set_reply(self.host, "/v1/responses", stream([
            started,
            *({"type": "response.output_text.delta", **at, "content_index": 0, "item_id": "msg_1", "delta": one} for one in SAID),
            {"type": "response.completed", "response": self.response(text)}]), when=RESULT)
        self.net.set_reply(self.host, "/v1/models", reply({"object": "list", "data": [{"id": "gpt-rig", "object": "model"}]}))
        came = self.inside()
        self.assertGreater(came.get("chat-stream", {}).pop("events", 0), 1, self.refused)
        self.assertEqual(came, {
            "chat": "hello", "chat-stream": {"call": CALL, "stop": "tool_calls", "pieces": SAID},
            "responses": "hello", "models": ["gpt-rig"],
            "responses-stream": {"events": ["response.created", "response.output_item.added",
                                            "response.function_call_arguments.delta", "response.output_item.done",
                                            "response.completed"], "call": CALL, "pieces": SAID}}, self.refused)
        requests = self.arrived()
        self.assertEqual([one["target"] for one in requests], [self.chat] * 3 + ["/v1/responses"] * 3 + ["/v1/models"])
        bodies = self.bodies(requests)
        self.assert_functions_alone(bodies[:3])
        for body in bodies[3:]:
            self.assertEqual([(tool["type"], tool["name"]) for tool in body["tools"]], [("function", "weather")])
            self.assertIs(body["store"], False)
        self.assertEqual(bodies[-1]["input"][2]["output"], RESULT.decode())
        self.assert_refused_in_words("PermissionDeniedError", url="input[0].content[0].image_url",
                                     chat_url="messages[0].content[0].image_url", path=NOT_A_MODEL)
        for one in self.refused.values():
            self.assertIn("APIError", one["kinds"])

    def test_server_tools_stay_where_the_spec_says_so(self):
        self.assert_tools_of_the_first("function", "web_search")


class Groq(ChatTest):
    provider, host, script, field, value = "groq", "api.groq.com", "groq.mjs", "authorization", f"Bearer {KEY}"
    chat = "/openai/v1/chat/completions"

    @each_person
    def test_groqs(self):
        self.set_chat()
        self.net.set_reply(self.host, "/openai/v1/models", reply({"object": "list", "data": [{"id": "groq-rig", "object": "model"}]}))
        came = self.inside()
        self.assertEqual(came, {"create": "hello", "models": ["groq-rig"],
                                "stream": {"events": 2, "call": CALL, "stop": "tool_calls", "pieces": SAID}}, self.refused)
        requests = self.arrived()
        self.assertEqual([one["target"] for one in requests], [self.chat] * 3 + ["/openai/v1/models"])
        self.assert_functions_alone(self.bodies(requests))
        self.assert_refused_in_words("PermissionDeniedError", url="messages[0].content[0].image_url", path=NOT_A_MODEL)

    def test_server_tools_stay_where_the_spec_says_so(self):
        self.assert_tools_of_the_first("function", "browser_search", "code_interpreter")


class Mistral(ChatTest):
    provider, host, script, field, value = "mistral", "api.mistral.ai", "mistral.mjs", "authorization", f"Bearer {KEY}"
    chat = "/v1/chat/completions"

    @each_person
    def test_mistrals(self):
        self.set_chat()
        came = self.inside()
        self.assertEqual(came, {"complete": "hello",
                                "stream": {"events": 2, "call": CALL, "stop": "tool_calls", "pieces": SAID}}, self.refused)
        # Without a base URL it asks its provider itself, whom nobody inside finds.
        self.assertIn("HTTPClientError", self.refused.pop("unset")["kinds"])
        requests = self.arrived()
        self.assertEqual([one["target"] for one in requests], [self.chat] * 3)
        self.assert_functions_alone(self.bodies(requests))
        self.assert_refused_in_words("MistralError", url="messages[0].content[0].image_url", path=NOT_A_MODEL)

    def test_server_tools_stay_where_the_spec_says_so(self):
        self.assert_tools_of_the_first("function", "web_search", "code_interpreter")


class GoogleGenAi(ClientTest):
    provider, host, script, field, value = "gemini", "generativelanguage.googleapis.com", "genai.mjs", "x-goog-api-key", KEY

    def generated(self, *parts):
        return {"candidates": [{"index": 0, "content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP"}]}

    @each_person
    def test_googles(self):
        model = "/v1beta/models/gemini-rig"
        self.net.set_reply(self.host, f"{model}:generateContent", reply(self.generated({"text": "hello"})))
        streamed = f"{model}:streamGenerateContent?alt=sse"
        called = {"functionCall": {"name": "weather", "args": CALL}}
        self.net.set_reply(self.host, streamed, stream([self.generated({"text": "I look."}), self.generated(called)]))
        self.net.set_reply(self.host, streamed, stream([self.generated({"text": text}) for text in SAID]), when=RESULT)
        self.net.set_reply(self.host, f"{model}:countTokens", reply({"totalTokens": 5}))
        came = self.inside()
        self.assertEqual(came, {"generate": "hello", "count": 5, "stream": {"events": 2, "call": CALL, "pieces": SAID}}, self.refused)
        requests = self.arrived()
        self.assertEqual([one["target"] for one in requests], [f"{model}:generateContent", streamed, streamed, f"{model}:countTokens"])
        bodies = self.bodies(requests)
        for body in bodies[:3]:
            self.assertEqual([list(tool) for tool in body["tools"]], [["functionDeclarations"]])
        self.assertEqual(bodies[2]["contents"][2]["parts"][0]["functionResponse"]["response"], {"result": RESULT.decode()})
        self.assert_refused_in_words("ApiError", url="contents[0].parts[0].fileData.fileUri", path=NOT_A_MODEL)

    def test_server_tools_stay_where_the_spec_says_so(self):
        self.assert_tools_of_the_first("functionDeclarations", "googleSearch", "urlContext", "codeExecution")


if __name__ == "__main__":
    product.unittest.main()
