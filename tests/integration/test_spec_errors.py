# SPDX-License-Identifier: Apache-2.0
"""What a spec can't say is refused where it stands, all of it at once, and nothing runs."""

import os
import subprocess
import unittest

import product
from product import each_person


class SpecErrors(product.ProductTest):
    def refused(self, text, *words):
        spec = self.place.spec(text.replace("WORK", self.place.work))
        self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"), *words)

    @each_person
    def test_every_error_is_shown_with_its_place(self):
        self.refused('[files]\nwrite = ["WORK", 7]\nraed = ["/x"]\n[network]\nhosts = ["a b"]\n',
                     "spec.toml:2:", "spec.toml:3:1", "spec.toml:5:10")

    @each_person
    def test_an_unknown_key_is_offered_the_nearest(self):
        self.refused('[files]\nwriet = ["WORK"]\n', "spec.toml:2:1", "write")
        self.refused('[fiels]\nwrite = ["WORK"]\n', "spec.toml:1:", "files")

    @each_person
    def test_what_is_not_toml_is_refused_where_it_breaks(self):
        self.refused('[files]\nwrite = ["WORK"\nname = "x"\n', "spec.toml:3:")

    @each_person
    def test_a_spec_of_too_many_bytes_is_refused_by_its_name(self):
        self.refused("# a line\n" * 1024 * 1024, 'the spec "', 'spec.toml": more than 8388608 bytes')

    @each_person
    def test_endpoints_that_cannot_be_held_are_refused(self):
        for endpoint in ("db.test", "*:5432", "*.com:5432", "10.0.0.1:5432", "db.*.test:5432", "postgres://db.test:5432", "localhost:5432",
                         "mongodb+srv://a.b.test:27017", "mongodb+srv://b.test", "mongodb+srv://a.co.uk", "mongodb+srv://a.b.local"):
            with self.subTest(endpoint=endpoint):
                self.refused(f'[files]\nwrite = ["WORK"]\n[tcp]\nendpoints = ["{endpoint}"]\n', "spec.toml:4:14")

    @each_person
    def test_hosts_that_cannot_be_held_are_refused(self):
        for host in ("https://allowed.test", "allowed.test/path", "*.com", "a.*.test", "allowed.test:0", "127.0.0.1", "169.254.169.254",
                     "bücher.test", "2130706433"):
            with self.subTest(host=host):
                self.refused(f'[files]\nwrite = ["WORK"]\n[network]\nhosts = ["{host}"]\n', "spec.toml:4:10")

    @each_person
    def test_direct_with_anything_of_the_wire_is_refused(self):
        for table in ('[network]\nhosts = ["allowed.test"]\ndirect = true', "[network]\ndirect = true\n[localhost]\nports = [5432]",
                      '[network]\ndirect = true\n[lan]\nmachines = ["192.168.77.1:80"]'):
            with self.subTest(table=table):
                self.refused(f'[files]\nwrite = ["WORK"]\n{table}\n', "direct")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\ndirect = true\n')
        self.assert_refused(self.place.shell("true", "--spec", spec, "--yes", "--port", "5432"), "direct")

    @each_person
    def test_machines_that_can_not_be_held_are_refused(self):
        for machine in ("192.168.77.1", "nas.local", "*.test:80", "*:80", "127.0.0.1:80", "localhost:80", "169.254.169.254:80", "[fe80::1]:80",
                        "metadata.google.internal:80", "192.168.77.1:0", "http://nas.test:80", "[::1]:80", "224.0.0.1:80"):
            with self.subTest(machine=machine):
                self.refused(f'[files]\nwrite = ["WORK"]\n[lan]\nmachines = ["{machine}"]\n', "spec.toml:4:13")

    @each_person
    def test_ports_that_can_not_be_held_are_refused(self):
        for ports, words in (('"*"', "every port"), ('["*"]', "every port"), ("[0]", "no port"), ("[65536]", "no port"), ('["5432"]', "number"),
                             ("[40781]", "where the wire listens"), ("[1, 1]", "named already"), (str(list(range(1, 66))), "more than 64")):
            with self.subTest(ports=ports):
                self.refused(f'[files]\nwrite = ["WORK"]\n[localhost]\nports = {ports}\n', "spec.toml:4:", words)
        for table, words in (("[model]\nlocal = [5432]", "around its filter"), ('[tcp]\nendpoints = ["db.test:5432"]', "port 53")):
            self.refused(f'[files]\nwrite = ["WORK"]\n[localhost]\nports = [53, 5432]\n{table}\n', words)
        for port, words in (("40781", "where the wire listens"), ("*", "every port"), ("65536", "no port"), ("x", "no port")):
            self.assertIn(words, self.place.shell("true", "--port", port).stderr)

    @each_person
    def test_a_spec_that_others_may_write_is_refused(self):
        text = f'[files]\nwrite = ["{self.place.work}"]\n'
        spec = self.place.write("spec.toml", text, mode=0o666)
        self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"))
        spec = self.place.write("spec.toml", text, mode=0o644)
        self.assert_started(self.place.shell("true", "--spec", spec, "--yes"))

    @each_person
    def test_a_missing_spec_is_refused(self):
        self.assert_refused(self.place.shell("true", "--spec", self.place.path("none.toml"), "--yes"), "none.toml")

    @each_person
    def test_a_spec_that_cannot_be_read_is_named(self):
        spec = self.place.spec("[files]\nwrite = [\".\"]\n")
        os.chmod(spec, 0)
        if subprocess.run([*self.place.person.prefix, "test", "-r", spec], check=False).returncode == 0:
            return  # root reads it
        done = self.place.lnk("describe", "--spec", spec)
        self.assertEqual(done.returncode, product.EXIT_REFUSED, done.stderr)
        self.assertIn(os.path.basename(spec), done.stderr)
        self.assertNotIn("/proc/self", done.stderr)

    @each_person
    def test_a_spec_is_only_the_one_that_is_named(self):
        self.place.write("work/spec.toml", "this is not a spec")
        self.place.write("work/lnk.toml", "this is not a spec")
        self.assert_started(self.place.shell("true"))

    @each_person
    def test_describe_says_what_a_spec_opens(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["allowed.test"]\n')
        done = self.place.lnk("describe", "--spec", spec)
        self.assert_done(done)
        self.assertIn(self.place.work, done.stdout)
        self.assertIn("allowed.test", done.stdout)
        self.assertTrue(self.place.lnk("describe", "--spec", spec, "--plan").stdout)


if __name__ == "__main__":
    unittest.main()
