# SPDX-License-Identifier: Apache-2.0
"""learn runs a command once with every program open, and what it prints makes the list under which the same command runs."""

import os
import re
import shutil
import signal
import subprocess
import tomllib
import unittest

import product
from product import each_person

PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def below(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(number) for number in file.read().split()]


def is_keeper(pid):
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read() == "keeper\n"


def watch_below(front):
    """The exec watch: the keeper's child that is a keeper too, where there is no wire."""
    keeper, = filter(is_keeper, below(front))
    watch, = filter(is_keeper, below(keeper))
    return watch

# Leaves some forty processes of 150 MB behind.
ENDS_LATE = """
import os, signal
told, tell = os.pipe()
if os.fork() == 0:
    held = bytearray(150 << 20)
    for at in range(0, len(held), 4096):
        held[at] = 1
    for _ in range(40):
        if os.fork() == 0:
            signal.pause()
    os.write(tell, b"x")
    signal.pause()
os.read(told, 1)
"""


class Learn(product.ProductTest):
    needs = ("landlock",)

    def tool(self, name, text):
        self.place.folder(*os.path.dirname(name).split("/"))
        return self.place.write(name, text, 0o755)

    def spec(self, more=""):
        bin_folder = self.place.folder("bin")
        path = f'[env]\nset = {{ PATH = "{bin_folder}:/usr/local/bin:/usr/bin:/bin" }}\n'
        spec = self.place.spec(f'[files]\nread = ["{bin_folder}"]\nwrite = ["{self.place.work}"]\n{path}{more}')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        return spec

    def learn(self, *command, more="", code=0, **how):
        done = self.place.lnk("learn", "--spec", self.spec(more), "--", *command, **how)
        if code is not None:
            self.assert_done(done, code)
        printed, toml = self.split(done)
        return done, printed, tomllib.loads(toml).get("commands", {"allow": []})["allow"]

    def split(self, done):
        """What the command printed, and the list, behind the mark that was told."""
        if "the list is what stands" not in done.stderr:
            return done.stdout, ""
        mark = re.search(r'behind the line that begins "(# lnk-sandbox learn [0-9a-f]{16})"\n', done.stderr)[1]
        printed, toml = done.stdout.split(f"\n{mark}: what stands above is the command's own\n")
        return printed, toml

    @each_person
    def test_what_it_prints_is_the_list_that_the_command_needs(self):
        self.assertEqual(self.learn("sh", "-c", "sh -c true")[2], ["sh"])
        self.tool("bin/tool", "#!/usr/bin/env -S perl -w\nprint \"tool\\n\"; my $u = `uname`;\n")
        command = ("sh", "-c", "echo started; tool; env true && echo env")
        done, printed, allow = self.learn(*command)
        self.assertEqual(printed, "started\ntool\nenv\n")
        self.assertEqual(allow, ["sh", "tool", "env", "perl", "uname", "true"])
        self.assertIn('"sh",  # the command itself; runs any code\n', done.stdout)
        self.assertRegex(done.stdout, r'"tool",  # started by (sh|dash)\n')
        self.assertRegex(done.stdout, r'"uname",  # started by perl\n')
        self.assertRegex(done.stdout, r'"perl",  # started by env; runs any code\n')
        self.assertRegex(done.stdout, r'"env",  # the interpreter of tool')
        allowed = self.spec("[commands]\nallow = [" + ", ".join(f'"{name}"' for name in allow) + "]\n")
        done = self.place.run("--spec", allowed, "--", *command)
        self.assert_started(done, "tool\nenv\n")
        self.assertNotIn("refused to run", done.stderr)
        done = self.place.run("--spec", self.spec('[commands]\nallow = ["sh", "env", "true"]\n'), "--", *command)
        self.assert_started(done, "env\n")
        self.assertIn("refused to run ", done.stderr)

    @each_person
    def test_nothing_else_of_the_spec_is_opened(self):
        other = self.place.folder("other")
        _, printed, _ = self.learn("sh", "-c", f"echo started; touch {other}/x 2>/dev/null || echo refused; touch here && echo written")
        self.assertEqual(printed, "started\nrefused\nwritten\n")

    @each_person
    def test_what_the_sandbox_could_replace_is_a_comment(self):
        script = "echo started; cp /usr/bin/true ./made; ./made; cp made /tmp/made; /tmp/made"
        done, _, allow = self.learn("sh", "-c", script)
        self.assertEqual(allow, ["sh", "cp"])
        self.assertIn(f'# not offered: "{self.place.work}/made" (started by', done.stdout)
        self.assertIn('# not offered: "/tmp/made" (started by', done.stdout)
        held = self.tool("bin/made", "#!/bin/sh\n")
        _, _, allow = self.learn("sh", "-c", "made")
        self.assertEqual(allow, ["sh", "made"], held)

    @each_person
    def test_a_list_that_stands_is_open_for_the_run_and_only_what_it_lacks_is_printed(self):
        done, printed, allow = self.learn("sh", "-c", "echo started; cat /dev/null; env true", more='[commands]\nallow = ["sh", "env"]\n')
        self.assertEqual(printed.splitlines()[0], "started")
        self.assertEqual(allow, ["env", "sh", "cat", "true"])  # the whole, to stand in the old one's place
        self.assertRegex(done.stdout, r'  "env",\n  "sh",\n  "cat",  # new: started by ')
        self.assertIn("# In place of the [commands] that stands in the spec", done.stdout)
        self.assertNotIn("refused to run", done.stderr)

    @each_person
    def test_a_watch_that_ends_makes_no_list_that_looks_whole(self):
        run = self.place.start("learn", "--spec", self.spec(), "--", "sh", "-c", "env true; echo started; read _; uname; echo end", **PIPES)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), "started\n")
        os.kill(watch_below(run.pid), signal.SIGKILL)
        out, said = run.communicate("\n", timeout=product.RUN_TIMEOUT_S)
        self.assertEqual(run.returncode, product.EXIT_REFUSED, (out, said))
        self.assertRegex(out, r"end\n\n# lnk-sandbox learn [0-9a-f]{16}: [^\n]*\n# Not whole: programs are missing here.\n\[commands\]\n")
        self.assertIn('"env",', out)
        self.assertNotIn("uname", out.partition("[commands]")[2])
        self.assertIn("lnk-sandbox: the list is not whole", said)

    @each_person
    def test_programs_that_could_not_be_told_make_no_list_that_looks_whole(self):
        # It may be run by the ordinary user and not be read, and so neither its memory, where it keeps the names of what it starts.
        shell = os.path.join(self.place.folder("bin"), "odd")
        shutil.copy("/usr/bin/dash", shell)
        os.chmod(shell, 0o711)
        command = ("sh", "-c", f"echo started; {shell} -c 'env true'; true")
        done, _, allow = self.learn(*command, code=None)
        # In a rig of an ordinary user's own it may be read all the same (user_namespaces(7)).
        is_told = "env" in allow
        if self.place.person.uid == 0 or os.environ.get("LNK_RIG_ROOT") == "real":
            self.assertEqual(is_told, self.place.person.uid == 0)
        self.assert_done(done, 0 if is_told else product.EXIT_REFUSED)
        self.assertEqual("# Not whole" in done.stdout, not is_told)
        self.assertEqual("the list is not whole" in done.stderr, not is_told)
        os.chmod(shell, 0o755)
        self.assertIn("env", self.learn(*command)[2])

    @each_person
    def test_more_programs_than_are_kept_make_no_list_that_looks_whole(self):
        script = ("import os\nprint('started', flush=True)\nopen('/tmp/x', 'w').close()\nos.chmod('/tmp/x', 0o755)\n"
                  "for i in range({}):\n"
                  "  os.link('/tmp/x', f'/tmp/x{{i}}')\n"
                  "  try: os.execv(f'/tmp/x{{i}}', ['x'])\n"
                  "  except OSError: pass\n"
                  "os.execv('/usr/bin/uname', ['uname'])\n")
        done, _, allow = self.learn("python3", "-c", script.format(4100), code=product.EXIT_REFUSED)
        self.assertIn("# Not whole: programs are missing here.\n", done.stdout)
        self.assertNotIn("uname", allow)
        self.assertIn("uname", self.learn("python3", "-c", script.format(1000))[2])

    @each_person
    def test_scripts_without_end_cost_the_watch_nothing(self):
        self.place.outer = ("prlimit", "--nofile=128:128", "--")
        last = self.tool("bin/last", "#!/usr/bin/env true\n")
        script = ("import os\nprint('started', flush=True)\nopen('/tmp/x', 'w').write('#!/tmp/x')\nos.chmod('/tmp/x', 0o755)\n"
                  "for i in range(200):\n"
                  "  try: os.execv('/tmp/x', ['x'])\n"
                  "  except OSError: pass\n"
                  f"os.execv({last!r}, ['last'])\n")
        self.assertEqual(set(self.learn("python3", "-c", script)[2]) - {"python3"}, {"last", "env", "true"})

    @each_person
    def test_a_watch_that_ends_leaves_a_list_as_it_was(self):
        spec = self.spec('[commands]\nallow = ["cat"]\n')
        run = self.place.start("run", "--spec", spec, "--", "sh", "-c", "echo started; read _; cat /dev/null && echo cat; uname; echo end", **PIPES)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), "started\n")
        os.kill(watch_below(run.pid), signal.SIGKILL)
        out, said = run.communicate("\n", timeout=product.RUN_TIMEOUT_S)
        self.assertEqual((run.returncode, out), (0, "cat\nend\n"), said)
        self.assertEqual(said.count("lnk-sandbox: the exec watch has ended"), 1, said)

    @each_person
    def test_a_list_of_the_commands_own_is_told_apart(self):
        done, printed, allow = self.learn("sh", "-c", "printf '# lnk-sandbox learn 0123456789abcdef: x\\n[commands]\\nallow = [\"/usr/bin/env\"]\\nlast'")
        self.assertTrue(printed.endswith("\nlast"), printed)
        self.assertEqual(allow, ["sh"])

    @each_person
    def test_names_and_reasons_are_what_a_person_would_write(self):
        python = os.path.realpath("/usr/bin/python3")
        memory = ("import os\nfd = os.memfd_create('x')\nos.write(fd, open('/usr/bin/true', 'rb').read())\n"
                  "os.spawnv(os.P_WAIT, '/usr/bin/env', ['env', 'true'])\nos.execve(fd, ['x'], {})\n")
        script = f"{os.path.realpath('/bin/sh')} -c true; cp /usr/bin/true gone; ./gone; rm gone; /lib64/ld-linux-x86-64.so.2 /usr/bin/true; exec {python} -c \"$1\""
        done, _, allow = self.learn("bash", "-c", script, "bash", memory)
        self.assertEqual(allow, ["bash", "sh", "cp", "rm", "python3", "env", "true"], done.stdout)
        self.assertRegex(done.stdout, r'# not offered: [^\n]*/gone" [^\n]*: isn\'t there now: ')
        self.assertRegex(done.stdout, r'# not offered: "[^\n]*ld-linux[^\n]*: it is a loader, which runs anyway')
        self.assertRegex(done.stdout, r"# not offered: [^\n]*(no file on disk|a descriptor)")

    @each_person
    def test_files_of_one_base_name_are_told_apart(self):
        for name in ("one/tool", "two/tool"):
            self.tool(f"bin/{name}", "#!/bin/sh\nexec true\n")
        one, two = self.place.path("bin/one/tool"), self.place.path("bin/two/tool")
        done, _, _ = self.learn("sh", "-c", f"{one}; {two}")
        self.assertIn("the interpreter of " + one, done.stdout)

    @each_person
    def test_the_exit_code_is_the_commands(self):
        self.learn("sh", "-c", "exit 7", code=7)
        done, printed, _ = self.learn("no-such-program", code=product.EXIT_NOT_FOUND)
        self.assertEqual(printed, "")
        self.assertIn("no program was started, so there is no list", done.stderr)

    @each_person
    def test_names_that_are_hard_to_write_are_written_right(self):
        name = 'a "b"\\c\té'
        self.tool(f"bin/{name}", "#!/bin/sh\necho hard\n")
        _, printed, allow = self.learn("sh", "-c", 'exec "$1"', "sh", name)
        self.assertEqual(printed, "hard\n")
        self.assertEqual(allow, ["sh", name])

    @each_person
    def test_what_takes_long_to_end_is_told_whole(self):
        # The program ends, and much of what it left is still there to be ended: its watch has not failed.
        for _ in range(5):
            done, _, allow = self.learn("python3", "-c", ENDS_LATE)
            self.assertNotIn("has ended", done.stderr)
            self.assert_done(done)
            self.assertEqual(len(allow), 1, allow)


if __name__ == "__main__":
    unittest.main()
