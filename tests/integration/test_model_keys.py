# SPDX-License-Identifier: Apache-2.0
"""Keys of hosted models: kept outside for one host, named by a spec, a placeholder inside."""

import json
import os
import stat
import unittest

import product
from product import each_person
from terminal import TerminalTest

KEY = "sk-test-4711-a-key-of-no-one"
OTHER = "sk-test-4712-another-key-of-no-one"


class KeyTest(product.ProductTest):
    def add(self, provider, *flags, key=KEY):
        return self.place.lnk("key", "add", provider, *flags, stdin=key + "\n")

    def model(self, *lines, providers=("anthropic",), more=""):
        """A spec that names providers."""
        named = ", ".join(f'"{name}"' for name in providers)
        return self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[model]\nproviders = [{named}]\n' + "".join(line + "\n" for line in lines) + more)

    def all_settings(self):
        """What stands in the settings, but for the keys themselves."""
        for folder, _, files in os.walk(self.place.settings):
            for name in files:
                if os.path.basename(folder) == "keys":
                    continue
                with open(os.path.join(folder, name), "rb") as file:
                    yield file.read()


class Keeping(KeyTest):
    @each_person
    def test_a_key_is_kept_for_its_providers_host_and_shown_nowhere(self):
        added = self.add("anthropic")
        self.assert_done(added)
        self.assertIn("goes to api.anthropic.com alone", added.stderr)
        kept = os.path.join(self.place.settings, "keys", "anthropic")
        self.assertEqual(stat.S_IMODE(os.stat(kept).st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(kept)).st_mode), 0o700)
        self.assertEqual(os.stat(kept).st_uid, os.stat(self.place.settings).st_uid)
        self.assertEqual(os.listdir(os.path.dirname(kept)), ["anthropic"])
        with open(kept, encoding="ascii") as file:
            self.assertEqual(file.read(), '{"host":"api.anthropic.com","provider":"anthropic"}\n' + KEY)
        listed, words = self.place.lnk("key", "list", "--json"), self.place.lnk("key", "list")
        self.assertEqual(json.loads(listed.stdout), [{"provider": "anthropic", "host": "api.anthropic.com", "fault": ""}])
        self.assertEqual(words.stdout, "anthropic  for api.anthropic.com\n")
        replaced = self.add("anthropic", key=OTHER)
        self.assertIn("replaces the one before it", replaced.stderr)
        for done in (added, listed, words, replaced):
            self.assertNotIn("sk-test", done.stdout + done.stderr)
        self.assertFalse(any(b"sk-test" in text for text in self.all_settings()))
        self.assert_done(self.place.lnk("key", "remove", "anthropic"))
        self.assertFalse(os.path.exists(kept))
        self.assert_refused(self.place.lnk("key", "remove", "anthropic"), "no key of anthropic is kept")
        self.assertEqual(self.place.listing("key", "list"), [])

    @each_person
    def test_the_host_of_a_resource_or_region_is_named(self):
        for provider, flags, host in (("azure", ("--resource", "my-app"), "my-app.openai.azure.com"),
                                      ("azure", ("--resource", "my-app.services.ai.azure.com"), "my-app.services.ai.azure.com"),
                                      ("bedrock", ("--region", "eu-central-1"), "bedrock-runtime.eu-central-1.amazonaws.com"),
                                      ("vertex", ("--region", "europe-west4"), "europe-west4-aiplatform.googleapis.com"),
                                      ("vertex", ("--region", "global"), "aiplatform.googleapis.com")):
            with self.subTest(flags=flags):
                self.assert_done(self.add(provider, *flags))
                self.assertIn({"provider": provider, "host": host, "fault": ""}, self.place.listing("key", "list"))

    @each_person
    def test_slips_are_answered_with_what_to_do(self):
        for words, said in ((("add", "opanai"), 'did you mean "openai"?'),
                            (("add", "azure"), "name one by --resource"),
                            (("add", "vertex"), "name one by --region"),
                            (("add", "azure", "--region", "x"), "which takes --resource"),
                            (("add", "openai", "--resource", "x"), "whose host is api.openai.com"),
                            (("add", "azure", "--resource", "evil.example/"), "is no resource of azure"),
                            (("add", "bedrock", "--region", "us-east-1.evil.example"), "is no region of bedrock"),
                            (("add", "openai", KEY), "takes no"),
                            (("remove", "nobody"), "is no provider known; known are anthropic, "),
                            (("ad", "openai"), 'did you mean "key add"?'),
                            ((), "say what to do with keys")):
            with self.subTest(words=words):
                done = self.place.lnk("key", *words, stdin=KEY)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
                self.assertNotIn(KEY, done.stderr)
        self.assertEqual(self.place.listing("key", "list"), [])

    @each_person
    def test_what_can_be_no_key_is_refused_without_showing_it(self):
        for key in ("", "sk-te", "sk-test 4711", "sk-test\x014711", "sk-test-\u00e4", "sk-test-" + "x" * 5000, "sk-test\nsecond-line"):
            with self.subTest(key=key[:20]):
                done = self.add("openai", key=key)
                self.assertEqual(done.returncode, 125, done.stderr)
                self.assertNotIn("sk-te", done.stderr)
        self.assertEqual(self.place.listing("key", "list"), [])
        self.assert_done(self.add("openai", key="sk-test"))

    @each_person
    def test_a_file_that_is_not_whole_is_told_and_never_used(self):
        self.assert_done(self.add("groq"))
        kept = os.path.join(self.place.settings, "keys", "groq")
        for text in ('{"host":"evil.example","provider":"groq"}\n' + KEY, '{"host":"api.openai.com","provider":"openai"}\n' + KEY,
                     '{"host":"api.groq.com","provider":"groq"}', "", "\n" + KEY):
            with self.subTest(text=text[:40]):
                with open(kept, "w", encoding="ascii") as file:
                    file.write(text)
                entry, = self.place.listing("key", "list")
                self.assertIn("lnk-sandbox key add groq", entry["fault"])
                self.assert_refused(self.place.run("--model", "groq", "--", "true"), "key add groq")


