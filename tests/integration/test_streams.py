# SPDX-License-Identifier: Apache-2.0
"""Standard streams: a file, a pipe or nothing pass; a folder, from which openat(2) would lead past the mounts, is refused."""

import json
import os
import subprocess
import unittest

import product
from product import each_person
from rig import capability

NAMES = ("stdin", "stdout", "stderr")


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

    @each_person
    def test_a_file_that_is_read_only_inside_stays_so_when_it_is_a_stream(self):
        capability.need("landlock")  # without it a file as a stream can be opened again, a gap that is named
        self.place.folder("work", "kept")
        for name in ("kept/file", "ordinary"):
            path = self.place.write(f"work/{name}", "as it was\n")
            command = self.place.command("run", "--write", self.place.work, "--read", self.place.path("work", "kept"), "--",
                                         "sh", "-c", "echo started; touch ran; echo spoiled >/proc/self/fd/0 && echo written")
            done, _ = self.with_streams(command, stdin=self.opened(path))
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "as it was\n" if name == "kept/file" else "spoiled\n", done)


if __name__ == "__main__":
    unittest.main()
