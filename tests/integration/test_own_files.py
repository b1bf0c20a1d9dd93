# SPDX-License-Identifier: Apache-2.0
"""The product's own files are read only for what it runs, wherever they are installed, and the folders above them stay."""

import json
import os
import shutil
import unittest

import product
from product import each_person
from folders import ATTEMPT_FUNCTION, FoldersTest, tree
from rig import client

STAGED = os.path.dirname(os.path.dirname(os.path.realpath(os.environ.get("LNK_BIN", os.path.join(product.TREE, "out", "bin", "lnk-sandbox")))))
PARTS = ("lib/lnk-sandbox", "share/lnk-sandbox")
RULE = os.path.join("share", "lnk-sandbox", "rules", "telegram.json")

SPOIL = ATTEMPT_FUNCTION + """
import os, sys
def append(path):
    with open(path, "ab") as file:
        file.write(b"x")

def replace(path):
    with open("other", "w"):
        pass
    os.rename("other", path)

for path in sys.argv[1:]:
    attempt(f"append {path}", lambda: append(path))
    attempt(f"truncate {path}", lambda: os.truncate(path, 0))
    attempt(f"mode {path}", lambda: os.chmod(path, 0o777))
    attempt(f"replace {path}", lambda: replace(path))
    attempt(f"rename {path}", lambda: os.rename(path, path + "-moved"))
    attempt(f"add {path}", lambda: open(os.path.join(os.path.dirname(path), "added"), "x").close())
    attempt(f"unlink {path}", lambda: os.unlink(path))
if os.path.exists("other"):
    os.unlink("other")
"""
ATTEMPTS = ("append", "truncate", "mode", "replace", "rename", "add", "unlink")