class Typing(TerminalTest):
    @each_person
    def test_at_a_terminal_the_key_is_not_echoed(self):
        terminal = self.terminal()
        before = terminal.settings()
        self.start(terminal, command=self.place.command("key", "add", "openai"))
        terminal.until("The key, which is not shown: ")
        terminal.type(KEY + "\n")
        self.assertEqual(terminal.ended(), 0)
        terminal.rest()
        self.assertIn(b"the key of openai is kept", terminal.said)
        self.assertNotIn(b"sk-test", terminal.said)
        self.assertEqual(terminal.settings(), before)
        with open(os.path.join(self.place.settings, "keys", "openai"), encoding="ascii") as file:
            self.assertTrue(file.read().endswith("\n" + KEY))


class Naming(KeyTest):
    def refused(self, spec, *words):
        self.assert_refused(self.place.lnk("describe", "--spec", spec), *words)

    @each_person
    def test_a_provider_without_its_key_is_refused_where_it_is_named(self):
        self.refused(self.model(providers=("openai", "azure")), "spec.toml:4:14", "no key of openai is kept; add it with: lnk-sandbox key add openai < FILE",
                     "spec.toml:4:24", "lnk-sandbox key add azure --resource NAME < FILE")
        self.assert_refused(self.place.run("--model", "xai", "--", "true"), "the command line", "lnk-sandbox key add xai")
        done = self.place.run("--model", "opanai", "--", "true")
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "openai"?', done.stderr)

    @each_person
    def test_a_host_that_goes_around_is_refused_whoever_names_it(self):
        self.assert_done(self.add("openai"))
        for host in ("api.openai.com", "*.openai.com"):
            self.refused(self.model(providers=("openai",), more=f'[network]\nhosts = ["{host}"]\n'), "spec.toml:6:10", "the provider \"openai\"", "take it out")
        spec = self.model(providers=("openai",))
        self.assert_refused(self.place.run("--spec", spec, "--yes", "--host", "api.openai.com", "--", "true"), "the command line", "the provider \"openai\"")

    @each_person
    def test_variables_of_the_wires_own_are_not_set_by_a_spec(self):
        self.assert_done(self.add("openai"))
        self.refused(self.model(providers=("openai",), more='[env]\nset = { OPENAI_BASE_URL = "https://x" }\n'), "spec.toml:6:", "OPENAI_BASE_URL", "take it out")
        # Nor passed: the wire's own would stand, unsaid.
        for name in ("OPENAI_API_KEY", "HTTPS_PROXY", "LNK_WIRE"):
            self.refused(self.model(providers=("openai",), more=f'[env]\npass = ["{name}"]\n'), "spec.toml:6:", f'pass "{name}"', "take it out")

    @each_person
    def test_direct_and_models_of_nobody_are_refused(self):
        self.refused(self.model(more="[network]\ndirect = true\n"), "spec.toml:4:14", "[model] providers goes through the wire")
        self.refused(self.place.spec("[model]\nserver_tools = true\n"), "spec.toml:2:16", "[model] server_tools is of providers")

    @each_person
    def test_why_a_providers_host_is_not_reached(self):
        self.assert_done(self.add("anthropic"))
        answer = json.loads(self.place.lnk("why", "--spec", self.model(), "--json", "host", "api.anthropic.com").stdout)
        self.assertEqual((answer["allowed"], answer["rule"], answer["mend"]), (False, "model-host", None))
        self.assertIn("/_link/model/anthropic/", answer["words"])


