# SPDX-License-Identifier: Apache-2.0
"""What a test uses on the rig's machine: what the internet saw, what it shall say, and who runs the product."""

import base64
import dataclasses
import json
import os
import shutil
import socket
import struct
import subprocess

from . import internet, machine

TRUST_FILE = "/etc/ssl/certs/ca-certificates.crt"


def is_up():
    return "LNK_RIG" in os.environ


class Internet:
    """The control of the rig's internet."""

    def _order(self, **order):
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(internet.CONTROL)
            with control.makefile("rwb") as file:
                file.write(json.dumps(order).encode() + b"\n")
                file.flush()
                reply = json.loads(file.readline())
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply

    def reset(self):
        """Forgets what was seen and told; the names are as at the start."""
        self._order(do="reset")

    def queries(self, name=None):
        """DNS questions: {name, type, transport}, in order."""
        return [query for query in self._order(do="seen")["queries"] if name in (None, query["name"].lower())]

    def connections(self, address=None):
        """Accepted connections: {id, address, port, tls, sni, bytes, spoken, ended, peer}; `bytes` are of what TLS held, `spoken`
        whether any byte came at all, `ended` whether the server is done with it."""
        return [one for one in self._order(do="seen")["connections"] if address in (None, one["address"])]

    def requests(self, host=None):
        """Requests: {connection, tls, sni, address, port, host, method, target, fields, raw, body}, the last two bytes."""
        found = []
        for one in self._order(do="seen")["requests"]:
            if host in (None, one["host"]):
                one["raw"], one["body"] = base64.b64decode(one["raw"]), base64.b64decode(one["body"])
                found.append(one)
        return found

    def set_name(self, name, addresses, then=None):
        self._order(do="name", name=name, addresses=addresses, then=then)

    def set_records(self, name, kind, datas):
        """Records of a type beside addresses, each as bytes (`names.srv_data`, `names.txt_data`)."""
        self._order(do="records", name=name, type=kind, datas=[base64.b64encode(data).decode() for data in datas])

    def start(self, argv):
        """Starts a server in the internet's network; it ends with the rig."""
        self._order(do="start", argv=list(argv))

    def set_alias(self, name, target):
        self._order(do="alias", name=name, target=target)

    def set_failing(self, name, kind):
        """Questions of that type (a number) for the name are answered as by a server that has failed, till a reset."""
        self._order(do="failing", name=name, type=kind)

    def hold_name(self, name):
        """Questions for the name are answered once `release_names` is called, or at a reset."""
        self._order(do="hold", name=name)

    def release_names(self):
        self._order(do="release")

    def drop_name(self, name):
        self._order(do="drop", name=name)

    def set_reply(self, host, target, raw, close=True, when=b""):
        """The exact bytes to answer a request for that host and target with, where `when` stands in its body: of several what was
        set last decides."""
        self._order(do="reply", host=host, target=target, raw=base64.b64encode(raw).decode(), close=close,
                    when=base64.b64encode(when).decode())

    def issue(self, names, days=30):
        """A certificate of the rig's authority for these names, used from now on where one of them is asked for. The file with it
        and its key, for a server that `start` starts."""
        return self._order(do="issue", names=names, days=days)["pem"]

    def listen(self, port, tls):
        self._order(do="listen", port=port, tls=tls)

    def popen(self, command):
        """As `start`; the caller ends it. As the rig's root alone."""
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(internet.CONTROL)
            control.sendall(b'{"do": "reset"}\n')
            control.recv(1 << 16)
            pid, _, _ = struct.unpack("3i", control.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
        return subprocess.Popen(["nsenter", f"--net=/proc/{pid}/ns/net", "--", *command])


def copy_program(program, target):
    """Copies an installed product, or a build tree of one, to be a person's own: what runs, and nothing beside it."""
    source = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    os.makedirs(os.path.join(target, "bin"))
    copied = os.path.join(target, "bin", os.path.basename(program))
    shutil.copy(program, copied)
    for data in ("lib", os.path.join("share", "lnk-sandbox")):
        if os.path.isdir(os.path.join(source, data)):
            shutil.copytree(os.path.join(source, data), os.path.join(target, data))
    return copied


def own_program(program):
    """The program, or a copy of it where it belongs to somebody whom this rig's user namespace hides: such a one is not
    trusted outside the system's own places. A person who builds for himself owns what he built."""
    if not is_up() or not os.path.exists(program) or os.stat(program).st_uid in (0, os.geteuid()):
        return program
    target = "/opt/rig/product"
    copied = os.path.join(target, "bin", os.path.basename(program))
    return copied if os.path.exists(copied) else copy_program(program, target)


@dataclasses.dataclass(frozen=True)
class Person:
    """Who runs the product: `prefix` starts a command as that person."""

    name: str
    uid: int
    home: str
    prefix: tuple

    def environment(self, **more):
        """What a login shell would have, and nothing of the tests' own."""
        base = {"HOME": self.home, "USER": self.name, "LOGNAME": self.name, "SHELL": "/bin/sh", "LANG": "C.UTF-8",
                "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}
        return {**base, **more}

    def give(self, path):
        """Makes a file or folder that the test made this person's own."""
        if os.environ.get("LNK_RIG_ROOT") == "real":
            os.chown(path, self.uid, self.uid)


def people():
    """Root and an ordinary user. As real root these are what they seem; in an ordinary user's rig, the namespace's root and
    a user of a namespace below it, both of them the one user outside."""
    home, number = f"/home/{machine.ORDINARY_NAME}", machine.ORDINARY_UID
    if os.environ.get("LNK_RIG_ROOT") == "real":
        prefix = ("setpriv", f"--reuid={number}", f"--regid={number}", "--clear-groups", "--")
    else:
        prefix = ("unshare", "--user", f"--map-user={number}", f"--map-group={number}", "--")
    return [Person("root", 0, "/root", ()), Person(machine.ORDINARY_NAME, number, home, prefix)]
