# SPDX-License-Identifier: Apache-2.0
"""Makes the clients of this folder, outside any sandbox, for the tests that run them."""

import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def go(folder):
    """The program's path. By Debian's own toolchain and its standard library alone."""
    program = os.path.join(folder, "ask")
    with tempfile.TemporaryDirectory() as cache:
        environment = {"PATH": os.environ["PATH"], "HOME": cache, "GOCACHE": cache, "GO111MODULE": "off"}
        subprocess.run(["go", "build", "-o", program, os.path.join(HERE, "ask.go")], check=True, env=environment)
    return program


def java(folder):
    """The class `Ask` lies in the folder by then."""
    subprocess.run(["javac", "-d", folder, os.path.join(HERE, "Ask.java")], check=True)
