# SPDX-License-Identifier: Apache-2.0
"""A module that can't be trusted or doesn't fit is refused in words, and the rest goes on, no weaker for it."""

import json
import os
import shutil
import unittest

import product
from product import each_person
from leftovers import Moment  # after product, by which the rig is found
from rig import capability, client

INSTALLED = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(product.BIN))), "lib", "lnk-sandbox", "modules")
FIXTURES = os.environ.get("LNK_TEST_FIXTURES", os.path.join(product.TREE, "build", "release", "tests", "modules"))


class Modules(product.ProductTest):
    def with_module(self, source, name=None, mode=0o644, folder_mode=0o755):
        """A folder of the person's with one module in it; the arguments that add it."""
        folder = self.place.folder("modules")
        target = os.path.join(folder, name or os.path.basename(source))
        shutil.copyfile(source, target)
        os.chmod(target, mode)
        self.place.person.give(target)
        os.chmod(folder, folder_mode)
        return target, ("--module-dir", folder)

    def fixture(self, name):
        path = os.path.join(FIXTURES, name, "verb-fixture.so")
        if not os.path.exists(path):
            capability.lack("fixtures", f"{path} is not built")
        return path

    def listed(self, added, name):
        return [one for one in self.listing(added) if one["name"] == name]

    def listing(self, added):
        done = self.place.lnk(*added, "modules", "--json")
        self.assert_done(done)
        return json.loads(done.stdout)

    def assert_the_rest_goes_on(self, added):
        outside = self.place.folder("outside")
        script = f"echo x >{outside}/x || echo refused; curl -sS https://allowed.test/"
        done = self.place.lnk(*added, "run", "--write", self.place.work, "--host", "allowed.test", "--", "sh", "-c", "echo started; " + script)
        self.assert_started(done, "refused\nhello from allowed.test\n")

    @each_person
    def test_the_installed_modules_load(self):
        listing = {one["name"]: one for one in self.listing(())}
        for name in ("os-linux", "verb-secret"):
            self.assertTrue(listing[name]["loaded"], listing[name])
            self.assertEqual(os.path.realpath(listing[name]["file"]), os.path.join(INSTALLED, name + ".so"))

    @each_person
    def test_a_good_module_of_an_added_folder_loads(self):
        target, added = self.with_module(self.fixture("good"))
        one, = self.listed(added, "verb-fixture")
        self.assertEqual((one["loaded"], one["file"]), (True, target), one)
        self.assert_the_rest_goes_on(added)

    @each_person
    def test_a_module_that_others_may_write_is_refused(self):
        _, added = self.with_module(self.fixture("good"), mode=0o666)
        one, = self.listed(added, "verb-fixture")
        self.assertFalse(one["loaded"])
        self.assertIn("may be written by others", one["reason"])
        self.assert_the_rest_goes_on(added)

    @each_person
    def test_a_module_in_a_folder_that_others_may_write_is_refused(self):
        _, added = self.with_module(self.fixture("good"), folder_mode=0o777)
        one, = [one for one in self.listing(added) if one["file"].startswith(added[1])]
        self.assertFalse(one["loaded"])
        self.assertIn("may be written by others", one["reason"])
        self.assert_the_rest_goes_on(added)

    @each_person
    def test_a_module_folder_named_over_a_link_that_others_could_replace_is_not_loaded_from(self):
        _, (flag, folder) = self.with_module(self.fixture("good"))
        open_to_all = self.place.folder("open")
        link = os.path.join(open_to_all, "link")
        os.symlink(folder, link)
        for mode in (0o755, 0o777):
            os.chmod(open_to_all, mode)
            with self.subTest(mode=oct(mode)):
                one, = [one for one in self.listing((flag, link)) if one["file"].startswith(self.place.root)]
                self.assertEqual(one["loaded"], mode == 0o755, one)
                self.assert_the_rest_goes_on((flag, link))

    @each_person
    def test_a_module_that_does_not_fit_is_refused_with_what_was_found_and_wanted(self):
        for name in ("other_major", "no_symbol", "short_table", "no_note", "unresolved"):
            with self.subTest(fixture=name):
                _, added = self.with_module(self.fixture(name))
                refused = [one for one in self.listing(added) if one["file"].startswith(self.place.root)]
                self.assertEqual([one["loaded"] for one in refused], [False], refused)
                self.assertGreater(len(refused[0]["reason"]), 10)
                self.assert_the_rest_goes_on(added)

    @each_person
    def test_a_second_file_of_a_name_in_use_is_refused_and_both_are_named(self):
        target, added = self.with_module(os.path.join(INSTALLED, "os-linux.so"))
        done = self.place.lnk(*added, "run", "--", "sh", "-c", "echo started")
        self.assert_refused(done, target, os.path.join(INSTALLED, "os-linux.so"))
        self.assert_started(self.place.shell("true"))

    def with_a_refusing_verb(self):
        """A product whose verb-secret refuses to be made, with a secret; a call of it."""
        refusing = os.path.join(os.path.dirname(FIXTURES), "support", "refusing", "verb-secret.so")
        if not os.path.exists(refusing):
            capability.lack("fixtures", f"{refusing} is not built")
        tree = self.place.path("tree")
        self.place.program = client.copy_program(product.BIN, tree)
        shutil.copy(refusing, os.path.join(tree, "lib", "lnk-sandbox", "modules"))
        self.place.give_all(tree)
        rule = self.place.write("rule.json", json.dumps({"host": "api.test", "methods": ["GET"], "paths": ["/{name}"],
                                                         "header": {"name": "X-Key", "value": "{secret}"}}))
        self.assert_done(self.place.lnk("secret", "add", "demo", "--rule", rule, stdin="a value of some length\n"))
        return "curl -sS -o /dev/null -w '%{http_code}\\n' $LNK_SECRET_DEMO_URL/x -H \"X-Key: $LNK_SECRET_DEMO\""

    @each_person
    def test_a_module_that_refuses_to_be_made_is_named_and_opens_nothing(self):
        call = self.with_a_refusing_verb()
        done = self.place.shell(call, "--secret", "demo")
        self.assertIn("verb-secret", done.stderr)
        self.assertIn("the moon is not full", done.stderr)
        self.assertNotIn("200", done.stdout)
        self.assertEqual(self.net.connections(), [])
        self.assert_the_rest_goes_on(())
        self.place.program = product.BIN
        self.assert_started(self.place.shell(call, "--secret", "demo"), "200\n")

    @each_person
    def test_a_run_that_such_a_module_ends_leaves_nothing_however_early(self):
        capability.need("strace")
        self.with_a_refusing_verb()
        self.assert_refused(self.place.shell("true", "--secret", "demo"))
        before = Moment()
        # bubblewrap waits before its last words of the sandbox's first process, so that the wire is gone when they are heard, and
        # again before it lets that process go on: the run fails in that moment.
        self.place.outer = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=write",
                            "-e", "inject=write:delay_enter=2500000:when=8+")
        self.assert_refused(self.place.shell("true", "--secret", "demo"), "the moon is not full")  # ends when nothing is left to trace
        self.assertEqual(before.difference(), [])


