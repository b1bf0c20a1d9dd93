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
    def test_what_was_meant_is_told(self):
        self.refuses('did you mean "python3"?', '"pyhton3"')
        self.refuses("an entry is one program, without arguments", '"git status"')
        self.refuses("an entry is one program, without arguments", '"git,sh"')
        text = self.place.write("bin/text", "words\n")
        self.refuses(f'"{text}" can\'t be executed by you', '"text"')
        self.refuses("is a folder; write a / at its end", '"inner"' if self.place.folder("bin", "inner") else "")
        spec = self.listing('"sh"')
        self.assertIn('did you mean "python3"?', self.why(spec, "pyhton3")["words"])
        self.assertIn("can't be executed by you", self.why(spec, text)["words"])
        self.assertIn("is a folder", self.why(spec, self.place.path("bin", "inner"))["words"])
        done = self.place.run("--allow-command", "pyhton3", "--", "sh")
        self.assert_refused(done, '--allow-command "pyhton3": there is no such program', 'did you mean "python3"?')
        self.assert_done(self.place.run("--allow-command", "/", "--", "sh"), product.EXIT_USAGE)
        done = self.place.run("--allow-command", self.tool("bin/tool"), "--", "sh")
        self.assert_refused(done, "--allow-command", "with --read")
        deny = self.place.spec("[commands]\ndeny = []\n")
        self.assert_refused(self.place.lnk("describe", "--spec", deny), "it takes allow alone")

    @each_person
    def test_describe_says_what_a_list_leaves_open(self):
        spec = self.listing('"sh"')
        said = self.place.lnk("describe", "--spec", spec).stdout
        self.assertIn("  open     the loader runs too", said)
        self.assertIn("LD_PRELOAD", said)
        plain = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assertNotIn("LD_PRELOAD", self.place.lnk("describe", "--spec", plain).stdout)

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
        done = self.place.run("--read", tool, "--allow-command", "env", "--", tool)
        self.assert_refused(done, 'add --allow-command "sh"')
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
        self.assertIn("runs     only the program that is started: [commands] lists none\n", self.takes(""))
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
                ("inner", False, "command-not-listed", 'both must be listed; add to allow = ["env", "perl"]'),
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

    def answers_as_it_runs(self, spec, program, mend=None):
        """why's answer, which is what a run does; and with its mend the program runs."""
        answer = self.why(spec, program)
        done = self.place.run("--spec", spec, "--yes", "--", "sh", "-c", f"echo started; {program} 2>/dev/null && echo ran")
        self.assert_done(done, 0 if answer["allowed"] else done.returncode)
        self.assertEqual("ran\n" in done.stdout, answer["allowed"], (answer, done.stderr))
        self.assertEqual(answer["mend"], mend, answer)
        return answer

    @each_person
    def test_a_link_on_the_way_to_a_program_must_be_seen_too(self):
        real = self.tool("real/manager")
        links = self.place.folder("links")
        os.symlink("../real/manager", os.path.join(links, "tool"))
        path = f'[env]\nset = {{ PATH = "{links}:/usr/bin:/bin" }}\n'
        read = os.path.dirname(real)

        def spec(read, more=""):
            return self.place.spec(f"[files]\nread = [{read}]\nwrite = [\"{self.place.work}\"]\n{path}{more}")
        closed, seen = f'"{read}"', f'"{read}", "{links}"'
        mend = f'[files] read = ["{links}"]'
        answer = self.answers_as_it_runs(spec(closed), "tool", mend)
        self.assertIn(f'which is "{links}/tool"', answer["words"])
        self.assertFalse(self.why(spec(closed), f"{links}/tool")["allowed"])
        self.assertTrue(self.answers_as_it_runs(spec(seen), "tool")["allowed"])
        self.assertTrue(self.answers_as_it_runs(spec(f'{closed}, "{links}/tool"'), f"{links}/tool")["allowed"])
        done = self.place.lnk("describe", "--spec", spec(closed, '[commands]\nallow = ["tool", "sh"]\n'))
        self.assert_refused(done, f'reached by the link "{links}/tool"', f'name "{links}"', "[files] read")
        self.answers_as_it_runs(spec(closed, '[commands]\nallow = ["sh"]\n'), "tool", mend + '; [commands] allow = ["tool"]')
        self.assertTrue(self.answers_as_it_runs(spec(seen, '[commands]\nallow = ["tool", "sh"]\n'), "tool")["allowed"])
        answer = json.loads(self.place.lnk("why", "--spec", spec(closed), "--json", "path", f"{links}/tool").stdout)
        self.assertEqual((answer["allowed"], answer["mend"]), (False, mend), answer)

    @each_person
    def test_why_gives_all_that_a_spec_needs_for_a_program(self):
        inner = self.tool("bin/inner", "#!/usr/bin/env perl\nexit 0\n")
        spec = self.listing('"sh"')
        answer = self.answers_as_it_runs(spec, "inner", '[commands] allow = ["inner", "env", "perl"]')
        self.assertTrue(self.answers_as_it_runs(self.listing('"sh", "inner", "env", "perl"'), "inner")["allowed"])
        answer = self.answers_as_it_runs(self.listing(f'"sh", "{os.path.dirname(inner)}/"'), "inner", '[commands] allow = ["env", "perl"]')
        self.assertEqual(answer["rule"], "command-not-listed")
        self.assertIn("but it is a script that", answer["words"])
        made = self.tool("work/made")
        answer = self.answers_as_it_runs(spec, made, f'[files] read = ["{made}"]; [commands] allow = ["~/{os.path.relpath(made, os.path.dirname(self.place.root))}"]')
        files = f'read = ["{self.place.path("bin")}", "{made}"]\nwrite = ["{self.place.work}"]\n'
        self.assertTrue(self.answers_as_it_runs(self.listing(f'"sh", "{made}"', files), made)["allowed"])
        said = self.place.lnk("why", "--spec", spec, "program", "inner").stdout
        self.assertIn('this would allow it: [commands] allow = ["inner", "env", "perl"]\n', said)

    @each_person
    def test_a_script_that_nothing_can_start_is_told_as_that(self):
        for line, words in (("#!/usr/bin/nothere", 'whose interpreter, "/usr/bin/nothere", isn\'t there'),
                            ("#!/usr/bin/env nothere", 'looking "nothere" up, which isn\'t on the sandbox\'s PATH'),
                            ("#!/bin/sh\r", "carriage return (CRLF)"), ("#!/usr/bin/env sh\r", "carriage return (CRLF)"),
                            ("#!python3", "isn't named by an absolute path")):
            self.tool("bin/tool", f"{line}\ntrue\n")
            done = self.describe('"tool", "sh", "env"')
            self.assert_refused(done, words)
            self.assertNotIn("add to", done.stderr)
            answer = self.answers_as_it_runs(self.listing('"sh", "env"'), "tool")
            self.assertIn(words, answer["words"])
            answer = self.why(self.place.spec(f'[files]\nread = ["{self.place.path("bin")}"]\n'), self.place.path("bin/tool"))
            self.assertEqual((answer["allowed"], answer["rule"]), (False, "no-interpreter"), answer)
        self.tool("bin/tool", "true\n")
        self.assertIn("shells hand it to sh", self.answers_as_it_runs(self.listing('"sh", "tool"'), "tool")["words"])

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
        is_own = [*self.place.person.prefix, "sh", "-c", 'test -O "$0" && test "$(id -u)" != 0', f"{tool}/one"]
        if subprocess.run(is_own, check=False).returncode == 0:  # in a rig that has one person's files alone
            self.assert_refused(self.place.lnk("why", "program", f"{tool}/other", "--spec", spec), "has another name too")
            return
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
