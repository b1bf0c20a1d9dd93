# SPDX-License-Identifier: Apache-2.0
"""Secrets on the running wire: the real one arrives at its one host and nowhere else, the placeholder nowhere at all.

Run on the rig's machine: tests/rig/enter -- python3 tests/verb-secret/test_secret_wire.py
"""

import base64
import hashlib
import json
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import wire_process  # noqa: E402
from wire_process import FIRST_HANDLE_FD, OWN_PORT, TREE, Wire, field_of, read_all, read_head, refusal_of, status_of  # noqa: E402

from rig import capability, client  # noqa: E402

BUILT = wire_process.PARTS
# Modules must be trusted: in an ordinary user's rig they are copied to be this user's own.
PROGRAM = client.own_program(os.path.realpath(os.path.join(BUILT, "..", "..", "bin", "lnk-sandbox")))
PARTS = wire_process.PARTS = os.path.join(os.path.dirname(PROGRAM), "..", "lib", "lnk-sandbox")
HOST = "api.test"
RANDOM = base64.urlsafe_b64encode(bytes(range(32))).decode().rstrip("=")
TOKEN = "4711:AAF-the_real_token_of_the_bot_0123"
BOT = f"4711:{RANDOM}"
KEY = "sk-rig/0123456789+abcdefghij"
with open(os.path.join(TREE, "modules", "verb-secret", "rules", "telegram.json"), encoding="ascii") as file:
    TELEGRAM = {**json.load(file), "host": HOST}
RULE = {"host": HOST, "methods": ["GET", "POST"], "paths": ["{name}", "bytes/{name}", "v1/{path}"], "refuse": ["v1/admin"]}
HEADER = {**RULE, "header": {"name": "Authorization", "value": "Bearer {secret}"}}
BASIC = {**RULE, "basic": {"user": "x-access-token", "password": "{secret}"}}
QUERY = {**RULE, "query": {"name": "appid"}}


def verb(secrets, module="verb-secret", upstreams=None, file=None, config=None):
    """A verb's entry of the wire's configuration. `secrets`: {name: (rule, placeholder)}."""
    file = file or os.path.join(PARTS, "modules", f"{module}.so")
    with open(file, "rb") as library:
        digest = hashlib.sha256(library.read()).hexdigest()
    hosts = {}
    for name, (rule, _) in secrets.items():
        hosts.setdefault(rule["host"], []).append(f"secret:{name}")
    granted = [{"host": host, "port": 443, "handles": handles} for host, handles in hosts.items()]
    listed = [{"name": name, "placeholder": held, "rule": rule} for name, (rule, held) in secrets.items()]
    return {"id": module, "file": os.path.realpath(file), "sha256": digest, "config": config or {"secrets": listed},
            "upstreams": granted if upstreams is None else upstreams}


def kept(text, mode=0o600):
    """A descriptor of a file with this text, as a secret is kept."""
    fd, name = tempfile.mkstemp(prefix="secret-")
    os.write(fd, text.encode())
    os.fchmod(fd, mode)
    os.unlink(name)
    return fd


class SecretWire(Wire):
    """A wire with secrets: {name: (rule, placeholder, value)}; `hosts` as a wire has them."""

    def __init__(self, secrets, hosts=None, **more):
        settings = tempfile.mkdtemp(prefix="settings-")
        handles, fds = {}, {}
        for number, (name, (rule, _, value)) in enumerate(secrets.items(), FIRST_HANDLE_FD):
            handles[f"secret:{name}"], fds[number] = number, kept(json.dumps(rule) + "\n" + value)
        verbs = more.pop("verbs", None) or [verb({name: one[:2] for name, one in secrets.items()})]
        super().__init__(hosts or {}, settings=settings, more={"verbs": verbs, "handles": handles}, fds=fds, **more)
        for fd in fds.values():
            os.close(fd)

    def close(self):
        super().close()
        shutil.rmtree(self.settings, ignore_errors=True)


def call(path, fields="", method="GET", body=b""):
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{OWN_PORT}\r\n{fields}{length}Connection: close\r\n\r\n"
    return head.encode() + body


def bearer(placeholder=RANDOM):
    return f"Authorization: Bearer {placeholder}\r\n"