class OwnFiles(FoldersTest):
    def installed_in_the_work_folder(self):
        """The product as installed, copied below what it lets be written; its root there."""
        root = self.place.path("work", "deep", "tree")
        os.makedirs(os.path.join(root, "bin"))
        shutil.copy(os.path.join(STAGED, "bin", "lnk-sandbox"), os.path.join(root, "bin"))
        for part in PARTS:
            shutil.copytree(os.path.join(STAGED, part), os.path.join(root, part))
        self.place.give_all(self.place.path("work"))
        self.place.program = os.path.join(root, "bin", "lnk-sandbox")
        return root

    def spoiled(self, *paths):
        done = self.python(SPOIL, *paths)
        self.assert_started(done)
        said = [line.split() for line in done.stdout.splitlines()[1:]]
        self.assertEqual([tuple(words[1:3]) for words in said], [(name, path) for path in paths for name in ATTEMPTS], done.stderr)
        return said

    @each_person
    def test_the_program_its_modules_its_parts_and_its_rules_can_not_be_touched(self):
        root = self.installed_in_the_work_folder()
        files = [os.path.join(at, name) for part in PARTS for at, _, names in os.walk(os.path.join(root, part)) for name in names
                 if "sdk" not in at and "template" not in at]
        self.assertGreaterEqual({os.path.relpath(path, root) for path in files},
                                {"lib/lnk-sandbox/modules/os-linux.so", "lib/lnk-sandbox/wire", RULE})
        self.assert_started(self.python("pass"))
        before = tree(self.place.work)
        for words in self.spoiled(*files):
            self.assertEqual(words[0], "refused", words)
            self.assertIn(words[3], ("EROFS", "EBUSY", "EXDEV", "ETXTBSY"), words)
        # A file may be made beside the program, and nowhere else: what stands there is not the product's.
        for words in self.spoiled(self.place.program):
            self.assertEqual(words[0], "did" if words[1] == "add" else "refused", words)
        os.unlink(os.path.join(root, "bin", "added"))
        self.assertEqual(tree(self.place.work), before)

    @each_person
    def test_an_ordinary_file_beside_them_can_be(self):
        root = self.installed_in_the_work_folder()
        self.place.write("work/deep/tree/bin/ordinary", "")
        script = f"cd {root}/bin; echo x >ordinary && mv ordinary moved && rm moved && mkdir ../lib/other && mv ../lib/other ../share/ && echo done"
        self.assert_started(self.place.shell(script), "done\n")

    @each_person
    def test_no_folder_above_them_can_be_moved(self):
        root = self.installed_in_the_work_folder()
        self.place.folder("work", "deep", "beside")
        self.assert_started(self.python("pass"))
        above = [os.path.dirname(root), root, *(os.path.join(root, part) for part in ("bin", "lib", "share", *PARTS))]
        self.assert_none_can_be_moved(above)
        self.assert_can_be_moved(self.place.path("work", "deep", "beside"))

    @each_person
    def test_a_module_folder_that_a_run_used_is_kept_in_later_runs(self):
        tree_of_its_own = self.place.path("tree")
        self.place.program = client.copy_program(product.BIN, tree_of_its_own)
        modules = self.place.folder("work", "a", "modules")
        os.rename(os.path.join(tree_of_its_own, "lib", "lnk-sandbox", "modules", "verb-secret.so"), os.path.join(modules, "verb-secret.so"))
        self.place.give_all(tree_of_its_own)
        self.place.give_all(modules)
        self.assert_can_be_moved(self.place.path("work", "a"))
        rule = self.place.write("rule.json", json.dumps({"host": "api.test", "methods": ["GET"], "paths": ["/{name}"],
                                                         "header": {"name": "X-Key", "value": "{secret}"}}))
        self.assert_done(self.place.lnk("secret", "add", "demo", "--rule", rule, stdin="a value of some length\n"))
        done = self.place.lnk("--module-dir", modules, "run", "--secret", "demo", "--", "sh", "-c", "echo started")
        self.assert_started(done, "")
        self.assert_none_can_be_moved([self.place.path("work", "a"), modules])

    @each_person
    def test_rules_that_are_not_installed_can_not_be_put_there(self):
        root = self.installed_in_the_work_folder()
        shutil.rmtree(os.path.join(root, "share"))
        rule = json.dumps({"host": "other.test", "methods": ["GET"], "paths": ["/{name}"], "header": {"name": "X-Key", "value": "{secret}"}})
        rules = os.path.dirname(os.path.join(root, RULE))
        done = self.place.shell(f"mkdir -p {rules} && echo '{rule}' >{rules}/telegram.json && echo planted; echo x >{self.place.work}/ordinary && echo written")
        self.assert_started(done)
        self.assertIn("written\n", done.stdout)
        added = self.place.lnk("secret", "add", "bot", "--rule", "telegram", stdin="a value of some length\n")
        self.assertNotEqual(added.returncode, 0, f"a rule that the program wrote is used: {done.stdout!r} {self.place.lnk('secret', 'list').stdout!r}")

    @each_person
    def test_a_folder_to_write_where_a_part_is_missing_is_refused(self):
        root = self.installed_in_the_work_folder()
        shutil.rmtree(os.path.join(root, "share"))
        done = self.place.shell("true", "--write", root)
        self.assert_refused(done, os.path.join(root, "share", "lnk-sandbox"), "make that folder first")
        self.place.folder("work", "deep", "tree", "share", "lnk-sandbox")
        self.assert_started(self.place.shell(f"echo x >{root}/share/lnk-sandbox/x || echo refused", "--write", root), "refused\n")

    @each_person
    def test_a_wrapped_command_does_not_start_once_a_part_is_gone(self):
        root = self.installed_in_the_work_folder()
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        done = self.place.lnk("wrap", "--spec", spec, "--approved", "--json", "--", "sh", "-c", "echo started")
        launch = json.loads(done.stdout)["argv"][1:]
        self.assert_started(self.place.lnk(*launch), "")
        shutil.rmtree(os.path.join(root, "share"))
        self.assert_refused(self.place.lnk(*launch), "snapshot-stale", os.path.join(root, "share", "lnk-sandbox"))

    @each_person
    def test_the_bare_name_of_a_rule_is_never_a_file_of_the_current_folder(self):
        self.installed_in_the_work_folder()
        rule = json.dumps({"host": "other.test", "methods": ["GET"], "paths": ["/{name}"], "header": {"name": "X-Key", "value": "{secret}"}})
        for name in ("telegram", "own", "own.json"):
            self.place.write(f"work/{name}", rule)
        for named, host in (("own", None), ("own.json", None), ("telegram", "api.telegram.org"), ("./own.json", "other.test")):
            with self.subTest(rule=named):
                added = self.place.lnk("secret", "add", "bot", "--rule", named, stdin="12345:a-value-of-some-length\n")
                if host is None:
                    self.assert_refused(added, f'no rule "{named}" is shipped', f'"./{named}"')
                else:
                    self.assert_done(added)
                    self.assertIn(f"goes to {host} alone", added.stderr)
                    self.assertEqual(self.place.listing("secret", "list")[0]["host"], host)


if __name__ == "__main__":
    unittest.main()
