# SPDX-License-Identifier: Apache-2.0
"""The wire's modules: one that tries to get out finds that nothing is open to it but the wire's own places, and two that claim
one route open nothing.

Run on the rig's machine: tests/rig/enter -- python3 tests/verb-host/test_prying.py
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import wire_process  # noqa: E402
from wire_process import OWN_PORT, TREE, Wire, status_of  # noqa: E402

from rig import capability, client  # noqa: E402



def built(path):
    """A test's own part: of the tree that the tested wire was built in, or of the tests' usual one."""
    trees = (os.path.join(wire_process.PARTS, "..", ".."), os.environ.get("LNK_BUILD", os.path.join(TREE, "build", "release")))
    return next((found for found in (os.path.join(tree, path) for tree in trees) if os.path.exists(found)), None)


PRYING, POORER = built("tests/modules/prying.so"), built("bin/poorer_kernel")
FIXTURE = built("tests/modules/good/verb-fixture.so")
KERNELS = {"this kernel": (), "no Landlock": ("landlock",), "Landlock switched off": ("landlock-off",)}



def request(route):
    return f"GET /_link/{route} HTTP/1.1\r\nHost: 127.0.0.1:{OWN_PORT}\r\nConnection: close\r\n\r\n".encode()


def verb(person, module, target, config):
    """A verb's entry of the wire's configuration, its module copied. Trusted: the person's own file, in a folder of hers."""
    shutil.copy(module, target)
    os.chmod(target, 0o755)
    person.give(target)
    with open(target, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    name = os.path.basename(module).removesuffix(".so")
    return {"id": name, "file": target, "sha256": digest, "config": config, "upstreams": []}


class RoutesTest(unittest.TestCase):
    def test_two_verbs_that_claim_one_route_open_neither_and_the_rest_goes_on(self):
        capability.need("rig")
        if not PRYING or not FIXTURE:
            capability.lack("fixtures", "they are not built")
        for person in client.people():
            settings = tempfile.mkdtemp(prefix="settings-")
            self.addCleanup(shutil.rmtree, settings)
            person.give(settings)
            for folder in ("one", "two"):
                os.mkdir(os.path.join(settings, folder), 0o755)
                person.give(os.path.join(settings, folder))
            first, second = (verb(person, FIXTURE, os.path.join(settings, folder, "verb-fixture.so"), {}) for folder in ("one", "two"))
            other = verb(person, PRYING, os.path.join(settings, "prying.so"), {"files": []})
            for verbs, answer in (([first, other], 200), ([first, other, second], 404)):
                with self.subTest(person=person.name, verbs=len(verbs)), Wire({}, settings=settings, more={"verbs": verbs},
                                                                              prefix=person.prefix) as wire:
                    self.assertEqual(status_of(wire.ask(request("fixture"))), answer)
                    self.assertEqual(status_of(wire.ask(request("prying"))), 200)
                self.assertEqual("both claim /_link/fixture; neither is loaded" in wire.stderr, len(verbs) == 3, wire.stderr)


class PryingTest(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        if not PRYING or not POORER:
            capability.lack("prying", "its module or poorer_kernel is not built")

    def place(self, person):
        """A settings folder of that person's with a secret in it, and the wire's own part."""
        settings = tempfile.mkdtemp(prefix="settings-")
        self.addCleanup(shutil.rmtree, settings)
        for folder in ("wire", "secrets"):
            os.mkdir(os.path.join(settings, folder), 0o700)
        for name in ("secrets/value", "wire/own"):
            with open(os.path.join(settings, name), "w", encoding="ascii") as file:
                file.write("kept outside")
            os.chmod(os.path.join(settings, name), 0o600)
        for name in ("", "wire", "secrets", "secrets/value", "wire/own"):
            person.give(os.path.join(settings, name))
        return settings

    def outcomes(self, person, poorer):
        settings = self.place(person)
        module = os.path.join(settings, "prying.so")
        self.own = os.path.join(settings, "wire", "own")
        # Without Landlock the wire has a root of its own, of which only the folders above its place are there, empty.
        self.skeleton = {f"open {path}" for path in ("/", settings)} if poorer else set()
        files = [os.path.join(settings, "secrets", "value"), settings, module, "/", "/proc/self/mem", "/proc/self/environ",
                 "/etc/ssl/certs/ca-certificates.crt", "/dev/tty", os.path.join(settings, "wire", "..", "secrets", "value"), self.own]
        prying = verb(person, PRYING, module, {"files": files})
        prefix = (*((POORER, *poorer, "--") if poorer else ()), *person.prefix)
        with Wire({}, settings=settings, more={"verbs": [prying]}, prefix=prefix) as wire:
            self.assertEqual(wire.ready, {"ready": True})
            answer = wire.ask(request("prying"))
        self.assertEqual(status_of(answer), 200, answer)
        told = json.loads(answer.partition(b"\r\n\r\n")[2])
        return ({one["try"] for one in told[moment] if one["worked"]} for moment in ("create", "event"))

    def test_nothing_is_open_to_a_module_once_the_wire_serves(self):
        for person in client.people():
            for name, poorer in KERNELS.items():
                with self.subTest(person=person.name, kernel=name):
                    before, after = self.outcomes(person, poorer)
                    # It could before: what is refused now is refused by the wire, and the tries are real.
                    self.assertLessEqual({"fork+exec", "posix_spawn", "execve", "create in /tmp", "open /etc/passwd",
                                          f"open {self.own}"}, before)
                    self.assertEqual(after - self.skeleton, {f"open {self.own}"})


if __name__ == "__main__":
    unittest.main()
