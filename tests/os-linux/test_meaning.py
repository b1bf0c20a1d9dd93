# SPDX-License-Identifier: Apache-2.0
"""Random grants, nested in any order and to any depth, tried path by path in a running sandbox against a small model of
what they mean: the nearest named path decides."""

import errno
import os
import random
import unittest

import wall

ROUNDS = int(os.environ.get("LNK_MEANING_ROUNDS", "12"))
DEPTH, WIDTH = 5, 2
NOT_SEEN = {os.strerror(errno.ENOENT), os.strerror(errno.EACCES), os.strerror(errno.ENOTDIR)}
NOT_WRITTEN = NOT_SEEN | {os.strerror(errno.EROFS)}


def make_tree(place, below, depth):
    """Every folder holds a file "f" and WIDTH folders."""
    place.file(os.path.join(below, "f"))
    found = [below]
    if depth > 0:
        for name in "ab"[:WIDTH]:
            found += make_tree(place, os.path.join(below, name), depth - 1)
    return found


def decide(grants, path):
    """"read", "write", "hide" or None. The model: nothing but names, and the nearest one."""
    nearest = max((named for named in grants if path == named or path.startswith(named + "/")), key=len, default=None)
    return grants.get(nearest)


class Meaning(unittest.TestCase):
    def try_grants(self, place, grants, order, paths):
        place.files = []
        for name in order:
            place.grant(grants[name], name)
        words = []
        for path in paths:
            words += [f"read {path}", f"write {path}"]
        answers, _ = place.probe(*words)
        for at, path in enumerate(paths):
            read, write = answers[2 * at], answers[2 * at + 1]
            meant = decide(grants, path)
            told = f"{path}: {meant}; read {read}, write {write}; {grants} as {place.person}"
            if meant in ("read", "write"):
                self.assertEqual(read, "ok", told)
            else:
                self.assertIn(read, NOT_SEEN, told)
            if meant == "write":
                self.assertEqual(write, "ok", told)
            else:
                self.assertIn(write, NOT_WRITTEN, told)

    def test_the_nearest_named_path_decides_whatever_the_order_and_depth(self):
        seed = int(os.environ.get("LNK_SEED", "0")) or random.randrange(1 << 32)
        for person in wall.persons():
            with wall.Place(person) as place:
                folders = [place.path(one) for one in make_tree(place, "t", DEPTH)]
                files = [os.path.join(folder, "f") for folder in folders]
                for number in range(max(1, ROUNDS // len(wall.persons()))):
                    chance = random.Random(f"{seed} {person} {number}")
                    with self.subTest(f"LNK_SEED={seed} {person} round {number}"):
                        names = chance.sample(folders, chance.randint(1, 12)) + chance.sample(files, chance.randint(0, 4))
                        grants = {name: chance.choice(("read", "write", "hide")) for name in names}
                        order = list(grants)
                        chance.shuffle(order)
                        self.try_grants(place, grants, order, chance.sample(files, 40))

    def test_every_nesting_of_three(self):
        with wall.Place(wall.persons()[-1]) as place:
            make_tree(place, "t", 3)
            names = [place.path("t"), place.path("t/a"), place.path("t/a/b")]
            paths = [os.path.join(name, "f") for name in names] + [place.path("t/b/f"), place.path("t/a/a/f"), place.path("t/a/b/a/f")]
            words = ("read", "write", "hide")
            for one in words:
                for two in words:
                    for three in words:
                        with self.subTest(f"{one} {two} {three}"):
                            grants = dict(zip(names, (one, two, three)))
                            self.try_grants(place, grants, reversed(names), paths)


if __name__ == "__main__":
    unittest.main()
