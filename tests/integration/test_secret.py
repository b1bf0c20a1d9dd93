# SPDX-License-Identifier: Apache-2.0
"""A secret is put in outside: the program holds a placeholder, the one host sees the secret, the reply never has it."""

import json
import os
import unittest

import product
from product import each_person

SECRET = "s3cr3t-value-4711-with-some-length"
RULE = {"host": "api.test", "methods": ["GET", "POST"], "paths": ["/v1/{name}", "/echo"], "refuse": ["/v1/delete"],
        "header": {"name": "Authorization", "value": "Bearer {secret}"}}
CALL = ("curl -sS --path-as-is -w '%{http_code}\\n' \"$LNK_SECRET_DEMO_URL/PATH\" -H \"Authorization: Bearer ${HELD:-$LNK_SECRET_DEMO}\"")


class Secrets(product.ProductTest):
    def kept(self):
        rule = self.place.write("rule.json", json.dumps(RULE))
        self.assert_done(self.place.lnk("secret", "add", "demo", "--rule", rule, stdin=SECRET + "\n"))
        return self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[secrets]\nuse = ["demo"]\n')

    def call(self, spec, path, before=""):
        return self.place.shell(before + CALL.replace("PATH", path), "--spec", spec, "--yes")

    @each_person
    def test_the_host_gets_the_secret_and_the_program_a_placeholder(self):
        spec = self.kept()
        self.assert_started(self.call(spec, "v1/hello"), "hello from api.test\n200\n")
        request, = self.net.requests("api.test")
        fields = {name.lower(): value for name, value in request["fields"]}
        self.assertEqual((fields["authorization"], request["tls"], request["target"]), (f"Bearer {SECRET}", True, "/v1/hello"))
        done = self.place.shell("env; cat /proc/self/environ", "--spec", spec)
        self.assertIn("LNK_SECRET_DEMO=", done.stdout)
        self.assertNotIn(SECRET, done.stdout)

    @each_person
    def test_paths_and_placeholders_that_are_not_right_are_refused(self):
        spec = self.kept()
        for path in ("v1/delete", "v2/hello", "v1/a/../b", "v1/%68ello"):
            done = self.call(spec, path)
            self.assert_started(done)
            self.assertEqual(done.stdout.splitlines()[-1], "403", path)
        done = self.call(spec, "v1/hello", before="HELD=wrong; ")
        self.assert_started(done)
        self.assertEqual(done.stdout.splitlines()[-1], "401")
        self.assertEqual(self.net.requests(), [])
        self.assertEqual(self.net.queries(), [])

    @each_person
    def test_overrides_and_other_credentials_do_not_arrive_in_either_spelling(self):
        spec = self.kept()
        names = ("X_HTTP_Method_Override", "X-HTTP-Method-Override", "X_Api_Key", "X-Api_Key", "X_Original_URL", "X_Forwarded_Host", "COOKIE")
        more = "".join(f" -H '{name}: DELETE'" for name in names) + " -H 'X_Kept: kept'"
        done = self.place.shell(CALL.replace("PATH", "v1/hello") + more, "--spec", spec, "--yes")
        self.assert_started(done, "hello from api.test\n200\n")
        request, = self.net.requests("api.test")
        self.assertIn(["X_Kept", "kept"], [list(field) for field in request["fields"]])
        self.assertNotIn(b"DELETE", request["raw"])

    @each_person
    def test_a_reply_that_echoes_the_secret_is_cut(self):
        spec = self.kept()
        done = self.call(spec, "echo")
        self.assert_started(done)
        self.assertEqual(len(self.net.requests("api.test")), 1)
        self.assertNotIn(SECRET, done.stdout + done.stderr)

    @each_person
    def test_the_secrets_host_is_reached_in_no_other_way(self):
        spec = self.kept()
        done = self.place.shell("curl -sS -o /dev/null -w '%{http_connect}\\n' https://api.test/", "--spec", spec, "--yes")
        self.assert_started(done, "403\n")
        self.assertEqual(self.net.connections(), [])

    @each_person
    def test_a_secret_is_listed_without_its_value_and_removed(self):
        spec = self.kept()
        listed = self.place.lnk("secret", "list", "--json")
        self.assertIn("demo", json.dumps(json.loads(listed.stdout)))
        self.assertNotIn(SECRET, listed.stdout)
        value = os.path.join(self.place.settings, "secrets", "demo", "value")
        self.assertEqual(os.stat(value).st_mode & 0o777, 0o600)
        self.assert_done(self.place.lnk("secret", "remove", "demo"))
        self.assertFalse(os.path.exists(value))
        self.assert_refused(self.call(spec, "v1/hello"), "demo")


if __name__ == "__main__":
    unittest.main()
