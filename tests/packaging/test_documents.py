# SPDX-License-Identifier: Apache-2.0
"""The man page and the completions name every command and flag that the program has, and none that it lacks."""

import json
import os
import re
import subprocess
import tempfile
import unittest

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("LNK_BIN", os.path.join(TREE, "out", "bin", "lnk-sandbox"))
LATER = "Not in this version"


def help_of(*command):
    return subprocess.run([BIN, *command, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(text):
    """The words at the beginning of the lines below "Subcommands:"."""
    part = text.split("Subcommands:\n", 1)
    return re.findall(r"^  ([a-z-]+) ", part[1], re.MULTILINE) if len(part) == 2 else []


def flags_of(text):
    return {flag for line in text.splitlines() if LATER not in line for flag in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", line)}


def all_commands():
    for name in commands_of(help_of()):
        yield (name,)
        for below in commands_of(help_of(name)):
            yield (name, below)


def read(*parts):
    with open(os.path.join(TREE, *parts), encoding="utf-8") as file:
        return file.read()


class Documents(unittest.TestCase):
    def setUp(self):
        self.flags = flags_of(help_of()) | {flag for command in all_commands() for flag in flags_of(help_of(*command))}
        self.names = {word for command in all_commands() for word in command}

    def test_the_man_page_has_every_command_and_flag(self):
        page = read("packaging", "lnk-sandbox.1")
        for flag in self.flags - {"--help", "--version"}:
            self.assertIn("Fl -" + flag.removeprefix("--"), page)
        for name in self.names:
            self.assertRegex(page, rf"(Cm|\|) [a-z |]*{name}\b", name)

    def test_the_completions_have_every_command_and_flag(self):
        for file in ("lnk-sandbox.bash", "_lnk-sandbox"):
            text = read("packaging", "completions", file)
            for word in self.flags | self.names:
                self.assertIn(word, text, file)
        fish = read("packaging", "completions", "lnk-sandbox.fish")
        for flag in self.flags:
            self.assertIn("-l " + flag.removeprefix("--"), fish)
        for name in self.names:
            self.assertRegex(fish, rf"\b{name}\b")

    def test_the_completions_and_the_man_page_have_every_shipped_rule(self):
        rules = {name.removesuffix(".json") for name in os.listdir(os.path.join(TREE, "modules/verb-secret/rules")) if not name.endswith(".schema.json")}
        self.assertIn("telegram", rules)
        for parts in (("completions", "lnk-sandbox.bash"), ("completions", "_lnk-sandbox"), ("completions", "lnk-sandbox.fish"), ("lnk-sandbox.1",)):
            words = set(re.findall(r"[a-z]+", read("packaging", *parts)))
            self.assertLessEqual(rules, words, parts)

    def test_no_document_names_a_flag_that_is_not_there(self):
        known = self.flags | {"--"}
        for text in (read("packaging", "completions", "lnk-sandbox.bash"), read("packaging", "completions", "_lnk-sandbox")):
            self.assertLessEqual(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)), known)
        page = read("packaging", "lnk-sandbox.1")
        self.assertLessEqual({"--" + flag for flag in re.findall(r"Fl -([a-z][a-z-]*)", page)}, known)

    def test_the_schema_that_is_installed_is_the_one_that_is_printed(self):
        printed = subprocess.run([BIN, "schema"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(json.loads(printed), json.loads(read("host", "spec", "spec.schema.json")))

    def test_the_specs_in_the_documents_can_be_held(self):
        specs = re.findall(r"```toml\n(.*?)```", read("README.md"), re.DOTALL)
        specs += re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", read("packaging", "lnk-sandbox.1"), re.DOTALL | re.MULTILINE)
        self.assertEqual(len(specs), 2)
        with tempfile.TemporaryDirectory() as home:
            os.makedirs(os.path.join(home, "src", "lib", "bin"))
            os.makedirs(os.path.join(home, "src", "app", "private"))
            environment = {**os.environ, "HOME": home, "LNK_HOME": os.path.join(home, ".config", "link")}
            for kept in (("secret", "add", "telegram", "--rule", "telegram"), ("key", "add", "anthropic"), ("tool", "add", "files", "--", "true")):
                added = subprocess.run([BIN, *kept], input="123456:a-value-of-no-bot", env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(added.returncode, 0, added.stderr)
            for number, text in enumerate(specs):
                spec = os.path.join(home, f"spec{number}.toml")
                with open(spec, "w", encoding="utf-8") as file:
                    file.write(text)
                described = subprocess.run([BIN, "describe", "--spec", spec], env=environment, capture_output=True, text=True, check=False)
                self.assertEqual(described.returncode, 0, described.stderr)
                self.assertIn(os.path.join(home, "src", "app"), described.stdout)


if __name__ == "__main__":
    unittest.main()
