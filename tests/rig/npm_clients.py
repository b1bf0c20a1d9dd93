# SPDX-License-Identifier: Apache-2.0
"""The npm packages of tests/npm/package.json, which scripts/setup --with-npm fetches: clients that tests run inside.

A test that uses one says capability.need("npm_clients") and grants its sandbox to read FOLDER. A script finds the packages
where it stands below FOLDER or below a folder with a link `node_modules` to MODULES; an ES module needs that, for it doesn't
look at NODE_PATH. A package's own type files are at MODULES/<package>."""

import os

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = os.path.join(TREE, "build", "npm")
MODULES = os.path.join(FOLDER, "node_modules")


def is_fetched(folder, packages):
    """Whether the packages in `folder` are those of the lock file in `packages`."""
    try:
        with open(os.path.join(folder, "fetched.lock"), "rb") as fetched, open(os.path.join(packages, "package-lock.json"), "rb") as wanted:
            return fetched.read() == wanted.read()
    except FileNotFoundError:
        return False


def why_not_there():
    if is_fetched(FOLDER, os.path.join(TREE, "tests", "npm")):
        return None
    return "build/npm has not the packages of tests/npm/package-lock.json; scripts/setup --with-npm fetches them"
