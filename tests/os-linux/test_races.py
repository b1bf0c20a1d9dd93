# SPDX-License-Identifier: Apache-2.0
"""Another program, which may write the same granted folder, puts a link where a mount is to stand, and takes it away."""

import ctypes
import os
import random
import threading
import time
import unittest

import wall

EXCHANGE = 2  # renameat2(2)
AT_CWD = -100
STARTS_WANTED = 30
TRIES_MAX = 90


class Swapper:
    """Exchanges two names again and again."""

    def __init__(self, one, other, start_s):
        self.one, self.other, self.stop, self.start_s = os.fsencode(one), os.fsencode(other), threading.Event(), start_s
        self.thread = threading.Thread(target=self.swap)
        self.libc = ctypes.CDLL(None)

    def swap(self):
        chance = random.Random(1)
        while not self.stop.is_set():
            # Mostly as it was when it was checked, so that some starts come through.
            time.sleep(chance.uniform(0, self.start_s * 2))
            self.libc.renameat2(AT_CWD, self.one, AT_CWD, self.other, EXCHANGE)
            time.sleep(chance.uniform(0, self.start_s / 4))
            self.libc.renameat2(AT_CWD, self.one, AT_CWD, self.other, EXCHANGE)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()


class Races(unittest.TestCase):
    def attack(self, place, script):
        """Starts again and again while names are swapped; the script must never reach what the snapshot closes."""
        started = 0
        begin = time.monotonic()
        self.assertEqual(place.run("/bin/true").returncode, 0)
        with Swapper(place.path("w/x"), place.path("w/link"), time.monotonic() - begin):
            for _ in range(TRIES_MAX):
                done = place.run("/bin/sh", "-c", "echo started; " + script)
                started += done.stdout.startswith("started\n")
                self.assertIn(done.stdout, ("", "started\n"), done)
                if started == STARTS_WANTED:
                    break
        self.assertGreaterEqual(started, 1, "no start came through, so nothing was tried")

    def prepare(self, place):
        place.file("w/x/inner/f", "untouched\n")
        place.file("w/y/inner/f", "decoy\n")
        os.symlink("y", place.path("w/link"))
        place.grant("write", place.path("w"))

    def test_a_read_only_folder_inside_a_written_one_is_never_written(self):
        for person in (wall.persons()[0], wall.persons()[-1]):
            with self.subTest(str(person)), wall.Place(person) as place:
                self.prepare(place)
                place.grant("read", place.path("w/x/inner"))
                names = " ".join(place.path("w", name, "inner/f") for name in ("x", "link"))
                with open(place.path("w/x/inner/f"), encoding="utf-8") as real:
                    # The decoy may be written, by whatever name; the other never.
                    self.attack(place, f"for i in 1 2 3 4 5; do for f in {names}; do echo bad >$f; done; done 2>&-; exit 0")
                    self.assertEqual(real.read(), "untouched\n")

    def test_a_hidden_folder_inside_a_written_one_is_never_read(self):
        for person in (wall.persons()[0], wall.persons()[-1]):
            with self.subTest(str(person)), wall.Place(person) as place:
                self.prepare(place)
                place.grant("hide", place.path("w/x/inner"))
                names = " ".join(place.path("w", name, "inner/f") for name in ("x", "link"))
                self.attack(place, f"for f in {names}; do grep untouched $f 2>&-; done; exit 0")


if __name__ == "__main__":
    unittest.main()
