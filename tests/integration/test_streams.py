# SPDX-License-Identifier: Apache-2.0
"""Standard streams: a file, a pipe or nothing pass; a folder, from which openat(2) would lead past the mounts, is refused."""

import json
import os
import subprocess
import unittest

import product
from product import each_person
from rig import capability

OTHER_UID = 47002
NAMES = ("stdin", "stdout", "stderr")

SPOIL = """
import errno, os, sys
given, out = int(sys.argv[1]), open("said", "w")
def attempt(name, act):
    try:
        act()
        print("did", name, file=out)
    except OSError as error:
        print("refused", name, errno.errorcode[error.errno], file=out)

def reopen():
    with open(f"/proc/self/fd/{given}", "w") as file:
        file.write("spoiled\\n")

open("ran", "w").close()
print("read", os.read(given, 100).decode().strip(), file=out)
attempt("reopen", reopen)
attempt("mode", lambda: os.fchmod(given, 0o777))
attempt("truncate", lambda: os.truncate(f"/proc/self/fd/{given}", 0))
attempt("times", lambda: os.utime(given))
with open(f"/proc/self/fd/{given}") as file:
    print("again", file.read().strip(), file=out)
"""


class Streams(product.ProductTest):
    def opened(self, path, flags=os.O_RDONLY):
        fd = os.open(path, flags)
        self.addCleanup(os.close, fd)
        return fd

    def with_streams(self, command, **streams):
        """What ended, and whether the program inside ran: it leaves a file, since not every stream can tell."""
        mark = self.place.path("work", "ran")
        if os.path.exists(mark):
            os.unlink(mark)
        given = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
        done = subprocess.run(command, cwd=self.place.work, env=self.place.environment(), text=True, check=False,
                              timeout=product.RUN_TIMEOUT_S, **given)
        return done, os.path.exists(mark)

    def run_with(self, script="cat", **streams):
        return self.with_streams(self.place.command("run", "--", "sh", "-c", "echo started; touch ran; " + script), **streams)

    def assert_folder_is_refused(self, command, fd):
        for number, name in enumerate(NAMES):
            with self.subTest(stream=name):
                done, ran = self.with_streams(command, **{name: fd})
                self.assertEqual((done.returncode, ran), (product.EXIT_REFUSED, False), done)
                if name != "stderr":
                    self.assertIn(f"lnk-sandbox: stream {number} is a folder", done.stderr)

    @each_person
    def test_a_file_a_pipe_and_nothing_pass(self):
        words = self.place.write("words", "of the file\n")
        done, ran = self.run_with(stdin=self.opened(words))
        self.assertTrue(ran)
        self.assert_started(done, "of the file\n")
        self.assert_started(self.run_with()[0], "")
        read_end, write_end = os.pipe()
        self.addCleanup(os.close, read_end)
        with os.fdopen(write_end, "w") as pipe:
            pipe.write("of the pipe\n")
        self.assert_started(self.run_with(stdin=read_end)[0], "of the pipe\n")
        said = self.opened(self.place.write("said", ""), os.O_WRONLY)
        self.run_with("echo words >&2", stdout=said, stderr=said)
        with open(self.place.path("said"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "started\nwords\n")

    @each_person
    def test_a_folder_that_is_not_granted_is_refused(self):
        command = self.place.command("run", "--", "sh", "-c", "echo started; touch ran")
        for folder in (self.place.folder("other"), "/", "/proc/self/root"):
            for flags in (os.O_RDONLY, os.O_PATH):
                self.assert_folder_is_refused(command, self.opened(folder, flags | os.O_DIRECTORY))

    @each_person
    def test_a_folder_that_is_granted_is_refused_too(self):
        # Its ".." leads out of what is granted: a descriptor knows nothing of the mounts that it was opened before.
        command = self.place.command("run", "--", "sh", "-c", "echo started; touch ran")
        self.assert_folder_is_refused(command, self.opened(self.place.work))

    @each_person
    def test_a_file_that_is_only_a_name_is_refused(self):
        fd = self.opened(self.place.write("words", "of the file\n"), os.O_PATH)
        done, ran = self.run_with(stdin=fd)
        self.assertFalse(ran)
        self.assert_refused(done, "stream 0")

    @each_person
    def test_a_wrapped_command_refuses_a_folder_as_well(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        done = self.place.lnk("wrap", "--spec", spec, "--approved", "--json", "--", "sh", "-c", "echo started; touch ran")
        self.assert_done(done)
        command = [*self.place.person.prefix, *json.loads(done.stdout)["argv"]]
        self.assert_folder_is_refused(command, self.opened(self.place.folder("other")))
        done, ran = self.with_streams(command)
        self.assertTrue(ran)
        self.assert_started(done, "")

    @each_person
    def test_a_stream_that_is_closed_is_nothing_and_no_descriptor_of_the_product(self):
        for number, name in enumerate(NAMES):
            inside = self.place.command("run", "--", "sh", "-c", f"touch ran; is=$(readlink /proc/$$/fd/{number}); echo $is >seen")
            done, ran = self.with_streams(["sh", "-c", f'exec "$@" {number}>&-', "sh", *inside])
            with self.subTest(stream=name):
                self.assertTrue(ran, done)
                with open(self.place.path("work", "seen"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "/dev/null\n")

    def spoiled(self, number, **streams):
        """What a program did that tries to change the file that is its stream."""
        command = self.place.command("run", "--write", self.place.work, "--read", self.place.path("work", "kept"), "--",
                                     "python3", "-c", SPOIL, str(number))
        return self.with_streams(command, **streams)

    def said(self):
        with open(self.place.path("work", "said"), encoding="utf-8") as file:
            return file.read().splitlines()

    @each_person
    def test_a_file_that_is_given_to_read_can_only_be_read(self):
        self.place.folder("work", "kept")
        for name in ("work/kept/file", "work/ordinary", "beside"):
            for number, stream in enumerate(NAMES):
                path = self.place.write(name, "as it was\n", mode=0o600)
                with self.subTest(file=name, stream=stream):
                    done, ran = self.spoiled(number, **{stream: self.opened(path)})
                    self.assertTrue(ran, done)
                    self.assertEqual(self.said(), ["read as it was", "refused reopen EROFS", "refused mode EROFS", "refused truncate EROFS",
                                                   "refused times EROFS", "again as it was"])
                    with open(path, encoding="utf-8") as file:
                        self.assertEqual((file.read(), os.stat(path).st_mode & 0o777), ("as it was\n", 0o600))

    @each_person
    def test_a_file_that_is_given_to_write_can_be_written(self):
        self.place.folder("work", "kept")
        path = self.place.write("work/ordinary", "as it was\n")
        _, ran = self.spoiled(0, stdin=self.opened(path, os.O_RDWR))
        self.assertTrue(ran)
        self.assertEqual(self.said(), ["read as it was", "did reopen", "did mode", "did truncate", "did times", "again "])
        self.assertEqual((os.stat(path).st_size, os.stat(path).st_mode & 0o777), (0, 0o777))

    @each_person
    def test_a_file_is_read_from_where_it_stands_and_moves_on_inside_alone(self):
        path = self.place.write("beside", "first\nsecond\nthird\n")
        given = self.opened(path)
        os.lseek(given, len("first\n"), os.SEEK_SET)
        done, _ = self.run_with("head -n 1; cat /dev/stdin", stdin=given)
        self.assertEqual(done.stdout.splitlines()[:2], ["started", "second"], done.stderr)
        self.assertEqual(os.lseek(given, 0, os.SEEK_CUR), len("first\n"))

    @each_person
    def test_a_file_without_a_name_passes_as_a_here_document_does(self):
        path = self.place.write("beside", "of no name\n")
        given = self.opened(path)
        os.unlink(path)
        self.assert_started(self.run_with(stdin=given)[0], "of no name\n")

    def test_a_file_that_root_can_reach_only_by_its_privilege_is_refused(self):
        capability.need("root")
        self.place = self.as_root()
        path = self.place.write("closed", "of another\n")
        folder = self.place.folder("others")
        os.rename(path, os.path.join(folder, "closed"))
        given = self.opened(os.path.join(folder, "closed"))
        self.assert_started(self.run_with(stdin=given)[0], "of another\n")
        for name, mode in ((folder, 0o700), (os.path.join(folder, "closed"), 0o600)):
            os.chown(name, OTHER_UID, OTHER_UID)
            os.chmod(name, mode)
            done, ran = self.run_with(stdin=given)
            os.chown(name, 0, 0)
            os.chmod(name, 0o755)
            with self.subTest(name=name):
                self.assertFalse(ran)
                self.assert_refused(done, "a file given as a stream", "give it through a pipe", "Permission denied")

    @each_person
    def test_a_file_that_is_no_longer_at_its_name_is_refused(self):
        path = self.place.write("beside", "as it was\n")
        os.link(path, self.place.path("other"))
        given = self.opened(path)
        os.unlink(path)
        done, ran = self.run_with(stdin=given)
        self.assertFalse(ran)
        self.assert_refused(done, "stream 0", "pipe")


if __name__ == "__main__":
    unittest.main()
