# SPDX-License-Identifier: Apache-2.0
"""A secret is put in outside: the program holds a placeholder, the one host sees the secret, the reply never has it."""

import json
import os
import shutil
import subprocess
import unittest

import product
from product import each_person

from rig import client

SECRET = "s3cr3t-value-4711-with-some-length"
RULE = {"host": "api.test", "methods": ["GET", "POST"], "paths": ["/v1/{name}", "/echo"], "refuse": ["/v1/delete"],
        "header": {"name": "Authorization", "value": "Bearer {secret}"}}
CALL = ("curl -sS --path-as-is -w '%{http_code}\\n' \"$LNK_SECRET_DEMO_URL/PATH\" -H \"Authorization: Bearer ${HELD:-$LNK_SECRET_DEMO}\"")


NEW, AT_GIT = "another-value-4712-of-the-same-length", {**RULE, "host": "git.test"}


class SecretTest(product.ProductTest):
    def add(self, value, rule):
        file = self.place.write("rule.json", json.dumps(rule))
        self.assert_done(self.place.lnk("secret", "add", "demo", "--rule", file, stdin=value + "\n"))

    def kept(self):
        self.add(SECRET, RULE)
        return self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[secrets]\nuse = ["demo"]\n')

    def sent(self):
        """Which host was sent what."""
        return [(request["host"], value) for request in self.net.requests() for name, value in request["fields"]
                if name.lower() == "authorization"]

    def call(self, spec, path, before=""):
        return self.place.shell(before + CALL.replace("PATH", path), "--spec", spec, "--yes")


