# SPDX-License-Identifier: Apache-2.0
"""Programs that start others, under the list that learn printed of them: with it all goes as without a list, and with any one of
its programs left out that one is refused and named."""

import os
import shutil
import tomllib
import unittest

import product
from product import each_person
from rig import capability

MANY_S = 240  # a compile, a browser


class RealPrograms(product.ProductTest):
    """`check`: a command, what it prints, and a program of its list that is left out in turn."""

    needs = ("landlock",)

    def files(self, more=""):
        return f'[files]\nwrite = ["{self.place.work}"]\n{more}'

    def approve(self, text):
        spec = self.place.spec(text)
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        return spec

    def learn(self, command, more="", **run):
        learned = self.place.lnk("learn", "--spec", self.approve(self.files(more)), "--", *command, timeout=MANY_S, **run)
        self.assert_done(learned)
        said, _, lines = learned.stdout.partition("[commands]\n")
        return said, tomllib.loads("[commands]\n" + lines)["commands"]["allow"]

    def listed(self, command, programs, more="", **run):
        allow = ", ".join('"%s"' % name for name in programs)
        spec = self.approve(self.files(more) + f"[commands]\nallow = [{allow}]\n")
        return self.place.run("--spec", spec, "--", *command, timeout=MANY_S, **run)

    def check(self, command, wanted, left_out, more=""):
        said, programs = self.learn(command, more)
        self.assertIn(wanted, said)
        done = self.listed(command, programs, more)
        self.assertIn(wanted, done.stdout, done.stderr)
        self.assertNotIn("refused to run", done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in left_out:
            path = os.path.realpath(shutil.which(name) or name)
            rest = [program for program in programs if os.path.realpath(shutil.which(program) or program) != path]
            self.assertLess(len(rest), len(programs), f"{name} was not learned: {programs}")
            refused = self.listed(command, rest, more)
            self.assertIn(f'refused to run {path}: not in [commands] allow', refused.stderr)
            self.assertNotIn(wanted, refused.stdout)

    @each_person
    def test_git_with_its_helpers(self):
        more = '[network]\nhosts = ["git.test"]\n'
        script = "rm -rf project; git clone -q https://git.test/project.git && git -C project log --format=cloned%h"
        self.check(["sh", "-c", script], "cloned", ["git", "/usr/lib/git-core/git-remote-http"], more)

    @each_person
    def test_a_compiler_with_its_parts(self):
        self.place.write("work/hello.c", '#include <stdio.h>\nint main(void) { return puts("compiled") < 0; }\n')
        part = os.popen("cc -print-prog-name=cc1").read().strip()
        # What it makes lies in a folder that is written, and so runs in no list: the person runs it outside.
        self.check(["sh", "-c", "cc -o hello hello.c && echo linked"], "linked", ["cc", part, "as", "ld"])
        self.assertEqual(os.popen(os.path.join(self.place.work, "hello")).read(), "compiled\n")
        _, programs = self.learn(["sh", "-c", "cc -o hello hello.c && ./hello"])
        refused = self.listed(["sh", "-c", "./hello || echo no"], programs)
        self.assertEqual(refused.stdout, "no\n")
        self.assertIn(f"refused to run {self.place.work}/hello:", refused.stderr)

    @each_person
    def test_python_with_a_subprocess(self):
        script = 'import subprocess; print(subprocess.run(["uname", "-s"], capture_output=True, text=True, check=True).stdout)'
        self.check(["python3", "-c", script], "Linux", ["uname"])

    @each_person
    def test_npm_and_node(self):
        capability.need("npm")
        self.place.write("work/package.json", '{"name": "x", "scripts": {"greet": "node -e \\"console.log(6 * 7)\\""}}')
        self.check(["npm", "run", "--silent", "greet"], "42", ["sh"])

    @each_person
    def test_find_and_xargs(self):
        self.place.write("work/a", "text\n")
        self.check(["find", "a", "-exec", "cat", "{}", ";"], "text", ["cat"])
        self.check(["sh", "-c", "echo a | xargs cat"], "text", ["cat", "xargs"])

    @each_person
    def test_applets_are_one_program_by_whatever_name(self):
        capability.need("busybox")
        bin_folder = self.place.folder("bin")
        for name in ("busybox", "ls", "echo"):
            os.symlink(shutil.which("busybox"), os.path.join(bin_folder, name))
        more = f'read = ["{bin_folder}"]\n'
        command = ["sh", "-c", f"{bin_folder}/echo applets; {bin_folder}/ls -d /; busybox true && echo ran"]
        done = self.listed(command, ["sh", "busybox"], more)
        self.assertEqual(done.stdout, "applets\n/\nran\n", done.stderr)
        refused = self.listed(command, ["sh"], more)
        self.assertEqual(refused.stdout, "")
        self.assertEqual(refused.stderr.count("refused to run"), 1, "by each of its names it is one file")

    @each_person
    def test_a_copy_another_name_and_a_hard_link(self):
        tools = self.place.folder("tools")
        kept = os.path.join(tools, "kept")
        shutil.copy("/usr/bin/true", kept)
        self.place.give_all(tools)
        more = f'read = ["{tools}"]\n'
        script = f"{kept} && echo kept; cp {kept} copy; ./copy || echo no copy; mv copy renamed; ./renamed || echo no name; " \
                 f"ln {kept} linked || echo no link; ln -s {kept} way; ./way && echo by a link"
        done = self.listed(["sh", "-c", script], ["sh", kept, "cp", "mv", "ln"], more)
        self.assertEqual(done.stdout, "kept\nno copy\nno name\nno link\nby a link\n", done.stderr)
        # A second name that was made outside is the same file, to the kernel as to the list: what it holds must not be written.
        os.link(kept, os.path.join(self.place.work, "twin"))
        spec = self.place.spec(self.files(more) + f'[commands]\nallow = ["sh", "{kept}"]\n')
        self.assert_refused(self.place.lnk("describe", "--spec", spec), kept, "link")

    @each_person
    def test_a_program_that_lies_in_a_folder_that_is_written(self):
        own = self.place.write("work/x", "#!/bin/sh\necho first\n", 0o755)
        refused = self.place.run("--allow-command", "sh", "--", "./x")
        self.assert_refused(refused, own)
        # Read only to itself it starts, and can't be made another meanwhile.
        script = self.place.write("work/y", f"#!/bin/sh\necho 'echo second' > {own}; echo went on\n", 0o755)
        done = self.place.run("--read", own, "--read", script, "--allow-command", "sh", "--allow-command", own, "--", "./y")
        self.assertEqual(done.stdout, "went on\n", done.stderr)
        with open(own, encoding="ascii") as file:
            self.assertEqual(file.read(), "#!/bin/sh\necho first\n")
        twin = self.place.run("--read", script, "--allow-command", "sh", "--", "./y")
        self.assertEqual(twin.stdout, "went on\n")
        with open(own, encoding="ascii") as file:
            self.assertEqual(file.read(), "echo second\n")

    @each_person
    def test_a_browser(self):
        capability.need("chromium")
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "data:text/html,<p>rendered"]
        self.check(command, "<p>rendered</p>", ["/usr/lib/chromium/chromium"])


if __name__ == "__main__":
    unittest.main()
