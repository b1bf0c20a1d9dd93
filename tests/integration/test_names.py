# SPDX-License-Identifier: Apache-2.0
"""Folders with odd names: granted as they are, or refused in words, and never another folder instead."""

import os
import shutil
import subprocess
import unittest

import product
from product import each_person

# A mount, a snapshot, a log line or a message could take any of these for something else.
HELD = (b"new\nline", b"two\n\nlines", b"quo\"te'", b"tab\t", b"\x1b[31mred", b"-dash", b" sp ace ", b"back\\slash", b"\\012", b"~", b"~root", b"%s",
        b"a,b", b"col:on", b"#", b"x" * 255, "\u00e9\u202e".encode(), b"\x7f", b"[a]", b"{a}", b"...", b"--")
# In a spec these would be a pattern, a variable or "if it is there"; a flag is the name itself.
GLOBS = (b"star*", b"*", b"dollar$HOME", b"$HOME", b"wh?at", b"two??", b"what?")
NOT_UTF8 = (b"bad\xff", b"\xc3", b"\xc0\xaf")
# What keeps the names in a written folder that run as the person outside.
KEPT = b".git\n.idea\n.vscode\nHEAD\n"
INSIDE = b"echo started; ls -A \"$1\"; echo x >\"$1\"/in && echo written"