class Granting(KeyTest):
    """With the verb itself."""

    def words(self, spec):
        described = json.loads(self.place.lnk("describe", "--spec", spec, "--json").stdout)
        return described, "\n".join(described["words"]), "\n".join(described["gaps"])

    @each_person
    def test_what_a_spec_opens_is_said(self):
        self.assert_done(self.add("anthropic"))
        described, words, gaps = self.words(self.model('models = ["claude-*"]'))
        self.assertEqual(described["grants"]["model"], {"local": [], "providers": [{"name": "anthropic", "host": "api.anthropic.com"}], "server_tools": False,
                                                        "models": ["claude-*"]})
        for line in ("models of anthropic at api.anthropic.com, by your key", 'the models "claude-*" alone', "but not  with the providers' own tools",
                     "but not  models that search by themselves"):
            self.assertIn(line, words)
        self.assertNotIn("unseen by the wire", gaps)
        described, words, gaps = self.words(self.model("server_tools = true", more='[network]\nhosts = ["*"]\n'))
        for line in ("any model of theirs", "with the providers' own tools left in", "models that search by themselves too"):
            self.assertIn(line, words)
        self.assertIn("server_tools = true", gaps)
        self.assertIn('hosts = ["*"] beside [model]', gaps)

    @each_person
    def test_what_is_asked_of_a_key_of_a_programs_own_is_warned_of(self):
        listed = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["api.anthropic.com", "example.com"]\n')
        wrapped = json.loads(self.place.lnk("wrap", "--spec", listed, "--approved", "--json", "--", "true").stdout)
        self.assertEqual(len(wrapped["warnings"]), 1)
        self.assertIn('[model] providers = ["anthropic"]', wrapped["warnings"][0])

    @each_person
    def test_a_placeholder_stands_inside_fresh_each_run_and_the_key_nowhere(self):
        self.assert_done(self.add("anthropic"))
        self.assert_done(self.add("openai"))
        spec = self.model(providers=("anthropic", "openai"), more='[env]\npass = ["ANTHROPIC_*"]\n')
        held = set()
        for _ in range(2):
            done = self.place.shell("env; cat /proc/self/environ", "--spec", spec, "--yes",
                                    environment={"ANTHROPIC_API_KEY": OTHER, "ANTHROPIC_AUTH_TOKEN": OTHER})
            self.assert_started(done)
            self.assertNotIn("sk-test", done.stdout + done.stderr)
            inside = dict(line.split("=", 1) for line in done.stdout.split("\n") if "=" in line and "\0" not in line)
            self.assertEqual(inside["ANTHROPIC_BASE_URL"], "http://127.0.0.1:40781/_link/model/anthropic")
            self.assertEqual(inside["OPENAI_BASE_URL"], "http://127.0.0.1:40781/_link/model/openai/v1")
            self.assertNotIn("ANTHROPIC_AUTH_TOKEN", inside)
            held |= {inside["ANTHROPIC_API_KEY"], inside["OPENAI_API_KEY"]}
        self.assertEqual(len(held), 4)
        self.assertFalse(any(b"sk-test" in text for text in self.all_settings()))

    @each_person
    def test_a_key_for_another_host_is_asked_about_and_refused_to_a_kept_command(self):
        self.assert_done(self.add("azure", "--resource", "one"))
        spec = self.model(providers=("azure",))
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        wrapped = json.loads(self.place.lnk("wrap", "--spec", spec, "--json", "--", "true").stdout)
        launch = wrapped["argv"][1:]
        self.assert_done(self.place.lnk(*launch))
        self.assert_done(self.add("azure", "--resource", "one", key=OTHER))
        self.assert_done(self.place.lnk(*launch))
        self.assert_done(self.add("azure", "--resource", "two"))
        self.assert_refused(self.place.lnk(*launch), "snapshot-stale", "two.openai.azure.com", "one.openai.azure.com")
        self.assert_refused(self.place.run("--spec", spec, "--", "true"), "has not been approved since it changed", "new   asks     models of azure at two.openai.azure.com")


if __name__ == "__main__":
    unittest.main()