class StartedPrograms(product.ProductTest):
    """What the product starts is held to the same rule as what it loads."""

    def copied(self):
        """A whole product of the person's own, and its folder of parts."""
        tree = self.place.path("tree")
        self.place.program = client.copy_program(product.BIN, tree)
        self.place.give_all(tree)
        return os.path.join(tree, "lib", "lnk-sandbox")

    @each_person
    def test_a_program_that_others_may_write_is_never_started(self):
        library = self.copied()
        command = ("run", "--write", self.place.work, "--host", "allowed.test", "--", "sh", "-c", "echo started; curl -sS https://allowed.test/")
        self.assert_started(self.place.lnk(*command), "hello from allowed.test\n")
        for name in ("wire", "resolver", "os-linux/keeper", "os-linux/inner-stage"):
            path = os.path.join(library, name)
            os.chmod(path, 0o777)
            done = self.place.lnk(*command)
            os.chmod(path, 0o755)
            self.assertEqual((done.returncode, done.stdout), (product.EXIT_REFUSED, ""), (name, done.stderr))
            self.assertIn(path, done.stderr)
            self.assertIn("may be written by others", done.stderr)
        self.assert_started(self.place.lnk(*command), "hello from allowed.test\n")

if __name__ == "__main__":
    unittest.main()
