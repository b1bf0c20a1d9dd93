# SPDX-License-Identifier: Apache-2.0
"""What runs as the person outside is read only inside, there or not, unless the folder is opened; and nothing of it is left."""

import json
import os
import shutil
import unittest

import product
from product import each_person
from dot_files import DotFilesTest
from rig import client

FOLDERS = (".git/", ".vscode/", ".idea/", ".husky/")
FILES = (".envrc", ".pre-commit-config.yaml", "lefthook.yml", "lefthook.json", ".lefthook.toml", ".lefthook-local.yaml")


class DotFiles(DotFilesTest):
    def filled(self):
        self.repository()
        for name in FOLDERS[1:]:
            self.place.folder("work", name.rstrip("/"))
            self.place.write(f"work/{name}inner", "kept\n")
        self.place.write("work/.git/inner", "kept\n")
        for name in FILES:
            self.place.write(f"work/{name}", "kept\n")

    def opened(self):
        return ("--spec", self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nwrite_dot_files = ["{self.place.work}"]\n'), "--yes")

    @each_person
    def test_what_is_there_can_not_be_changed_in_any_way(self):
        self.filled()
        self.assert_held([*FOLDERS, *FILES])

    @each_person
    def test_a_name_that_is_missing_can_not_be_made(self):
        self.assert_held([".git/", ".vscode/", ".idea/", "HEAD/"])
        self.assertEqual(os.listdir(self.place.work), [name for name in os.listdir(self.place.work) if name.startswith("fresh")])
        self.assertEqual(self.listed(), "")

    @each_person
    def test_an_opened_folder_can_be(self):
        self.filled()
        flags = self.opened()
        for name in (*FOLDERS, *FILES):
            self.assert_open(name, *flags)
        self.assertTrue(os.path.exists(self.place.path("work", ".git-away")))
        self.assertEqual(self.listed(), "")

    @each_person
    def test_an_opened_folder_takes_new_names(self):
        done = self.place.shell("git init -q && git -c user.name=n -c user.email=e commit -q --allow-empty -m x && mkdir .vscode HEAD && echo made",
                                *self.opened())
        self.assert_started(done, "made\n")
        self.assertTrue(os.path.isdir(self.place.path("work", ".git")))

    @each_person
    def test_a_repository_can_be_read_and_all_else_written(self):
        self.repository()
        self.place.write("work/file", "x\n")
        done = self.place.shell("git status --short && git log --format=%s && echo $GIT_OPTIONAL_LOCKS && mkdir -p sub && git init -q sub && echo y >file && echo done")
        self.assert_started(done, "?? file\nfirst\n0\ndone\n")
        self.assertNotIn("index", done.stderr)
        self.assertNotEqual(self.git("commit", "-q", "--allow-empty", "-m", "outside").returncode, 1)
        refused = self.place.shell("git add file || echo refused")
        self.assert_started(refused, "refused\n")

    @each_person
    def test_a_link_on_the_way_to_a_hook_that_a_run_could_change_is_refused(self):
        self.repository()
        for folder in ("scripts", "tools", "v1"):
            self.place.folder("work", folder)
        self.place.write("work/tools/hook.sh", "#!/bin/sh\n", mode=0o755)
        self.place.write("work/v1/hook.sh", "#!/bin/sh\n", mode=0o755)
        hook = self.place.path("work", ".git", "hooks", "pre-commit")
        os.makedirs(os.path.dirname(hook), exist_ok=True)
        os.symlink("../tools/hook.sh", self.place.path("work", "scripts", "hook.sh"))
        os.symlink("v1", self.place.path("work", "current"))
        for way in ("../../scripts/hook.sh", "../../current/hook.sh"):
            os.symlink(way, hook)
            self.assert_refused(self.place.shell("true"), "is a link on the way to a hook of git's")
            os.unlink(hook)
        # One link, which the repository holds, is what many have.
        os.symlink("../../tools/hook.sh", hook)
        self.assert_started(self.place.shell("echo x >>tools/hook.sh || echo refused; echo y >tools/other && echo written"), "refused\nwritten\n")

    @each_person
    def test_a_hook_that_leads_to_nothing_and_a_folder_of_hooks_behind_a_link_are_held(self):
        self.repository()
        self.place.folder("work", "scripts")
        self.place.folder("work", "githooks")
        hooks = self.place.path("work", ".git", "hooks")
        shutil.rmtree(hooks, ignore_errors=True)
        os.symlink("../githooks", hooks)
        self.assert_started(self.place.shell("echo x >githooks/post-commit || echo refused"), "refused\n")
        os.unlink(hooks)
        self.place.folder("work", ".git", "hooks")
        os.symlink("../../scripts/hook.sh", os.path.join(hooks, "pre-commit"))
        self.assert_started(self.place.shell("echo x >scripts/hook.sh || echo refused"), "refused\n")
        self.assertEqual(os.listdir(self.place.path("work", "scripts")), [])

    @each_person
    def test_a_hook_of_the_persons_that_leads_into_the_folder_is_held_there(self):
        self.home()
        self.place.folder("home", "hooks")
        self.place.write("home/.gitconfig", "[core]\n\thooksPath = ~/hooks\n")
        self.place.folder("work", "tools")
        for name in ("check", "other"):
            self.place.write(f"work/tools/{name}", "#!/bin/sh\n", mode=0o755)
        os.symlink(self.place.path("work", "tools", "check"), self.place.path("home", "hooks", "pre-commit"))
        script = "for name in check other; do echo x >>tools/$name && echo written || echo held; done"
        self.assert_started(self.place.shell(script, environment={"HOME": self.home()}), "held\nwritten\n")

    @each_person
    def test_what_husky_below_the_top_calls_is_held(self):
        self.repository()
        for parts in ((), (".husky",), (".husky", "_")):
            self.place.folder("work", "frontend", *parts)
        self.git("config", "core.hooksPath", "frontend/.husky/_")
        self.assert_started(self.place.shell("echo x >frontend/.husky/pre-commit || echo refused; echo y >frontend/other && echo written"),
                            "refused\nwritten\n")

    @each_person
    def test_hooks_below_the_top_are_held_with_the_folders_above(self):
        self.repository()
        self.place.folder("work", "scripts", "hooks")
        self.place.write("work/scripts/hooks/inner", "kept\n", 0o755)
        self.git("config", "core.hooksPath", "scripts/hooks")
        self.assert_held(["scripts/hooks/"])
        self.assert_started(self.place.shell("echo x >scripts/beside && echo written"), "written\n")
        self.git("config", "core.hooksPath", "new/hooks")
        self.assert_held(["new/"])

    @each_person
    def test_what_settings_include_is_held(self):
        self.repository()
        self.place.folder("work", "shared")
        self.place.write("work/shared/gitconfig", "[core]\n\tpager = cat\n")
        self.git("config", "include.path", "../shared/gitconfig")
        self.assert_held(["shared/gitconfig"])
        os.unlink(self.place.path("work", "shared", "gitconfig"))
        self.assert_refused(self.place.shell("true"), "isn't there", "write_dot_files")

    @each_person
    def test_the_persons_relative_hooks_folder_is_held_in_each_folder(self):
        self.home()
        self.place.write("home/.gitconfig", "[core]\n\thooksPath = .githooks\n")
        other = self.place.folder("other")
        self.assert_held([".githooks/"], "--write", other, "--write", self.place.work)
        done = self.place.shell(f"mkdir {other}/.githooks/x || mkdir {other}/.git/x || echo held", "--write", other, environment={"HOME": self.home()})
        self.assert_started(done, "held\n")

    @each_person
    def test_a_hooks_folder_is_held_whichever_of_gits_settings_names_it(self):
        self.repository()
        home = self.home()
        self.place.folder("home", ".config", "git")
        self.place.folder("config", "git")
        self.git("config", "extensions.worktreeConfig", "true")
        places = {"machine": ("/etc/gitconfig", {}), "home": (f"{home}/.gitconfig", {}), "home-config": (f"{home}/.config/git/config", {}),
                  "xdg": (self.place.path("config", "git", "config"), {"XDG_CONFIG_HOME": self.place.path("config")}),
                  "global": (self.place.path("as-global"), {"GIT_CONFIG_GLOBAL": self.place.path("as-global")}),
                  "system": (self.place.path("as-system"), {"GIT_CONFIG_SYSTEM": self.place.path("as-system")}),
                  "work-tree": (self.place.path("work", ".git", "config.worktree"), {})}
        for name, (settings, environment) in places.items():
            script = f"mkdir -p by-{name}/hooks && echo made || echo held"
            with self.subTest(by=name):
                with open(settings, "w", encoding="utf-8") as file:
                    file.write(f"[core]\n\thooksPath = by-{name}/hooks\n")
                self.addCleanup(lambda path=settings: os.path.exists(path) and os.unlink(path))
                os.chmod(settings, 0o644)
                self.place.person.give(settings)
                self.assertEqual(self.git("rev-parse", "--git-path", "hooks", environment=environment).stdout, f"by-{name}/hooks\n")
                self.assert_started(self.place.shell(script, environment={"HOME": home, **environment}), "held\n")
                os.unlink(settings)
                self.assert_started(self.place.shell(script, environment={"HOME": home, **environment}), "made\n")

    @each_person
    def test_submodules_and_gitlinks_below_the_top_are_held(self):
        self.repository("inner")
        self.repository()
        self.git("submodule", "--quiet", "add", self.place.path("inner"), "deep/inner")
        self.repository("work", "linked", "there")
        self.repository("work", "linked", "empty")
        self.git("add", "linked")
        done = self.place.run("--", "sh", "-c", "rm -rf linked/empty/.git && echo started")
        self.assert_refused_inside(done)
        os.rename(self.place.path("work", "linked", "empty", ".git"), self.place.path("gone"))
        self.assert_held(["deep/inner/.git", "linked/there/.git/", "linked/empty/"])
        self.assertEqual(self.git("status", "--short").returncode, 0)

    def assert_refused_inside(self, done):
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Read-only file system", done.stderr)

    @each_person
    def test_linked_work_trees_are_held_there_and_where_they_point(self):
        self.repository()
        self.git("worktree", "add", "-q", "trees/one", "-b", "one")
        self.assert_held(["trees/one/.git"])
        wide = self.place.folder("wide")
        os.rename(self.place.work, os.path.join(wide, "app"))
        self.place.folder("work")
        tree = self.place.path("beside")
        self.git("worktree", "add", "-q", tree, "-b", "two", folder=os.path.join(wide, "app"))
        done = self.place.shell(f"echo x >{wide}/app/.git/config || echo held; echo x >{wide}/app/file && echo written", "--write", wide, "--write", tree)
        self.assert_started(done, "held\nwritten\n")

    @each_person
    def test_a_link_in_the_place_of_a_protected_name_is_refused(self):
        os.symlink("elsewhere", self.place.path("work", ".vscode"))
        self.assert_refused(self.place.shell("true"), ".vscode", "is a link", "write_dot_files")
        self.assert_started(self.place.shell("true", *self.opened()), "")

    @each_person
    def test_such_a_link_is_seen_where_the_kernel_looks_part_by_part_too(self):
        self.place.outer = (os.path.join(product.SUPPORT, "poorer_kernel"), "openat2", "--")
        self.repository()
        self.place.folder("work", "real", "hooks")
        self.assert_started(self.place.shell("mkdir .vscode/x || echo held"), "held\n")
        self.git("config", "core.hooksPath", "way/hooks")
        os.symlink("real", self.place.path("work", "way"))
        self.assert_refused(self.place.shell("true"), "way", "is a link")
        os.unlink(self.place.path("work", "way"))
        os.symlink("elsewhere", self.place.path("work", ".vscode"))
        self.assert_refused(self.place.shell("true"), ".vscode", "is a link")

    @each_person
    def test_a_git_folder_itself_is_refused_unless_it_is_opened(self):
        bare = self.place.folder("bare")
        self.git("init", "-q", "--bare", folder=bare)
        self.assert_refused(self.place.shell("true", "--write", bare), "git folder", "write_dot_files")
        spec = self.place.spec(f'[files]\nwrite = ["{bare}", "{self.place.work}"]\nwrite_dot_files = ["{bare}"]\n')
        self.assert_started(self.place.shell(f"echo x >{bare}/hooks/x && echo written", "--spec", spec, "--yes"), "written\n")

    @each_person
    def test_a_folder_to_write_inside_what_is_held_is_refused_unless_it_is_opened(self):
        inner = self.place.folder("work", ".vscode", "inner")
        script = f"echo x >{inner}/new && echo written"
        self.assert_refused(self.place.shell(script, "--write", self.place.work, "--write", inner), "lies in", ".vscode", "is to be read only in", "write_dot_files")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}", "{inner}"]\nwrite_dot_files = ["{self.place.work}"]\n')
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"), "written\n")

    @each_person
    def test_describe_tells_which_names_are_held_only_where_they_are_there(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assertIn("and those that are there of .envrc, .husky and hook managers' files", self.place.lnk("describe", "--spec", spec).stdout)
        self.assert_started(self.place.shell("echo one >.envrc && echo one >lefthook.yml && mkdir .husky && echo made", "--spec", spec, "--yes"), "made\n")
        tries = "for name in .envrc lefthook.yml .husky/inner; do echo two >$name || echo held; done"
        self.assert_started(self.place.shell(tries, "--spec", spec), "held\n" * 3)

    def test_a_folder_that_can_not_be_looked_into_is_told_in_one_line(self):
        self.place = self.as_person(client.people()[1])  # root looks into any
        closed = self.place.folder("work", "closed")
        os.chmod(closed, 0)
        self.addCleanup(os.chmod, closed, 0o700)
        done = self.place.run("--write", closed, "--", "true")
        self.assert_refused(done, f'in "{closed}" protected names can\'t be looked at: Permission denied; open the folder to yourself')
        self.assertNotIn("write_dot_files", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    @each_person
    def test_it_is_held_by_the_mounts_alone_too(self):
        self.place.outer = (os.path.join(product.SUPPORT, "poorer_kernel"), "landlock", "--")
        self.filled()
        self.assert_held([*FOLDERS, *FILES])

    @each_person
    def test_a_spec_says_what_it_opens_and_describe_tells(self):
        self.repository()
        work = self.place.work
        told = self.describe(f'[files]\nwrite = ["{work}"]')
        self.assertEqual({(os.path.basename(place["path"]), place["missing"]) for place in told["held"]}, {(".git", False), (".vscode", True), (".idea", True)})
        self.assertTrue(any("repository" in gap for gap in told["gaps"]))
        told = self.describe(f'[files]\nwrite = ["{work}"]\nwrite_dot_files = ["{work}"]')
        self.assertEqual((told["held"], told["gaps"]), ([], []))
        self.assertTrue(any("runs as you outside" in line for line in told["words"]))
        self.assertTrue(told["grants"]["files"][0]["open_dot_files"])

    @each_person
    def test_an_agents_settings_are_a_gap_that_is_named_and_closed_as_the_docs_say(self):
        work = self.place.work
        self.place.folder("work", ".claude")
        self.place.write("work/.claude/inner", "{}\n")
        self.place.write("work/.mcp.json", "{}\n")
        told = self.describe(f'[files]\nwrite = ["{work}"]')
        for name in (".claude", ".mcp.json"):
            self.assertTrue(any(f"{work}/{name}\"" in gap and "[files] read" in gap for gap in told["gaps"]), told["gaps"])
        self.assertTrue(any("make it first" in gap for gap in told["gaps"]), told["gaps"])
        for name in (".claude/", ".mcp.json"):
            self.assert_open(name)
        shutil.rmtree(work)
        self.place.folder("work")
        self.place.folder("work", ".claude")
        self.place.write("work/.claude/inner", "{}\n")
        self.place.write("work/.mcp.json", "{}\n")
        spec = self.place.spec(f'[files]\nwrite = ["{work}"]\nread = ["{work}/.claude", "{work}/.mcp.json"]\n')
        told = self.describe(f'[files]\nwrite = ["{work}"]\nread = ["{work}/.claude", "{work}/.mcp.json"]')
        self.assertFalse(any(f"{work}/.claude\"" in gap for gap in told["gaps"]), told["gaps"])
        self.assert_held([".claude/", ".mcp.json"], "--spec", spec, "--yes")
        os.unlink(self.place.path("work", ".mcp.json"))
        refused = self.place.shell("true", "--spec", spec, "--yes")
        self.assert_refused(refused, ".mcp.json")

    @each_person
    def test_what_a_program_left_to_be_read_is_refused_with_the_mend_and_never_waited_for(self):
        self.repository()
        left = ("git init -q evil && cd evil && mkfifo .git/info/pipe && printf '[include]\\n\\tpath = c0\\n' >>.git/config && "
                "for i in $(seq 0 12); do printf '[include]\\n\\tpath = c%s\\n' $((i+1)) >.git/c$i; done && cd .. && "
                "printf '[submodule \"x\"]\\n\\tpath = evil\\n' >.gitmodules && echo left")
        self.assert_started(self.place.shell(left), "left\n")
        self.assert_refused(self.place.shell("true"), "evil/.git/c", "take it away where a program left it there", "write_dot_files")
        self.assert_started(self.place.shell("true", *self.opened()), "")
        # A pipe is never opened, and needs no mend.
        self.place.shell("rm evil/.git/config evil/.git/index; mkfifo evil/.git/config evil/.git/index", *self.opened())
        self.assert_started(self.place.shell("true"), "")
        shutil.rmtree(self.place.path("work", "evil"))
        self.assert_started(self.place.shell("true"), "")

    @each_person
    def test_opening_asks_anew_and_is_refused_where_it_is_not_written(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assert_started(self.place.shell("true", "--spec", spec, "--yes"), "")
        self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nwrite_dot_files = ["{self.place.work}"]\n')
        self.assert_refused(self.place.shell("true", "--spec", spec), "has not been approved")
        self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nwrite_dot_files = ["{self.place.root}/other"]\n')
        self.assert_refused(self.place.shell("true", "--spec", spec), "write_dot_files")

    @each_person
    def test_a_folder_of_the_commands_own_is_written_whole_and_needs_no_asking(self):
        own = self.place.folder("own")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        wrap = ("wrap", "--spec", spec, "--own", own, "--json", "--", "sh", "-c",
                f"echo started; git init -q {own} && mkdir {own}/.vscode && echo made; mkdir {self.place.work}/.git/x || echo held")
        self.assert_refused(self.place.lnk(*wrap), "not-approved")
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        done = self.place.lnk(*wrap)
        self.assert_done(done)
        command = json.loads(done.stdout)["argv"]
        self.assert_started(self.place.lnk(*command[1:]), "made\nheld\n")
        self.assert_done(self.place.lnk("forget", "--spec", spec))
        self.assert_refused(self.place.lnk(*command[1:]), "not-approved")


if __name__ == "__main__":
    unittest.main()
