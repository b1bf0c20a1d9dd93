# SPDX-License-Identifier: Apache-2.0
"""What the command line says of itself: exit codes, help, and output that can't be written."""

import json
import os
import re
import stat
import unittest

import product
from product import each_person

MAN = os.path.join(product.TREE, "packaging", "lnk-sandbox.1")


class CommandLine(product.ProductTest):
    @each_person
    def test_a_wrong_command_line_is_2_in_every_command(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        for wrong, right in ((("run", "--name", "A B", "--", "true"), ("run", "--name", "a-b", "--", "true")),
                             (("run", "--", ""), ("run", "--", "true")),
                             (("log", "A B"), ("log",)),
                             (("secret", "add", "A B", "--rule", "telegram"), ("secret", "list")),
                             (("secret", "remove", "A B"), ("secret", "list")),
                             (("--module-dir", "relative", "modules"), ("modules",)),
                             (("launch", "--settings", "relative", "--snapshot", "x", "--", "true"), ("schema",)),
                             (("why", "--spec", spec, "host", "*.test"), ("why", "--spec", spec, "host", "a.test")),
                             (("why", "--spec", spec, "colour", "x"), ("why", "--spec", spec, "path", "/usr"))):
            done = self.place.lnk(*wrong)
            self.assert_done(done, product.EXIT_USAGE)
            self.assertIn("lnk-sandbox: ", done.stderr)
            self.assert_done(self.place.lnk(*right))

    @each_person
    def test_output_that_can_not_be_written_is_an_error_in_words(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        for command in self.printing(spec):
            if command == ("log",):  # of no line yet
                continue
            with open("/dev/full", "wb") as full:
                run = self.place.start(*command, stdout=full, stderr=-1, stdin=-1)
                said = run.communicate(timeout=product.RUN_TIMEOUT_S)[1]
            self.assertEqual(run.returncode, product.EXIT_REFUSED, (command, said))
            self.assertIn("standard output can't be written: No space left on device", said, command)
        self.assert_done(self.place.lnk("--help"))

    def printing(self, spec):
        return (("--help",), ("run", "--help"), ("--version",), ("schema",), ("modules",), ("modules", "--json"), ("secret", "list", "--json"), ("log",),
                ("log", "--json"), ("check", "--json"), ("describe", "--spec", spec), ("why", "--spec", spec, "path", "/usr"),
                ("approve", "--spec", spec), ("wrap", "--spec", spec, "--", "true"), ("forget", "--spec", spec))

    @each_person
    def test_output_that_is_closed_is_an_error_of_what_prints(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.place.outer = ("sh", "-c", 'exec "$@" >&-', "sh")
        for command in (*self.printing(spec), ("init",)):
            done = self.place.lnk(*command)
            self.assertEqual((done.returncode, "standard output is closed" in done.stderr), (product.EXIT_REFUSED, True), (command, done.stderr))
        # Nothing was done unseen, and what a program prints is its own.
        self.assertFalse(os.path.exists(self.place.path("work", "lnk-sandbox.toml")))
        self.assert_refused(self.place.shell("true", "--spec", spec), "has not been approved")
        self.assert_done(self.place.run("--", "sh", "-c", "exit 3"), 3)
        self.place.outer = ()
        self.assert_done(self.place.lnk("approve", "--spec", spec))

    @each_person
    def test_what_is_not_known_is_not_called_done(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_refused(self.place.lnk("forget", "--spec", "./missing.toml"), "isn't there, and nothing was approved for it")
        self.assert_done(self.place.lnk("forget", "--spec", spec))
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        os.unlink(spec)
        self.assert_done(self.place.lnk("forget", "--spec", spec))
        self.assert_refused(self.place.lnk("forget", "--spec", spec), "isn't there")

    @each_person
    def test_a_log_that_is_not_there_yet_is_told_and_waited_for(self):
        self.place.folder("settings", "wire")
        line = '{"event":"refused","host":"a.test","port":443,"reason":"host-not-listed","status":403,"t":"2026-05-01T10:00:00.000Z"}\n'
        self.place.write("settings/wire/known.jsonl", line, 0o600)
        self.assert_refused(self.place.lnk("log", "other"), "no wire named \"other\" has written a log; there is one of known")
        log = self.place.start("log", "other", "--follow", stdout=-1, stderr=-1)
        for cleanup in (log.stdout.close, log.stderr.close, log.wait, log.kill):
            self.addCleanup(cleanup)
        self.assertIn("no wire named \"other\" has written a log yet", log.stderr.readline())
        os.replace(self.place.write("other.jsonl", line, 0o600), self.place.path("settings/wire/other.jsonl"))
        self.assertIn("other refused a.test:443", log.stdout.readline())

    @each_person
    def test_help_names_the_command_that_is_run(self):
        for name in ("run", "wrap", "launch"):
            self.assertRegex(self.place.lnk(name, "--help").stdout, rf"Usage: lnk-sandbox {name} \[OPTIONS\] \[--\] CMD\.\.\.")
        self.assertNotIn("CMD", self.place.lnk("describe", "--help").stdout)
        self.assertIn("see lnk-sandbox run --help", self.place.lnk("run", "--absent", "--", "true").stderr)
        self.assertIn("see lnk-sandbox secret add --help", self.place.lnk("secret", "add", "name").stderr)
        self.assertIn("see lnk-sandbox --help", self.place.lnk("--absent").stderr)

    @each_person
    def test_a_spec_that_is_no_file_is_told_so(self):
        for spec in ("/dev/null", self.place.work):
            done = self.place.lnk("describe", "--spec", spec)
            self.assert_refused(done, "is no regular file")
            self.assertNotIn("chmod", done.stderr)

    @each_person
    def test_a_folder_of_the_commands_own_that_can_not_be_written_is_told_once(self):
        hidden = self.place.folder("work", "hidden")
        spec = self.place.spec(f'[files]\nread = ["{self.place.work}"]\nhide = ["{hidden}"]\n')
        for own, said in (("./missing", "isn't there; make it first"), (hidden, "is both hidden and granted")):
            done = self.place.lnk("wrap", "--spec", spec, "--approved", "--own", own, "--", "true")
            self.assert_refused(done, said)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        own = self.place.folder("work", "own")
        self.assert_done(self.place.lnk("wrap", "--spec", spec, "--approved", "--own", own, "--", "true"))

    @each_person
    def test_a_slip_of_the_command_line_is_told_in_plain_words(self):
        for words, said in ((("--absent",), 'there is no option "--absent" of lnk-sandbox; see lnk-sandbox --help'),
                            (("--modul-dir", "/x", "run", "--", "true"), 'there is no option "--modul-dir" of lnk-sandbox; did you mean "--module-dir"?'),
                            ((), "name a command: run, wrap, launch"),
                            (("descibe", "--spec", "x"), 'there is no command "descibe"; did you mean "describe"?'),
                            (("describe", "--sepc", "x"), 'there is no option "--sepc" of lnk-sandbox describe; did you mean "--spec"?'),
                            (("run", "--wirte", "x", "--", "true"), 'did you mean "--write"?'),
                            (("secret", "ad"), 'there is no command "secret ad"; did you mean "secret add"?'),
                            (("secret", "add", "n", "--rul", "x"), 'there is no option "--rul" of lnk-sandbox secret add; did you mean "--rule"?'),
                            (("describe", "b", "a", "--spec", "x"), 'describe takes no "b" "a"; see lnk-sandbox describe --help'),
                            (("run", "--name", "a", "--name", "b", "--", "true"), "--name is given more than once"),
                            (("run", "--spec"), "--spec takes a value, and none follows"),
                            (("modules", "--json=x"), "--json takes no value")):
            done = self.place.lnk(*words)
            self.assert_done(done, product.EXIT_USAGE)
            self.assertIn(said, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertNotIn("ubcommand", done.stderr)
        for words in (("--module-dir", self.place.work, "run", "--read", self.place.work, "--", "true", "--absent"), ("--version",), ("secret", "--help"),
                      ("run", "--module-dir", self.place.work, "--", "true")):
            self.assert_done(self.place.lnk(*words))

    @each_person
    def test_an_error_tells_its_mend(self):
        self.assert_refused(self.place.lnk("describe", "--spec", "./nope.toml"), 'there is no spec at "./nope.toml"', "lnk-sandbox init")
        # Whose /etc it is, is the rig's to say.
        refused = self.place.lnk("init", cwd="/etc")
        self.assert_refused(refused, "go to the folder that the program works in, and make it there")
        self.assertRegex(refused.stderr, 'no spec is made in "/etc"|can\'t be made here: Permission denied')
        self.assert_done(self.place.lnk("init"))
        for home, said in (("relative", "LNK_HOME must be an absolute path, which begins with /; set it to one, or unset it"),
                           ("/etc/passwd", "Not a directory; set LNK_HOME to a folder of your own"), ("/proc/none", "set LNK_HOME to a folder of your own")):
            self.place.outer = ("env", f"LNK_HOME={home}")
            self.assert_refused(self.place.lnk("log"), said)
        self.place.outer = ()
        rule = '{"host":"a.test","method":["GET"],"paths":["x"],"header":{"name":"A","value":"{secret}"}}'
        self.assert_refused(self.place.lnk("secret", "add", "a", "--rule", self.place.write("rule.json", rule), stdin="x"),
                            "'method' is not known; host, methods, paths")
        self.assert_done(self.place.lnk("secret", "add", "a", "--rule", self.place.write("rule.json", rule.replace("method", "methods")), stdin="value-of-it"))
        none = f"sha256:{'0' * 64}"
        self.assert_refused(self.place.lnk("launch", "--settings", self.place.settings, "--snapshot", none, "--", "true"),
                            "snapshot-stale: no snapshot of that name is kept in ", "; wrap the command again")
        self.assert_refused(self.place.lnk("launch", "--settings", self.place.path("none"), "--snapshot", none, "--", "true"), "wrap the command again")
        for folder in ("/etc", "/usr"):
            done = self.place.run("--", "true", cwd=folder)
            self.assert_refused(done, f'without a spec the current folder is written, and "{folder}" holds "', "say --read .")
            self.assert_done(self.place.run("--read", ".", "--", "true", cwd=folder))

    @each_person
    def test_a_mend_fits_who_is_told_it(self):
        other = self.place.folder("other")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        program = self.place.write("other/program", "#!/bin/sh\n", mode=0o755)
        argv = json.loads(self.place.lnk("wrap", "--spec", spec, "--json", "--", program).stdout)["argv"][1:]
        kept = "in the spec's [files], approve that, and wrap the command again"
        done = self.place.lnk(*argv, cwd=other)
        self.assert_refused(done, "is not granted; go to a folder that is, or grant it " + kept)
        done = self.place.lnk(*argv)
        self.assertEqual(done.returncode, product.EXIT_NOT_FOUND)
        self.assertNotIn("--read", done.stderr)
        self.assert_refused(self.place.run("--spec", spec, "--", "true", cwd=other), "or grant it with --read, --write or the spec's [files]")

    @each_person
    def test_describe_names_the_tables_of_another_system(self):
        spec = self.place.spec('[files]\nread = ["/usr"]\n[linux.env]\npass = ["A"]\n[macos.files]\nread = ["~/missing"]\n[macos.lan]\nmachines = ["a:1"]\n')
        said = [f"spec.toml:{line}: [macos.{table}] is for macOS alone; here its form is looked at and nothing else" for line, table in (("5:8", "files"), ("7:8", "lan"))]
        self.assertEqual([os.path.basename(line) for line in self.place.listing("describe", "--spec", spec)["skipped"]], said)
        for line in said:
            self.assertIn(line, self.place.lnk("describe", "--spec", spec).stdout)
        self.place.spec('[files]\nread = ["/usr"]\n')
        self.assertEqual(self.place.listing("describe", "--spec", spec)["skipped"], [])

    @each_person
    def test_describe_says_once_whether_it_is_approved(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assertIn("It is not approved yet.", self.place.lnk("describe", "--spec", spec).stdout)
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assertIn("It is approved.", self.place.lnk("describe", "--spec", spec).stdout)
        self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{self.place.folder("more")}"]\n')
        said = self.place.lnk("describe", "--spec", spec).stdout
        self.assertIn("It is not approved as it is now; since it was approved:", said)
        self.assertNotIn("not approved yet", said)

    @each_person
    def test_the_man_page_has_every_key_of_json_and_what_is_later(self):
        with open(MAN, encoding="utf-8") as file:
            page = file.read()
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.place.lnk("secret", "add", "demo", "--rule", "telegram", stdin="123456:a-value-of-no-bot")
        keys = set(self.place.listing("describe", "--spec", spec)) | set(self.place.listing("describe", "--spec", spec, "--plan"))
        keys |= {key for listing in (self.place.listing("modules"), self.place.listing("secret", "list")) for entry in listing for key in entry}
        words = set(re.findall(r"[a-z_0-9-]+", " ".join(line for line in page.splitlines() if line.startswith((".Li", ".Pq", ".It Li")))))
        self.assertLessEqual(keys, words)
        for later in re.findall(r"(--[a-z-]+).*Not in this version", self.place.lnk("run", "--help").stdout + self.place.lnk("wrap", "--help").stdout):
            self.assertIn(later, page)

    @each_person
    def test_settings_are_closed_to_others_as_the_man_page_says(self):
        self.assert_done(self.place.lnk("secret", "list"))
        self.place.settings = self.place.path("made")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assertEqual(stat.S_IMODE(os.stat(self.place.settings).st_mode), 0o700)
        os.chmod(self.place.settings, 0o755)
        self.assert_refused(self.place.lnk("secret", "list"), "chmod go-rwx")


if __name__ == "__main__":
    unittest.main()
