# SPDX-License-Identifier: Apache-2.0
"""A sandbox whose verb asks the person, as its tests drive it."""

import os
import re
import shutil
import time

import product
from rig import capability

MODULE = os.path.join(os.environ.get("LNK_BUILD", os.path.join(product.TREE, "build", "release")), "tests", "verb-host", "verb-tabled.so")
ASK = "curl -sS \"$LNK_WIRE/_link/tabled/ask/words\""
TOLD = re.compile(r"lnk-sandbox answer ([a-z]{6}) yes allows it once")


def waits_for(holds):
    end = time.monotonic() + product.RUN_TIMEOUT_S
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


class AskingTest(product.ProductTest):
    def setUp(self):
        super().setUp()
        if not os.path.exists(MODULE):
            capability.lack("fixtures", f"{MODULE} is not built")

    def arguments(self, script):
        """Of a run whose program may ask."""
        folder = self.place.folder("modules")
        target = shutil.copyfile(MODULE, os.path.join(folder, os.path.basename(MODULE)))
        os.chmod(target, 0o644)
        self.place.person.give(target)
        spec = self.place.spec(f'name = "claude"\n[files]\nwrite = ["{self.place.work}"]\n[verb.tabled]\ngreeting = "hello"\n')
        return ("--module-dir", folder, "run", "--spec", spec, "--yes", "--", "sh", "-c", script)

    def waiting(self):
        return self.place.listing("answer")

    def wait_for(self, count):
        self.assertTrue(waits_for(lambda: len(self.waiting()) == count), self.waiting())
        return self.waiting()

    def answer(self, question, word):
        return self.place.lnk("answer", question, word)

    def files(self):
        folder = os.path.join(self.place.settings, "questions")
        return sorted(os.listdir(folder)) if os.path.isdir(folder) else []
