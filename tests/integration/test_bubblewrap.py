# SPDX-License-Identifier: Apache-2.0
"""Which bubblewrap is used: the system's own, whatever PATH says, and none that others could change or that has privileges.

The system's is replaced in a mount namespace of the test's own, which only root may make; the person is put in it after."""

import json
import os
import shutil
import unittest

import product
from product import each_person
from rig import client

BWRAP = os.path.realpath("/usr/bin/bwrap")
# Words of bubblewrap 0.8 and 0.9: the first of one without held descriptors, the others as Ubuntu 24.04's AppArmor makes
# them (containers/bubblewrap issue 632).
UNKNOWN = "bwrap: Unknown option --ro-bind-fd"
REFUSED = "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces."


class InTheSystemsPlace(product.ProductTest):
    needs = ("root",)

    def put(self, program, mode):
        """Another program where bubblewrap is, a copy of a file or a script; the rest of the system as it is."""
        path = self.place.path("bwrap")
        if program.startswith("/"):
            shutil.copy(program, path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(program)
        os.chown(path, 0, 0)
        os.chmod(path, mode)
        outer = ["unshare", "--mount", "--", "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', path, BWRAP]
        self.place.person = client.Person(self.place.person.name, self.place.person.uid, self.place.person.home,
                                          (*outer, *self.place.person.prefix))

    def says(self, *words):
        done = self.place.shell("true")
        self.assert_refused(done, *words)
        checked = self.place.lnk("check", "--json")
        self.assertEqual(checked.returncode, 1, checked.stderr)
        report = json.loads(checked.stdout)
        self.assertFalse(report["holds"])
        told = " ".join(f"{one['evidence']} {one['mend']}" for one in report["capabilities"])
        for word in words:
            self.assertIn(word, told)

    @each_person
    def test_an_honest_copy_is_used(self):
        self.put(BWRAP, 0o755)
        self.assert_started(self.place.shell("true"))
        self.assert_done(self.place.lnk("check"))

    @each_person
    def test_a_setuid_one_is_refused(self):
        self.put(BWRAP, 0o4755)
        self.says("is setuid", "chmod u-s")

    @each_person
    def test_a_setgid_one_is_refused(self):
        self.put(BWRAP, 0o2755)
        self.says("is setuid", "chmod")

    @each_person
    def test_one_that_others_may_write_is_refused(self):
        self.put(BWRAP, 0o775)
        self.says("others than root and you may write it")

    @each_person
    def test_one_without_held_descriptors_is_refused(self):
        self.put(f"#!/bin/sh\necho '{UNKNOWN}' >&2\nexit 1\n", 0o755)
        self.says("Unknown option", "--bind-fd", "0.10")

    @each_person
    def test_one_that_may_make_no_namespace_names_the_layer(self):
        self.put(f"#!/bin/sh\necho '{REFUSED}' >&2\nexit 1\n", 0o755)
        self.says("No permissions to create new namespace", "refuse")

    @each_person
    def test_one_that_changed_since_it_was_tried_is_tried_again(self):
        self.assert_started(self.place.shell("true"))
        self.put(BWRAP, 0o4755)
        self.assert_refused(self.place.shell("true"), "setuid")


    # What each hole lets through, by the person: what root owns root can write without a capability.
    HOLES = ((("instead --bind-fd --ro-bind-fd",), {"granted-write"}, {"granted-write"}),
             (("open /read",), {"read-only"}, {"read-only"}),
             (("open /usr",), {"system-read-only"}, set()),
             (("beside /read /closed",), {"closed"}, {"closed"}),
             (("also --bind /proc /proc",), {"no-processes", "proc-sys"}, {"no-processes"}),
             (("without --unshare-net 0",), {"no-network"}, {"no-network"}),
             (("without --cap-drop 1",), {"no-capabilities"}, set()))

    @each_person
    def test_check_finds_each_hole_of_one_that_builds_less_than_it_is_asked(self):
        # By the mounts alone: Landlock holds some of it again.
        self.put(os.path.join(product.SUPPORT, "weaker_bwrap"), 0o755)
        self.place.outer = (os.path.join(product.SUPPORT, "poorer_kernel"), "landlock", "--")
        for name in ("/run/real-bwrap", "/run/weaker-bwrap"):
            self.addCleanup(os.unlink, name)
        shutil.copy(BWRAP, "/run/real-bwrap")
        for rules, *failed in (((), set(), set()), *self.HOLES):
            with open("/run/weaker-bwrap", "w", encoding="ascii") as file:
                file.write("\n".join(("real /run/real-bwrap", *rules)) + "\n")
            with self.subTest(hole=rules):
                done = self.place.lnk("check", "--json")
                report = json.loads(done.stdout)
                self.assertEqual({trial["name"] for trial in report["trials"] if not trial["held"] and not trial["skipped"]}, failed[self.place.person.uid != 0], done.stderr)
                self.assertEqual((report["holds"], done.returncode), (False, 1) if failed[self.place.person.uid != 0] else (True, 0))


class Elsewhere(product.ProductTest):
    @each_person
    def test_one_on_the_path_is_never_run(self):
        folder = self.place.folder("bin")
        mark = self.place.path("ran")
        for name in ("bwrap", "inner-stage", "keeper"):
            self.place.write(f"bin/{name}", f"#!/bin/sh\n: >{mark}\nexit 1\n", mode=0o755)
        path = folder + ":" + self.place.environment()["PATH"]
        self.assert_started(self.place.shell("true", environment={"PATH": path}))
        self.assertFalse(os.path.exists(mark))

    def test_one_below_a_grant_is_refused(self):
        place = self.as_root()
        folder = os.path.dirname(BWRAP)
        self.assert_refused(place.shell("true", "--write", folder, "--write", place.work), "bwrap", "builds the wall")
        self.assert_started(place.shell("true", "--read", folder, "--write", place.work))

    def test_a_folder_that_others_may_write_is_refused(self):
        # /usr/bin as a folder of links to what is really there, which everyone may write, with a copy of bubblewrap.
        person = self.as_root()
        if os.environ.get("LNK_RIG_ROOT") != "real":
            self.skipTest("root: not the real root")
        real, loose = person.folder("real"), person.folder("loose")
        for name in os.listdir("/usr/bin"):
            os.symlink(os.path.join(real, name), os.path.join(loose, name))
        os.unlink(os.path.join(loose, "bwrap"))
        shutil.copy(BWRAP, os.path.join(loose, "bwrap"))
        for mode, refused in ((0o755, False), (0o777, True)):
            os.chmod(loose, mode)
            person.person = client.Person("root", 0, "/root", ("unshare", "--mount", "--", "sh", "-c",
                                          'mount --bind /usr/bin "$0" && mount --bind "$1" /usr/bin && shift && exec "$@"', real, loose))
            done = person.lnk("check", "--json")
            told = json.loads(done.stdout)["capabilities"][0]["evidence"]
            self.assertEqual("others may write /usr/bin" in told, refused, told)


class AnOuterContainer(product.ProductTest):
    @each_person
    def test_its_filter_is_named_with_the_mend(self):
        self.place.outer = (os.path.join(product.SUPPORT, "poorer_kernel"), "userns", "--")
        done = self.place.shell("true")
        self.assert_refused(done, "an outer container refuses", "--security-opt seccomp=unconfined")
        report = json.loads(self.place.lnk("check", "--json").stdout)
        self.assertIn("an outer container refuses", " ".join(one["mend"] for one in report["capabilities"]))


class Check(product.ProductTest):
    @each_person
    def test_it_tells_what_holds_and_names_what_does_not(self):
        done = self.place.lnk("check", "--json")
        self.assert_done(done)
        report = json.loads(done.stdout)
        self.assertEqual(set(report), {"holds", "capabilities", "trials", "modules", "gaps"})
        self.assertTrue(report["holds"])
        self.assertTrue(all(trial["held"] for trial in report["trials"]))
        for one in report["capabilities"]:
            self.assertEqual(set(one), {"name", "state", "level", "errno", "evidence", "mend"})
        self.assertEqual([set(gap) for gap in report["gaps"]], [{"name", "words"}] * len(report["gaps"]))
        names = {gap["name"] for gap in report["gaps"]}
        self.assertLessEqual({"loader", "LD_PRELOAD", "interpreters", "kernel"}, names)
        landlock = next(one for one in report["capabilities"] if one["name"] == "linux.landlock")
        self.assertEqual("sockets" in names, landlock["level"] < 9)
        self.assertIn("held itself to level" if landlock["level"] else "landlock", landlock["evidence"])
        text = self.place.lnk("check")
        for word in ("LD_PRELOAD", "The wall holds."):
            self.assertIn(word, text.stdout)

    @each_person
    def test_what_does_not_hold_is_told_in_words_with_its_mend(self):
        report = json.loads(self.place.lnk("check", "--json").stdout)
        self.assertIn({"name": "os-linux", "loaded": True, "reason": ""}, report["modules"])
        gaps = [f"  {gap['name']}: {gap['words']}" for gap in report["gaps"]]
        self.place.outer = (os.path.join(product.SUPPORT, "poorer_kernel"), "userns", "--")
        done = self.place.lnk("check")
        self.assert_done(done, 1)
        lines = done.stdout.splitlines()
        self.assertEqual([line[2:8] for line in lines if line.endswith(("a program starts in a sandbox", "no capability is held"))], ["FAILED"] * 2)
        self.assertEqual(lines[-1], "The wall does NOT hold here.")
        self.assertTrue(any(line.startswith("  unsupported  linux.userns: ") for line in lines), lines)
        self.assertTrue(any(line.startswith("      an outer container refuses") for line in lines), lines)
        self.assertIn("  os-linux loads", lines)
        self.assertEqual([line for line in lines if line in gaps], gaps)


if __name__ == "__main__":
    unittest.main()
