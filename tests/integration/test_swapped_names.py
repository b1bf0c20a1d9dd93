# SPDX-License-Identifier: Apache-2.0
"""What was checked and approved is what is opened, though names are swapped for links all the while."""

import ctypes
import json
import os
import random
import signal
import subprocess
import threading
import time
import unittest

import product
from product import each_person
from rig import capability
from terminal import descendants

EXCHANGE, AT_CWD = 2, -100
STARTS = int(os.environ.get("LNK_RACE_STARTS", "25"))


class Swapping:
    """Two names change places again and again. Mostly they stand as they were checked, so that some starts come through."""

    def __init__(self, one, other, start_s):
        self.start_s = start_s
        self.names, self.stop = (os.fsencode(one), os.fsencode(other)), threading.Event()
        self.thread = threading.Thread(target=self.swap)

    def swap(self):
        libc, chance = ctypes.CDLL(None), random.Random(1)
        while not self.stop.is_set():
            for longest_s in (self.start_s * 2, self.start_s / 4):
                self.stop.wait(chance.uniform(0, longest_s))
                libc.renameat2(AT_CWD, self.names[0], AT_CWD, self.names[1], EXCHANGE)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


class Races(product.ProductTest):
    def prepared(self, deep):
        real = self.place.folder(os.path.join("area", "real", deep))
        secret = self.place.folder(os.path.join("secret", deep))
        self.place.write(os.path.relpath(os.path.join(real, "f"), self.place.root), "granted\n")
        self.place.write(os.path.relpath(os.path.join(secret, "f"), self.place.root), "secret\n")
        os.symlink(self.place.path("secret"), self.place.path("area", "link"))
        return real

    def attack(self, start, path):
        """The secret is never read nor written, and some starts come through."""
        script = f"cat {path}/f; echo bad >>{path}/f; exit 0"
        came_through = 0
        began = time.monotonic()
        self.assert_started(start("exit 0"))
        with Swapping(self.place.path("area", "real"), self.place.path("area", "link"), time.monotonic() - began):
            for _ in range(STARTS):
                done = start(script)
                came_through += "started" in done.stdout
                self.assertNotIn("secret", done.stdout)
                self.assertIn(done.returncode, (0, product.EXIT_REFUSED, product.EXIT_ENDED), done.stderr)
        self.assertGreaterEqual(came_through, 1, "no start came through, so nothing was tried")
        for deep in ("", "a/b"):
            kept = self.place.path("secret", deep, "f")
            if os.path.exists(kept):
                with open(kept, encoding="utf-8") as file:
                    self.assertEqual(file.read(), "secret\n")

    def approved_spec_is_kept_to(self, deep):
        path = self.prepared(deep)
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}", "{path}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        self.attack(lambda script: self.place.shell(script, "--spec", spec), path)

    @each_person
    def test_an_approved_folder_is_never_given_as_another_place(self):
        self.approved_spec_is_kept_to("")

    @each_person
    def test_nor_is_one_whose_folders_above_are_swapped(self):
        self.approved_spec_is_kept_to("a/b")

    @each_person
    def test_a_kept_snapshot_opens_what_it_held_or_nothing(self):
        path = self.prepared("a/b")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}", "{path}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))

        def start(script):
            done = self.place.lnk("wrap", "--spec", spec, "--json", "--", "sh", "-c", "echo started; " + script)
            if done.returncode != 0:
                return done
            argv = json.loads(done.stdout)["argv"]
            return subprocess.run([*self.place.person.prefix, *argv], cwd=self.place.work, env=self.place.person.environment(),
                                  capture_output=True, text=True, timeout=product.RUN_TIMEOUT_S, check=False)

        self.attack(start, path)

    @each_person
    def test_a_folder_that_is_swapped_once_its_source_is_open_starts_nothing(self):
        # bubblewrap finds the place of a mount by name: it is stopped before its first step, and a link put in the way of one.
        capability.need("strace")
        for access, script, said in (("--hide", "cat moved/f || echo hidden", "hidden\n"), ("--read", "echo bad >>moved/f || echo kept", "kept\n")):
            for is_swapped in (False, True):
                name = f"{access[2:]}-{is_swapped}"
                folder, moved = self.place.folder("work", name), self.place.path("work", "moved")
                self.place.write(f"work/{name}/f", "secret\n")
                run = self.stopped_before_its_mounts(access, folder, script)
                bubblewrap = self.stopped_below(run)
                if is_swapped:
                    os.rename(folder, moved)
                    os.symlink(os.path.basename(self.place.folder("work", "decoy")), folder)
                os.kill(bubblewrap, signal.SIGCONT)
                done = subprocess.CompletedProcess(run.args, None, *run.communicate(timeout=product.RUN_TIMEOUT_S))
                done.returncode = run.returncode
                if not is_swapped:
                    self.assert_started(done, said)
                    continue
                # Of what it was given to mount bubblewrap sees it itself, of what is hidden only we do.
                self.assert_refused(done, *(["another program changed the folder meanwhile"] if access == "--hide" else []))
                with open(os.path.join(moved, "f"), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "secret\n")
                os.rename(moved, self.place.path("moved" + access))

    def stopped_before_its_mounts(self, access, folder, script):
        """A run whose bubblewrap stops at its first instruction: all that it mounts is open by then."""
        self.place.outer = ()
        self.assert_started(self.place.shell("true", "--write", self.place.work, access, folder), "")
        self.place.outer = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", "trace=execveat", "-e", "inject=execveat:signal=STOP")
        return self.place.start("run", "--write", self.place.work, access, folder, "--", "sh", "-c", "echo started; " + script,
                                stdin=-3, stdout=-1, stderr=-1)

    def stopped_below(self, run):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            for pid in descendants(run.pid):
                try:
                    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                        name, _, rest = file.read().rpartition(")")
                except (FileNotFoundError, ProcessLookupError):
                    continue  # it has ended meanwhile
                if name.endswith("(bwrap") and rest.split()[0] in "tT":
                    return pid
        self.fail("bubblewrap was not stopped")

    @each_person
    def test_a_flag_never_follows_a_link_that_comes_and_goes(self):
        path = self.prepared("")
        self.attack(lambda script: self.place.shell(script, "--write", path, "--write", self.place.work), path)


if __name__ == "__main__":
    unittest.main()
