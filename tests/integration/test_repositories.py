# SPDX-License-Identifier: Apache-2.0
"""Less usual repositories: what of them runs as the person outside is held in a real sandbox like that of a plain one."""

import os
import unittest

import product  # noqa: F401  by which the rig is found
from product import each_person
from dot_files import DotFilesTest

LARGE = 2 << 20  # more than a hook is read of


class Repositories(DotFilesTest):
    def tries(self, *names):
        """Which of these can be written, inside."""
        self.place.give_all(self.place.work)
        words = " ".join(names)
        done = self.place.shell(f"for name in {words}; do (echo x >>$name) 2>/dev/null && echo $name; done; exit 0", environment={"HOME": self.home()})
        self.assert_started(done)
        return done.stdout.split()[1:]

    def hook(self, text, name="pre-commit"):
        self.place.folder("work", ".git", "hooks")
        self.place.write(f"work/.git/hooks/{name}", text, mode=0o755)

    @each_person
    def test_a_gitlink_in_an_index_of_long_hashes(self):
        for parts in ((), ("linked",)):
            folder = self.place.folder("work", *parts)
            self.git("init", "-q", "-b", "main", "--object-format=sha256", folder=folder)
            self.git("commit", "-q", "--allow-empty", "-m", "first", folder=folder)
        self.git("add", "linked")
        os.rename(self.place.path("work", "linked", ".git"), self.place.path("gone"))
        self.assert_held(["linked/"])

    @each_person
    def test_a_submodule_that_the_git_folder_alone_knows(self):
        self.repository("inner")
        self.repository()
        self.git("submodule", "--quiet", "add", self.place.path("inner"), "deep/inner")
        self.git("rm", "-q", "--cached", "deep/inner", ".gitmodules")
        os.unlink(self.place.path("work", ".gitmodules"))
        self.assertTrue(os.path.isfile(self.place.path("work", "deep", "inner", ".git")))
        self.assert_held(["deep/inner/.git"])
        self.assertEqual(self.tries("deep/inner/new"), ["deep/inner/new"])

    @each_person
    def test_a_submodule_that_gitmodules_alone_knows(self):
        self.repository()
        self.repository("work", "part")
        self.assertEqual(self.tries("part/.git/new"), ["part/.git/new"])
        self.place.write("work/.gitmodules", '[submodule "part"]\n\tpath = part\n')
        self.assert_held(["part/.git/"])

    @each_person
    def test_a_git_folder_that_is_pointed_to_by_a_link_that_a_run_could_change(self):
        self.repository("work", "real")
        self.place.write("work/.git", "gitdir: way/.git\n")
        os.symlink("real", self.place.path("work", "way"))
        self.assertEqual(self.git("rev-parse", "--git-dir").returncode, 0)
        self.assert_refused(self.place.shell("true"), "way", "is a link on the way to a repository's git folder")
        self.place.write("work/.git", "gitdir: real/.git\n")
        self.assertEqual(self.tries("real/.git/config", "real/file"), ["real/file"])

    @each_person
    def test_what_a_hooks_folder_links_to_deep_in_it(self):
        self.repository()
        self.hook("#!/bin/sh\nexec ./.git/hooks/more/run\n")
        self.place.folder("work", ".git", "hooks", "more")
        self.place.folder("work", "tools")
        self.place.write("work/tools/run", "#!/bin/sh\n", mode=0o755)
        os.symlink("../../../tools/run", self.place.path("work", ".git", "hooks", "more", "run"))
        self.assertEqual(self.tries("tools/run", "tools/other"), ["tools/other"])

    @each_person
    def test_a_manager_that_a_setting_calls(self):
        self.repository()
        self.assertEqual(self.tries(".pre-commit-config.yaml"), [".pre-commit-config.yaml"])
        os.unlink(self.place.path("work", ".pre-commit-config.yaml"))
        self.git("config", "alias.check", "!pre-commit run")
        self.assertEqual(self.tries(".pre-commit-config.yaml", "lefthook.yml"), ["lefthook.yml"])

    @each_person
    def test_a_hook_that_is_too_large_to_be_read_may_call_any_manager(self):
        self.repository()
        self.hook("#!/bin/sh\n")
        self.assertEqual(self.tries("prek.toml"), ["prek.toml"])
        os.unlink(self.place.path("work", "prek.toml"))
        self.hook("#!/bin/sh\n" + "#" * LARGE + "\nprek run\n")
        self.assertEqual(self.tries("prek.toml", "lefthook.yml", "other.yml"), ["other.yml"])

    @each_person
    def test_the_work_tree_that_settings_of_one_work_tree_name(self):
        self.repository()
        self.place.folder("work", "src")
        for key, value in (("extensions.worktreeConfig", "true"), ("core.hooksPath", "checks")):
            self.git("config", key, value)
        self.assertEqual(self.tries("src/checks"), ["src/checks"])
        os.unlink(self.place.path("work", "src", "checks"))
        self.git("config", "--worktree", "core.worktree", "../src")
        self.assertEqual(self.git("rev-parse", "--git-path", "hooks", folder=self.place.path("work", "src")).stdout, "checks\n")
        self.assertEqual(self.tries("src/checks"), [])

    @each_person
    def test_no_empty_folder_is_put_into_tmp_itself(self):
        own = self.place.folder("own-tmp")
        for folder, environment, said in (("/tmp", {}, False), ("/var/tmp", {}, False), (own, {"TMPDIR": own}, False), (own, {}, True)):
            done = self.place.run("--write", folder, "--write", self.place.work, "--", "sh", "-c", "echo started; ls -A $0; echo end", folder, environment=environment)
            self.assert_started(done)
            self.assertEqual(".vscode\n" in done.stdout, said, (folder, environment, done.stdout))


if __name__ == "__main__":
    unittest.main()
