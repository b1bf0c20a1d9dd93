# SPDX-License-Identifier: Apache-2.0
"""What a test needs of the machine: a test that can't have it is skipped in words, and fails where LNK_MUST_WORK names it."""

import functools
import glob
import os
import shutil
import subprocess
import unittest

from . import agents, client, npm_clients

# bubblewrap's own names for the descriptors that sources are pinned by; a version says nothing, Debian carried them back.
_BWRAP_PINS = "--ro-bind-fd"


def must_work():
    return {word.strip() for word in os.environ.get("LNK_MUST_WORK", "").split(",") if word.strip()}


def lack(name, why):
    """Ends the running test: skipped, or failed where the capability must work."""
    if name in must_work():
        raise AssertionError(f"{name} must work here: {why}")
    raise unittest.SkipTest(f"{name}: {why}")


def _has_rig():
    return None if client.is_up() else "run by tests/rig/enter"


def _has_bubblewrap():
    path = shutil.which("bwrap")
    if not path:
        return "bwrap is not installed"
    help_text = subprocess.run([path, "--help"], capture_output=True, text=True, check=False)
    return None if _BWRAP_PINS in help_text.stdout + help_text.stderr else f"this bwrap has no {_BWRAP_PINS}"


def _has_landlock():
    import ctypes
    version = ctypes.CDLL(None).syscall(444, None, 0, 1)
    return None if version > 0 else "the kernel has no Landlock"


def _has_npm():
    return None if shutil.which("npm") and shutil.which("node") else "node and npm are not installed"


def _has_program(name):
    return lambda: None if shutil.which(name) else f"{name} is not installed"


def _has_java():
    return None if shutil.which("javac") and shutil.which("keytool") else "openjdk-17-jdk-headless is not installed"


SSHD = "/usr/sbin/sshd"


def postgres(name):
    """A program of Debian's newest PostgreSQL, which keeps its servers' out of the PATH."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return found[-1] if found else None


def vim():
    """The command of the vim that is there; Debian's smallest has another name."""
    return shutil.which("vim") or shutil.which("vim.tiny")


def _has_root():
    return None if os.environ.get("LNK_RIG_ROOT") == "real" else "not the real root"


_PROBES = {"rig": _has_rig, "bubblewrap": _has_bubblewrap, "landlock": _has_landlock, "npm": _has_npm, "java": _has_java, "root": _has_root}
_PROBES |= {name: _has_program(name) for name in ("bash", "dash", "zsh", "less", "strace", "tmux", "busybox", "chromium", "gnutls-cli", "go", "tstclnt",
                                               "wget")}
_PROBES["agents"] = lambda: _has_npm() or agents.why_not_there()
_PROBES["npm_clients"] = lambda: _has_npm() or npm_clients.why_not_there()
_PROBES["sshd"] = lambda: None if os.access(SSHD, os.X_OK) and shutil.which("ssh") else "openssh's client and server are not installed"
_PROBES["postgres"] = lambda: None if postgres("postgres") and shutil.which("psql") else "postgresql is not installed"
_PROBES["zenity"] = lambda: None if all(map(shutil.which, ("zenity", "Xvfb", "xdotool"))) else "zenity, xvfb and xdotool are not all installed"
_PROBES["vim"] = lambda: None if vim() else "vim is not installed"


@functools.lru_cache(maxsize=None)
def why_not(name):
    return _PROBES[name]()


def need(*names):
    for name in names:
        why = why_not(name)
        if why:
            lack(name, why)