class Names(product.ProductTest):
    def folder(self, name):
        path = os.path.join(os.fsencode(self.place.root), b"names", name)
        os.makedirs(path)
        with open(os.path.join(path, b"there"), "wb"):
            pass
        for entry in (os.path.dirname(path), path, os.path.join(path, b"there")):
            self.place.person.give(entry)
        return path

    def ended(self, *arguments, cwd=None):
        """The product's end, in bytes."""
        command = [os.fsencode(word) for word in self.place.command(*arguments)]
        return subprocess.run(command, cwd=cwd or self.place.work, env=self.place.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=product.RUN_TIMEOUT_S, check=False)

    def grant(self, flag, folder, written=None):
        return self.ended("run", flag, written or folder, "--", b"sh", b"-c", INSIDE, b"sh", folder)

    def assert_said(self, done, code, words):
        """Nothing ran, and what was said holds no byte of a name that a terminal would obey."""
        self.assertEqual((done.returncode, done.stdout), (code, b""))
        self.assertTrue(done.stderr.startswith(b"lnk-sandbox: "), done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual([byte for byte in done.stderr[:-1] if byte < 0x20 or byte >= 0x7f], [], done.stderr)

    def everything(self):
        return sorted(os.path.join(at, name) for at, folders, files in os.walk(os.fsencode(self.place.path("names"))) for name in folders + files)

    @each_person
    def test_a_name_is_granted_as_it_is_and_nothing_else_with_it(self):
        for name in HELD + GLOBS:
            folder = self.folder(name)
            before = self.everything()
            with self.subTest(name=name):
                done = self.grant("--read", folder)
                self.assertEqual((done.returncode != 0, done.stdout), (True, b"started\nthere\n"), done.stderr)
                self.assertEqual(self.everything(), before)
                done = self.grant("--write", folder)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"started\n" + KEPT + b"there\nwritten\n", b""))
                self.assertEqual(self.everything(), sorted([*before, os.path.join(folder, b"in")]))

    @each_person
    def test_a_name_typed_from_the_current_folder_is_the_same(self):
        for name in HELD + GLOBS:
            folder = self.folder(name)
            written = b"../names/" + name
            with self.subTest(name=name):
                self.assertEqual(self.grant("--write", folder, written).stdout, b"started\n" + KEPT + b"there\nwritten\n")

    @each_person
    def test_a_current_folder_of_any_name_but_one_that_is_not_utf8_is_written(self):
        for name in HELD + GLOBS:
            folder = self.folder(name)
            with self.subTest(name=name):
                done = self.ended("run", "--", "sh", "-c", "echo started; echo x >in; ls", cwd=folder)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"started\nHEAD\nin\nthere\n", b""))
        for name in NOT_UTF8:
            with self.subTest(name=name):
                self.assert_said(self.ended("run", "--", "sh", "-c", "echo started", cwd=self.folder(name)), product.EXIT_REFUSED, b"UTF-8")

    @each_person
    def test_a_pattern_in_a_spec_is_refused(self):
        for name in (b"star*", b"wh?at", b"two??"):
            spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}", "{os.fsdecode(self.folder(name))}"]\n')
            with self.subTest(name=name):
                self.assert_said(self.ended("run", "--spec", spec, "--yes", "--", "sh", "-c", "echo started"), product.EXIT_REFUSED, b"globs")

    @each_person
    def test_a_name_that_is_not_utf8_is_refused(self):
        for name in NOT_UTF8:
            folder = self.folder(name)
            for flag in ("--read", "--write", "--hide"):
                with self.subTest(name=name, flag=flag):
                    self.assert_said(self.grant(flag, folder), product.EXIT_REFUSED, b"isn't UTF-8")
        spec = os.fsencode(self.place.root) + b"/" + NOT_UTF8[0]
        self.assert_said(self.ended("run", "--spec", spec, "--", "true"), product.EXIT_REFUSED, b"\\xff")

    @each_person
    def test_what_is_not_there_is_refused_in_words_that_show_the_name(self):
        for name, shown in ((b"new\nline", b"new\\nline"), (b"\x1b[31m", b"\\x1b[31m"), (b"quo\"te", b"quo\\\"te")):
            for flag in ("--read", "--write"):
                done = self.grant(flag, os.fsencode(self.place.root) + b"/" + name)
                self.assert_said(done, product.EXIT_REFUSED, b"isn't there")
                self.assertIn(shown, done.stderr)

    @each_person
    def test_a_spec_names_such_a_folder_by_tomls_escapes(self):
        folder = self.folder(b"new\nline \"quoted\"")
        name = os.fsdecode(folder).replace('"', '\\"').replace("\n", "\\n")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}", "{name}"]\n')
        done = self.ended("run", "--spec", spec, "--yes", "--", b"sh", b"-c", INSIDE, b"sh", folder)
        self.assertEqual(done.stdout, b"started\n" + KEPT + b"there\nwritten\n", done.stderr)
        told = self.ended("describe", "--spec", spec)
        self.assertIn(b"new\\nline \\\"quoted\\\"", told.stdout + told.stderr)

    @each_person
    def test_a_name_that_ends_in_a_question_mark_never_opens_the_one_without_it(self):
        plain, asked = self.folder(b"what"), self.folder(b"what?")
        self.assertEqual(self.grant("--write", asked).stdout, b"started\n" + KEPT + b"there\nwritten\n")
        self.assert_said(self.grant("--write", plain + b"-gone?"), product.EXIT_REFUSED, b"isn't there")
        self.ended("run", "--write", asked, "--", b"sh", b"-c", INSIDE, b"sh", plain)
        self.assertEqual(os.listdir(plain), [b"there"])

    @each_person
    def test_a_path_that_climbs_out_of_a_link_never_opens_another_folder_than_the_kernel_would(self):
        far = self.folder(b"far/deep")
        for place in ("work", "names/far"):
            self.place.folder(*place.split("/"), "x")
        os.symlink(far, self.place.path("work", "link"))
        here, there = self.place.path("work", "x"), self.place.path("names", "far", "x")
        self.assertTrue(os.path.samefile(os.path.join(self.place.work, "link/../x"), there))
        script = b"echo started; echo x >\"$1\"/in && echo written"
        done = self.ended("run", "--read", self.place.work, "--write", "link/../x", "--", "sh", "-c", script, "sh", here)
        self.assertNotIn(b"written", done.stdout)
        done = self.ended("run", "--read", self.place.work, "--write", "../work/x", "--", "sh", "-c", script, "sh", here)
        self.assertEqual(done.stdout, b"started\nwritten\n")

    @each_person
    def test_a_path_that_climbs_where_no_link_is_opens_what_was_typed(self):
        for place in ("work/x", "work/y", "beside"):
            self.place.folder(*place.split("/"))
        script = b"echo started; echo x >\"$1\"/in && echo written"
        for written, place in (("x/../y", "work/y"), ("../beside", "beside"), ("y/../../beside/.", "beside"), ("..", "")):
            with self.subTest(written=written):
                self.assertEqual(self.ended("run", "--write", written, "--", "sh", "-c", script, "sh", self.place.path(*place.split("/"))).stdout,
                                 b"started\nwritten\n" if place else b"")
        self.assert_said(self.ended("run", "--write", "none/../x", "--", "true"), product.EXIT_USAGE, b"\"none/../x\" can't be looked up")

    @each_person
    def test_a_spec_named_over_a_link_is_the_one_that_the_kernel_opens(self):
        far = self.folder(b"far/deep")
        os.symlink(far, self.place.path("work", "link"))
        for place, name in (("work", "near"), ("names/far", "away")):
            self.place.write(f"{place}/x.toml", f'name = "{name}"\n[files]\nread = ["./"]\n')
        told = self.ended("describe", "--spec", "link/../x.toml")
        self.assertIn(b'The sandbox "away"', told.stdout, told.stderr)
        self.assertIn(os.fsencode(f'"{self.place.path("names", "far")}"'), told.stdout)
        self.assertEqual(self.ended("approve", "--spec", "link/../x.toml").returncode, 0)
        self.assertIn(b"is dropped", self.ended("forget", "--spec", self.place.path("names", "far", "x.toml")).stdout)

    @each_person
    def test_a_name_that_only_looks_like_utf8_is_refused_in_the_same_words(self):
        for name in (b"\xed\xa0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xf0\x80\x80\x80"):  # RFC 3629, 3 and 4
            with self.subTest(name=name):
                self.assert_said(self.grant("--write", self.folder(name)), product.EXIT_REFUSED, b"isn't UTF-8")

    @each_person
    def test_a_name_is_escaped_once_where_it_is_shown(self):
        for flag in ("--host", "--env"):
            done = self.ended("run", flag, "a\nb", "--", "true")
            self.assert_said(done, product.EXIT_USAGE, b"\"a\\nb\"")


