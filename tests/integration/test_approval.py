# SPDX-License-Identifier: Apache-2.0
"""A spec is asked about once; wrap prints what launch starts; forget takes it back."""

import json
import os
import subprocess
import unittest

import product
from product import each_person
from rig import client


class Approval(product.ProductTest):
    def spec(self, *more):
        return self.place.spec("\n".join([f'[files]\nwrite = ["{self.place.work}"]', *more]) + "\n")

    @each_person
    def test_a_new_spec_does_not_run_unasked(self):
        spec = self.spec()
        self.assert_refused(self.place.shell("true", "--spec", spec), "approve")
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assert_started(self.place.shell("true", "--spec", spec))

    @each_person
    def test_yes_approves_and_remembers(self):
        spec = self.spec()
        self.assert_started(self.place.shell("true", "--spec", spec, "--yes"))
        self.assert_started(self.place.shell("true", "--spec", spec))

    @each_person
    def test_a_spec_that_opens_more_is_asked_about_again(self):
        self.assert_started(self.place.shell("true", "--spec", self.spec(), "--yes"))
        spec = self.spec('[network]\nhosts = ["allowed.test"]')
        self.assert_refused(self.place.shell("true", "--spec", spec))
        self.assert_started(self.place.shell("true", "--spec", self.spec()))

    @each_person
    def test_a_changed_spec_shows_what_is_new_and_what_is_gone(self):
        other = self.place.folder("other")
        spec = self.spec(f'read = ["{other}"]')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assertIsNone(self.place.listing("describe", "--spec", spec)["changes"])
        self.spec('[network]\nhosts = ["allowed.test"]')
        new, gone = "new   reaches  allowed.test (ports 80, 443)", f'gone  reads    "{other}"'
        done = self.place.shell("true", "--spec", spec)
        self.assert_refused(done, new, gone)
        self.assertNotIn(f'new   writes   "{self.place.work}"', done.stderr)
        self.assert_refused(self.place.lnk("wrap", "--spec", spec, "--", "true"), new, gone)
        self.assertIn(new, self.place.lnk("describe", "--spec", spec).stdout)
        changes = self.place.listing("describe", "--spec", spec)["changes"]
        self.assertEqual(changes, {"gone": [f'reads    "{other}"', "reaches  nothing: it has no network"],
                                   "new": ["reaches  allowed.test (ports 80, 443)"]})
        # One that was never approved, or was forgotten, has nothing to be held against.
        self.assert_done(self.place.lnk("forget", "--spec", spec))
        self.assertNotIn("since it changed", self.place.shell("true", "--spec", spec).stderr)
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assertIsNone(self.place.listing("describe", "--spec", spec)["changes"])

    @each_person
    def test_a_change_in_the_middle_of_a_long_path_is_seen(self):
        paths = [self.place.folder("a" * 120, middle, "b" * 120) for middle in ("one", "two")]
        spec = self.spec(f'read = ["{paths[0]}"]')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.spec(f'read = ["{paths[1]}"]')
        self.assert_refused(self.place.shell("true", "--spec", spec), f'new   reads    "{paths[1]}"', f'gone  reads    "{paths[0]}"')

    @each_person
    def test_another_home_is_asked_about_and_named_as_the_reason(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        home = self.place.folder("home")
        self.assert_refused(self.place.shell("true", "--spec", spec, environment={"HOME": home}), "or your home is another")
        self.assert_started(self.place.shell("true", "--spec", spec))

    @each_person
    def test_grants_typed_as_flags_need_no_asking_beside_an_approved_spec(self):
        spec = self.spec()
        other = self.place.folder("other")
        self.assert_refused(self.place.shell("true", "--spec", spec, "--write", other))
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assert_started(self.place.shell(f"echo x >{other}/x && echo written", "--spec", spec, "--write", other), "written\n")

    @each_person
    def test_forget_takes_an_approval_back(self):
        spec = self.spec()
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assert_started(self.place.shell("true", "--spec", spec))
        self.assert_done(self.place.lnk("forget", "--spec", spec))
        self.assert_refused(self.place.shell("true", "--spec", spec))

    @each_person
    def test_a_damaged_approval_holds_up_no_other_and_is_named_with_its_mend(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n', "one.toml")
        other = self.place.spec(f'[files]\nread = ["{self.place.work}"]\n', "two.toml")
        self.assert_done(self.place.lnk("approve", "--spec", other))
        for folder in ("names", "approved", "last"):
            for entry in os.listdir(self.place.path("settings", folder)):
                self.place.write(f"settings/{folder}/{entry}", "{", 0o600)
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.assert_done(self.place.lnk("forget", "--spec", spec))
        self.assert_refused(self.place.shell("true", "--spec", spec), "approve")
        for command in (("approve", "--spec", other), ("run", "--spec", other, "--", "true")):
            self.assert_refused(self.place.lnk(*command), "is not JSON", "remove it and approve again")

    @each_person
    def test_a_name_is_bound_to_its_specs_path(self):
        self.assert_done(self.place.lnk("approve", "--spec", self.spec('[env]\nset = { A = "1" }\n').replace("spec.toml", "spec.toml")))
        named = f'name = "spec"\n[files]\nwrite = ["{self.place.work}"]\n[env]\nset = {{ A = "1" }}\n'
        second = self.place.spec(named, "second.toml")
        self.assert_refused(self.place.shell("true", "--spec", second), 'the name "spec" belongs to')
        self.assertIn('not approved: the name "spec" belongs to', self.place.lnk("describe", "--spec", second).stdout)
        self.assert_done(self.place.lnk("approve", "--spec", second))
        self.assert_started(self.place.shell("true", "--spec", second))

    @each_person
    def test_a_changed_name_is_what_is_asked_about(self):
        spec = self.place.spec(f'name = "before"\n[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.place.spec(f'name = "after"\n[files]\nwrite = ["{self.place.work}"]\n')
        done = self.place.shell("true", "--spec", spec)
        self.assert_refused(done, 'new   is named "after"', 'gone  is named "before"')
        self.assertNotIn("the same in words", done.stderr)
        self.assertIn('new   is named "after"', self.place.lnk("approve", "--spec", spec).stdout)
        self.assert_started(self.place.shell("true", "--spec", spec))

    @each_person
    def test_specs_without_an_ascii_name_keep_each_its_approval(self):
        specs = [self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[env]\nset = {{ A = "{name}" }}\n', f"{name}.toml") for name in "日月"]
        for spec in specs:
            self.assert_refused(self.place.shell("true", "--spec", spec), "approve")
            self.assertNotIn("moves here", self.place.lnk("approve", "--spec", spec).stdout)
        for spec in specs:
            self.assert_started(self.place.shell("true", "--spec", spec))
        self.assert_done(self.place.lnk("forget", "--spec", specs[0]))
        self.assert_refused(self.place.shell("true", "--spec", specs[0]))
        self.assert_started(self.place.shell("true", "--spec", specs[1]))


class Wrap(product.ProductTest):
    def approved(self, *more):
        spec = self.place.spec("\n".join([f'[files]\nwrite = ["{self.place.work}"]', *more]) + "\n")
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        return spec

    def wrap(self, spec, *command):
        done = self.place.lnk("wrap", "--spec", spec, "--json", "--", *command)
        self.assert_done(done)
        return json.loads(done.stdout)

    def start(self, argv, **environment):
        """As a harness would, with an environment of its own and none of the settings'."""
        return subprocess.run([*self.place.person.prefix, *argv], cwd=self.place.work, env=self.place.person.environment(**environment),
                              capture_output=True, text=True, timeout=product.RUN_TIMEOUT_S, check=False)

    @each_person
    def test_what_wrap_prints_starts_the_command(self):
        wrapped = self.wrap(self.approved(), "sh", "-c", "echo started; exit 5")
        self.assertEqual(wrapped["argv"][0], os.path.realpath(product.BIN))
        self.assertEqual(wrapped["argv"][1:3], ["launch", "--settings"])
        self.assertTrue(wrapped["snapshot"].startswith("sha256:"))
        self.assertIsInstance(wrapped["warnings"], list)
        for _ in range(2):
            done = self.start(wrapped["argv"], **wrapped["env"])
            self.assert_started(done)
            self.assert_done(done, 5)

    @each_person
    def test_wrap_starts_nothing(self):
        self.wrap(self.approved(), "sh", "-c", "echo >ran")
        self.assertFalse(os.path.exists(self.place.path("work", "ran")))

    @each_person
    def test_without_json_it_prints_one_shell_line(self):
        spec = self.approved()
        done = self.place.lnk("wrap", "--spec", spec, "--", "sh", "-c", "echo started; echo 'a  b'")
        self.assert_done(done)
        self.assertEqual(done.stdout.count("\n"), 1)
        self.assert_started(self.start(["sh", "-c", done.stdout]), "a  b\n")

    @each_person
    def test_the_harnesss_environment_passes_but_for_what_injects(self):
        wrapped = self.wrap(self.approved(), "sh", "-c", "echo started; echo $HARNESS; echo $LD_PRELOAD$BASH_ENV")
        done = self.start(wrapped["argv"], HARNESS="kept", LD_PRELOAD="", BASH_ENV="/x")
        self.assert_started(done, "kept\n\n")

    @each_person
    def test_an_unapproved_spec_is_refused_unless_the_harness_asked(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_done(self.place.lnk("wrap", "--spec", spec, "--", "true"), product.EXIT_REFUSED)
        self.assert_done(self.place.lnk("wrap", "--spec", spec, "--approved", "--", "true"))
        self.assert_done(self.place.lnk("wrap", "--spec", spec, "--", "true"))
        self.assert_started(self.place.shell("true", "--spec", spec))

    @each_person
    def test_a_snapshot_that_is_forgotten_does_not_start(self):
        spec = self.approved()
        wrapped = self.wrap(spec, "sh", "-c", "echo started")
        self.assert_started(self.start(wrapped["argv"]))
        self.assert_done(self.place.lnk("forget", "--spec", spec))
        self.assert_refused(self.start(wrapped["argv"]), "not-approved")

    @each_person
    def test_a_snapshot_whose_source_leads_elsewhere_is_stale(self):
        first, second, link = self.place.folder("first"), self.place.folder("second"), self.place.path("link")
        os.symlink(first, link)
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{link}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        wrapped = self.wrap(spec, "sh", "-c", "echo started")
        self.assert_started(self.start(wrapped["argv"]))
        os.unlink(link)
        os.symlink(second, link)
        self.assert_refused(self.start(wrapped["argv"]), "snapshot-stale")

    @each_person
    def test_a_module_that_is_another_by_then_does_not_start(self):
        tree = self.place.path("tree")
        self.place.program = client.copy_program(product.BIN, tree)
        self.place.give_all(tree)
        wrapped = self.wrap(self.approved(), "sh", "-c", "echo started")
        self.assert_started(self.start(wrapped["argv"]))
        module = os.path.join(tree, "lib", "lnk-sandbox", "modules", "os-linux.so")
        with open(module, "ab") as file:
            file.write(b"\0")
        self.assert_refused(self.start(wrapped["argv"]), "os-linux.so")
        self.assert_started(self.start(self.wrap(self.place.path("spec.toml"), "sh", "-c", "echo started")["argv"]))

    @each_person
    def test_a_source_that_is_of_another_kind_by_then_does_not_start(self):
        folder, file = self.place.folder("folder"), self.place.write("file", "")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{folder}", "{file}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        wrapped = self.wrap(spec, "sh", "-c", "echo started")
        self.assert_started(self.start(wrapped["argv"]))
        os.unlink(file)
        self.place.folder("file")
        self.assert_refused(self.start(wrapped["argv"]), "file: is a folder now, and was a file")
        os.rmdir(file)
        self.place.write("file", "")
        self.assert_started(self.start(wrapped["argv"]))
        os.rmdir(folder)
        self.place.write("folder", "")
        self.assert_refused(self.start(wrapped["argv"]), "folder: is a file now, and was a folder")

    @each_person
    def test_a_snapshot_that_was_changed_in_the_settings_does_not_start(self):
        wrapped = self.wrap(self.approved(), "sh", "-c", "echo started")
        self.assert_started(self.start(wrapped["argv"]))
        kept = self.place.path("settings", "snapshots", wrapped["snapshot"].removeprefix("sha256:") + ".json")
        with open(kept, encoding="utf-8") as file:
            text = file.read()
        changes = (text.replace('"access":"write"', '"access":"read"'), text.replace(self.place.work, self.place.root), text + " ", text[:-1], "")
        for changed in changes:
            self.assertNotEqual(changed, text)
            with open(kept, "w", encoding="utf-8") as file:
                file.write(changed)
            self.assert_refused(self.start(wrapped["argv"]), "snapshot-stale", "is not what its name says")
        with open(kept, "w", encoding="utf-8") as file:
            file.write(text)
        self.assert_started(self.start(wrapped["argv"]))

    @each_person
    def test_a_made_up_snapshot_does_not_start(self):
        wrapped = self.wrap(self.approved(), "sh", "-c", "echo started")
        argv = list(wrapped["argv"])
        at = argv.index("--snapshot") + 1
        argv[at] = argv[at][:-1] + ("0" if argv[at][-1] != "0" else "1")
        self.assert_refused(self.start(argv))


if __name__ == "__main__":
    unittest.main()
