# SPDX-License-Identifier: Apache-2.0
"""Go's and Java's own clients inside, by what the sandbox's environment says, and by what docs/known-impacts.md says they need."""

import subprocess
import unittest

import product
from product import each_person

from clients import build
from rig import client

HOST, OTHER = "allowed.test", "other.test"
HELLO = f"hello from {HOST}"
URLS = [f"{scheme}://{host}/" for host in (HOST, OTHER) for scheme in ("https", "http")]


class LanguageTest(product.ProductTest):
    def inside(self, command):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["{HOST}"]\n')
        done = self.place.run("--spec", spec, "--yes", "--", *command)
        self.assert_done(done)
        return done.stdout.splitlines()

    def assert_nothing_was_sent_to_the_other(self):
        self.assertEqual((self.net.queries(OTHER), self.net.requests(OTHER)), ([], []))


class Go(LanguageTest):
    needs = ("go",)

    @each_person
    def test_its_default_client_reaches_a_listed_host_and_no_other(self):
        build.go(self.place.work)
        self.place.give_all(self.place.work)
        listed, plain, other, refusal = self.inside(["./ask", "get", *URLS])
        self.assertEqual((listed, plain), (f"200 {HELLO}", f"200 {HELLO}"))
        self.assertEqual(other, f'failed: Get "https://{OTHER}/": Forbidden')
        self.assertTrue(refusal.startswith(f"403 {OTHER}:80 is not among the hosts"), refusal)
        self.assert_nothing_was_sent_to_the_other()


class Java(LanguageTest):
    needs = ("java",)
    # As docs/known-impacts.md has it.
    PROXY = " ".join(f"-D{scheme}.proxyHost=127.0.0.1 -D{scheme}.proxyPort={product.WIRE_PORT}" for scheme in ("http", "https"))

    def made(self):
        """The command that runs the program, which trusts the rig's authority, the last of the machine's."""
        build.java(self.place.work)
        with open(client.TRUST_FILE, encoding="ascii") as file:
            text = file.read()
        self.place.write("work/authority.pem", text[text.rindex("-----BEGIN"):])
        # The one kind of store that is read without its password.
        subprocess.run(["keytool", "-importcert", "-noprompt", "-alias", "rig", "-file", "authority.pem", "-storetype", "JKS", "-storepass", "changeit",
                        "-keystore", "store"], cwd=self.place.work, check=True, capture_output=True)
        self.place.give_all(self.place.work)
        return "java -Djavax.net.ssl.trustStore=store -cp . Ask " + " ".join(URLS)

    @each_person
    def test_its_clients_reach_a_listed_host_by_the_options_that_the_page_names_and_no_other(self):
        refused = ['Unable to tunnel through proxy. Proxy returns "HTTP/1.1 403 Forbidden"', "Tunnel failed, got: 403",
                   f"Server returned HTTP response code: 403 for URL: http://{OTHER}/"]
        said = self.inside(["sh", "-c", f"export JAVA_TOOL_OPTIONS='{self.PROXY}'; {self.made()}"])
        self.assertEqual(said, [HELLO] * 4 + ["failed: java.io.IOException: " + words for words in refused] + ["status 403"])
        self.assert_nothing_was_sent_to_the_other()

    @each_person
    def test_without_them_they_reach_nothing_and_a_spec_does_not_set_them(self):
        self.assertEqual([line.partition(":")[0] for line in self.inside(["sh", "-c", self.made()])], ["failed"] * 8)
        self.assertEqual((self.net.queries(), self.net.connections()), ([], []))
        spec = self.place.spec(f'[env]\nset = {{ JAVA_TOOL_OPTIONS = "{self.PROXY}" }}\n')
        self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"), "JAVA_TOOL_OPTIONS", "set it inside, for one command")


if __name__ == "__main__":
    unittest.main()