class Secrets(SecretTest):
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
        more = "".join(f" -H '{name}: DELETE'" for name in names) + " -H 'X-Title: kept'"
        done = self.place.shell(CALL.replace("PATH", "v1/hello") + more, "--spec", spec, "--yes")
        self.assert_started(done, "hello from api.test\n200\n")
        request, = self.net.requests("api.test")
        self.assertIn(["X-Title", "kept"], [list(field) for field in request["fields"]])
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
        done = self.place.shell("curl -sS -o /dev/null -w '%{http_connect}\\n' https://api.test/; curl -sS http://api.test/ http://other.test/",
                                "--spec", spec, "--yes")
        self.assert_started(done)
        code, own, other = done.stdout.splitlines()[1:]
        self.assertEqual(code, "403")
        # A spec that listed it as well would be refused.
        self.assertIn("below /_link/ of the wire", own)
        self.assertNotIn("add", own)
        self.assertIn('add "other.test" to hosts', other)
        self.assertEqual(self.net.connections(), [])
        answer = json.loads(self.place.lnk("why", "--spec", spec, "--json", "host", "api.test").stdout)
        self.assertEqual((answer["allowed"], answer["rule"], answer["mend"]), (False, "secret-host", None))
        self.assertIn("/_link/secret/demo/", answer["words"])

    @each_person
    def test_a_secret_is_listed_without_its_value_and_removed(self):
        spec = self.kept()
        listed = self.place.lnk("secret", "list", "--json")
        self.assertIn("demo", json.dumps(json.loads(listed.stdout)))
        self.assertNotIn(SECRET, listed.stdout)
        kept = os.path.join(self.place.settings, "secrets", "demo")
        self.assertEqual(os.stat(kept).st_mode & 0o777, 0o600)
        self.assert_done(self.place.lnk("secret", "remove", "demo"))
        self.assertFalse(os.path.exists(kept))
        self.assert_refused(self.call(spec, "v1/hello"), "demo", "lnk-sandbox secret add demo --rule")

    # ---- a value goes with the rule it was added with, and no other ----

    def start_wire_behind(self, script):
        """A copy of the product that is the person's own, whose wire starts behind a script: what another process does
        between two steps of a start."""
        target = self.place.path("product")
        self.place.program = client.copy_program(product.BIN, target)
        wire = os.path.join(target, "lib", "lnk-sandbox", "wire")
        os.rename(wire, wire + ".own")
        with open(wire, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\nexport LNK_HOME='{self.place.settings}' HOME=/ PATH=/usr/bin:/bin\n{script}\nexec {wire}.own\n")
        os.chmod(wire, 0o755)
        self.place.give_all(target)

    def add_in_shell(self, value, rule):
        file = self.place.write("other.json", json.dumps(rule))
        return f"echo {value} | {product.BIN} secret add demo --rule {file} >/dev/null 2>&1 || exit 9"

    @each_person
    def test_a_value_that_is_replaced_while_the_wire_starts_is_never_sent_by_the_rule_before_it(self):
        remove = f"{product.BIN} secret remove demo >/dev/null 2>&1 || exit 9"
        for between in (":", self.add_in_shell(NEW, AT_GIT), remove + "; " + self.add_in_shell(NEW, AT_GIT)):
            with self.subTest(between):
                self.net.reset()
                spec = self.kept()
                self.start_wire_behind(between)
                self.assert_started(self.call(spec, "v1/hello"), "hello from api.test\n200\n")
                self.assertEqual(self.sent(), [("api.test", f"Bearer {SECRET}")])
                self.place.program = product.BIN
                shutil.rmtree(self.place.path("product"))

    @each_person
    def test_a_running_sandbox_keeps_the_rule_and_the_value_it_started_with(self):
        spec = self.kept()
        script = "echo started; read go; " + CALL.replace("PATH", "v1/hello")
        running = self.place.start("run", "--spec", spec, "--yes", "--", "sh", "-c", script, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(running.communicate)
        self.assertEqual(running.stdout.readline(), "started\n")
        self.add(NEW, AT_GIT)
        self.assertEqual(running.communicate("go\n")[0], "hello from api.test\n200\n")
        self.assertEqual(self.sent(), [("api.test", f"Bearer {SECRET}")])
        self.assert_started(self.call(spec, "v1/hello"))
        self.assertEqual(self.sent()[1:], [("git.test", f"Bearer {NEW}")])

    @each_person
    def test_a_store_that_is_not_whole_is_refused_in_words(self):
        spec = self.kept()
        kept = os.path.join(self.place.settings, "secrets", "demo")
        with open(kept, encoding="ascii") as file:
            rule, _, value = file.read().partition("\n")
        for text in ("", rule, rule + "\n", value, "{}\n" + value, rule + " \n" + value, rule + "\n" + value + "\n", rule + "\n\n" + value):
            with self.subTest(text):
                with open(kept, "w", encoding="ascii") as file:
                    file.write(text)
                self.assert_refused(self.call(spec, "v1/hello"), "lnk-sandbox secret add demo --rule")
                self.assertIn("can't be used", self.place.lnk("secret", "list").stdout)
        # As it was kept before: a folder with two files.
        os.unlink(kept)
        self.place.folder("settings", "secrets", "demo")
        for name, text in (("rule.json", rule), ("value", value)):
            self.place.write(f"settings/secrets/demo/{name}", text, mode=0o600)
        self.assert_refused(self.call(spec, "v1/hello"), "lnk-sandbox secret remove demo")
        self.assert_done(self.place.lnk("secret", "remove", "demo"))
        self.assertFalse(os.path.lexists(kept))
        self.assertEqual(self.sent(), [])
        self.add(SECRET, RULE)
        self.assert_started(self.call(spec, "v1/hello"), "hello from api.test\n200\n")

    # ---- what was approved is the rule, not the name ----

    @each_person
    def test_another_rule_under_an_approved_name_is_asked_about_with_the_difference(self):
        spec = self.kept()
        self.assert_started(self.call(spec, "v1/hello"))
        self.add(SECRET, {**RULE, "host": "git.test", "methods": ["GET", "DELETE"], "refuse": []})
        asks = self.place.shell(CALL.replace("PATH", "v1/hello"), "--spec", spec)
        self.assert_refused(asks, "has not been approved since it changed", "gone  uses     the secret \"demo\" at api.test",
                            "new   uses     the secret \"demo\" at git.test", "GET, DELETE", "gone  but not  the secret \"demo\" on v1/delete")
        described = self.place.listing("describe", "--spec", spec)
        self.assertFalse(described["approved"])
        self.assertEqual([(secret["name"], secret["rule"]["host"]) for secret in described["grants"]["secrets"]], [("demo", "git.test")])
        self.assertIn("git.test", " ".join(described["changes"]["new"]))
        self.assertEqual(len(self.sent()), 1)
        # The rule that was approved, again: nothing to ask.
        self.add(SECRET, RULE)
        self.assert_started(self.place.shell(CALL.replace("PATH", "v1/hello"), "--spec", spec), "hello from api.test\n200\n")

    @each_person
    def test_a_rule_with_another_note_alone_is_asked_about_too(self):
        spec = self.kept()
        self.assert_started(self.call(spec, "v1/hello"))
        self.add(SECRET, {**RULE, "source": "elsewhere"})
        self.assert_refused(self.place.shell("true", "--spec", spec), "has not been approved since it changed", "in words", "rule")

    @each_person
    def test_a_changed_value_under_the_same_rule_asks_nothing(self):
        spec = self.kept()
        self.assert_started(self.call(spec, "v1/hello"))
        wrapped = self.wrap(spec)
        # One rule is one text, however it was written.
        self.add(NEW, dict(reversed(RULE.items())))
        self.assert_started(self.place.shell(CALL.replace("PATH", "v1/hello"), "--spec", spec), "hello from api.test\n200\n")
        self.assertEqual(self.launch(wrapped).stdout, "hello from api.test\n200\n")
        self.assertEqual(self.sent(), [("api.test", f"Bearer {value}") for value in (SECRET, NEW, NEW)])

    def wrap(self, spec):
        done = self.place.lnk("wrap", "--spec", spec, "--json", "--", "sh", "-c", CALL.replace("PATH", "v1/hello"))
        self.assert_done(done)
        return json.loads(done.stdout)["argv"]

    def launch(self, argv):
        return subprocess.run([*self.place.person.prefix, *argv], cwd=self.place.work, env=self.place.environment(), text=True,
                              capture_output=True, timeout=product.RUN_TIMEOUT_S, stdin=subprocess.DEVNULL, check=False)

    @each_person
    def test_a_kept_command_is_refused_once_the_rule_is_another(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["git.test"]\n[secrets]\nuse = ["demo"]\n')
        self.add(SECRET, RULE)
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        wrapped = self.wrap(spec)
        self.assertEqual(self.launch(wrapped).stdout, "hello from api.test\n200\n")
        # Its host is now one that the snapshot lists, around any rule.
        self.add(NEW, AT_GIT)
        done = self.launch(wrapped)
        self.assertEqual((done.returncode, done.stdout), (product.EXIT_REFUSED, ""))
        self.assertIn("snapshot-stale: the rule of the secret \"demo\" is not the one", done.stderr)
        self.assert_refused(self.place.lnk("approve", "--spec", spec), "covers the host of the secret")
        self.assert_done(self.place.lnk("secret", "remove", "demo"))
        self.assertEqual(self.launch(wrapped).returncode, product.EXIT_REFUSED)
        self.assertEqual(self.sent(), [("api.test", f"Bearer {SECRET}")])

    @each_person
    def test_a_harness_names_the_rule_that_a_secret_must_have_been_added_with(self):
        spec = self.kept()
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        same = self.place.write("same.json", json.dumps(dict(reversed(RULE.items())), indent=4))
        wider = self.place.write("wider.json", json.dumps({**RULE, "refuse": []}))
        wrap = ("wrap", "--spec", spec, "--json")
        command = ("--", "sh", "-c", CALL.replace("PATH", "v1/hello"))
        done = self.place.lnk(*wrap, "--rule", f"demo={same}", *command)
        self.assert_done(done)
        self.assertEqual(self.launch(json.loads(done.stdout)["argv"]).stdout, "hello from api.test\n200\n")
        for rule, told in ((f"demo={wider}", ("another rule", f"lnk-sandbox secret add demo --rule {wider}")), (f"other={same}", ("other", "[secrets] use")),
                           ("demo=telegram", ("another rule",)), ("demo=none", ("no rule", "./none")), ("demo", ("NAME=FILE",)), ("demo=", ("NAME=FILE",))):
            with self.subTest(rule):
                self.assert_refused(self.place.lnk(*wrap, "--rule", rule, *command), *told)
        self.assertEqual(len(self.sent()), 1)

    # ---- what a person reads who slips ----

    @each_person
    def test_slips_are_answered_with_what_to_do(self):
        rule = self.place.write("rule.json", json.dumps(RULE))
        for words, told in ((("bogus",), ("bogus", "add, list or remove")), ((), ("add, list or remove",)),
                            (("add", "demo", "more", "--rule", rule), ("takes no value as an argument",)), (("list", "more"), ("more",)),
                            (("remove", "demo", "more"), ("more",))):
            done = self.place.lnk("secret", *words)
            self.assertEqual(done.returncode, product.EXIT_USAGE)
            for word in told:
                self.assertIn(word, done.stderr)
        for value in ("", "\n"):
            self.assert_refused(self.place.lnk("secret", "add", "demo", "--rule", rule, stdin=value), "standard input",
                                "lnk-sandbox secret add demo --rule", "< FILE")
        self.assert_refused(self.place.shell("true", "--secret", "demo"), "lnk-sandbox secret add demo --rule")
        self.assert_refused(self.place.lnk("secret", "remove", "demo"), "secret list")


if __name__ == "__main__":
    unittest.main()
