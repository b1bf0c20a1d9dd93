# SPDX-License-Identifier: Apache-2.0
"""What a person does outside in a folder after a program was let loose in it: nothing that the program left runs.

The attack writes each thing that would: hooks, settings, filters, planted repositories, direnv's file, an editor's tasks. Each would
touch a canary outside of the sandbox's reach. Its twin shows that in an opened folder the same attack does fire.
"""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import product  # noqa: F401  by which the rig is found
from product import each_person
from dot_files import DotFilesTest

# Inside: tries all of it in each folder named, and goes on past what is refused.
ATTACK = r"""
import os, sys
canary, folders = sys.argv[1], sys.argv[2:]
FIRE = f"#!/bin/sh\ntouch {canary}\n"

def quietly(act):
    try:
        act()
    except OSError:
        pass

def put(path, text, mode=0o755):
    def act():
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
    quietly(act)

def settings(extra=""):
    return f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = \"touch {canary}; false\"\n\tpager = touch {canary}\n{extra}"

def repository(git, extra=""):
    put(git + "/HEAD", "ref: refs/heads/main\n")
    put(git + "/config", settings(extra))
    for name in ("objects", "refs"):
        quietly(lambda: os.makedirs(os.path.join(git, name), exist_ok=True))
    for hook in HOOKS:
        put(f"{git}/hooks/{hook}", FIRE)

HOOKS = ("pre-commit", "post-commit", "commit-msg", "prepare-commit-msg", "post-checkout", "post-rewrite", "pre-rebase", "post-index-change",
         "reference-transaction", "post-merge", "applypatch-msg", "pre-auto-gc")

for folder in folders:
    git = folder + "/.git"
    # Away, and one of its own there.
    quietly(lambda: os.rename(git, folder + "/.git-away"))
    repository(git)
    if os.path.isfile(git):
        put(git, f"gitdir: {folder}/planted-git\n")
        repository(folder + "/planted-git", "\tworktree = " + folder + "\n")
    put(git + "/commondir", folder + "/planted-git\n")
    put(git + "/info/attributes", "* filter=x\n")
    put(folder + "/.gitattributes", "* filter=x diff=x merge=x\n")
    for hooks in (".githooks", "scripts/hooks", ".husky", ".husky/_"):
        quietly(lambda: os.rename(os.path.dirname(f"{folder}/{hooks}"), f"{folder}/moved") if "/" in hooks else None)
        for hook in HOOKS:
            put(f"{folder}/{hooks}/{hook}", FIRE)
    put(folder + "/shared/gitconfig", settings())
    put(folder + "/tools/check", FIRE)
    put(folder + "/.envrc", f"touch {canary}\n")
    put(folder + "/.vscode/tasks.json", '{"version": "2.0.0", "tasks": [{"label": "x", "command": "touch ' + canary + '", "runOptions": {"runOn": "folderOpen"}}]}')
    put(folder + "/.idea/startup.xml", f"touch {canary}\n")
    put(folder + "/.pre-commit-config.yaml", f"repos: [{{repo: local, hooks: [{{id: x, name: x, language: system, entry: touch {canary}}}]}}]\n")
    # Bare repositories at the top and below it.
    for at in ("", "/p1", "/p1/p2", "/p1/p2/p3"):
        repository(folder + at, "\tworktree = " + folder + at + "\n")
    print("attacked", folder)
"""


# Inside: the same script under the names by which something would run it.
PLANT = r"""
import os, shutil, sys
canary, work, folders = sys.argv[1], sys.argv[2], sys.argv[3:]

def quietly(act):
    try:
        act()
    except OSError:
        pass

def put(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\ntouch {canary}\n")
    os.chmod(path, 0o755)

for folder in folders:
    at = os.path.join(work, folder)
    quietly(lambda: os.rename(at, at + "-away"))
    for name in ("post-commit", "reference-transaction", "update", "post-receive", "run", "lefthook.yml", "hooks.yaml", "checks/it"):
        quietly(lambda: put(os.path.join(at, name)))
print("planted")
"""


