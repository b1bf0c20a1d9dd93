# SPDX-License-Identifier: Apache-2.0
"""Programs that lie where PATH or the current folder would lead are never started by the product itself, which runs outside."""

import os
import unittest

import product
from product import each_person

# What the product starts or might: were one looked up by name, a program that an earlier run left would run outside.
NAMES = ("bwrap", "lnk-sandbox", "lnk-wire", "lnk-resolver", "wire", "resolver", "keeper", "inner-stage", "sh", "env", "getent", "true")
SYSTEM = "/usr/local/bin:/usr/bin:/bin"


class PlantedPrograms(product.ProductTest):
    def planted(self, *parts):
        """A folder of programs that tell outside of the sandbox, in a folder that is not granted, that they ran."""
        folder = self.place.folder(*parts)
        self.told = self.place.path("told")
        for name in NAMES:
            self.place.write("/".join((*parts, name)), f"#!/bin/dash\necho ran {name} >>{self.told}\necho planted $*\n", 0o755)
        return folder

    def with_path(self, path, *arguments, cwd=None):
        self.place.outer = ("/usr/bin/env", f"PATH={path}")
        try:
            return self.place.lnk(*arguments, cwd=cwd)
        finally:
            self.place.outer = ()

    def paths(self, folder):
        name = os.path.basename(folder)
        return ("", ".", ":", name, f"./{name}", f".:{SYSTEM}", f":{SYSTEM}", f"{name}:{SYSTEM}", f"{folder}:{SYSTEM}", f"{folder}")

    @each_person
    def test_what_is_planted_tells_when_it_is_started(self):
        self.planted("work", "tools")
        done = self.place.shell("true", cwd=self.place.path("work", "tools"))
        self.assert_started(done)
        self.place.outer = ("/bin/dash", "-c", f"{self.place.work}/tools/true", "dash")
        self.place.lnk()
        self.assertTrue(os.path.exists(self.told))

    @each_person
    def test_nothing_of_the_path_or_the_current_folder_is_started_outside(self):
        tools = self.planted("work", "tools")
        self.planted("work")
        for path in self.paths(tools):
            for arguments in (("run",), ("run", "--host", "allowed.test")):
                with self.subTest(path=path, arguments=arguments):
                    done = self.with_path(path, *arguments, "--", "/bin/dash", "-c", "echo started; echo $PATH")
                    self.assert_started(done, (path or SYSTEM) + "\n")
                    self.assertFalse(os.path.exists(self.told))
            for command in (("check",), ("modules",)):
                self.assertNotIn("planted", self.with_path(path, *command).stdout)
                self.assertFalse(os.path.exists(self.told))

    @each_person
    def test_a_program_of_the_path_is_started_inside_alone(self):
        tools = self.planted("work", "tools")
        done = self.with_path(f"{tools}:{SYSTEM}", "run", "--", "true", "one")
        self.assert_done(done)
        self.assertEqual(done.stdout, "planted one\n")  # found where the person's own PATH says, and held by the wall
        self.assertFalse(os.path.exists(self.told))

    @each_person
    def test_a_program_of_a_relative_path_is_looked_up_inside_as_a_shell_would(self):
        self.planted("work", "tools")
        for path in (".", "tools"):
            done = self.with_path(path, "run", "--", "true", cwd=self.place.path("work", "tools") if path == "." else None)
            self.assertIn(done.returncode, (0, product.EXIT_NOT_FOUND), done)
            self.assertFalse(os.path.exists(self.told))


if __name__ == "__main__":
    unittest.main()
