# SPDX-License-Identifier: Apache-2.0
"""Another program, which may write the same granted folder, puts a link where a mount is to stand, and takes it away."""

import ctypes
import os
import random
import subprocess
import threading
import time
import unittest

import wall

EXCHANGE = 2  # renameat2(2)
AT_CWD = -100
STARTS_WANTED = 30
TRIES_EACH = 3  # at most, for one that is wanted


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
    def attack(self, place, script, wanted=STARTS_WANTED):
        """Starts again and again while names are swapped; the script must never reach what the snapshot closes."""
        started = 0
        begin = time.monotonic()
        self.assertEqual(place.run("/bin/true").returncode, 0)
        with Swapper(place.path("w/x"), place.path("w/link"), time.monotonic() - begin):
            for _ in range(TRIES_EACH * wanted):
                done = place.run("/bin/sh", "-c", "echo started; " + script)
                started += done.stdout.startswith("started\n")
                self.assertIn(done.stdout, ("", "started\n"), done)
                if started == wanted:
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

    def test_a_granted_folder_that_becomes_a_link_is_never_followed(self):
        for access in ("read", "write"):
            for deep in ("", "/inner"):
                with self.subTest(access + deep), wall.Place(wall.persons()[-1]) as place:
                    self.prepare(place)
                    place.files = []
                    place.grant(access, place.path("w/x" + deep))
                    names = " ".join(place.path("w", name, "inner/f") for name in ("x", "link", "y"))
                    self.attack(place, f"for f in {names}; do grep decoy $f 2>&-; echo bad >$f; done 2>&-; exit 0", wanted=8)
                    with open(place.path("w/y/inner/f"), encoding="utf-8") as decoy:
                        self.assertEqual(decoy.read(), "decoy\n")


# Two threads swap a folder, a file and links to what is closed, while a third opens, writes, links and renames through them.
SWAP_INSIDE = """
import ctypes, os, sys, threading, time
work, read, hidden, seconds = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
libc = ctypes.CDLL(None)
end = time.monotonic() + seconds
os.makedirs(work + "/d"); open(work + "/d/f", "w").close()
for name, target in (("to-read", read), ("to-hidden", hidden)):
    os.symlink(target, f"{work}/{name}")

def swap(one, other):
    while time.monotonic() < end:
        libc.renameat2(-100, f"{work}/{one}".encode(), -100, f"{work}/{other}".encode(), 2)

def attempt(act):
    try:
        return act()
    except OSError:
        return None

def append(path):
    with open(path, "a") as file:
        file.write("bad")

for pair in (("d", "to-read"), ("to-hidden", "to-read")):
    threading.Thread(target=swap, args=pair).start()
print("started", flush=True)
tried = 0
while time.monotonic() < end:
    tried += 1
    for name in ("d", "to-read", "to-hidden"):
        path = f"{work}/{name}/f"
        text = attempt(lambda: open(path).read())
        if text and "secret" in text:
            print("read what is hidden")
        attempt(lambda: append(path))
        attempt(lambda: os.truncate(path, 0))
        attempt(lambda: os.link(path, f"{work}/alias{tried}"))
        attempt(lambda: append(f"{work}/alias{tried}"))
        attempt(lambda: os.unlink(f"{work}/alias{tried}"))
        attempt(lambda: os.rename(path, f"{work}/moved"))
        attempt(lambda: os.rename(f"{work}/moved", path))
        attempt(lambda: os.chmod(path, 0o777))
print("tried", tried > 10)
"""
SECONDS = os.environ.get("LNK_RACE_SECONDS", "3")


class Inside(unittest.TestCase):
    def test_names_swapped_by_the_program_itself_lead_nowhere(self):
        for person in wall.persons():
            with self.subTest(str(person)), wall.Place(person) as place:
                work, read, hidden = place.folder("w"), place.folder("w/read"), place.folder("w/hidden")
                kept, secret = place.file("w/read/f", "kept\n"), place.file("w/hidden/f", "secret\n")
                before = [os.stat(path) for path in (kept, secret)]
                place.grant("write", work)
                place.grant("read", read)
                place.grant("hide", hidden)
                done = place.run("/usr/bin/python3", "-c", SWAP_INSIDE, work, read, hidden, SECONDS)
                self.assertEqual(done.stdout, "started\ntried True\n", done.stderr)
                for path, text, was in ((kept, "kept\n", before[0]), (secret, "secret\n", before[1])):
                    with open(path, encoding="utf-8") as file:
                        self.assertEqual(file.read(), text)
                    now = os.stat(path)
                    self.assertEqual((now.st_ino, now.st_mode, now.st_nlink), (was.st_ino, was.st_mode, was.st_nlink))


class Outside(unittest.TestCase):
    SAVES = 50

    def test_a_save_by_rename_from_outside_changes_nothing_that_it_should_not(self):
        """An editor saves in the folders of a run: what is read only stays so, file by file, and no save is lost."""
        script = ("import sys\nprint('started', flush=True)\n"
                  "for line in sys.stdin:\n"
                  "    for path in sys.argv[1:]:\n"
                  "        try:\n            open(path, 'a').write('inside\\n')\n"
                  "        except OSError:\n            pass\n"
                  "    print('went on', flush=True)\n")
        for person in wall.persons():
            with self.subTest(str(person)), wall.Place(person) as place:
                kept, own = place.file("w/read/f", "0\n"), place.file("w/f", "0\n")
                place.grant("write", place.path("w"))
                place.grant("read", place.path("w/read"))
                command = place.command("/usr/bin/python3", "-c", script, kept, own)
                with subprocess.Popen(command, env={"PATH": "/usr/bin:/bin"}, stdin=-1, stdout=-1, text=True, bufsize=1) as front:
                    self.assertEqual(front.stdout.readline(), "started\n")
                    for number in range(self.SAVES):
                        for path in (kept, own):
                            with open(path + ".new", "w", encoding="utf-8") as file:
                                file.write(f"save {number}\n")
                            place.give(path + ".new")
                            os.rename(path + ".new", path)
                        front.stdin.write("go\n")
                        self.assertEqual(front.stdout.readline(), "went on\n")
                        for path, wanted in ((kept, f"save {number}\n"), (own, f"save {number}\ninside\n")):
                            with open(path, encoding="utf-8") as file:
                                self.assertEqual(file.read(), wanted)
                    front.stdin.close()
                self.assertEqual(front.returncode, 0)


if __name__ == "__main__":
    unittest.main()
