# SPDX-License-Identifier: Apache-2.0
"""The wire and the resolver as their front starts them, on the rig's machine; and raw connections to the wire."""

import array
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TREE, "tests"))

PARTS = os.environ.get("LNK_PARTS", os.path.join(TREE, "out", "lib", "lnk-sandbox"))
OWN_PORT = 40781  # what the wire's own Host has; the tests' listener is on a port of the kernel's choice
TIMEOUT_S = 20
RUN_ID = "0123456789abcdef"
FIRST_HANDLE_FD = 6


def _memfd(text):
    fd = os.memfd_create("config", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.write(fd, text.encode())
    return fd


def _start(program, name, fds, prefix=(), environment=None):
    """The program with exactly these descriptors: {number: fd}."""
    def place():
        top = 64
        for number, fd in fds.items():
            os.dup2(fd, top + number)
        for number in fds:
            os.dup2(top + number, number)
        os.closerange(max(fds) + 1, 1024)
    return subprocess.Popen([*prefix, program] if prefix else [name], executable=None if prefix else program, preexec_fn=place,
                            close_fds=False, stdin=subprocess.DEVNULL, env=environment or {}, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, start_new_session=True)


class Wire:
    """One running wire. `hosts` is {name: [ports]}; `fds` what it gets beside its own: {number: fd}."""

    def __init__(self, hosts, name="test", settings=None, prefix=(), more=None, give_listener=True, fds=None, resolver_prefix=None):
        self.settings = settings or tempfile.mkdtemp(prefix="settings-")
        self._owns_settings = settings is None
        self.name = name
        config = {"name": name, "run": RUN_ID, "settings": self.settings, "port": OWN_PORT, "secret": "s" * 43,
                  "hosts": [{"name": host, "ports": ports} for host, ports in hosts.items()], "verbs": [], "handles": {}}
        config.update(more or {})
        self.control, control = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.listener.getsockname()[1]
        fd = _memfd(json.dumps(config))
        environment = {"PATH": os.environ["PATH"]} if prefix else {}
        self.process = _start(os.path.join(PARTS, "wire"), "lnk-wire", {3: control.fileno(), 4: fd, 5: theirs.fileno(), **(fds or {})}, prefix,
                              environment)
        self.resolver = _start(os.path.join(PARTS, "resolver"), "lnk-resolver", {3: ours.fileno()}, resolver_prefix or ())
        for one in (control, ours, theirs):
            one.close()
        os.close(fd)
        self.control.settimeout(TIMEOUT_S)
        if give_listener:
            self.hand_over()
            self.ready = json.loads(self.control.recv(4096) or b"{}")

    def hand_over(self, text='{"listen":"http"}'):
        fds = array.array("i", [self.listener.fileno()])
        self.control.sendmsg([text.encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])

    def connect(self):
        stream = socket.create_connection(("127.0.0.1", self.port), timeout=TIMEOUT_S)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return stream

    def ask(self, raw):
        """Sends bytes, reads to the connection's end."""
        with self.connect() as stream:
            stream.sendall(raw)
            return read_all(stream)

    def resume(self):
        """Lifts the wire's own pause, as a person does."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.settings, "wire", self.name + ".paused"))

    def log(self, turned=""):
        path = os.path.join(self.settings, "wire", self.name + ".jsonl" + turned)
        if not os.path.exists(path):
            return []
        with open(path, encoding="ascii") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]  # the last may be on its way

    def whole_log(self):
        """With what was turned over, oldest first."""
        return [line for number in ("5", "4", "3", "2", "1") for line in self.log("." + number)] + self.log()

    def closed_calls(self, count, seconds=TIMEOUT_S):
        """The log once that many calls have ended."""
        return wait_until(lambda: [line for line in self.log() if line["event"] in ("close", "refused")],
                          lambda lines: len(lines) >= count, seconds)

    def memory_kib(self, field="VmRSS"):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(field))

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def close(self):
        self.control.close()
        try:
            self.process.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.resolver.wait(TIMEOUT_S)
        self.stderr = self.process.stderr.read().decode()
        for one in (self.listener, self.process.stderr, self.resolver.stderr):
            one.close()
        if self._owns_settings:
            shutil.rmtree(self.settings, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def wait_until(get, holds, seconds=TIMEOUT_S):
    """Asks until it holds; what was got last."""
    end = time.monotonic() + seconds
    while True:
        value = get()
        if holds(value) or time.monotonic() > end:
            return value
        time.sleep(0.01)


def read_all(stream):
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := stream.recv(1 << 16):
            data += piece
    return data


def read_head(stream):
    """Head and what came behind it."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = stream.recv(1 << 16)
        if not piece:
            break
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    return head, rest


def status_of(reply):
    return int(reply.split(b" ", 2)[1]) if reply.startswith(b"HTTP/1.1 ") else None


def field_of(reply, name):
    for line in reply.partition(b"\r\n\r\n")[0].split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name.lower().encode():
            return value.strip().decode()
    return None


def refusal_of(reply):
    return status_of(reply), field_of(reply, "Link-Refused")


def get(host, path="/", fields="", version="1.1", close=True):
    end = "Connection: close\r\n" if close else ""
    return f"GET http://{host}{path} HTTP/{version}\r\nHost: {host}\r\n{fields}{end}\r\n".encode()


def connect(place, fields="", host=None):
    return f"CONNECT {place} HTTP/1.1\r\nHost: {host or place}\r\n{fields}\r\n".encode()