class Afterwards(DotFilesTest):
    def setUp(self):
        super().setUp()
        self.canary, self.has_allowed = None, False

    def attack(self, *folders, flags=()):
        self.place.give_all(self.place.work)
        self.canary = os.path.join(self.place.folder("canaries"), "fired")
        written = [word for folder in (self.place.work,) for word in ("--write", folder)]
        done = self.python(ATTACK, self.canary, *(folders or (self.place.work,)), flags=flags or written, environment={"HOME": self.home()})
        self.assert_started(done)
        self.assertIn("attacked", done.stdout, done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse(os.path.exists(self.canary))

    def fired(self):
        if not os.path.exists(self.canary):
            return False
        os.unlink(self.canary)
        return True

    def work_in(self, *folders):
        """A day's work: what fired, by the command that made it."""
        fired = []
        for folder in folders or (self.place.work,):
            for command in (("status",), ("diff",), ("diff", "HEAD"), ("log", "-1"), ("add", "-u"), ("commit", "-q", "--allow-empty", "-m", "day"),
                            ("branch", "-f", "side", "HEAD~1"), ("rebase", "--continue"), ("rebase", "HEAD"), ("stash",), ("checkout", "-q", "-B", "next"),
                            ("status", "--porcelain")):
                self.git(*command, folder=folder, check=False)
                if self.fired():
                    fired.append((os.path.relpath(folder, self.place.root), *command))
        return fired + self.enters(self.place.work)

    def enters(self, folder):
        """direnv, where it is there, with whatever was allowed before; and an editor that runs the tasks of the folder it opens."""
        fired = []
        if shutil.which("direnv"):
            done = subprocess.run([*self.place.person.prefix, "direnv", "exec", folder, "sh", "-c", "echo $ENTERED"], env=self.outside(), cwd=folder,
                                  capture_output=True, text=True, check=False)
            if self.has_allowed:
                self.assertEqual(done.stdout, "yes\n", done.stderr)
            if self.fired():
                fired.append(("direnv", folder))
        for name in (".vscode/tasks.json", ".idea/startup.xml"):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    if self.canary in file.read():
                        fired.append((name, folder))
        return fired

    def rebasing(self, folder):
        """A rebase that stopped at a conflict and was resolved."""
        for text, branch in (("one\n", "main"), ("two\n", "topic")):
            if branch != "main":
                self.git("checkout", "-q", "-b", branch, "HEAD~1", folder=folder)
            with open(os.path.join(folder, "file"), "w", encoding="ascii") as file:
                file.write(text)
            self.place.person.give(os.path.join(folder, "file"))
            self.git("add", "file", folder=folder)
            self.git("commit", "-q", "-m", text, folder=folder)
        self.assertNotEqual(self.git("rebase", "main", folder=folder, check=False).returncode, 0)
        self.git("add", "file", folder=folder)

    def assert_quiet(self, *folders):
        self.assertEqual(self.work_in(*folders), [])

    @each_person
    def test_a_plain_repository(self):
        self.repository()
        self.git("commit", "-q", "--allow-empty", "-m", "second")
        self.rebasing(self.place.work)
        self.place.write("work/.envrc", "export ENTERED=yes\n")
        if shutil.which("direnv"):
            subprocess.run([*self.place.person.prefix, "direnv", "allow", self.place.path("work", ".envrc")], env=self.outside(), check=True)
            self.has_allowed = True
        self.attack()
        self.assertEqual(self.git("-c", "core.editor=true", "rebase", "--continue").returncode, 0)
        self.assertFalse(self.fired())
        self.assert_quiet()

    @each_person
    def test_an_opened_folder_fires(self):
        self.repository()
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nwrite_dot_files = ["{self.place.work}"]\n')
        self.attack(flags=("--spec", spec, "--yes"))
        self.assertIn(("work", "status"), self.work_in())

    @each_person
    def test_a_folder_that_is_no_repository(self):
        self.attack()
        self.assert_quiet()

    @each_person
    def test_the_persons_relative_hooks_folder_and_included_settings(self):
        self.home()
        self.place.write("home/.gitconfig", "[core]\n\thooksPath = .githooks\n[include]\n\tpath = work-settings\n")
        os.symlink(self.place.path("work", "shared", "gitconfig"), self.place.path("home", "work-settings"))
        self.repository()
        self.git("commit", "-q", "--allow-empty", "-m", "second")
        self.place.folder("work", "shared")
        self.place.write("work/shared/gitconfig", "[core]\n\tabbrev = 12\n")
        self.place.folder("work", "tools")
        self.place.write("work/tools/check", "#!/bin/sh\nexit 0\n", 0o755)
        os.symlink("../../tools/check", self.place.path("work", ".git", "hooks", "pre-commit"))
        self.attack()
        self.assert_quiet()
        os.unlink(self.place.path("home", ".gitconfig"))
        self.assert_quiet()

    def hooks_that_fire(self, *folders, flags=()):
        """Inside: a hook of the program's own in each folder below the work folder, past what is refused."""
        self.place.give_all(self.place.work)
        self.canary = os.path.join(self.place.folder("canaries"), "fired")
        done = self.python(PLANT, self.canary, self.place.work, *folders, flags=flags or ("--write", self.place.work), environment={"HOME": self.home()})
        self.assert_started(done)
        self.assertIn("planted", done.stdout, done.stderr)

    def opened(self):
        return ("--spec", self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nwrite_dot_files = ["{self.place.work}"]\n'), "--yes")

    @each_person
    def test_relative_hooks_wherever_git_runs_them(self):
        def in_the_work_tree():
            self.git("commit", "-q", "--allow-empty", "-m", "day", folder=self.place.path("work", "src"), check=False)

        def beside_it():
            self.git("branch", "-f", "side", check=False)

        def pushed_to():
            other = tempfile.mkdtemp(dir=self.place.folder("clones"))
            self.place.person.give(other)
            self.git("clone", "-q", self.place.work, other)
            self.git("-c", "core.hooksPath=/nowhere", "push", "-q", "origin", "HEAD:refs/heads/" + os.path.basename(other), folder=other, check=False)

        self.repository()
        self.place.folder("work", "src")
        for act, folders, settings in ((in_the_work_tree, ("hooks", "src/hooks"), {"core.worktree": "../src", "core.hooksPath": "hooks"}),
                                       (beside_it, ("hooks", "src/hooks"), {"core.worktree": "../src", "core.hooksPath": "hooks"}),
                                       (pushed_to, ("githooks",), {"core.hooksPath": "../githooks"})):
            self.git("config", "--unset", "core.worktree", check=False)
            for key, value in settings.items():
                self.git("config", key, value)
            self.hooks_that_fire(*folders)
            act()
            self.assertFalse(self.fired(), act.__name__)
        self.hooks_that_fire("githooks", flags=self.opened())
        pushed_to()
        self.assertTrue(self.fired())

    @each_person
    def test_what_a_hook_manager_runs_and_reads(self):
        # A stand-in for lefthook and pre-commit: it runs the scripts and what the settings name, as they would.
        self.repository()
        self.place.folder("work", ".config")
        self.place.write("work/.git/hooks/pre-commit", "#!/bin/sh\n: call_lefthook run, then pre-commit --config=conf/hooks.yaml\n"
                         "for it in .lefthook/checks/* .config/lefthook.yml conf/hooks.yaml; do [ -f $it ] && sh $it; done; true\n", 0o755)
        for flags in ((), self.opened()):
            self.hooks_that_fire(".lefthook", ".config", "conf", flags=flags)
            self.git("commit", "-q", "--allow-empty", "-m", "day", check=False)
            self.assertEqual(self.fired(), flags != ())

    @each_person
    def test_a_link_deep_in_an_editors_folder(self):
        self.place.folder("work", "tools")
        self.place.folder("work", ".vscode", "tasks", "more")
        self.place.write("work/tools/run", "#!/bin/sh\nexit 0\n", 0o755)
        os.symlink("../../../tools/run", self.place.path("work", ".vscode", "tasks", "more", "run"))
        for flags in ((), self.opened()):
            self.hooks_that_fire("tools", flags=flags)
            # As an editor's task would.
            subprocess.run([*self.place.person.prefix, self.place.path("work", ".vscode", "tasks", "more", "run")], check=False)
            self.assertEqual(self.fired(), flags != ())

    @each_person
    def test_submodules_gitlinks_and_work_trees(self):
        self.repository("inner")
        self.repository()
        self.git("submodule", "--quiet", "add", self.place.path("inner"), "deep/inner")
        for name in ("there", "empty", "gone"):
            self.repository("work", "linked", name)
        self.git("add", "linked")
        self.git("commit", "-q", "-m", "linked")
        os.rename(self.place.path("work", "linked", "empty", ".git"), self.place.path("empty-git"))
        shutil.rmtree(self.place.path("work", "linked", "gone"))
        self.git("worktree", "add", "-q", "trees/one", "-b", "one")
        work = self.place.work
        folders = [work, *(os.path.join(work, name) for name in ("deep/inner", "linked/there", "trees/one"))]
        self.attack(*folders, *(os.path.join(work, "linked", name) for name in ("empty", "gone")))
        self.assert_quiet(*folders)

    @each_person
    def test_a_bare_repository_below_the_top_is_a_gap_that_is_named(self):
        self.repository()
        self.attack()
        self.assert_quiet()
        below = [self.place.path("work", *parts) for parts in (("p1",), ("p1", "p2"), ("p1", "p2", "p3"))]
        self.assertEqual({words[0] for words in self.work_in(*below) if words[1] == "status"}, {"work/p1", "work/p1/p2", "work/p1/p2/p3"})
        told = self.describe(f'[files]\nwrite = ["{self.place.work}"]')
        self.assertTrue(any("below the top" in gap for gap in told["gaps"]), told["gaps"])
        # What a person can do about it, by git-config(1).
        for folder in below:
            self.git("-c", "safe.bareRepository=explicit", "status", folder=folder, check=False)
            self.assertFalse(self.fired())

    @each_person
    def test_a_folder_inside_a_repository_has_one_gap_and_it_is_named(self):
        self.repository()
        part = self.place.folder("work", "part")
        self.place.give_all(self.place.work)
        told = self.describe(f'[files]\nwrite = ["{part}"]')
        self.assertTrue(any("inside a repository" in gap for gap in told["gaps"]), told["gaps"])
        self.assertEqual(json.dumps(told["held"]).count("HEAD"), 0)


if __name__ == "__main__":
    unittest.main()
