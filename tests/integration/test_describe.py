# SPDX-License-Identifier: Apache-2.0
"""describe: each thing that a spec opens, and each that is closed, held or left open in it, has a line and a place in --json."""

import json
import os
import unittest

import product
from product import each_person
from dot_files import DotFilesTest

POORER = os.path.join(product.SUPPORT, "poorer_kernel")


class Describe(DotFilesTest):

    def laid_out(self):
        """A spec with one of each, in the folder that it writes."""
        self.repository()
        for name in ("read", "hidden", "own", "real"):
            self.place.folder(name)
        os.symlink("real", self.place.path("way"))
        os.mkfifo(self.place.path("pipe"))
        self.place.person.give(self.place.path("pipe"))
        self.place.write("read/.env", "TOKEN=1\n")
        root = self.place.root
        return self.place.spec(f'[files]\nread = ["{root}", "{root}/read", "{root}/way", "{root}/pipe", "{root}/later?"]\n'
                               f'write = ["{self.place.work}", "{root}/own"]\nwrite_dot_files = ["{root}/own"]\nhide = ["{root}/hidden"]\n'
                               '[network]\nhosts = ["allowed.test", "*.more.test:8443"]\n[env]\npass = ["EDITOR"]\nset = { CI = "1" }\n', "work/spec.toml")

    def told(self, spec, *more):
        done = self.place.lnk("describe", "--spec", spec, *more, environment={"HOME": self.home()})
        self.assert_done(done)
        return done.stdout

    def as_json(self, spec, *more):
        return json.loads(self.told(spec, "--json", *more))

    @each_person
    def test_each_thing_has_its_line(self):
        spec = self.laid_out()
        root, work = self.place.root, self.place.work
        lines = self.told(spec).splitlines()
        for line in (f'writes   "{work}"', f'writes   "{root}/own", with .git and all else in it that runs as you outside', f'reads    "{root}/read"',
                     f'reads    "{root}/way", which is "{root}/real"', f'reads    "{root}/later", if it is there', f'hides    "{root}/hidden"',
                     "reaches  allowed.test (ports 80, 443)", "reaches  *.more.test (ports 8443)", 'is given "EDITOR" of your environment', 'is given "CI=1"',
                     f'but not  "{root}/pipe", which is a pipe of the machine: an empty file stands there',
                     f'but not  "{root}/read/.env", which holds keys; name it exactly to open it', f'but not  "{self.place.settings}", which are lnk-sandbox\'s settings',
                     f'but not  "{spec}", which is this program\'s, a module\'s or the spec\'s own, or where one of them belongs',
                     "and the system, read only; all else is closed", f'holds    "{work}/.git", a repository, read only',
                     f'holds    "{work}/.vscode", a protected name: it isn\'t there, and an empty folder keeps its name', "It is not approved yet."):
            self.assertIn(line, [one.strip() for one in lines])
        for begin in ("but not  what runs as you there later: .git, .vscode", "open     a repository, bare ones too", "open     settings of agents",
                      "open     a Makefile"):
            self.assertTrue(any(one.strip().startswith(begin) for one in lines), begin)
        self.assertFalse(any(one.strip().startswith(("weaker", "not-held")) and "files." in one for one in lines), lines)

    @each_person
    def test_each_thing_is_in_its_json(self):
        spec = self.laid_out()
        root, work = self.place.root, self.place.work
        told = self.as_json(spec)
        self.assertEqual((told["approved"], told["changes"]), (False, None))
        self.assertLessEqual({self.place.settings, f"{root}/read/.env"}, set(told["closed"]))
        self.assertIn(spec, told["read_only"])
        held = {place["path"]: place["missing"] for place in told["held"]}
        self.assertEqual((held[f"{work}/.git"], held[f"{work}/.vscode"]), (False, True))
        self.assertGreaterEqual(len(told["gaps"]), 3)
        self.assertIn(f'hides    "{root}/hidden"', told["words"])
        self.assertIn({"grant": "files.read", "state": "held", "words": ""}, told["holdings"])
        self.assertNotIn("steps", told)
        steps = self.as_json(spec, "--plan")["steps"]
        self.assertEqual([step["number"] for step in steps], list(range(1, len(steps) + 1)))
        said = self.told(spec, "--plan").splitlines()
        for step in steps:
            self.assertIn(f"{step['number']}. {step['kind']}: {step['words']}", said)

    @each_person
    def test_what_changed_since_it_was_approved_is_told(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec, environment={"HOME": self.home()}))
        self.assertEqual((self.as_json(spec)["approved"], self.as_json(spec)["changes"]), (True, None))
        more = self.place.folder("more")
        self.place.spec(f'[files]\nread = ["{self.place.work}", "{more}"]\n')
        told = self.as_json(spec)
        self.assertFalse(told["approved"])
        self.assertEqual(told["changes"], {"gone": [f'writes   "{self.place.work}"'], "new": [f'reads    "{name}"' for name in sorted((self.place.work, more))]})
        for line in (f'  gone  writes   "{self.place.work}"', f'  new   reads    "{more}"'):
            self.assertIn(line, self.told(spec).splitlines())

    @each_person
    def test_what_is_held_weaker_is_told(self):
        spec = self.laid_out()
        self.place.outer = (POORER, "landlock", "--")
        self.assertIn("  weaker   files.read: by mounts alone; this kernel offers no Landlock to hold it again", self.told(spec).splitlines())
        states = {holding["grant"]: holding["state"] for holding in self.as_json(spec)["holdings"]}
        self.assertEqual({states[f"files.{key}"] for key in ("read", "write", "hide")}, {"weaker"})


if __name__ == "__main__":
    unittest.main()