class NotStarted(product.ProductTest):
    """What can't be started, or kept, is named."""

    @each_person
    def test_a_missing_interpreter_is_told_from_a_missing_program(self):
        script = os.path.join(self.place.work, "x.sh")
        with open(script, "w", encoding="ascii") as file:
            file.write("#!/nowhere/sh\n")
        os.chmod(script, 0o755)
        done = self.place.run("--read", self.place.work, "--", script)
        self.assertEqual((done.returncode, done.stdout), (product.EXIT_NOT_FOUND, ""), done.stderr)
        self.assertIn("is there, but", done.stderr)
        self.assertIn("interpreter", done.stderr)
        absent = self.place.run("--read", self.place.work, "--", os.path.join(self.place.work, "absent"))
        self.assertNotIn("interpreter", absent.stderr)
        closed = self.place.run("--read", self.place.work, "--", self.place.write("closed", "", 0o755))
        self.assertEqual((closed.returncode, closed.stdout), (product.EXIT_NOT_FOUND, ""), closed.stderr)
        self.assertIn("is there, but the sandbox may not read it; grant it with --read", closed.stderr)

    @each_person
    def test_a_text_that_is_not_utf8_is_named_and_not_kept(self):
        program = os.path.join(os.fsencode(self.place.work), b"\xffprog")
        shutil.copy("/bin/true", program)
        for arguments, named in (((b"--", program), "\\xFFprog"), ((b"--env", b"A=\xff", b"--", b"true"), "\\xFF")):
            done = self.place.run("--read", self.place.work, *arguments)
            self.assertEqual((done.returncode, done.stdout), (product.EXIT_REFUSED, ""), done.stderr)
            self.assertIn("UTF-8", done.stderr)
            self.assertIn(named.lower(), done.stderr.lower())
        fine = self.place.run("--read", self.place.work, "--env", "A=\u00e4", "--", "sh", "-c", "echo started; echo $A")
        self.assert_started(fine, "\u00e4\n")


if __name__ == "__main__":
    unittest.main()
