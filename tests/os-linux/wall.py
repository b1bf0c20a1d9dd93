# SPDX-License-Identifier: Apache-2.0
"""A sandbox by the driver alone, as root or an ordinary user, with Landlock or without."""

import ctypes
import glob
import json
import os
import secrets
import shutil
import subprocess
import tempfile

BUILD = os.environ["LNK_BUILD"]
DRIVER = os.path.join(BUILD, "bin", "os-linux-driver")
MODULE = os.path.join(BUILD, "lib", "lnk-sandbox", "modules", "os-linux.so")
PROBE = os.path.join(BUILD, "bin", "os-linux-probe")
POORER = os.path.join(BUILD, "bin", "poorer_kernel")
ORDINARY_UID = 64001  # nobody's: a number that no system gives out
RUN_TIMEOUT_S = 120
NOT_STARTED = 125


def landlock_level():
    """What the kernel says, here and now; 0: none."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, libc.syscall(444, None, 0, 1))


def loaders():
    """The machine's: ld.so(8)."""
    found = glob.glob("/lib64/ld-linux-*.so.*") + glob.glob("/lib/ld-linux-*.so.*")
    return sorted({os.path.realpath(path) for path in found})


class Person:
    """Who starts sandboxes, and on what kernel."""

    def __init__(self, uid, poorer=()):
        self.uid, self.poorer = uid, tuple(poorer)
        self.prefix = []
        if uid != os.geteuid():
            self.prefix += ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--"]
        if poorer:
            self.prefix += [POORER, *poorer, "--"]
        self.has_landlock = not any(what.startswith("landlock") for what in poorer) and landlock_level() > 1

    def __str__(self):
        return f"uid {self.uid}" + "".join(f" without {what}" for what in self.poorer)


def persons():
    """Root and an ordinary user, each with Landlock and without."""
    uids = [0, ORDINARY_UID] if os.geteuid() == 0 else [os.geteuid()]
    return [Person(uid, poorer) for uid in uids for poorer in ((), ("landlock",), ("landlock-off",), ("landlock-refused",))]


class Place:
    """Folders of a test's own, outside of what every sandbox has."""

    def __init__(self, person):
        self.person = person
        self.root = os.path.realpath(tempfile.mkdtemp(prefix="lnk-wall-"))
        os.chmod(self.root, 0o755)
        self.give(self.root)
        self.home = self.folder("home")
        self.survey = self.path("survey.json")
        self.network = "none"
        self.files, self.closed, self.read_only, self.held = [], [], [], []
        self.programs, self.loaders, self.started = None, [], ""

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def give(self, path):
        if os.geteuid() == 0:
            os.lchown(path, self.person.uid, self.person.uid)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def folder(self, *parts):
        path = self.root
        for part in os.path.join(*parts).split("/"):
            path = os.path.join(path, part)
            if not os.path.isdir(path):
                os.mkdir(path)
                self.give(path)
        return path

    def file(self, name, text="text\n", mode=0o644):
        if os.path.dirname(name):
            self.folder(os.path.dirname(name))
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        self.give(path)
        return path

    def grant(self, access, path, optional=False):
        target = os.path.realpath(path)
        kind = "dir" if os.path.isdir(target) else "file" if os.path.exists(target) else "any"
        self.files.append({"access": access, "kind": kind, "optional": optional, "path": path, "target": target})
        return path

    def allow(self, *paths):
        """Programs that may run, or folders of them where a path ends in /; from the first on, no other."""
        self.programs = self.programs or []
        for path in paths:
            target = os.path.realpath(path)
            self.programs.append({"folder": path.endswith("/"), "path": path, "target": target, "written": path})
        self.loaders = loaders()
        return self

    def snapshot(self):
        commands = None if self.programs is None else {"allow": self.programs}
        grants = {"name": "t", "home": self.home, "files": self.files, "network": {"mode": self.network, "hosts": []},
                  "commands": commands}
        return {"version": 1, "grants": grants, "closed": self.closed, "read_only": self.read_only, "held": self.held,
                "loaders": self.loaders, "program": {"name": self.started, "path": self.started}}

    def look(self):
        """Makes the survey, once."""
        if not os.path.exists(self.survey):
            text = subprocess.run([*self.person.prefix, DRIVER, MODULE, "survey"], check=True, capture_output=True,
                                  text=True, timeout=RUN_TIMEOUT_S).stdout
            with open(self.survey, "w", encoding="utf-8") as file:
                file.write(text)
        with open(self.survey, encoding="utf-8") as file:
            return json.load(file)

    def keep_snapshot(self):
        self.look()
        with open(self.path("snapshot.json"), "w", encoding="utf-8") as file:
            json.dump(self.snapshot(), file)

    def plan(self):
        """Its steps and holdings, in words."""
        self.keep_snapshot()
        return subprocess.run([*self.person.prefix, DRIVER, MODULE, "plan", self.path("snapshot.json"), self.survey], check=True,
                              capture_output=True, text=True, timeout=RUN_TIMEOUT_S).stdout

    def command(self, *argv, cwd=None, options=()):
        self.keep_snapshot()
        return [*self.person.prefix, DRIVER, MODULE, "run", self.path("snapshot.json"), self.survey, cwd or "/tmp",
                *options, "--", *argv]

    def run(self, *argv, cwd=None, options=(), env=None, stdin="", **more):
        return subprocess.run(self.command(*argv, cwd=cwd, options=options), capture_output=True, text=True, input=stdin,
                              env={"PATH": "/usr/bin:/bin"} if env is None else env, timeout=RUN_TIMEOUT_S, check=False,
                              **more)

    def probe(self, *tries, **more):
        """Each try's answer, of a program that first proved that it runs: "ok" or an error's words; and what else it said."""
        nonce = secrets.token_hex(8)
        # Its own folder is opened, so that nothing else of the tree is seen.
        grants = list(self.files)
        self.grant("read", PROBE)
        words = []
        for one in tries:
            words += [*one.split(" "), ","] if isinstance(one, str) else [*one, ","]
        done = self.run(PROBE, nonce, *words, **more)
        self.files = grants
        lines = done.stdout.splitlines()
        if not lines or lines[0] != f"started {nonce}":
            raise AssertionError(f"the probe did not start: {done}")
        answers = [None] * len(tries)
        said = []
        for line in lines[1:]:
            if line.startswith("try "):
                number, answer = line[4:].split(": ", 1)
                answers[int(number)] = "ok" if answer == "ok" else os.strerror(int(answer))
            else:
                said.append(line)
        return answers, said
