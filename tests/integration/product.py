# SPDX-License-Identifier: Apache-2.0
"""The product as shipped, run by a person of the rig in folders of the test's own."""

import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TREE, "tests"))

from rig import capability, client  # noqa: E402

BIN = client.own_program(os.environ.get("LNK_BIN", os.path.join(TREE, "out", "bin", "lnk-sandbox")))
SUPPORT = os.environ.get("LNK_TEST_SUPPORT", os.path.join(TREE, "build", "release", "bin"))
WIRE_PORT = 40781
RUN_TIMEOUT_S = 60
EXIT_REFUSED, EXIT_NOT_RUNNABLE, EXIT_NOT_FOUND, EXIT_USAGE = 125, 126, 127, 2
EXIT_ENDED = 137  # something of the run had to be ended, and the front said why


class Place:
    """A person, a work folder, a settings folder and a spec. The work folder is where commands are run."""

    def __init__(self, person):
        self.person = person
        # In the home, as real work is: /tmp is one of the places that a sandbox has of its own.
        self.root = tempfile.mkdtemp(prefix="place-", dir=person.home)
        self.settings, self.work = os.path.join(self.root, "settings"), os.path.join(self.root, "work")
        for folder in (self.root, self.settings, self.work):
            os.makedirs(folder, exist_ok=True)
            os.chmod(folder, 0o700)
            person.give(folder)
        self.outer = ()  # put before the product's command line: another program that starts it
        self.program = BIN

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def folder(self, *parts):
        path = self.path(*parts)
        os.makedirs(path, exist_ok=True)
        os.chmod(path, 0o700)
        self.person.give(path)
        return path

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        self.person.give(path)
        return path

    def give_all(self, folder):
        for at, _, names in os.walk(folder):
            for path in (at, *(os.path.join(at, name) for name in names)):
                self.person.give(path)

    def spec(self, text, name="spec.toml"):
        return self.write(name, text)

    def environment(self, **more):
        return self.person.environment(LNK_HOME=self.settings, **more)

    def command(self, *arguments):
        return [*self.person.prefix, *self.outer, self.program, *arguments]

    def start(self, *arguments, environment=None, cwd=None, **more):
        return subprocess.Popen(self.command(*arguments), cwd=cwd or self.work, text=True,
                                env=self.environment(**(environment or {})), **more)

    def lnk(self, *arguments, environment=None, cwd=None, stdin="", timeout=RUN_TIMEOUT_S, **more):
        """Runs the product to its end."""
        return subprocess.run(self.command(*arguments), cwd=cwd or self.work, input=stdin, capture_output=True, text=True,
                              env=self.environment(**(environment or {})), timeout=timeout, check=False, **more)

    def run(self, *arguments, **more):
        return self.lnk("run", *arguments, **more)

    def shell(self, script, *flags, **more):
        """`run FLAGS -- sh -c SCRIPT`: the script says first that it started."""
        return self.run(*flags, "--", "sh", "-c", "echo started; " + script, **more)

    def listing(self, command, *arguments):
        done = self.lnk(command, *arguments, "--json")
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stderr}")
        return json.loads(done.stdout)


def each_person(test):
    """The test is run as root and as an ordinary user, each with a place of its own."""
    test.each_person = True
    return test


class ProductTest(unittest.TestCase):
    """Tests of the product in the rig. `self.place` is made for a test marked with each_person; `self.net` for all."""

    needs = ()

    def __init_subclass__(cls):
        super().__init_subclass__()
        for name, test in list(vars(cls).items()):
            if inspect.isfunction(test) and getattr(test, "each_person", False):
                delattr(cls, name)
                for number, kind in enumerate(("root", "ordinary_user")):
                    setattr(cls, f"{name}_as_{kind}", _as_person(test, number))

    def setUp(self):
        capability.need("rig", "bubblewrap", *self.needs)
        if not os.access(BIN, os.X_OK):
            self.fail(f"{BIN} is not there: scripts/build makes it")
        self.net = client.Internet()
        self.net.reset()
        self.place = None

    def as_person(self, person):
        place = Place(person)
        self.addCleanup(place.close)
        return place

    def as_root(self):
        return self.as_person(client.people()[0])

    def assert_started(self, done, more=None):
        """The target proved that it ran; `more` is what it printed after that."""
        self.assertEqual(done.stdout.partition("\n")[0], "started", f"{done.stdout!r} {done.stderr!r}")
        if more is not None:
            self.assertEqual(done.stdout.partition("\n")[2], more, done.stderr)

    def assert_refused(self, done, *words):
        """Nothing ran, and the person was told these words."""
        self.assertEqual(done.returncode, EXIT_REFUSED, f"{done.stdout!r} {done.stderr!r}")
        self.assertNotIn("started", done.stdout)
        self.assertIn("lnk-sandbox: ", done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def assert_done(self, done, code=0):
        self.assertEqual(done.returncode, code, f"{done.stdout!r} {done.stderr!r}")


def _as_person(test, number):
    def run(self):
        self.place = self.as_person(client.people()[number])
        test(self)

    run.__doc__ = test.__doc__
    return run
