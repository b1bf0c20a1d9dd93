# SPDX-License-Identifier: Apache-2.0
"""The running wire with the mcp verb, and a front played here: it starts the tools' servers and says what a person would."""

import array
import hashlib
import json
import os
import socket
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "wire"))

import wire_process  # noqa: E402
from wire_process import OWN_PORT, Wire  # noqa: E402

from rig import client  # noqa: E402

SECRET = "s" * 43
PACKET_BYTES = 65536
# Modules must be trusted: in an ordinary user's rig they are copied to be this user's own.
PROGRAM = client.own_program(os.path.realpath(os.path.join(wire_process.PARTS, "..", "..", "bin", "lnk-sandbox")))
PARTS = wire_process.PARTS = os.path.join(os.path.dirname(PROGRAM), "..", "lib", "lnk-sandbox")


def tool(name, command, allow=None, ask="all", roots=()):
    return {"name": name, "command": command, "config": {"name": name, "allow": allow or {}, "ask": ask, "roots": list(roots)}}


def verb(tools):
    file = os.path.join(PARTS, "modules", "verb-mcp.so")
    with open(file, "rb") as library:
        digest = hashlib.sha256(library.read()).hexdigest()
    return {"id": "verb-mcp", "file": os.path.realpath(file), "sha256": digest, "config": {"tools": [one["config"] for one in tools]},
            "upstreams": [], "asks": True, "pages": False, "inside": [], "tools": [one["name"] for one in tools]}


class McpWire(Wire):
    """`answer` is asked with (title, lines) and says "yes", "no" or "timed out"; None: nobody answers."""

    def __init__(self, tools, answer=lambda title, lines: "yes"):
        super().__init__({}, more={"verbs": [verb(tools)]}, give_listener=False)
        # Its own port, so that a client's Host is the wire's.
        self.listener.close()
        self.listener = socket.create_server(("127.0.0.1", OWN_PORT), backlog=512)
        self.port = OWN_PORT
        self.hand_over()
        self.ready = json.loads(self.control.recv(4096) or b"{}")
        self.tools = {one["name"]: one for one in tools}
        self.answer = answer
        self.asked = []  # (title, lines)
        self.withdrawn = []
        self.processes = {}
        self.starts = []
        self._lock = threading.Lock()
        self.control.settimeout(None)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def url(self, name):
        return f"http://127.0.0.1:{OWN_PORT}/_link/s/{SECRET}/mcp/{name}"

    def _send(self, value, fds=()):
        with self._lock:
            self.control.sendmsg([json.dumps(value).encode()],
                                 [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else [])

    def _serve(self):
        while True:
            try:
                packet, fds, _, _ = socket.recv_fds(self.control, PACKET_BYTES, 4)
            except OSError:
                return
            if not packet:
                return
            ask = json.loads(packet).get("ask")
            if ask:
                getattr(self, "_" + ask["what"].replace("-", "_"))(ask, fds)

    def _start_tool(self, ask, _):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        process = subprocess.Popen(self.tools[ask["tool"]]["command"], stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL)
        theirs.close()
        self.processes[ask["id"]] = process
        self.starts.append(ask["tool"])
        self._send({"answer": {"id": ask["id"], "status": "ok"}}, [ours.fileno()])
        ours.close()
        threading.Thread(target=self._reap, args=(ask["id"], process), daemon=True).start()

    def _reap(self, number, process):
        code = process.wait()
        try:
            self._send({"tool-exit": {"id": number, "code": 128 - code if code < 0 else code}})
        except OSError:
            pass  # the wire ended first

    def _stop_tool(self, ask, _):
        if ask["id"] in self.processes:
            self.processes[ask["id"]].terminate()

    def _question(self, ask, fds):
        with open(fds[0], "rb") as file:
            question = json.loads(os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0))
        self.asked.append((question["title"], question["lines"]))
        said = self.answer(question["title"], question["lines"])
        if said is not None:
            self._send({"answer": {"id": ask["id"], "status": "ok", "answer": said}})

    def _withdraw(self, ask, _):
        self.withdrawn.append(ask["id"])

    def close(self):
        for process in self.processes.values():
            process.kill()
        self.control.shutdown(socket.SHUT_RDWR)
        super().close()
