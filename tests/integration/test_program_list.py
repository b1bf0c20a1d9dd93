# SPDX-License-Identifier: Apache-2.0
"""What may stand in a list of programs, and what is said of one: each refusal beside the same with the one thing changed."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import product
from product import each_person
from rig import capability


class ProgramList(product.ProductTest):
    def tool(self, name, text="#!/bin/sh\necho tool\n"):
        self.place.folder(*os.path.dirname(name).split("/"))
        return self.place.write(name, text, 0o755)

    def listing(self, allow, files=None):
        bin_folder = self.place.folder("bin")
        files = files or f'read = ["{bin_folder}"]\nwrite = ["{self.place.work}"]\n'
        path = f'[env]\nset = {{ PATH = "{bin_folder}:/usr/local/bin:/usr/bin:/bin" }}\n'
        return self.place.spec(f"[files]\n{files}{path}[commands]\nallow = [{allow}]\n")

    def describe(self, allow, files=None):
        return self.place.lnk("describe", "--spec", self.listing(allow, files))

    def refuses(self, words, allow, files=None):
        done = self.describe(allow, files)
        self.assert_refused(done, words, "spec.toml:7:")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def takes(self, allow, files=None):
        done = self.place.lnk("approve", "--spec", self.listing(allow, files))
        self.assert_done(done)
        return done.stdout

    @each_person
    def test_a_name_is_one_of_the_sandboxs_path(self):
        self.tool("bin/tool")
        self.refuses("no such program on the sandbox's PATH", '"tool", "sh", "no-such-tool"')
        self.takes('"tool", "sh"')
        self.refuses("isn't there", f'"{self.place.path("bin", "none")}"')

    @each_person
    def test_a_folder_ends_with_a_slash_and_a_program_is_executable(self):
        tool = self.tool("bin/tool")
        self.place.write("bin/text", "words\n")
        self.refuses("write a / at its end", f'"{self.place.path("bin")}"')
        self.refuses("is no folder", f'"{tool}/", "sh"')
        self.refuses("can't be executed", f'"{self.place.path("bin", "text")}"')
        self.takes(f'"{self.place.path("bin")}/", "{tool}", "sh"')

    @each_person
    def test_what_the_sandbox_writes_can_not_be_listed(self):
        tool = self.tool("work/tool")
        self.refuses("the sandbox can write it", f'"{tool}", "sh"')
        self.refuses("the sandbox can write it", f'"{self.place.work}/", "sh"')
        self.takes(f'"{tool}", "sh"', f'write = ["{self.place.work}"]\nread = ["{tool}"]\n')
        inner = self.place.folder("bin", "inner")
        self.refuses(f'holds "{inner}"', f'"{self.place.path("bin")}/"', f'read = ["{self.place.path("bin")}"]\nwrite = ["{inner}"]\n')
        self.takes(f'"{self.place.path("bin")}/"', f'read = ["{self.place.path("bin")}"]\nwrite = ["{self.place.work}"]\n')

    @each_person
    def test_what_is_not_seen_inside_can_not_be_listed(self):
        tool = self.tool("other/tool")
        self.refuses("isn't there in the sandbox", f'"{tool}", "sh"')
        self.takes(f'"{tool}", "sh"', f'write = ["{self.place.work}"]\nread = ["{os.path.dirname(tool)}"]\n')
        self.refuses("is hidden", f'"{tool}", "sh"', f'read = ["{self.place.root}"]\nhide = ["{os.path.dirname(tool)}"]\n')

    @each_person
    def test_what_others_may_write_or_has_another_name_can_not_be_listed(self):
        tool = self.tool("bin/tool")
        os.chmod(tool, 0o757)
        self.refuses("may be written by others", '"tool", "sh"')
        os.chmod(tool, 0o755)
        self.takes('"tool", "sh"')
        os.link(tool, self.place.path("work", "other"))
        self.refuses("has another name too", '"tool", "sh"')
        self.refuses("has another name too", f'"{self.place.path("bin")}/", "sh"')

    @each_person
    def test_a_script_needs_its_interpreter_listed(self):
        self.tool("bin/tool")
        self.refuses('add to allow = ["sh"]', '"tool"')
        self.takes('"tool", "sh"')
        self.tool("bin/tool", "#!/usr/bin/env python3\n")
        self.refuses('both must be listed; add to allow = ["env", "python3"]', '"tool"')
        self.refuses('add to allow = ["python3"]', '"tool", "env"')
        self.takes('"tool", "env", "python3"')

    @each_person
    def test_the_program_started_goes_by_the_same_rules(self):
        tool = self.tool("work/tool")
        for command in ("run", "wrap"):
            more = ("--yes",) if command == "run" else ("--approved",)
            done = self.place.lnk(command, "--spec", self.listing('"sh"'), *more, "--", "./tool")
            self.assert_refused(done, "./tool", "the sandbox can write it", "[files] read", "spec.toml:7")
        held = f'write = ["{self.place.work}"]\nread = ["{tool}"]\n'
        done = self.place.run("--spec", self.listing("", held), "--yes", "--", "./tool")
        self.assert_refused(done, 'add to allow = ["sh"]')
        done = self.place.run("--write", self.place.work, "--allow-command", "sh", "--", "./tool")
        self.assert_refused(done, "the sandbox can write it", "the command line")

    @each_person
    def test_it_is_told_and_asked_about_with_what_is_new(self):
        words = self.takes('"git", "/usr/bin/env"')
        self.assertIn('runs     only the program that is started, and these:\n', words)
        self.assertIn('  runs     "git", which is "/usr/bin/git"\n', words)
        self.assertIn('  runs     "/usr/bin/env"\n', words)
        done = self.place.run("--spec", self.listing('"git", "/usr/bin/env", "sh"'), "--", "sh", "-c", "echo started", start_new_session=True)
        self.assert_refused(done, 'new   runs     "sh", which is ', "an interpreter: it runs any code")
        self.assertNotIn("gone", done.stderr)
        self.assertIn("runs     only the program that is started\n", self.takes(""))
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assertIn("runs     any program that it can read\n", self.place.lnk("describe", "--spec", spec).stdout)

    def why(self, spec, program):
        done = self.place.lnk("why", "--spec", spec, "--json", "program", program)
        self.assert_done(done)
        return json.loads(done.stdout)

    @each_person
    def test_why_names_the_entry_that_decides(self):
        self.tool("bin/tool")
        self.tool("bin/inner", "#!/usr/bin/env perl\n")
        spec = self.listing(f'"sh", "{self.place.path("bin")}/"')
        for program, allowed, rule, words in (
                ("sh", True, "grant", 'allow = ["sh"] lists it; an interpreter'), ("tool", True, "grant", "a script, which its interpreter"),
                ("inner", False, "grant", 'both must be listed; add to allow = ["env", "perl"]'),
                ("git", False, "command-not-listed", "no entry of allow lists it"), ("/lib64/ld-linux-x86-64.so.2", True, "loader", "runs any file")):
            answer = self.why(spec, program)
            self.assertEqual((answer["allowed"], answer["rule"]), (allowed, rule), answer)
            self.assertIn(words, answer["words"])
        self.assertEqual(os.path.basename(self.why(spec, "sh")["where"]), "spec.toml:7:10")
        answer = self.why(spec, "git")
        self.assertEqual((os.path.basename(answer["where"]), answer["mend"]), ("spec.toml:7:1", '[commands] allow = ["git"]'))
        self.assertTrue(self.why(self.listing('"git"'), "git")["allowed"])
        answer = self.why(self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n'), "sh")
        self.assertIn("any program that can be read may run", answer["words"])
        self.assertIn("an interpreter", answer["words"])

    @each_person
    def test_what_is_written_by_another_path_to_it_can_not_be_listed(self):
        capability.need("root")  # which mounts; the person may be another
        tool = self.tool("bin/in/tool")
        other, inner = self.place.folder("other"), self.place.folder("inner")
        bin_folder = self.place.path("bin")
        # In namespaces of their own, by root: mounted twice, the whole folder and one below it.
        both = f"mount --bind '{bin_folder}' '{other}' && mount --bind '{bin_folder}/in' '{inner}' && exec \"$@\""
        entries = {f'"{tool}", "sh"': "is \"{}\" too", f'"{bin_folder}/", "sh"': "too, by which the sandbox can"}
        for entry, words in entries.items():
            for write, name in ((other, f"{other}/in/tool"), (inner, f"{inner}/tool")):
                files = f'read = ["{bin_folder}"]\nwrite = ["{write}"]\n'
                self.place.outer = ()
                self.takes(entry, files)
                command = self.place.command("describe", "--spec", self.listing(entry, files))
                done = subprocess.run(["unshare", "--mount", "sh", "-c", both, "sh", *command], cwd=self.place.work, input="",
                                      env=self.place.environment(), capture_output=True, text=True, check=False)
                self.assert_refused(done, words.format(name), "spec.toml:7:")

    @each_person
    def test_why_knows_another_name_of_a_listed_file(self):
        # As Debian's perl has one. In the system's folders they can be listed.
        tool = tempfile.mkdtemp(prefix="lnk-", dir="/opt")
        self.addCleanup(shutil.rmtree, tool)
        os.chmod(tool, 0o755)
        for name in ("one", "copy"):
            shutil.copy("/usr/bin/true", f"{tool}/{name}")
        os.link(f"{tool}/one", f"{tool}/other")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[commands]\nallow = ["{tool}/one"]\n')
        for name, allowed in (("other", True), ("copy", False)):
            said = self.why(spec, f"{tool}/{name}")
            self.assertEqual(said["allowed"], allowed, said)
            done = self.place.shell(f"{tool}/{name} && echo ran; true", "--spec", spec, "--yes")
            self.assert_started(done, "ran\n" if allowed else "")
        self.assertIn(f'another name of "{tool}/one"', self.why(spec, f"{tool}/other")["words"])

    @each_person
    def test_a_kept_command_is_held_against_what_is_there_now(self):
        tool = self.tool("bin/tool")
        other = self.tool("bin/other")
        link = self.place.path("bin", "link")
        os.symlink("tool", link)
        spec = self.listing('"link", "sh"')
        done = self.place.lnk("wrap", "--spec", spec, "--approved", "--json", "--", "sh", "-c", "echo started")
        self.assert_done(done)
        command = json.loads(done.stdout)["argv"][1:]
        os.unlink(link)
        os.symlink("other", link)
        self.assert_refused(self.place.lnk(*command), "snapshot-stale", "no longer leads to")
        os.unlink(link)
        os.symlink("tool", link)
        os.link(tool, self.place.path("work", "name"))
        self.assert_refused(self.place.lnk(*command), "snapshot-stale", "has another name too")
        os.unlink(self.place.path("work", "name"))
        self.tool("bin/tool", "#!/usr/bin/env perl\n")
        self.assert_refused(self.place.lnk(*command), "snapshot-stale", "both must be listed")
        self.assertTrue(os.path.exists(other))

    @each_person
    def test_learn_needs_an_approved_spec(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_refused(self.place.lnk("learn", "--spec", spec, "--", "sh", "-c", "echo started"), "has not been approved", "lnk-sandbox approve")
        done = self.place.lnk("learn", "--", "sh")
        self.assert_done(done, product.EXIT_USAGE)
        self.assert_done(self.place.lnk("learn", "--spec", spec), product.EXIT_USAGE)


if __name__ == "__main__":
    unittest.main()
