# SPDX-License-Identifier: Apache-2.0
"""Places of keys stay closed under a wide grant, and are opened by their exact name alone."""

import os
import shutil
import unittest

import product
from product import each_person

# Of each kind that the one list has: keys, a cloud's, a browser's profile and the same in a Snap and a Flatpak, a file.
PLACES = (".ssh/id", ".aws/credentials", ".config/gcloud/token", ".mozilla/firefox/logins.json", "snap/firefox/common/logins.json",
          ".var/app/org.mozilla.firefox/logins.json", ".password-store/mail.gpg", ".netrc", ".pgpass")


class Keys(product.ProductTest):
    def in_home(self, name):
        """A file in the home itself, which goes with the test; its folders the person's own."""
        home = self.place.person.home
        first = os.path.join(home, name.split("/")[0])
        self.assertFalse(os.path.exists(first), "the rig's home is empty")
        self.addCleanup(self.remove, first)
        path = os.path.join(home, name)
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write("key\n")
        at = path
        while at != home:
            self.place.person.give(at)
            at = os.path.dirname(at)
        return path

    def remove(self, path):
        """The first folder of the home that holds it."""
        home = self.place.person.home
        first = os.path.join(home, os.path.relpath(path, home).split("/")[0])
        if os.path.isdir(first):
            shutil.rmtree(first)
        elif os.path.exists(first):
            os.unlink(first)

    def reads(self, path, *grants):
        listed = ", ".join(f'"{grant}"' for grant in grants)
        spec = self.place.spec(f'[files]\nread = [{listed}]\nwrite = ["{self.place.work}"]\n')
        done = self.place.shell(f"cat {path} 2>/dev/null || echo refused", "--spec", spec, "--yes")
        self.assert_started(done)
        return done.stdout.splitlines()[1]

    @each_person
    def test_a_wide_read_leaves_them_closed_and_their_exact_name_opens_them(self):
        beside = self.in_home("ordinary")
        self.assertEqual(self.reads(beside, "~/"), "key")
        for name in PLACES:
            path = self.in_home(name)
            self.assertEqual(self.reads(path, "~/"), "refused", name)
            place = next(place for place in (".var/app/org.mozilla.firefox", "snap/firefox", ".config/gcloud", name.split("/")[0]) if name.startswith(place))
            self.assertEqual(self.reads(path, "~/", f"~/{place}"), "key", name)
            # A narrow name below it is its own decision.
            self.assertEqual(self.reads(path, f"~/{name}"), "key", name)
            self.remove(path)

    @each_person
    def test_a_link_into_one_is_refused_and_its_own_name_is_not(self):
        key, link = self.in_home(".aws/deep/credentials"), self.place.path("way")
        for place in (".aws", ".aws/deep"):
            os.symlink(os.path.join(self.place.person.home, place), link)
            spec = self.place.spec(f'[files]\nread = ["{link}"]\nwrite = ["{self.place.work}"]\n')
            self.assert_refused(self.place.shell("true", "--spec", spec, "--yes"), "is a link into", "which holds keys; name the place itself")
            os.unlink(link)
            self.assertEqual(self.reads(key, f"~/{place}"), "key")

    @each_person
    def test_one_behind_a_link_is_closed_where_it_lies(self):
        # As who keeps such folders beside others does.
        home = self.place.person.home
        self.place.folder("kept", "clouds")
        key = self.place.write("kept/clouds/credentials", "key\n", mode=0o600)
        link = os.path.join(home, ".aws")
        self.addCleanup(os.unlink, link)
        os.symlink(self.place.path("kept", "clouds"), link)
        self.assertEqual(self.reads(key, self.place.path("kept")), "refused")
        self.assertEqual(self.reads(key, self.place.path("kept"), self.place.path("kept", "clouds")), "key")

    @each_person
    def test_an_environment_file_at_the_top_of_a_grant_is_closed_and_one_below_is_not(self):
        top = self.place.write("work/.env", "TOKEN=1\n", mode=0o600)
        self.place.folder("work", "below")
        below = self.place.write("work/below/.env", "TOKEN=2\n", mode=0o600)
        script = f"cat {top} || echo refused; (echo x >>{top}) || echo refused; rm -f {top} || echo refused; cat {below}"
        self.assert_started(self.place.shell(script), "refused\nrefused\nrefused\nTOKEN=2\n")
        with open(top, encoding="ascii") as file:
            self.assertEqual(file.read(), "TOKEN=1\n")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n')
        self.assertIn(f'but not  "{top}", which holds keys', self.place.lnk("describe", "--spec", spec).stdout)
        self.assert_started(self.place.shell(f"cat {top}; echo TOKEN=3 >{top}; cat {top}", "--write", top, "--write", self.place.work),
                            "TOKEN=1\nTOKEN=3\n")


if __name__ == "__main__":
    unittest.main()
