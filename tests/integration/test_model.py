# SPDX-License-Identifier: Apache-2.0
"""Hosted models from inside: the provider sees the key and what the program runs itself, the program a placeholder and the words."""

import json
import unittest

import product
from product import each_person

KEY = "sk-rig-4711-the-real-key-of-the-rig"
HOST = "api.anthropic.com"
CALL = ("curl -sS -w '\\n%{http_code}\\n' \"$ANTHROPIC_BASE_URL/PATH\" -H \"x-api-key: ${HELD:-$ANTHROPIC_API_KEY}\" "
        "-H 'anthropic-version: 2023-06-01' -H 'Content-Type: application/json' --data-binary 'BODY'")


def messages(**more):
    return {"model": "claude-x", "max_tokens": 1, "messages": [{"role": "user", "content": "hello"}], **more}


FUNCTION = {"name": "f", "input_schema": {"type": "object"}}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}


class ModelTest(product.ProductTest):
    def spec(self, *lines, more=""):
        self.net.issue([HOST])
        self.net.set_name(HOST, ["93.184.215.61"])
        self.assert_done(self.place.lnk("key", "add", "anthropic", stdin=KEY + "\n"))
        listed = "".join(line + "\n" for line in lines)
        return self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[model]\nproviders = ["anthropic"]\n{listed}{more}')

    def call(self, spec, body, path="v1/messages", before=""):
        done = self.place.shell(before + CALL.replace("PATH", path).replace("BODY", json.dumps(body)), "--spec", spec, "--yes")
        self.assert_started(done)
        self.assertNotIn(KEY, done.stdout + done.stderr)
        *reply, status = done.stdout.splitlines()[1:]
        return int(status), "\n".join(reply).strip()

    @each_person
    def test_the_provider_gets_the_key_and_the_tools_that_the_program_runs(self):
        status, reply = self.call(self.spec(), messages(tools=[FUNCTION, SEARCH], mcp_servers=[{"type": "url", "url": "https://x.test"}]))
        self.assertEqual((status, reply), (200, f"hello from {HOST}"))
        request, = self.net.requests(HOST)
        fields = {name.lower(): value for name, value in request["fields"]}
        self.assertEqual((fields["x-api-key"], request["tls"], request["target"]), (KEY, True, "/v1/messages"))
        self.assertEqual(json.loads(request["body"]), messages(tools=[FUNCTION]))

    @each_person
    def test_what_is_refused_is_said_in_the_providers_form_and_reaches_nobody(self):
        spec = self.spec('models = ["claude-*"]')
        image = {"type": "image", "source": {"type": "url", "url": "https://x.test/a.png"}}
        for body, path, before, status, words in (
                (messages(messages=[{"role": "user", "content": [image]}]), "v1/messages", "", 403, "messages[0].content[0].source.url"),
                (messages(model="other"), "v1/messages", "", 403, "models under [model]"),
                (messages(), "v1/files", "", 403, "not one by which a model is asked"),
                (messages(), "v1/messages", "HELD=wrong; ", 401, "takes the key of this sandbox")):
            with self.subTest(path=path, words=words):
                got, reply = self.call(spec, body, path, before)
                self.assertEqual(got, status, reply)
                error = json.loads(reply)
                self.assertEqual(error["type"], "error")
                self.assertIn(words, error["error"]["message"])
        self.assertEqual((self.net.requests(), self.net.queries()), ([], []))

    @each_person
    def test_server_tools_and_any_host_are_what_the_spec_says(self):
        body = messages(tools=[FUNCTION, SEARCH])
        self.assertEqual(self.call(self.spec("server_tools = true"), body)[0], 200)
        image = {"type": "image", "source": {"type": "url", "url": "https://x.test/a.png"}}
        other = messages(messages=[{"role": "user", "content": [image]}])
        self.assertEqual(self.call(self.spec(more='[network]\nhosts = ["*"]\n'), other)[0], 200)
        self.assertEqual([json.loads(request["body"]) for request in self.net.requests(HOST)], [body, other])


if __name__ == "__main__":
    unittest.main()
