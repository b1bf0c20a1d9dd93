# SPDX-License-Identifier: Apache-2.0
"""The rig's internet: one process in a network namespace of its own, joined to the machine by a veth pair.

Every address of INTERNET_4 and INTERNET_6 answers, as does the metadata service's and the gateway's private one, so that a
test can tell that nothing was sent to an address from nothing being there.
"""

import base64
import json
import os
import socketserver
import subprocess
import sys
import threading

from . import authority, echo, kernel, names, sites, web

MACHINE_4, GATEWAY_4 = "192.168.77.2", "192.168.77.1"
MACHINE_6, GATEWAY_6 = "fd77::2", "fd77::1"
INTERNET_4, INTERNET_6 = "93.184.215.0/24", "2606:2800:77::/64"
METADATA = "169.254.169.254"
NAMESERVER = "93.184.215.53"

# name -> its addresses. Each public name has one of its own, so that a connection's address tells whom it was for.
ZONE = {
    "allowed.test": ["93.184.215.10", "2606:2800:77::10"],
    "www.allowed.test": ["93.184.215.11"],
    "other.test": ["93.184.215.20", "2606:2800:77::20"],
    "git.test": ["93.184.215.30"],
    "registry.test": ["93.184.215.40"],
    "bulk.test": ["93.184.215.50"],
    "api.test": ["93.184.215.60"],
    "chat.test": ["93.184.215.65"],
    "six.test": ["2606:2800:77::70"],
    "nodata.test": [],
    # Public names for places that are closed.
    "loopback.test": ["127.0.0.1"],
    "private.test": [GATEWAY_4],
    "machine.test": [MACHINE_4],
    "metadata.test": [METADATA],
    "mapped.test": ["::ffff:127.0.0.1"],
    "mixed.test": ["93.184.215.80", GATEWAY_4],
}
TLS_PORTS = (443, 8443)
PLAIN_PORTS = (80, 8080)
ECHO_PORTS = (5432, 27017, 27018)

CONTROL = "/run/rig/control"


def _ip(commands):
    path = {"PATH": "/usr/sbin:/sbin:/usr/bin:/bin"}
    done = subprocess.run(["ip", "-batch", "-"], input="\n".join(commands) + "\n", text=True, env=path, capture_output=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"ip: {done.stderr.strip()}")


def join(internet_pid):
    """Run on the machine's side, once the internet's namespace is there."""
    _ip([
        "link set lo up",
        f"link add wan type veth peer name lan netns {internet_pid}",
        f"addr add {MACHINE_4}/24 dev wan",
        f"addr add {MACHINE_6}/64 dev wan nodad",
        "link set wan up",
        f"route add default via {GATEWAY_4}",
        f"route add default via {GATEWAY_6}",
    ])


def _set_up_links():
    _ip([
        "link set lo up",
        f"addr add {GATEWAY_4}/24 dev lan",
        f"addr add {GATEWAY_6}/64 dev lan nodad",
        "link set lan up",
        f"route add local {INTERNET_4} dev lo",
        f"route add local {INTERNET_6} dev lo",
        f"route add local {METADATA}/32 dev lo",
    ])


class Internet:
    """All the servers, and the commands by which a test asks what they saw and tells them what to say."""

    def __init__(self, folder):
        self.zone, self.ledger = names.Zone(), web.Ledger()
        self.authority = authority.Authority(os.path.join(folder, "authority"))
        self.web = web.Web(self.ledger, {"git.test": sites.GitSite(os.path.join(folder, "git")),
                                         sites.REGISTRY: sites.NpmSite(), sites.CHAT: sites.chat})
        self._issue(list(ZONE) + ["93.184.215.10"])

    def _issue(self, wanted, days=30):
        pem = self.authority.issue(wanted, days)
        self.web.add_certificate(wanted, pem)
        return pem

    def start(self):
        for name, addresses in ZONE.items():
            self.zone.set(name, addresses)
        names.serve(self.zone, NAMESERVER)
        for port in TLS_PORTS:
            self.web.listen(port, tls=True)
        for port in PLAIN_PORTS:
            self.web.listen(port, tls=False)
        for port in ECHO_PORTS:
            echo.listen(port, self.ledger)

    @staticmethod
    def _start(argv):
        """A server of a test's own, in this network; it ends with the rig."""
        with open("/dev/null", "r+b") as nothing:
            subprocess.Popen(argv, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)

    def do(self, order):
        """One order as JSON; answers a JSON value."""
        what = order.pop("do")
        if what == "seen":
            return {"queries": self.zone.asked(), "connections": self.ledger.connections(), "requests": self.ledger.requests()}
        if what == "reset":
            self.zone.reset()
            self.ledger.reset()
            for name, addresses in ZONE.items():
                self.zone.set(name, addresses)
        elif what == "name":
            self.zone.set(order["name"], order["addresses"], order.get("then"))
        elif what == "records":
            self.zone.set_records(order["name"], order["type"], [base64.b64decode(data) for data in order["datas"]])
        elif what == "start":
            self._start(order["argv"])
        elif what == "alias":
            self.zone.set_alias(order["name"], order["target"])
        elif what == "failing":
            self.zone.set_failing(order["name"], order["type"])
        elif what == "hold":
            self.zone.hold(order["name"])
        elif what == "release":
            self.zone.release()
        elif what == "drop":
            self.zone.drop(order["name"])
        elif what == "reply":
            self.ledger.set_reply(order["host"], order["target"], base64.b64decode(order["raw"]), order["close"], base64.b64decode(order["when"]))
        elif what == "issue":
            return {"pem": self._issue(order["names"], order["days"])}
        elif what == "listen":
            self.web.listen(order["port"], order["tls"])
        else:
            raise ValueError(f"no such order: {what}")
        return {}


class _Control(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            reply = self.server.internet.do(json.loads(self.rfile.readline()))
        except (ValueError, KeyError, OSError, RuntimeError) as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        self.wfile.write(json.dumps(reply).encode() + b"\n")


def run(ready_fd, joined_fd):
    """The internet's process. Says when its namespace is there, waits to be joined, says when it serves."""
    kernel.die_with_parent()
    kernel.unshare(kernel.CLONE_NEWNET)
    os.write(ready_fd, b"n")
    if os.read(joined_fd, 1) != b"j":
        os._exit(1)
    _set_up_links()
    internet = Internet("/run/rig/internet")
    internet.authority.trust()
    internet.start()
    socketserver.ThreadingUnixStreamServer.daemon_threads = True
    server = socketserver.ThreadingUnixStreamServer(CONTROL, _Control)
    server.internet = internet
    os.chmod(CONTROL, 0o666)
    os.write(ready_fd, b"s")
    os.close(ready_fd)
    threading.current_thread().name = "internet"
    sys.stdin.close()
    server.serve_forever()
