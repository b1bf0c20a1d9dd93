#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""lnk-modcheck on sound and on broken modules: which of its checks fails on which."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, BUILD, SOURCE = sys.argv.pop(1), sys.argv.pop(1), sys.argv.pop(1)
FIXTURES = os.path.join(BUILD, "tests", "modules")
MODULES = os.path.join(BUILD, "lib", "lnk-sandbox", "modules")
RULES = os.path.join(SOURCE, "modules", "verb-secret", "rules")

# What each broken module fails, and a word of why. Where "load" or "create" fails, nothing after it is run.
FAILS = {
    "good": {},
    "two_symbols": {"exports": "fixture_second_symbol"},
    "no_symbol": {"load": "exports no symbol lnk_module_v1"},
    "other_major": {"load": "made for SDK 2.0"},
    "no_note": {"load": "no note of owner 'lnk'"},
    "other_schema": {"schema": "the schema of its note is not the one of its table"},
    "two_schemas": {"schema": "two notes of owner 'lnk' and type 2"},
    "probe_fails": {"probe": "the probe broke"},
    "create_fails": {"create": "the moon is not full", "failed-create": None},
    "config_refused": {"create": "no key is right"},
    "create_throws": {"create": "thrown by create"},
    "no_verb_table": {"declares": "no table lnk.verb/1"},
    "event_fails": {"wrong-ids": "the end of a call was refused", "gone": "the event broke"},
    "unknown_action": {"unknown-event": "went well", "gone": "an action of the unknown kind 4711"},
    "crashes": {"unknown-event": "Segmentation fault", "short-event": "went well", "gone": "Segmentation fault"},
    "waits": {"blocking": "at most 50 ms"},
}


def check(file, *options):
    done = subprocess.run(
        [PROGRAM, "--json", *options, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120
    )
    return done, json.loads(done.stdout) if done.stdout else None


def bad(report):
    return {c["check"]: c["words"] for c in report["checks"] if c["result"] not in ("pass", "none")}


class Modcheck(unittest.TestCase):
    def test_each_fixture_fails_what_it_breaks(self):
        for fixture, wanted in FAILS.items():
            with self.subTest(fixture):
                done, report = check(os.path.join(FIXTURES, fixture, "verb-fixture.so"), "--sequences", "2")
                found = bad(report)
                self.assertEqual(done.returncode, 1 if wanted else 0, found)
                self.assertEqual(report["passed"], not wanted)
                if not wanted:
                    self.assertEqual(found, {})
                if "load" in wanted or "create" in wanted:
                    self.assertEqual(len(found), 1, found)
                    continue
                for name, words in wanted.items():
                    self.assertIn(name, found)
                    self.assertIn(words, found[name])

    def test_the_shipped_verb_passes_with_its_configuration_and_not_without(self):
        with open(os.path.join(RULES, "telegram.json"), encoding="utf-8") as file:
            rule = json.load(file)
        secret = {"name": "telegram", "placeholder": "123456:" + "A" * 35, "rule": rule}
        config = json.dumps({"secrets": [secret]}, separators=(",", ":"), sort_keys=True)
        file = os.path.join(MODULES, "verb-secret.so")
        done, report = check(file, "--config", config)
        self.assertEqual((done.returncode, bad(report)), (0, {}))
        done, report = check(file)
        self.assertEqual(done.returncode, 1)
        self.assertIn("give a configuration that it takes with --config", bad(report)["create"])

    def test_the_shipped_os_module_passes(self):
        done, report = check(os.path.join(MODULES, "os-linux.so"))
        self.assertEqual((done.returncode, bad(report)), (0, {}))

    def test_a_script_is_run_and_its_fault_is_told(self):
        file = os.path.join(FIXTURES, "good", "verb-fixture.so")
        step = {"event": "head", "call": 1, "expect": [{"action": "answer", "status": 200, "body": "sound\n"}]}
        for status, code in ((200, 0), (201, 1)):
            step["expect"][0]["status"] = status
            with tempfile.NamedTemporaryFile("w", suffix=".json") as script:
                json.dump({"name": "one", "steps": [step]}, script)
                script.flush()
                done, report = check(file, "--sequences", "0", "--script", script.name)
            self.assertEqual(done.returncode, code)
            if code:
                self.assertIn("one: step 1: action 1: 'status' is 200, and 201 is expected", bad(report)["scripts"])

    def test_a_seed_reproduces_what_it_found(self):
        file = os.path.join(FIXTURES, "event_fails", "verb-fixture.so")
        words = bad(check(file, "--seed", "7")[1])["sequences"]
        self.assertIn("--seed 7 --sequences 1", words)
        self.assertEqual(bad(check(file, "--seed", "7", "--sequences", "1")[1])["sequences"], words)

    def test_a_wrong_command_line_is_exit_2(self):
        for arguments in ([], ["--moon"], ["--seed"], ["--seed", "x", "y.so"], ["/nowhere/x.so"], ["--json", "a", "b"]):
            done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr.startswith("lnk-modcheck: "), done.stderr)


unittest.main()
