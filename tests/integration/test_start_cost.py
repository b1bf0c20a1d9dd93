# SPDX-License-Identifier: Apache-2.0
"""What a start does, counted and never timed: it walks no granted tree, plans linear in grants, and looks at the machine once a
boot. scripts/bench start measures what that costs."""

import ctypes
import json
import os
import struct
import unittest

import product
from product import each_person
from rig import client

OPENED_OR_READ = 0x20 | 0x01 | 0x10  # inotify(7): IN_OPEN, IN_ACCESS, IN_CLOSE_NOWRITE
EVENT = struct.Struct("iIII")


class Opened:
    """Tells which of some folders, or what lies in them, was opened meanwhile."""

    def __init__(self, folders):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        self.folders = {self.libc.inotify_add_watch(self.fd, os.fsencode(folder), OPENED_OR_READ): folder for folder in folders}

    def seen(self):
        try:
            text = os.read(self.fd, 1 << 20)
        except BlockingIOError:
            return []
        found = []
        while text:
            watch, mask, _, size = EVENT.unpack_from(text)
            found.append((self.folders[watch], hex(mask), text[EVENT.size:EVENT.size + size].rstrip(b"\0")))
            text = text[EVENT.size + size:]
        return found

    def close(self):
        os.close(self.fd)


class StartCost(product.ProductTest):
    @each_person
    def test_no_granted_tree_is_walked(self):
        deep = [self.place.folder("work", *parts) for parts in (("a",), ("a", "b"), ("a", "b", "c"), ("src",), ("node_modules", "x"))]
        for folder in deep:
            self.place.write(os.path.relpath(os.path.join(folder, "f"), self.place.root), "")
        other = self.place.folder("read", "below")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{self.place.path("read")}"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        opened = Opened([*deep, other])
        self.addCleanup(opened.close)
        for arguments in (("run", "--", "true"), ("run", "--spec", spec, "--", "true"), ("describe", "--spec", spec)):
            self.assert_done(self.place.lnk(*arguments))
            self.assertEqual(opened.seen(), [], arguments)
        # The watch tells: a program that walks is seen.
        self.assert_done(self.place.run("--", "sh", "-c", "ls -R >ls"))
        self.assertNotEqual(opened.seen(), [])

    @each_person
    def test_a_plan_has_one_step_more_for_each_grant(self):
        names = [self.place.folder("many", str(number)) for number in range(500)]
        steps = {}
        for count in (1, 2, 100, 500):
            listed = ", ".join(f'"{name}"' for name in names[:count])
            spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = [{listed}]\n', f"n{count}.toml")
            steps[count] = len(self.place.listing("describe", "--plan", "--spec", spec)["steps"])
        for count, found in steps.items():
            self.assertEqual(found - steps[1], count - 1)
        self.assert_started(self.place.shell(f"cat {names[-1]}/f 2>/dev/null; ls -d {names[0]} {names[-1]}", "--spec", spec, "--yes"),
                            f"{names[0]}\n{names[-1]}\n")

    def kept(self):
        folder = self.place.path("settings", "machine")
        if not os.path.isdir(folder):
            return {}
        return {name: os.stat(os.path.join(folder, name)).st_ino for name in os.listdir(folder)}

    @each_person
    def test_the_machine_is_looked_at_once_a_boot_and_only_what_passed_is_kept(self):
        self.place.outer = (os.path.join(product.SUPPORT, "poorer_kernel"), "userns", "--")
        self.assert_refused(self.place.shell("true"))
        self.place.outer = ()
        self.assertEqual([name for name in self.kept() if self.holds_survey(name)], [])
        self.assert_started(self.place.shell("true"))
        first = self.kept()
        self.assertEqual(len(first), 1)
        self.assert_started(self.place.shell("true"))
        self.assertEqual(self.kept(), first)  # a file written anew is another inode

    @each_person
    def test_what_was_found_before_another_boot_is_found_anew(self):
        self.assert_started(self.place.shell("true"))
        first = self.kept()
        path = self.place.path("settings", "machine", *first)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        boot = json.loads(text)["boot"]
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(boot, "0" * len(boot)))
        self.assertEqual(self.kept(), first)
        self.assert_started(self.place.shell("true"))
        self.assertNotEqual(self.kept(), first)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), text)

    @each_person
    def test_what_another_module_found_is_found_anew(self):
        tree = self.place.path("tree")
        self.place.program = client.copy_program(product.BIN, tree)
        self.place.give_all(tree)
        self.assert_started(self.place.shell("true"))
        first = self.kept()
        self.assert_started(self.place.shell("true"))
        self.assertEqual(self.kept(), first)
        with open(os.path.join(tree, "lib", "lnk-sandbox", "modules", "os-linux.so"), "ab") as file:
            file.write(b"\0")  # another file, which does the same
        self.assert_started(self.place.shell("true"))
        self.assertNotEqual(self.kept(), first)

    def holds_survey(self, name):
        with open(self.place.path("settings", "machine", name), encoding="utf-8") as file:
            return "system_folders" in file.read()


if __name__ == "__main__":
    unittest.main()
