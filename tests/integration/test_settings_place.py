# SPDX-License-Identifier: Apache-2.0
"""Settings that others could replace or read are refused in words; by a link they are those that it leads to."""

import os
import unittest

import product
from product import each_person
from rig import capability, client

OTHER_UID = 47002


class SettingsPlace(product.ProductTest):
    def moved(self, *parts, mode=0o700):
        """The settings at another place; the folders above are made with a mode of their own."""
        self.place.settings = self.place.folder(*parts)
        os.chmod(self.place.settings, mode)
        return self.place.settings

    def assert_usable(self):
        self.assert_started(self.place.shell("true"))

    @each_person
    def test_a_settings_folder_that_others_may_enter_is_refused(self):
        for mode in (0o777, 0o707, 0o770, 0o750, 0o755, 0o701):
            with self.subTest(mode=oct(mode)):
                os.chmod(self.place.settings, mode)
                self.assert_refused(self.place.shell("true"), self.place.settings, "chmod go-rwx")
                for command in (("modules",), ("secret", "list"), ("check",)):
                    done = self.place.lnk(*command)
                    self.assertNotEqual(done.returncode, 0, command)
                    self.assertIn(self.place.settings, done.stderr + done.stdout)
                self.assertEqual(os.listdir(self.place.settings), [])
        os.chmod(self.place.settings, 0o700)
        self.assert_usable()

    @each_person
    def test_a_folder_above_that_others_may_write_is_refused(self):
        above = self.place.folder("above", "deep")
        self.moved("above", "deep", "settings")
        for folder in (above, os.path.dirname(above)):
            for mode in (0o777, 0o703):
                os.chmod(folder, mode)
                self.assert_refused(self.place.shell("true"), "the settings", f"'{folder}'", "may be written by others")
            # In a sticky folder none replaces another's entry.
            os.chmod(folder, 0o1777)
            self.assert_usable()
            os.chmod(folder, 0o755)
        self.assert_usable()

    def test_a_folder_above_that_another_owns_or_another_group_may_write_is_refused(self):
        capability.need("root")
        for person in client.people():
            with self.subTest(person=person.name):
                self.place = self.as_person(person)
                above = self.place.folder("above")
                self.moved("above", "settings")
                os.chown(above, person.uid, OTHER_UID)
                os.chmod(above, 0o770)
                self.assert_refused(self.place.shell("true"), f"'{above}'", "may be written by others")
                os.chmod(above, 0o750)
                self.assert_usable()
                os.chown(above, OTHER_UID, person.uid)
                os.chmod(above, 0o755)
                self.assert_refused(self.place.shell("true"), f"'{above}'", f"belongs to uid {OTHER_UID}")

    def test_settings_of_another_are_refused(self):
        capability.need("root")
        for person in client.people():
            with self.subTest(person=person.name):
                self.place = self.as_person(person)
                os.chown(self.place.settings, OTHER_UID, OTHER_UID)
                self.assert_refused(self.place.shell("true"), self.place.settings)

    @each_person
    def test_settings_by_a_link_are_where_it_leads_and_closed_there(self):
        real = self.place.settings
        self.place.write("settings/canary", "seen\n", mode=0o600)
        self.place.settings = self.place.path("link")
        os.symlink(real, self.place.settings)
        script = f"cat {real}/canary || echo refused; cat {self.place.settings}/canary || echo refused; cat {self.place.root}/beside"
        self.place.write("beside", "seen\n")
        done = self.place.shell(script, "--write", self.place.work, "--read", self.place.root)
        self.assert_started(done, "refused\nrefused\nseen\n")
        self.assert_refused(self.place.shell(script, "--write", self.place.root), "settings")
        os.chmod(real, 0o755)
        self.assert_refused(self.place.shell(script), "chmod go-rwx")

    @each_person
    def test_a_link_to_settings_that_the_program_could_replace_is_refused(self):
        real = self.place.settings
        for link, then in ((self.place.path("work", "link"), ""), (self.place.path("work", "above"), "settings")):
            os.symlink(real if not then else self.place.root, link)
            self.place.settings = os.path.join(link, then) if then else link
            self.assert_refused(self.place.shell("true"), "settings")
        self.place.settings = real
        self.assert_usable()

    @each_person
    def test_a_link_to_settings_in_a_folder_that_others_may_write_is_refused(self):
        real, open_to_all = self.place.settings, self.place.folder("open")
        self.place.settings = os.path.join(open_to_all, "link")
        os.symlink(real, self.place.settings)
        self.assert_usable()
        os.chmod(open_to_all, 0o777)
        self.assert_refused(self.place.shell("true"), "the settings", "may be written by others")

    @each_person
    def test_a_link_to_a_spec_in_a_folder_that_others_may_write_is_refused(self):
        spec, open_to_all = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n'), self.place.folder("open")
        link = os.path.join(open_to_all, "spec.toml")
        os.symlink(spec, link)
        for mode in (0o755, 0o777, 0o1777):
            os.chmod(open_to_all, mode)
            with self.subTest(mode=oct(mode)):
                done = self.place.shell("true", "--spec", link, "--yes")
                if mode == 0o777:
                    self.assert_refused(done, f"'{open_to_all}'", "may be written by others")
                else:
                    self.assert_started(done)

    @each_person
    def test_settings_that_climb_are_refused_since_a_link_may_stand_before(self):
        os.symlink(self.place.folder("far", "deep"), self.place.path("link"))
        self.place.settings = self.place.path("link", "..", "settings")
        self.assert_refused(self.place.shell("true"), "LNK_HOME must not go up")
        self.assertEqual(os.listdir(self.place.path("settings")), [])

    @each_person
    def test_settings_that_are_no_folder_or_not_absolute_are_refused(self):
        self.place.settings = self.place.write("file", "")
        self.assert_refused(self.place.shell("true"), self.place.settings)
        self.place.settings = "settings"
        self.assert_refused(self.place.shell("true"), "LNK_HOME must be an absolute path")


if __name__ == "__main__":
    unittest.main()
