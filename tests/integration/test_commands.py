# SPDX-License-Identifier: Apache-2.0
"""A list of programs holds: what it lists runs, what it doesn't is refused by the kernel and named once."""

import json
import os
import re
import subprocess
import unittest

import product
from product import each_person
from rig import capability

POORER = os.path.join(product.SUPPORT, "poorer_kernel")
TRY = 'for p in {}; do "$p" >/dev/null 2>&1; echo "$p $?"; done'


class Commands(product.ProductTest):
    needs = ("landlock",)

    def tool(self, name, text="#!/bin/sh\necho tool\n"):
        self.place.folder(*os.path.dirname(name).split("/"))
        return self.place.write(name, text, 0o755)

    def spec(self, allow):
        bin_folder = self.place.folder("bin")
        return self.place.spec(f'[files]\nread = ["{bin_folder}"]\nwrite = ["{self.place.work}"]\n[commands]\nallow = [{allow}]\n')

    def refused(self, done):
        """The paths that were named, in order. The program writes to the same stream, and may have begun a line there."""
        return re.findall(r"lnk-sandbox: refused to run (.*): not in \[commands\] allow \(", done.stderr)

    @each_person
    def test_what_is_listed_runs_and_what_is_not_is_refused_and_named(self):
        script = "cat /dev/null && echo cat; /usr/bin/env true && echo env"
        done = self.place.shell(script, "--spec", self.spec('"cat"'), "--yes")
        self.assert_started(done, "cat\n")
        self.assertEqual(self.refused(done), ["/usr/bin/env"], done.stderr)
        self.assertRegex(done.stderr, r"lnk-sandbox: refused to run /usr/bin/env: not in \[commands\] allow \(\S*/spec\.toml:5\)\n")
        done = self.place.shell(script, "--spec", self.spec('"cat", "env", "true"'), "--yes")
        self.assert_started(done, "cat\nenv\n")
        self.assertEqual(self.refused(done), [])
        done = self.place.shell(script, "--spec", self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n'), "--yes")
        self.assert_started(done, "cat\nenv\n")

    @each_person
    def test_an_empty_list_is_none_but_the_program_started(self):
        script = TRY.format("/usr/bin/cat")
        done = self.place.shell(f"{script}; sh -c 'echo again'", "--spec", self.spec(""), "--yes", stdin="")
        self.assert_started(done, "/usr/bin/cat 126\nagain\n")
        self.assertEqual(self.refused(done), ["/usr/bin/cat"])

    @each_person
    def test_a_list_on_the_command_line_is_one_of_its_own_or_joins_the_specs(self):
        script = TRY.format("/usr/bin/cat /usr/bin/env")
        done = self.place.shell(script, "--allow-command", "cat")
        self.assert_started(done, "/usr/bin/cat 0\n/usr/bin/env 126\n")
        self.assertIn("refused to run /usr/bin/env: not in [commands] allow (the command line)", done.stderr)
        done = self.place.shell(script, "--spec", self.spec('"env"'), "--yes", "--allow-command", "cat")
        self.assert_started(done, "/usr/bin/cat 0\n/usr/bin/env 0\n")
        done = self.place.shell(script, "--spec", self.spec('"env"'), "--yes")
        self.assert_started(done, "/usr/bin/cat 126\n/usr/bin/env 0\n")

    @each_person
    def test_a_folder_is_all_below_it_and_a_script_goes_with_its_interpreter(self):
        tool, inner, other = self.tool("bin/tool"), self.tool("bin/in/ner"), self.tool("bin/other", "#!/usr/bin/env sh\necho other\n")
        script = TRY.format(f"{tool} {inner} {other}")
        done = self.place.run("--spec", self.spec(f'"{self.place.path("bin")}/", "sh"'), "--yes", "--", "sh", "-c", f"echo started; {script}")
        self.assert_started(done, f"{tool} 0\n{inner} 0\n{other} 126\n")
        self.assertEqual(self.refused(done), ["/usr/bin/env"])
        done = self.place.run("--spec", self.spec(f'"{tool}", "sh"'), "--yes", "--", "sh", "-c", f"echo started; {script}")
        self.assert_started(done, f"{tool} 0\n{inner} 126\n{other} 126\n")

    @each_person
    def test_what_the_program_makes_does_not_run(self):
        script = "for at in . /tmp ~ /dev/shm; do cp /usr/bin/true $at/made; $at/made 2>/dev/null; echo $?; done; ln -s /usr/bin/true link; ./link; echo $?"
        done = self.place.shell(script, "--spec", self.spec('"cp", "true", "ln"'), "--yes")
        self.assert_started(done, "126\n" * 4 + "0\n")
        self.assertEqual(len(self.refused(done)), 4, done.stderr)
        done = self.place.shell(script)
        self.assert_started(done, "0\n" * 5)

    @each_person
    def test_memory_and_descriptors_do_not_run(self):
        script = ("import os\nprint('started', flush=True)\n"
                  "data = open('/usr/bin/true', 'rb').read()\n"
                  "for name in ('memory', 'file'):\n"
                  "  if not os.fork():\n"
                  "    try:\n"
                  "      fd = os.memfd_create('x') if name == 'memory' else os.open('/usr/bin/env', os.O_RDONLY)\n"
                  "      if name == 'memory': os.write(fd, data)\n"
                  "      os.execve(fd, ['x', 'true'], {})\n"
                  "    except OSError: os._exit(9)\n"
                  "  print(name, os.waitstatus_to_exitcode(os.wait()[1]), flush=True)\n")
        done = self.place.run("--spec", self.spec('"true"'), "--yes", "--", "python3", "-c", script)
        self.assert_started(done, "memory 9\nfile 9\n")
        done = self.place.run("--", "python3", "-c", script)
        self.assert_started(done, "memory 0\nfile 0\n")

    @each_person
    def test_no_access_list_makes_a_memory_file_run(self):
        # Of an owner, a group and all others who may read, write and run: acl(5) as linux/posix_acl_xattr.h lays it out.
        script = ("import ctypes, os, struct\nprint('started', flush=True)\n"
                  "libc = ctypes.CDLL(None, use_errno=True)\n"
                  "data = open('/usr/bin/env', 'rb').read()\n"
                  "acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHI', tag, 7, 2**32 - 1) for tag in (1, 4, 0x20))\n"
                  "name, at = b'system.posix_acl_access', struct.pack('<QII', ctypes.cast(acl, ctypes.c_void_p).value, len(acl), 0)\n"
                  "for how in ('setxattr', 'lsetxattr', 'fsetxattr', 'setxattrat'):\n"
                  "  for flags in (0, 8):\n"  # MFD_NOEXEC_SEAL
                  "    fd = os.memfd_create('x', flags)\n"
                  "    os.write(fd, data)\n"
                  "    os.set_inheritable(fd, True)\n"
                  "    path = f'/proc/self/fd/{fd}'.encode()\n"
                  "    if how == 'setxattrat': done = libc.syscall(463, fd, b'', 0x1000, name, at, len(at))\n"
                  "    else: done = getattr(libc, how)(fd if how == 'fsetxattr' else path, name, acl, len(acl), 0)\n"
                  "    copy = os.open(path, os.O_RDONLY)\n"
                  "    os.close(fd)\n"
                  "    if not os.fork():\n"
                  "      try: os.execv(f'/proc/self/fd/{copy}', ['env', 'true'])\n"
                  "      except OSError: os._exit(9)\n"
                  "    print(how, os.waitstatus_to_exitcode(os.wait()[1]), flush=True)\n")
        done = self.place.run("--spec", self.spec('"true"'), "--yes", "--", "python3", "-c", script)
        self.assert_started(done, "".join(f"{how} 9\n" * 2 for how in ("setxattr", "lsetxattr", "fsetxattr", "setxattrat")))
        done = self.place.run("--", "python3", "-c", script)
        self.assertIn("setxattr 0\n" * 2, done.stdout)
        self.assertIn("fsetxattr 0\n" * 2, done.stdout)
        # What copies attributes goes on without.
        self.place.write("work/own", "text\n")
        done = self.place.shell("cp -a own copy && ls copy", "--spec", self.spec('"cp", "ls"'), "--yes")
        self.assert_started(done, "copy\n")

    @each_person
    def test_each_is_named_once_escaped_and_not_without_end(self):
        script = "for i in 1 2 3; do /usr/bin/env true; done 2>/dev/null; cp /usr/bin/true \"./a$(printf '\\033')[2Jb\"; ./a*b 2>/dev/null"
        done = self.place.shell(script, "--spec", self.spec('"cp"'), "--yes")
        self.assert_started(done)
        named = self.refused(done)
        self.assertEqual(named, ["/usr/bin/env", f"{self.place.work}/a\\x1b[2Jb"])
        script = "cp /usr/bin/true x; for i in $(seq 300); do cp x x$i; ./x$i; done 2>/dev/null"
        done = self.place.shell(script, "--spec", self.spec('"cp", "seq"'), "--yes")
        self.assert_started(done)
        self.assertEqual(len(self.refused(done)), 256)
        self.assertEqual(done.stderr.count("further programs are refused too"), 1)

    @each_person
    def test_a_kept_command_holds_its_list(self):
        done = self.place.lnk("wrap", "--spec", self.spec('"cat"'), "--approved", "--json", "--", "sh", "-c", "echo started; " + TRY.format("/usr/bin/cat /usr/bin/env"))
        self.assert_done(done)
        for _ in range(2):
            again = self.place.lnk(*json.loads(done.stdout)["argv"][1:])
            self.assert_started(again, "/usr/bin/cat 0\n/usr/bin/env 126\n")
            self.assertEqual(self.refused(again), ["/usr/bin/env"])

    def fed(self, fd, *flags):
        """With the standard input that is given, which the program fills with another, and runs."""
        script = ("cat /usr/bin/true >/proc/self/fd/0 && echo filled; chmod 755 /proc/self/fd/0 2>/dev/null; "
                  "/proc/self/fd/0 2>/dev/null && echo ran; true")
        return subprocess.run(self.place.command("run", *flags, "--", "sh", "-c", "echo started; " + script), cwd=self.place.work,
                              env=self.place.environment(), stdin=fd, capture_output=True, text=True, timeout=product.RUN_TIMEOUT_S, check=False)

    def memory(self, flags=0):
        fd = os.memfd_create("given", flags)
        self.addCleanup(os.close, fd)
        self.place.person.give(f"/proc/self/fd/{fd}")
        return fd

    @each_person
    def test_a_memory_file_given_as_a_stream_is_refused_beside_a_list(self):
        allow = ("--allow-command", "cat", "--allow-command", "chmod")
        writable = self.memory()
        readable = os.open(f"/proc/self/fd/{writable}", os.O_RDONLY)
        self.addCleanup(os.close, readable)
        for fd in (writable, readable):
            self.assert_refused(self.fed(fd, *allow), "stream 0 is a memory file", "[commands]", "give it a pipe")
            self.assert_started(self.fed(fd), "filled\nran\n")
        sealed = self.memory(0x0008)  # MFD_NOEXEC_SEAL
        self.assert_started(self.fed(sealed, *allow), "filled\n")
        nameless = os.open(self.place.work, os.O_TMPFILE | os.O_RDWR, 0o700)
        self.addCleanup(os.close, nameless)
        self.place.person.give(f"/proc/self/fd/{nameless}")
        self.assert_started(self.fed(nameless, *allow), "filled\n")

    @each_person
    def test_what_is_not_started_is_not_named(self):
        outside = self.tool("other/outside")
        script = ("import ctypes, os\nprint('started', flush=True)\n"
                  "libc = ctypes.CDLL(None, use_errno=True)\n"
                  "argv = (ctypes.c_char_p * 2)(b'x', None)\n"
                  "def run(path, flags=0):\n"
                  "  libc.syscall(322, -100, path.encode(), argv, argv, flags)\n"
                  "  print(ctypes.get_errno(), flush=True)\n"
                  "os.mkdir('/tmp/e')\n"
                  f"os.symlink({outside!r}, '/tmp/e/exe')\n"
                  "os.symlink('/usr/bin/uname', '/tmp/link')\n"
                  "run('/proc/../tmp/e/exe')\n"
                  "run('/tmp/link', 0x100)\n"       # AT_SYMLINK_NOFOLLOW
                  "run('/usr/bin/id', 0x800000)\n"  # no flag
                  "run('/tmp/link')\n"
                  "run('/usr/bin/id', 0x100)\n")
        done = self.place.run("--allow-command", "true", "--", "python3", "-c", script)
        self.assert_started(done, "2\n40\n22\n13\n13\n")
        self.assertEqual(self.refused(done), ["/usr/bin/uname", "/usr/bin/id"], done.stderr)

    @each_person
    def test_a_program_replaced_outside_is_told_as_that(self):
        tool = self.tool("bin/tool")
        script = f"echo started; read _; {tool}; echo $?; /usr/bin/env; echo $?"
        run = self.place.start("run", "--spec", self.spec(f'"{tool}", "sh"'), "--yes", "--", "sh", "-c", script,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), "started\n")
        os.rename(self.tool("bin/new"), tool)
        out, said = run.communicate("\n", timeout=product.RUN_TIMEOUT_S)
        self.assertEqual(out, "126\n126\n")
        self.assertIn(f"refused to run {tool}: it was replaced since the run began, and [commands] allow (", said)
        self.assertNotIn(f"{tool}: not in", said)
        self.assertIn("refused to run /usr/bin/env: not in [commands] allow (", said)

    @each_person
    def test_the_loader_is_the_gap_that_it_is_said_to_be(self):
        loader = "/lib64/ld-linux-x86-64.so.2"
        done = self.place.shell(f"{loader} /usr/bin/env true && echo ran", "--spec", self.spec('"true"'), "--yes")
        self.assert_started(done, "ran\n")

    @each_person
    def test_check_tries_a_list(self):
        done = self.place.lnk("check", "--json")
        report = json.loads(done.stdout)
        tried = {trial["name"]: (trial["held"], trial["skipped"]) for trial in report["trials"]}
        for name in ("listed", "not-listed", "refused-named"):
            self.assertEqual(tried[name], (True, None), done.stderr)
        self.assertTrue({"loader", "LD_PRELOAD", "interpreters", "exec-watch"} <= {gap["name"] for gap in report["gaps"]})

    def without_landlock(self):
        if not os.access(POORER, os.X_OK):
            capability.lack("poorer_kernel", f"{POORER} is not built")
        self.place.outer = (POORER, "landlock", "--")

    @each_person
    def test_without_landlock_a_list_is_refused_in_words(self):
        spec = self.spec('"cat"')
        self.without_landlock()
        for command in (("describe", "--spec", spec), ("run", "--spec", spec, "--yes", "--", "sh", "-c", "echo started"),
                        ("wrap", "--spec", spec, "--approved", "--", "sh", "-c", "echo started")):
            done = self.place.lnk(*command)
            self.assert_refused(done, "Landlock")
        self.assert_started(self.place.shell("true"))
        check = json.loads(self.place.lnk("check", "--json").stdout)
        self.assertEqual([trial["skipped"] is not None for trial in check["trials"] if trial["name"] in ("listed", "not-listed", "refused-named")], [True] * 3)

    @each_person
    def test_a_command_kept_from_a_machine_with_landlock_is_refused_without(self):
        wrapped = self.place.lnk("wrap", "--spec", self.spec('"cat"'), "--approved", "--json", "--", "sh", "-c", "echo started")
        self.assert_done(wrapped)
        command = json.loads(wrapped.stdout)["argv"][1:]
        self.assert_started(self.place.lnk(*command))
        self.without_landlock()
        self.assert_refused(self.place.lnk(*command), "Landlock")


if __name__ == "__main__":
    unittest.main()
