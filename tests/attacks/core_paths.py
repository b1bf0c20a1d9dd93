# SPDX-License-Identifier: Apache-2.0
"""Every change of a file or folder, by every name that leads to it. test_attacks and test_environments run these."""

import os
import re

import attacks
from product import each_person

PLAIN = "file"
YOUNGER = re.compile("setxattr|fchmodat2|set-flags")
LOOKS = ("read", "map", "read-by-path-fd")
ODD = 'new\nline "quotes" \'and\' \\ tab\t ' + os.fsdecode(b"\xff\xfe\xc0\xaf")


class PathAttacks(attacks.AttackTest):
    def lay_out(self):
        """Folders by what they shall be: each with a file, one of an odd name, a folder with a file in it."""
        for folder in ("read", "work/kept", "work/hidden", "other"):
            path = self.place.folder(*folder.split("/"))
            for name in (PLAIN, ODD, "folder/file"):
                self.place.folder(*os.path.join(folder, os.path.dirname(name)).split("/"))
                with open(os.path.join(path, name), "w", encoding="utf-8") as file:
                    file.write("as it was\n")
        self.place.folder("work", "scratch")
        self.tools()
        self.place.give_all(self.place.root)
        return ("--write", self.place.work, "--read", self.place.path("read"), "--read", self.place.path("work", "kept"),
                "--hide", self.place.path("work", "hidden"))

    def targets(self, folder):
        return [self.place.path(folder, name) for name in (PLAIN, ODD, "absent", "folder", "folder/file", "folder/absent")]

    def assert_refused(self, group, targets, flags):
        answers = self.inside(group, "try", self.place.path("work", "scratch"), *targets, flags=flags)
        self.assertEqual({name.split(":")[0] for name in answers}, {str(number) for number in range(len(targets))})
        self.assert_all_refused(answers)

    def check_held(self, folder, flags, itself=False):
        held = self.place.path(folder)
        before = attacks.look_at(held)
        beside = os.listdir(os.path.dirname(held))
        self.assert_refused("paths", self.targets(folder) + [held] * itself, flags)
        self.assertEqual(attacks.look_at(held), before)
        self.assertEqual(os.listdir(os.path.dirname(held)), beside)

    @each_person
    def test_what_is_granted_for_reading_is_not_changed(self):
        self.check_held("read", self.lay_out())

    @each_person
    def test_what_is_granted_for_reading_inside_a_written_folder_is_not_changed(self):
        self.check_held("work/kept", self.lay_out(), itself=True)

    @each_person
    def test_what_is_hidden_is_not_changed(self):
        self.check_held("work/hidden", self.lay_out(), itself=True)

    @each_person
    def test_what_is_not_granted_is_not_changed(self):
        self.check_held("other", self.lay_out())

    @each_person
    def test_what_every_sandbox_has_is_not_changed(self):
        # Names that are nowhere, so that nothing of this machine is lost where the wall fails.
        flags = self.lay_out()
        targets = [folder + "/lnk-absent" for folder in ("", "/usr", "/usr/bin", "/etc", "/dev", "/proc", "/proc/1", "/sys")]
        self.assert_refused("paths", targets, flags)
        for target in targets:
            self.assertFalse(os.path.lexists(target), target)

    @each_person
    def test_what_is_hidden_or_not_granted_is_not_read(self):
        flags = self.lay_out()
        self.assert_refused("reads", self.targets("work/hidden") + self.targets("other"), flags)

    @each_person
    def test_each_look_works_where_reading_is_granted(self):
        flags = self.lay_out()
        targets = self.targets("read")[:2] + self.targets("work/kept")[:2]
        answers = self.inside("reads", "try", self.place.path("work", "scratch"), *targets, flags=flags)
        looks = {name: answer for name, answer in answers.items() if name.split(":")[1].split("/")[0] in LOOKS}
        self.assertGreater(len(looks), 3 * len(targets))
        # bubblewrap's first process is of no domain of ours: what leads through it is closed where Landlock is.
        self.assertEqual({name for name, answer in looks.items() if answer != 0 and not name.endswith("/pid1-root")}, set())

    @each_person
    def test_each_change_works_where_writing_is_granted(self):
        flags = self.lay_out()
        targets = [os.path.join(self.place.folder("work", "open"), name) for name in (PLAIN, ODD)]
        words = ("paths", "make", self.place.path("work", "scratch"), *targets)
        inside, outside = self.inside(*words, flags=flags), self.outside(*words)
        through_first = {name for name in inside if name.endswith("/pid1-root")}
        self.assertEqual({name: answer for name, answer in inside.items() if name not in through_first},
                         {name: answer for name, answer in outside.items() if name not in through_first})
        # A file system of the test's may have no attributes, and a kernel not the younger calls.
        failed = {name for name, answer in outside.items() if answer != 0 and not YOUNGER.search(name)} - through_first
        self.assertEqual(failed, set())
        if not self.has_landlock:
            self.assertEqual({inside[name] for name in through_first if not YOUNGER.search(name)}, {0})
