# SPDX-License-Identifier: Apache-2.0
"""The same wall where the kernel has no Landlock: an outer filter answers as such a kernel would."""

import json
import os
import subprocess
import unittest

import product
from product import each_person
from rig import capability

POORER = os.path.join(product.SUPPORT, "poorer_kernel")


class WithoutLandlock(product.ProductTest):
    lack = "landlock"

    def setUp(self):
        super().setUp()
        if not os.access(POORER, os.X_OK):
            capability.lack("poorer_kernel", f"{POORER} is not built")

    def poorer(self):
        self.place.outer = (POORER, self.lack, "--")

    @each_person
    def test_the_lack_is_real(self):
        capability.need("landlock")
        probe = "import ctypes; print(ctypes.CDLL(None, use_errno=True).syscall(444, None, 0, 1))"
        self.poorer()
        done = subprocess.run([*self.place.outer, "python3", "-c", probe], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "-1\n")

    @each_person
    def test_files_are_held_as_with_it(self):
        other = self.place.folder("other")
        script = f"echo in >inside && cat inside; echo out >{other}/file || echo refused"
        self.poorer()
        self.assert_started(self.place.shell(script), "in\nrefused\n")
        self.assert_started(self.place.shell(script, "--write", other, "--write", self.place.work), "in\n")

    @each_person
    def test_the_wire_is_the_one_way_out_as_with_it(self):
        self.poorer()
        script = ("curl -sS https://allowed.test/; curl -sS -o /dev/null -w '%{http_connect}\\n' https://other.test/;"
                  "curl -sS --noproxy '*' http://93.184.215.20/ || echo refused")
        self.assert_started(self.place.shell(script, "--host", "allowed.test"), "hello from allowed.test\n403\nrefused\n")
        self.assertEqual(self.net.queries("other.test"), [])

    @each_person
    def test_the_first_process_inside_cannot_be_written_to(self):
        # bubblewrap's own first process has the same user; with no Landlock domain between, its memory must still be closed.
        probe = "import os; os.open('/proc/1/mem', os.O_RDWR); print('opened')"
        self.poorer()
        self.assert_started(self.place.shell(f'python3 -c "{probe}" 2>/dev/null || echo refused'), "refused\n")

    @each_person
    def test_check_tells_the_lack(self):
        self.poorer()
        done = self.place.lnk("check", "--json")
        self.assertIn("landlock", json.dumps(json.loads(done.stdout)).lower())


class LandlockSwitchedOff(WithoutLandlock):
    lack = "landlock-off"


class ChangedMachine(product.ProductTest):
    """What was learnt of the machine is kept for the boot; settings may be shared with a container that has less."""

    @each_person
    def test_a_machine_with_less_than_it_had_is_looked_at_again(self):
        for outer in ((), (POORER, "landlock", "--"), ()):
            self.place.outer = outer
            self.assert_started(self.place.shell("true"))


class NoFilter(product.ProductTest):
    @each_person
    def test_nothing_runs_where_the_filter_cannot_be_installed_and_the_step_is_told(self):
        # The first program inside finds this out once it has said that it stands, before or after the front has answered.
        self.place.outer = (POORER, "filter", "--")
        for _ in range(10):
            self.assert_refused(self.place.shell("true"), "install the system call filter")
        self.place.outer = ()
        self.assert_started(self.place.shell("true"))


class NoUserNamespaces(product.ProductTest):
    @each_person
    def test_nothing_runs_where_the_wall_cannot_be_built(self):
        self.place.outer = (POORER, "userns", "--")
        self.assert_refused(self.place.shell("true"))
        self.assertNotEqual(self.place.lnk("check").returncode, 0)
        self.place.outer = ()
        self.assert_started(self.place.shell("true"))
        self.assert_done(self.place.lnk("check"))


if __name__ == "__main__":
    unittest.main()