def body_of(reply):
    return reply.partition(b"\r\n\r\n")[2]


def reply(status="200 OK", fields="", body=b"", length=None):
    size = f"Content-Length: {len(body) if length is None else length}\r\n"
    return f"HTTP/1.1 {status}\r\n{fields}{size}\r\n".encode() + body


class SecretWireTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        capability.need("rig")
        cls.net = client.Internet()
        cls.wire = SecretWire({"bot": (TELEGRAM, BOT, TOKEN), "key": (HEADER, RANDOM, KEY), "git": (BASIC, RANDOM + "g", KEY),
                               "weather": (QUERY, RANDOM + "w", KEY)})

    @classmethod
    def tearDownClass(cls):
        cls.wire.close()
        for secret in (TOKEN, KEY, RANDOM, "s" * 43):
            assert secret not in cls.wire.stderr, cls.wire.stderr

    def setUp(self):
        self.net.reset()

    def only_request(self):
        requests = self.net.requests()
        self.assertEqual(len(requests), 1, requests)
        self.assertTrue(requests[0]["tls"])
        self.assertEqual((requests[0]["host"], requests[0]["sni"]), (HOST, HOST))
        self.assertNotIn(RANDOM.encode(), requests[0]["raw"])
        return requests[0]

    def value_of(self, request, name):
        return [value for key, value in request["fields"] if key.lower() == name]

    def assert_nothing_left(self):
        self.assertEqual((self.net.queries(), self.net.connections()), ([], []))

    # ---- what arrives ----

    def test_a_path_rule_puts_the_token_into_the_path(self):
        answer = self.wire.ask(call(f"/_link/secret/bot/bot{BOT}/getMe?a=1"))
        self.assertEqual((status_of(answer), body_of(answer)), (200, b"hello from api.test\n"))
        request = self.only_request()
        self.assertEqual(request["target"], f"/bot{TOKEN}/getMe?a=1")
        self.assertEqual(self.value_of(request, "host"), [HOST])

    def test_a_root_that_lost_the_secrets_name_works_too(self):
        self.assertEqual(status_of(self.wire.ask(call(f"/_link/secret/bot{BOT}/getMe"))), 200)
        self.assertEqual(self.only_request()["target"], f"/bot{TOKEN}/getMe")

    def test_a_header_rule_puts_the_key_into_its_field_and_leaves_other_credentials_behind(self):
        fields = bearer() + "Cookie: a=b\r\nX-Api-Key: mine\r\nAccept: text/x\r\nAccept-Encoding: gzip\r\n"
        self.assertEqual(status_of(self.wire.ask(call("/_link/secret/key/hello", fields))), 200)
        request = self.only_request()
        self.assertEqual(self.value_of(request, "authorization"), [f"Bearer {KEY}"])
        self.assertEqual(self.value_of(request, "accept"), ["text/x"])
        self.assertEqual(self.value_of(request, "accept-encoding"), ["identity"])
        self.assertEqual(self.value_of(request, "cookie") + self.value_of(request, "x-api-key"), [])

    def test_credentials_and_overrides_are_left_behind_whatever_stands_for_their_dashes(self):
        # CGI, WSGI and Rack give their program - and _ as one (RFC 3875, 4.1.18), and some servers every other character too.
        for name in ("X-Http-Method-Override", "X-Method-Override", "X-Original-Url", "X-Rewrite-Url", "X-Forwarded-Host", "X-Api-Key",
                     "Proxy-Authorization", "X-Auth-Token", "X-Access-Key", "If-Range", "X-Host", "Apikey", "Set-Cookie"):
            every = {name, name.replace("-", "_"), name.replace("-", "_", 1), name.upper().replace("-", "_"), name.lower().replace("-", "_"),
                     name.replace("-", "."), name.replace("-", "~")}
            for spelling in sorted(every):
                with self.subTest(field=spelling):
                    self.net.reset()
                    answer = self.wire.ask(call("/_link/secret/key/hello", bearer() + f"{spelling}: DELETE\r\nX-Title: kept\r\n"))
                    self.assertEqual(status_of(answer), 200)
                    request = self.only_request()
                    self.assertEqual(self.value_of(request, "x-title"), ["kept"])
                    self.assertNotIn(b"DELETE", request["raw"])
                    self.assertEqual(self.value_of(request, "authorization"), [f"Bearer {KEY}"])

    def test_fields_that_no_client_needs_are_left_behind_and_those_of_clients_go_on(self):
        left = ("Request-Range", "A-IM", "X-Url", "X-Envoy-Original-Path", "X-Real-IP", "True-Client-IP", "X-Private-Key", "Authorisation",
                "X-Csrf", "Destination", "X-Accel-Redirect", "X-Action", "Accept-Charset", "Origin", "Referer", "X-Debug", "Stripe-Account",
                "Accept_Language", "User.Agent", "Content-Location", "SOAPAction", "Depth", "From", "Client-IP", "X-Http-Path")
        kept = ("Accept", "Accept-Language", "Cache-Control", "Content-Type", "Content-Encoding", "Content-Range", "User-Agent", "If-Match",
                "If-None-Match", "If-Modified-Since", "Idempotency-Key", "X-Stainless-Lang", "x-stainless-retry-count", "OpenAI-Organization",
                "OpenAI-Beta", "anthropic-beta", "anthropic-version", "Notion-Version", "Stripe-Version", "X-GitHub-Api-Version",
                "X-Request-Id", "traceparent", "Git-Protocol", "Prefer", "X-Goog-Api-Client", "HTTP-Referer", "X-Title", "Date")
        fields = "".join(f"{name}: left\r\n" for name in left) + "".join(f"{name}: kept\r\n" for name in kept)
        self.assertEqual(status_of(self.wire.ask(call("/_link/secret/key/hello", bearer() + fields, "POST", b"x"))), 200)
        request = self.only_request()
        self.assertEqual([name for name, value in request["fields"] if value == "left"], [])
        self.assertEqual(sorted(name for name, value in request["fields"] if value == "kept"), sorted(kept))

    def test_a_rule_may_name_more_fields_and_parameters(self):
        rule = {**HEADER, "fields": ["Stripe-Account", "x-debug", "Referer"], "parameters": ["token", "api_key"]}
        with SecretWire({"key": (rule, RANDOM, KEY)}) as wire:
            fields = "stripe-account: a\r\nX-Debug: b\r\nReferer: c\r\nX-Private-Key: left\r\nX-Debug-More: left\r\n"
            answer = wire.ask(call("/_link/secret/key/hello?token=a&api%5Fkey=b&x=c", bearer() + fields))
            self.assertEqual(status_of(answer), 200)
            request = self.only_request()
            self.assertEqual([self.value_of(request, name) for name in ("stripe-account", "x-debug", "referer")], [["a"], ["b"], ["c"]])
            self.assertNotIn(b"left", request["raw"])
            self.assertEqual(request["target"], "/hello?token=a&api%5Fkey=b&x=c")
            for query in ("api-key=x", "access_token=x", "_method=DELETE"):
                self.assertEqual(refusal_of(wire.ask(call(f"/_link/secret/key/hello?{query}", bearer()))), (400, "bad-request"), query)

    def test_parameters_that_carry_a_credential_or_another_method_are_refused_in_any_spelling(self):
        refused = ("access_token", "ACCESS_TOKEN", "accessToken", "access%5ftoken", "%61ccess_token", "access.token", "access+token",
                   "access_token[]", "api_key", "apiKey", "API-KEY", "token", "private_token", "client_secret", "signature", "oauth_token",
                   "GoogleAccessId", "OSSAccessKeyId", "AWSAccessKeyId", "q-ak", "q-signature", "x-oss-signature", "sid", "session_id",
                   "X-Amz-Signature", "_method", "_METHOD", "%5Fmethod", "_m%65thod", "$httpMethod", "%24httpMethod", "%24HTTPMETHOD", "$method",
                   "+_method", "X-HTTP-Method-Override", "x_http_method_override", "httpMethod", "_method%00", "$httpHeaders")
        for name in refused:
            for query in (f"{name}=DELETE", f"a=1&{name}=DELETE&b=2", f"a=1;{name}=DELETE", name):
                with self.subTest(query):
                    answer = self.wire.ask(call(f"/_link/secret/key/hello?{query}", bearer()))
                    self.assertEqual(refusal_of(answer), (400, "bad-request"))
                    self.assertIn(b"takes no parameter", answer)
        for query in ("app.id=x", "app_id=x", "a=1;appid=x", "APPID[]=x"):
            answer = self.wire.ask(call(f"/_link/secret/weather/hello?{query}&appid={RANDOM}w"))
            self.assertEqual(refusal_of(answer), (400, "bad-request"), query)
        self.assert_nothing_left()
        passed = ("method=flickr.photos&page_token=x&pageToken=y&max_tokens=5&next_token=z&author=me&q=access_token&key=PROJ&tokens=1"
                  "&$filter=a&session=1&=x&a=_method%3DDELETE&&")
        self.assertEqual(status_of(self.wire.ask(call(f"/_link/secret/key/hello?{passed}", bearer()))), 200)
        self.assertEqual(self.only_request()["target"], f"/hello?{passed}")

    def test_the_rules_own_field_in_another_spelling_is_left_behind(self):
        with SecretWire({"app": ({**RULE, "header": {"name": "X-App-Id", "value": "{secret}"}}, RANDOM, KEY)}) as wire:
            for spelling in ("X_App_Id", "X_APP_ID", "x-app_id", "X.App.Id", "x-app~id"):
                self.net.reset()
                fields = f"X-App-Id: {RANDOM}\r\n{spelling}: mine\r\n"
                self.assertEqual(status_of(wire.ask(call("/_link/secret/app/hello", fields))), 200)
                request = self.only_request()
                self.assertEqual(self.value_of(request, "x-app-id"), [KEY])
                self.assertNotIn(b"mine", request["raw"])
                # The rule's field is one name: the other spelling does not stand for it.
                refused = wire.ask(call("/_link/secret/app/hello", f"{spelling}: {RANDOM}\r\n"))
                self.assertEqual(refusal_of(refused), (401, "wrong-placeholder"))

    def test_a_basic_rule_encodes_the_key_as_the_password(self):
        held = base64.b64encode(f"any:{RANDOM}g".encode()).decode()
        self.assertEqual(status_of(self.wire.ask(call("/_link/secret/git/hello", f"Authorization: Basic {held}\r\n"))), 200)
        sent = base64.b64encode(f"x-access-token:{KEY}".encode()).decode()
        self.assertEqual(self.value_of(self.only_request(), "authorization"), [f"Basic {sent}"])

    def test_a_query_rule_encodes_the_key_for_a_query(self):
        self.assertEqual(status_of(self.wire.ask(call(f"/_link/secret/weather/hello?appid={RANDOM}w&q=x"))), 200)
        self.assertEqual(self.only_request()["target"], "/hello?q=x&appid=sk-rig%2F0123456789%2Babcdefghij")

    def test_a_body_streams_to_the_host_with_a_length_and_in_chunks(self):
        body = os.urandom(1 << 20)
        self.assertEqual(status_of(self.wire.ask(call("/_link/secret/key/hello", bearer(), "POST", body))), 200)
        self.assertEqual(self.only_request()["body"], body)
        self.net.reset()
        chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:7], body[7:100_000], body[100_000:])) + b"0\r\n\r\n"
        raw = call("/_link/secret/key/hello", bearer() + "Transfer-Encoding: chunked\r\n", "POST") + chunks
        self.assertEqual(status_of(self.wire.ask(raw)), 200)
        self.assertEqual(self.only_request()["body"], body)

    def test_a_large_reply_passes_whole(self):
        answer = self.wire.ask(call("/_link/secret/key/bytes/3000000", bearer()))
        self.assertEqual((status_of(answer), len(body_of(answer))), (200, 3_000_000))

    def test_a_reply_streams_as_it_comes(self):
        with self.wire.connect() as stream:
            stream.sendall(call("/_link/secret/key/held", bearer()))
            received = b""
            while b"data: first\n\n" not in received:
                received += stream.recv(4096)
            self.assertEqual(status_of(self.wire.ask(call("/_link/secret/key/release", bearer()))), 200)
            received += read_all(stream)
        self.assertIn(b"data: second\n\n", received)
        self.assertTrue(received.endswith(b"0\r\n\r\n"))

    def test_a_body_is_invited_only_once_it_was_let_through(self):
        with self.wire.connect() as stream:
            stream.sendall(call("/_link/secret/key/hello", bearer() + "Content-Length: 2\r\nExpect: 100-continue\r\n", "POST"))
            head, _ = read_head(stream)
            self.assertEqual(status_of(head), 100)
            stream.sendall(b"ok")
            self.assertEqual(status_of(read_all(stream)), 200)
        self.assertEqual(self.only_request()["body"], b"ok")
        refused = self.wire.ask(call("/_link/secret/key/v1/admin", bearer() + "Content-Length: 2\r\nExpect: 100-continue\r\n", "POST"))
        self.assertEqual(refusal_of(refused), (403, "path-refused"))

    def test_calls_are_logged_without_path_or_secret(self):
        # A wire of its own: what others of this file were refused would be counted with it.
        with SecretWire({"bot": (TELEGRAM, BOT, TOKEN)}) as wire:
            wire.ask(call(f"/_link/secret/bot/bot{BOT}/getMe"))
            wire.ask(call(f"/_link/secret/bot/bot{BOT}/setWebhook"))
            lines = wire.closed_calls(2) and wire.log()
        self.assertEqual([(line["event"], line["verb"]) for line in lines],
                         [("open", "verb-secret"), ("close", "verb-secret"), ("refused", "verb-secret")])
        self.assertEqual([(line["host"], line["port"], line["status"]) for line in lines[1:2]], [(HOST, 443, 200)])
        self.assertEqual([lines[2][key] for key in ("host", "port", "reason", "status")], [HOST, 443, "path-refused", 403])
        text = json.dumps(lines + self.wire.log())
        for secret in (TOKEN, KEY, RANDOM, "getMe", "setWebhook", "s" * 43):
            self.assertNotIn(secret, text)

    def test_a_refusal_is_logged_with_the_host_of_the_secret_that_was_asked_for(self):
        other = {**HEADER, "host": "allowed.test"}
        with SecretWire({"bot": (TELEGRAM, BOT, TOKEN), "key": (other, RANDOM, KEY)}) as wire:
            for path in ("secret/bot/botx/getMe", "secret/key/hello", "secret/bot/x", "secret/none/x"):
                wire.ask(call(f"/_link/{path}"))
            refused = [(line.get("host"), line.get("port"), line["reason"]) for line in wire.closed_calls(4)]
        self.assertEqual(refused, [(HOST, 443, "wrong-placeholder"), ("allowed.test", 443, "wrong-placeholder"),
                                   (HOST, 443, "path-refused"), (None, None, "no-such-verb")])

    # ---- what is refused ----

    def test_a_wrong_placeholder_is_refused_and_nothing_is_sent(self):
        for path, fields in ((f"/_link/secret/bot/bot{BOT}x/getMe", ""), (f"/_link/secret/bot/bot{TOKEN}/getMe", ""),
                             ("/_link/secret/bot/bot/getMe", ""), ("/_link/secret/key/hello", ""),
                             ("/_link/secret/key/hello", bearer(KEY)), ("/_link/secret/key/hello", bearer(RANDOM + "g")),
                             ("/_link/secret/key/hello", bearer() + bearer()), ("/_link/secret/weather/hello", bearer())):
            self.assertEqual(refusal_of(self.wire.ask(call(path, fields))), (401, "wrong-placeholder"), (path, fields))
        self.assert_nothing_left()

    def test_a_refused_path_is_refused_and_nothing_is_sent(self):
        for path in ("setWebhook", "SETWEBHOOK", "logOut", "close", "getMe/x", "get.Me", "%67etMe", "../getMe", "/getMe", "getMe;x"):
            answer = self.wire.ask(call(f"/_link/secret/bot/bot{BOT}/{path}"))
            self.assertEqual(refusal_of(answer), (403, "path-refused"), path)
            self.assertEqual(body_of(answer).count(b"\n"), 1)
        self.assertEqual(refusal_of(self.wire.ask(call(f"/_link/secret/bot/bot{BOT}/getMe", method="PUT"))), (405, "bad-request"))
        self.assert_nothing_left()

    def test_an_unknown_path_a_wrong_secret_and_a_lost_name_are_one_answer(self):
        answers = {self.wire.ask(call(path)) for path in (
            "/_link/none", "/_link/secret/none/x", f"/_link/secret/bot{BOT}x/getMe", "/_link/s/", "/_link/s/none/mcp/x",
            f"/_link/s/{'s' * 43}/mcp/x", f"/_link/s/{'s' * 42}x/mcp/x", "/_link/secret", "/_link/")}
        self.assertEqual(len(answers), 1, answers)
        self.assertEqual(refusal_of(answers.pop()), (404, "no-such-verb"))
        self.assert_nothing_left()

    def test_an_upgrade_is_refused(self):
        fields = bearer() + "Upgrade: websocket\r\n"
        raw = call("/_link/secret/key/hello", fields).replace(b"Connection: close", b"Connection: upgrade, close")
        self.assertEqual(refusal_of(self.wire.ask(raw)), (426, "no-upgrade"))
        self.assert_nothing_left()

    def test_the_secrets_host_is_reached_in_no_other_way(self):
        answer = self.wire.ask(f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}:443\r\n\r\n".encode())
        self.assertEqual(refusal_of(answer), (403, "host-not-listed"))
        self.assert_nothing_left()

    # ---- what comes back ----

    def test_a_redirect_is_neither_followed_nor_rewritten(self):
        self.net.set_reply(HOST, "/hello", reply("302 Found", "Location: https://other.test/x?y=1\r\nSet-Cookie: s=1\r\n"))
        answer = self.wire.ask(call("/_link/secret/key/hello", bearer()))
        self.assertEqual((status_of(answer), field_of(answer, "Location")), (302, "https://other.test/x?y=1"))
        self.assertIsNone(field_of(answer, "Set-Cookie"))
        self.assertEqual(self.net.queries("other.test"), [])

    def test_an_error_of_the_host_passes_as_it_is(self):
        self.net.set_reply(HOST, "/hello", reply("404 Not Found", "X-Why: no\r\n", b'{"ok":false}'))
        answer = self.wire.ask(call("/_link/secret/key/hello", bearer()))
        self.assertEqual((status_of(answer), field_of(answer, "X-Why"), body_of(answer)), (404, "no", b'{"ok":false}'))
        self.assertIsNone(field_of(answer, "Link-Refused"))

    def test_a_reply_whose_head_holds_the_secret_is_refused(self):
        for fields in (f"Location: https://{HOST}/x?k={KEY}\r\n", f"X-Debug: {KEY.replace('/', '%2F').replace('+', '%2B')}\r\n",
                       f"X-Debug: {base64.b64encode(('u:' + KEY).encode()).decode()}\r\n", f"X-{KEY[:6]}: {KEY}\r\n"):
            self.net.set_reply(HOST, "/hello", reply("200 OK", fields, b"x"))
            answer = self.wire.ask(call("/_link/secret/key/hello", bearer()))
            self.assertEqual(refusal_of(answer), (502, "upstream"), fields)
            self.assertNotIn(KEY.encode(), answer)

    def test_a_body_that_holds_the_secret_is_cut_before_it(self):
        for echo in (KEY, KEY.replace("/", "\\/"), base64.b64encode(KEY.encode()).decode(), KEY.replace("+", "%2B"), KEY.replace("/", "&#x2F;"),
                     "".join(f"\\u{ord(c):04x}" for c in KEY)):
            for before in (0, 10, 16_380, 16_384, 100_000):
                raw = reply(body=b"a" * before + b'{"key":"' + echo.encode() + b'"}')
                self.net.set_reply(HOST, "/hello", raw)
                answer = self.wire.ask(call("/_link/secret/key/hello", bearer()))
                self.assertEqual(status_of(answer), 200)
                self.assertNotIn(echo[:12].encode(), answer)
                self.assertLess(len(body_of(answer)), len(body_of(raw)))
        with SecretWire({"key": (HEADER, RANDOM, KEY)}) as wire:
            wire.ask(call("/_link/secret/key/hello", bearer()))
            # 200 went out, so that is what is logged.
            self.assertEqual([wire.closed_calls(1)[0][key] for key in ("reason", "status")], ["upstream", 200])

    def test_a_reply_that_is_encoded_though_asked_not_to_be_is_refused(self):
        self.net.set_reply(HOST, "/hello", reply("200 OK", "Content-Encoding: gzip\r\n", b"x"))
        self.assertEqual(refusal_of(self.wire.ask(call("/_link/secret/key/hello", bearer()))), (502, "upstream"))
        self.net.set_reply(HOST, "/hello", reply("200 OK", "Content-Encoding: identity\r\n", b"x"))
        self.assertEqual(status_of(self.wire.ask(call("/_link/secret/key/hello", bearer()))), 200)

    def test_a_reply_that_is_cut_is_no_whole_reply(self):
        self.net.set_reply(HOST, "/hello", reply(body=b"hal\n", length=8))
        with SecretWire({"key": (HEADER, RANDOM, KEY)}) as wire:
            answer = wire.ask(call("/_link/secret/key/hello", bearer()))
            self.assertEqual([wire.closed_calls(1)[0][key] for key in ("reason", "status")], ["upstream", 200])
        self.assertEqual((status_of(answer), field_of(answer, "Content-Length"), body_of(answer)), (200, "8", b"hal\n"))
        # Without a length an end is one only where TLS says so, which this server does not.
        self.net.set_reply(HOST, "/hello", b"HTTP/1.1 200 OK\r\n\r\nuntil the end")
        answer = self.wire.ask(call("/_link/secret/key/hello", bearer()))
        self.assertFalse(answer.endswith(b"0\r\n\r\n"), answer)

    def test_a_reply_that_is_no_http_is_refused(self):
        for raw in (b"", b"hello\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
                    b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"):
            self.net.set_reply(HOST, "/hello", raw)
            self.assertEqual(refusal_of(self.wire.ask(call("/_link/secret/key/hello", bearer()))), (502, "upstream"), raw)


class WrongServerTest(unittest.TestCase):
    """The host is not who it must be: nothing of the request, the secret least of all, is sent to it."""

    def setUp(self):
        capability.need("rig")
        self.net = client.Internet()
        self.net.reset()

    def refused(self, host):
        with SecretWire({"key": ({**HEADER, "host": host}, RANDOM, KEY)}) as wire:
            answer = wire.ask(call("/_link/secret/key/hello", bearer()))
        self.assertNotIn(KEY, answer.decode() + wire.stderr)
        self.assertEqual(self.net.requests(), [])
        return refusal_of(answer), body_of(answer).decode()

    def test_a_certificate_for_another_name_is_refused(self):
        self.net.set_name("unnamed.test", ["93.184.215.90"])
        refusal, words = self.refused("unnamed.test")
        self.assertEqual(refusal, (502, "upstream"))
        self.assertIn("hostname mismatch", words.lower())

    def test_a_certificate_that_has_run_out_is_refused(self):
        self.net.set_name("late.test", ["93.184.215.91"])
        self.net.issue(["late.test"], days=-1)
        refusal, words = self.refused("late.test")
        self.assertEqual(refusal, (502, "upstream"))
        self.assertIn("expired", words)

    def test_its_twin_with_a_good_certificate_is_reached(self):
        self.net.set_name("good.test", ["93.184.215.92"])
        self.net.issue(["good.test"])
        with SecretWire({"key": ({**HEADER, "host": "good.test"}, RANDOM, KEY)}) as wire:
            self.assertEqual(status_of(wire.ask(call("/_link/secret/key/hello", bearer()))), 200)

    def test_an_authority_that_the_machine_does_not_trust_is_refused(self):
        store = client.TRUST_FILE
        with open(store, encoding="ascii") as file:
            whole = file.read()
        first = whole[:whole.index("-----END CERTIFICATE-----") + 26]
        try:
            with open(store, "w", encoding="ascii") as file:
                file.write(first)
            refusal, _ = self.refused(HOST)
        finally:
            with open(store, "w", encoding="ascii") as file:
                file.write(whole)
        self.assertEqual(refusal, (502, "upstream"))

    def test_a_host_that_resolves_to_this_machine_is_refused(self):
        for name in ("loopback.test", "private.test", "metadata.test"):
            refusal, _ = self.refused(name)
            self.assertEqual(refusal, (403, "closed-address"), name)
            self.assertEqual(self.net.connections(), [])

    def test_a_host_without_an_address_is_a_failed_upstream(self):
        refusal, _ = self.refused("absent.test")
        self.assertEqual(refusal, (502, "upstream"))


class PoorerKernelTest(unittest.TestCase):
    """What TLS makes at its first connection it makes in a confined process, whichever way that is confined."""

    def test_a_call_works_the_same_where_the_kernel_has_no_landlock(self):
        capability.need("rig")
        trees = (os.path.join(BUILT, "..", ".."), os.environ.get("LNK_BUILD", os.path.join(TREE, "build", "release")))
        poorer = next((path for tree in trees if os.path.exists(path := os.path.join(tree, "bin", "poorer_kernel"))), None)
        if poorer is None:
            capability.lack("poorer_kernel", "it is not built")
        for what in ("landlock", "landlock-off"):
            net = client.Internet()
            net.reset()
            with SecretWire({"key": (HEADER, RANDOM, KEY)}, prefix=(poorer, what, "--")) as wire:
                self.assertEqual(status_of(wire.ask(call("/_link/secret/key/hello", bearer()))), 200)
                self.assertEqual(refusal_of(wire.ask(call("/_link/secret/key/hello"))), (401, "wrong-placeholder"))
            self.assertEqual(len(net.requests(HOST)), 1)


class LoadingTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")

    def failure(self, verbs, mode=0o600, text="{}\n" + KEY, number=FIRST_HANDLE_FD):
        """What the wire says that does not start."""
        fd = kept(text, mode)
        self.addCleanup(os.close, fd)
        with Wire({}, more={"verbs": verbs, "handles": {"secret:key": number}}, give_listener=False, fds={FIRST_HANDLE_FD: fd}) as wire:
            said = wire.control.recv(4096)
        self.assertNotIn(KEY, said.decode() + wire.stderr)
        return json.loads(said)["failed"]

    def test_a_value_that_others_may_read_ends_the_wire_in_words(self):
        self.assertIn("mode 0600", self.failure([verb({"key": (HEADER, RANDOM)})], mode=0o644))

    def test_a_value_that_is_not_kept_whole_ends_the_wire_in_words(self):
        for text in ("", KEY, "{}", "{}\n", "\n" + KEY, "{}\n\n" + KEY, "{}\n" + KEY + "\n", "{}\n" + "k" * 4097, "{}\n" + "k" * 70_000):
            with self.subTest(text[:80]):
                self.assertIn("the value of secret:key", self.failure([verb({"key": (HEADER, RANDOM)})], text=text))
        self.assertIn("the value of secret:key", self.failure([verb({"key": (HEADER, RANDOM)})], number=FIRST_HANDLE_FD + 1))
        for number in (4, 0, -1, FIRST_HANDLE_FD + 80, "/etc/passwd"):
            with self.subTest(number):
                self.assertIn("a handle without a descriptor", self.failure([verb({"key": (HEADER, RANDOM)})], number=number))

    def test_a_verb_that_declares_more_than_it_is_granted_ends_the_wire_in_words(self):
        other = [{"host": "other.test", "port": 443, "handles": []}]
        self.assertIn("verb-secret can't be loaded: declares api.test:443, which the spec does not grant it",
                      self.failure([verb({"key": (HEADER, RANDOM)}, upstreams=other)]))

    def test_a_changed_file_ends_the_wire_in_words(self):
        self.assertIn("verb-secret can't be loaded", self.failure([{**verb({"key": (HEADER, RANDOM)}), "sha256": "0" * 64}]))

    def test_a_configuration_that_the_verb_refuses_ends_the_wire_in_words(self):
        self.assertIn("rule: 'host'", self.failure([verb({"key": ({**HEADER, "host": "*"}, RANDOM)})]))

    def test_two_verbs_that_claim_one_route_are_both_left_out_and_named(self):
        one = verb({"key": (HEADER, RANDOM)})
        with SecretWire({"key": (HEADER, RANDOM, KEY)}, verbs=[one, one]) as wire:
            self.assertEqual(refusal_of(wire.ask(call("/_link/secret/key/hello", bearer()))), (404, "no-such-verb"))
        self.assertIn("verbs verb-secret and verb-secret both claim /_link/secret/", wire.stderr)


if __name__ == "__main__":
    unittest.main()
