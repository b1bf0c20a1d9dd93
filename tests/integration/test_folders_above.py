# SPDX-License-Identifier: Apache-2.0
"""What is kept inside a written folder can't be carried away with a folder above it, nor be built anew in its place."""

import os
import shutil
import unittest

import product
from product import each_person
from folders import FoldersTest
from rig import capability


class FoldersAbove(FoldersTest):
    def deep(self):
        """W/a/b/kept with a file in it, and a/beside; the folders above it."""
        for parts in (("a",), ("a", "b"), ("a", "b", "kept"), ("a", "beside")):
            self.place.folder("work", *parts)
        self.place.write("work/a/b/kept/file", "as it was\n")
        self.place.write("work/a/b/ordinary", "")
        return [self.place.path("work", "a"), self.place.path("work", "a", "b")]

    @each_person
    def test_with_nothing_kept_inside_a_folder_can_be_moved(self):
        for folder in self.deep():
            self.assert_can_be_moved(folder)

    @each_person
    def test_a_kept_place_holds_every_folder_above_it(self):
        above = self.deep()
        kept = self.place.path("work", "a", "b", "kept")
        for flag in ("--read", "--hide"):
            for place in (kept, os.path.join(kept, "file")):
                with self.subTest(flag=flag, place=place):
                    folders = above + ([kept] if place != kept else [])
                    self.assert_none_can_be_moved(folders, "--write", self.place.work, flag, place)
                    self.assert_can_be_moved(self.place.path("work", "a", "beside"), "--write", self.place.work, flag, place)

    @each_person
    def test_it_holds_them_by_the_mounts_alone_too(self):
        poorer = os.path.join(product.SUPPORT, "poorer_kernel")
        if not os.access(poorer, os.X_OK):
            capability.lack("poorer_kernel", f"{poorer} is not built")
        above = self.deep()
        kept = self.place.path("work", "a", "b", "kept")
        self.place.outer = (poorer, "landlock", "--")
        for flag in ("--read", "--hide"):
            self.assert_none_can_be_moved([*above, kept], "--write", self.place.work, flag, kept)
        self.assert_can_be_moved(above[0])

    @each_person
    def test_a_kept_place_of_a_spec_holds_them_too(self):
        above = self.deep()
        kept = self.place.path("work", "a", "b", "kept")
        for line in (f'read = ["{kept}"]', f'hide = ["{kept}"]', f'read = ["{kept}?"]'):
            spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n{line}\n')
            self.assert_none_can_be_moved([*above, kept], "--spec", spec, "--yes")

    @each_person
    def test_a_current_folder_above_it_is_no_way_round(self):
        above = self.deep()
        kept = self.place.path("work", "a", "b", "kept")
        script = "; ".join(f"cd {where}; echo x >{name}/file || echo refused; echo x >{beside} && echo written" for where, name, beside in (
            (".", "kept", "ordinary"), ("..", "b/kept", "beside/file"), ("..", "a/b/kept", "ordinary"))) + "; mv a moved || echo refused"
        done = self.place.shell(script, "--write", self.place.work, "--read", kept, cwd=above[-1])
        self.assert_started(done, 3 * "refused\nwritten\n" + "refused\n")

    @each_person
    def test_what_lies_in_folders_above_is_written_as_ever(self):
        above = self.deep()
        kept = self.place.path("work", "a", "b", "kept")
        probe = ("import os, sys\nfor folder in sys.argv[1:]:\n open(folder + '/x', 'w').close(); os.rename(folder + '/x', folder + '/y');"
                 " os.unlink(folder + '/y'); os.mkdir(folder + '/z'); os.rmdir(folder + '/z')\nprint('written')")
        done = self.python(probe, *above, flags=("--write", self.place.work, "--read", kept))
        self.assert_started(done, "written\n")

    @each_person
    def test_the_spec_holds_the_folders_above_it(self):
        self.deep()
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n', "work/a/b/spec.toml")
        self.assert_none_can_be_moved([self.place.path("work", "a"), self.place.path("work", "a", "b")], "--spec", spec, "--yes")
        self.assert_can_be_moved(self.place.path("work", "a", "beside"), "--spec", spec)

    @each_person
    def test_a_place_of_keys_holds_the_folders_above_it(self):
        outer = os.path.join(self.place.person.home, ".kde")
        self.addCleanup(shutil.rmtree, outer, ignore_errors=True)
        above = [os.path.join(outer, "share"), os.path.join(outer, "share", "apps")]
        os.makedirs(os.path.join(above[-1], "kwallet"))
        self.place.give_all(outer)
        self.place.work = outer
        self.assert_none_can_be_moved([*above, os.path.join(above[-1], "kwallet")])
        os.rmdir(os.path.join(above[-1], "kwallet"))
        self.assert_can_be_moved(above[-1])

    @each_person
    def test_a_write_that_holds_the_settings_is_refused_however_deep_they_lie(self):
        self.place.folder("work", "a", "b")
        self.place.settings, settings = self.place.folder("work", "a", "b", "settings"), self.place.settings
        self.assert_refused(self.python("pass", flags=("--write", self.place.work)), "settings")
        self.assert_refused(self.python("pass"), "settings")
        self.assert_started(self.python("pass", flags=("--write", self.place.folder("work", "beside"), "--read", self.place.work)))
        self.place.settings = settings
        self.assert_started(self.python("pass", flags=("--write", self.place.work)))


if __name__ == "__main__":
    unittest.main()
