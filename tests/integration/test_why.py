# SPDX-License-Identifier: Apache-2.0
"""why says what the running sandbox does, and names the line or the rule that decides; init makes a spec that can be held."""

import json
import os
import subprocess
import unittest

import product
from product import each_person

PROBE = ("for p in {paths}; do if cat \"$p\" >/dev/null 2>&1; then echo read; else echo no; fi;"
         " if (echo x >>\"$p\") 2>/dev/null; then echo write; else echo no; fi; done")


class Why(product.ProductTest):
    def why(self, spec, kind, value, **more):
        done = self.place.lnk("why", "--spec", spec, "--json", kind, value, **more)
        self.assert_done(done)
        answer = json.loads(done.stdout)
        self.assertEqual(set(answer), {"allowed", "asked", "mend", "rule", "where", "words"})
        self.assertEqual(answer["asked"], {"kind": kind, "value": value})
        return answer

    def prepared(self):
        for name in ("work/file", "read/file", "read/hidden/file", "read/hidden/open/file", "other/file", "settings/file", "read/.env"):
            self.place.folder(os.path.dirname(name))
            self.place.write(name, "words\n", mode=0o600)
        return self.place.spec(f'[files]\nread  = ["{self.place.path("read")}"]\nwrite = ["{self.place.work}",\n'
                               f'         "{self.place.path("read/hidden/open")}"]\nhide  = ["{self.place.path("read/hidden")}"]\n'
                               f'[network]\nhosts = ["allowed.test", "*.below.test:8443"]\n')

    @each_person
    def test_it_says_of_each_path_what_the_sandbox_does(self):
        spec = self.prepared()
        wanted = {"work/file": ("spec.toml:3:10", "spec.toml:3:10"), "read/file": ("spec.toml:2:10", "spec.toml:2:10"),
                  "read/hidden/file": ("spec.toml:5:10", "spec.toml:5:10"), "read/hidden/open/file": ("spec.toml:4:10", "spec.toml:4:10"),
                  "other/file": (None, None), "settings/file": (None, None), "read/.env": (None, None)}
        paths = [self.place.path(name) for name in wanted]
        done = self.place.shell(PROBE.format(paths=" ".join(paths)), "--spec", spec, "--yes")
        self.assert_started(done)
        seen = iter(done.stdout.split()[1:])
        for name, path in zip(wanted, paths):
            for number, kind in enumerate(("path", "write")):
                answer = self.why(spec, kind, path)
                self.assertEqual(answer["allowed"], next(seen) != "no", (name, kind, answer))
                where = wanted[name][number]
                self.assertEqual(answer["where"] and os.path.basename(answer["where"]), where, answer)
                self.assertEqual(answer["rule"] == "grant", where is not None, answer)
                self.assertEqual(answer["mend"] is None, answer["allowed"] or answer["rule"] == "settings", answer)

    @each_person
    def test_it_says_what_the_sandbox_does_over_a_table_of_places(self):
        spec = self.prepared()
        work = self.place.work
        for command in (("init", "-q"), ("config", "core.hooksPath", "scripts")):
            subprocess.run([*self.place.person.prefix, "git", *command], cwd=work, env=self.place.environment(HOME=self.place.root), check=True)
        for name in (".idea/inner", "scripts/hook", ".envrc", ".claude/settings.json", "HEAD", "lefthook.yml", "closed", "sealed/file"):
            self.place.folder("work", os.path.dirname(name))
            self.place.write(f"work/{name}", "words\n")
        self.place.give_all(work)
        os.chmod(self.place.path("work", "closed"), 0)
        os.chmod(self.place.path("work", "sealed"), 0o600)
        there = [f"{work}/{name}" for name in (".git/config", ".git/HEAD", ".idea/inner", "scripts/hook", ".envrc", ".claude/settings.json", "HEAD",
                                               "lefthook.yml", "closed", "sealed/file", "file")]
        there += [self.place.path(name) for name in ("read/file", "read/hidden/file", "read/hidden/open/file", "read/.env", "other/file", "settings/file")]
        there += ["/etc/shadow", "/etc/passwd", "/usr/bin/env", "/dev/null", "/dev/full", spec]
        if os.path.isdir("/etc/ssl/private"):
            there.append("/etc/ssl/private/none")
        missing = [f"{work}/{name}" for name in (".vscode/tasks.json", ".git/hooks/pre-commit", ".git/new", "scripts/new", "new", ".envrc2", "sealed/new")]
        missing += ["/tmp/new", "/usr/new", "/etc/new", os.path.join(self.place.person.home, "new-of-why"), self.place.path("read/new"), self.place.path("other/new")]
        probe = ("import os, sys\nprint('started')\n"
                 "for path in sys.argv[1:]:\n"
                 "  for flags in (os.O_RDONLY, os.O_WRONLY | os.O_CREAT):\n"
                 "    try: os.close(os.open(path, flags)); print(1)\n"
                 "    except OSError: print(0)\n")
        done = self.place.run("--spec", spec, "--yes", "--", "python3", "-c", probe, *there, *missing)
        self.assert_started(done)
        seen = iter(done.stdout.split()[1:])
        told = []
        for path in (*there, *missing):
            for kind in ("path", "write"):
                did = next(seen) == "1"
                if kind == "path" and path in missing:
                    continue  # nothing to be read, whatever is granted
                answer = self.why(spec, kind, path)
                if answer["allowed"] != did:
                    told.append((kind, path, did, answer["rule"], answer["words"]))
        self.maxDiff = None
        self.assertEqual(told, [])

    @each_person
    def test_of_what_is_held_it_names_the_key_that_opens_it(self):
        spec = self.prepared()
        work = self.place.work
        answer = self.why(spec, "write", f"{work}/.vscode/tasks.json")
        self.assertEqual((answer["allowed"], answer["rule"]), (False, "dot-files"))
        self.assertIn("an empty folder keeps the name", answer["words"])
        self.assertIn(f'[files] write_dot_files = ["{work}"]', answer["mend"])
        opened = self.place.spec(f'[files]\nwrite = ["{work}"]\nwrite_dot_files = ["{work}"]\n', "opened.toml")
        self.assertTrue(self.why(opened, "write", f"{work}/.vscode/tasks.json")["allowed"])

    @each_person
    def test_a_mend_is_one_that_would_be_taken(self):
        spec = self.prepared()
        for kind, value, words in (("write", "/", "the root can't be written"), ("write", self.place.person.home, "the home itself can't be written")):
            answer = self.why(spec, kind, value)
            self.assertFalse(answer["allowed"])
            self.assertIsNone(answer["mend"])
            self.assertIn(words, answer["words"])
        answer = self.why(spec, "path", self.place.path("other", "deep", "er"))
        self.assertIn(f'nearest folder that is there is "{self.place.path("other")}"', answer["words"])
        self.assertIn("make ", answer["mend"])
        answer = self.why(spec, "path", "/etc/shadow")
        may_read = subprocess.run([*self.place.person.prefix, "test", "-r", "/etc/shadow"], check=False).returncode == 0
        self.assertEqual(answer["mend"] is not None, may_read, answer)

    @each_person
    def test_a_program_named_by_its_path_is_told_by_its_path(self):
        spec = self.prepared()
        answer = self.why(spec, "program", "./no-such")
        self.assertIn(self.place.path("work", "no-such"), answer["words"])
        self.assertNotIn("PATH", answer["words"])
        self.place.write("work/there", "#!/bin/sh\n", 0o755)
        self.assertTrue(self.why(spec, "program", "./there")["allowed"])

    @each_person
    def test_what_it_names_as_the_mend_allows_it(self):
        spec = self.prepared()
        for name, kind in (("other/file", "path"), ("other/file", "write"), ("read/file", "write"), ("read/.env", "path")):
            answer = self.why(spec, kind, self.place.path(name))
            self.assertFalse(answer["allowed"])
            key = "write" if kind == "write" else "read"
            self.assertIn(f"[files] {key} = [", answer["mend"])
            mended = self.place.spec(f'[files]\nread = ["{self.place.path("read")}"]\n[linux.files]\n{answer["mend"].removeprefix("[files] ")}\n', "mended.toml")
            self.assertTrue(self.why(mended, kind, self.place.path(name))["allowed"], answer)

    @each_person
    def test_the_rules_of_every_sandbox_have_names(self):
        spec = self.prepared()
        for kind, value, rule, allowed in (
                ("path", "/usr/bin/env", "system", True), ("write", "/usr/bin/env", "system", False), ("path", "/etc/shadow", "system-private", False),
                ("path", "/proc/1/mem", "kernel-folders", False), ("write", "/tmp/x", "own-folders", True), ("path", "/tmp/x", "own-folders", False),
                ("path", "~/nothing", "empty-home", False), ("path", "/srv", "not-named", False), ("write", spec, "own-folders", True), ("path", spec, "empty-home", False), ("path", "/dev/null", "kernel-folders", True),
                ("host", "allowed.test", "grant", True), ("host", "allowed.test:22", "grant", False), ("host", "a.b.below.test:8443", "grant", True),
                ("host", "below.test:8443", "host-not-listed", False), ("host", "other.test", "host-not-listed", False),
                ("host", "10.0.0.1", "closed-addresses", False), ("host", "169.254.169.254", "closed-addresses", False),
                ("host", "localhost", "closed-addresses", False), ("program", "sh", "system", True), ("program", "no-such-program", "not-found", False)):
            answer = self.why(spec, kind, value)
            self.assertEqual((answer["rule"], answer["allowed"]), (rule, allowed), (kind, value, answer))

    @each_person
    def test_the_machines_own_network_opens_every_host_and_its_line_is_named(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\ndirect = true\n')
        for host in ("other.test", "10.0.0.1"):
            answer = self.why(spec, "host", host)
            self.assertEqual((answer["allowed"], answer["rule"], os.path.basename(answer["where"])), (True, "grant", "spec.toml:4:10"))
        self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assertEqual((self.why(spec, "host", "other.test")["rule"], self.why(spec, "host", "10.0.0.1")["rule"]), ("no-network", "closed-addresses"))

    @each_person
    def test_in_words_it_names_the_line_and_what_would_allow_it(self):
        spec = self.prepared()
        done = self.place.lnk("why", "--spec", spec, "write", self.place.path("read", "file"))
        self.assert_done(done)
        self.assertIn("refused  write", done.stdout)
        self.assertIn("spec.toml:2:10", done.stdout)
        self.assertIn("rying again won't help", done.stdout)
        self.assertIn("[files] write = [", done.stdout)
        done = self.place.lnk("why", "--spec", spec, "path", "read/../work/file", cwd=self.place.root)
        self.assert_done(done)
        self.assertIn("allowed  read", done.stdout)

    @each_person
    def test_it_approves_nothing_and_starts_nothing(self):
        spec = self.prepared()
        self.why(spec, "program", "sh")
        self.assert_refused(self.place.shell("true", "--spec", spec), "approve")

    @each_person
    def test_a_spec_that_can_not_be_held_and_a_wrong_question_are_errors(self):
        spec = self.place.spec('[files]\nread = ["/no/such/place"]\n')
        self.assert_done(self.place.lnk("why", "--spec", spec, "path", "/usr"), product.EXIT_REFUSED)
        self.assert_done(self.place.lnk("why", "--spec", self.prepared(), "colour", "/usr"), product.EXIT_USAGE)
        self.assert_done(self.place.lnk("why", "--spec", self.prepared(), "host", "*.test"), product.EXIT_USAGE)

    @each_person
    def test_a_host_is_told_with_the_ports_it_is_listed_with(self):
        spec = self.place.spec('[network]\nhosts = ["usual.test", "https.test:443", "two.test:8443", "two.test:80", "more.test", "more.test:8443"]\n')
        for host, said in (("usual.test", 'hosts = ["usual.test"] lists it;'), ("usual.test:22", 'hosts = ["usual.test"] lists it on other ports'),
                           ("https.test", 'hosts = ["https.test:443"] lists it;'), ("https.test:80", 'hosts = ["https.test:443"] lists it on'),
                           ("two.test:80", 'hosts = ["two.test:80", "two.test:8443"] lists it;'),
                           ("more.test:8443", 'hosts = ["more.test", "more.test:8443"] lists it;')):
            self.assertIn(said, self.why(spec, "host", host)["words"])


class Init(product.ProductTest):
    @each_person
    def test_what_it_makes_can_be_described_and_run(self):
        self.assert_done(self.place.lnk("init"))
        spec = self.place.path("work", "lnk-sandbox.toml")
        described = self.place.listing("describe", "--spec", spec)
        self.assertEqual([(file["access"], file["target"]) for file in described["grants"]["files"]], [("write", self.place.work)])
        self.assertEqual(described["name"], "work")
        script = f"echo x >new && echo written; echo x >>{spec} || echo refused"
        self.assert_started(self.place.shell(script, "--spec", "lnk-sandbox.toml", "--yes"), "written\nrefused\n")

    @each_person
    def test_one_that_is_there_stays_as_it_is(self):
        spec = self.place.write("work/lnk-sandbox.toml", "mine\n")
        self.assert_refused(self.place.lnk("init"), "there already")
        with open(spec, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine\n")

    @each_person
    def test_a_link_is_not_followed(self):
        os.symlink(self.place.path("elsewhere"), self.place.path("work", "lnk-sandbox.toml"))
        self.assert_refused(self.place.lnk("init"), "there already")
        self.assertFalse(os.path.exists(self.place.path("elsewhere")))

    @each_person
    def test_a_folder_that_no_spec_may_write_gets_none(self):
        home = self.place.person.home
        self.assert_refused(self.place.lnk("init", cwd=home), "home itself can't be written")
        self.assertFalse(os.path.exists(os.path.join(home, "lnk-sandbox.toml")))


if __name__ == "__main__":
    unittest.main()
