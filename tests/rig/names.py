# SPDX-License-Identifier: Apache-2.0
"""The rig's DNS server: UDP and TCP, A and AAAA from a table, other records as they are set, and a list of every question that came."""

import ipaddress
import socket
import socketserver
import struct
import threading

A, AAAA = 1, 28
TYPE_NAMES = {1: "A", 28: "AAAA", 33: "SRV", 16: "TXT", 5: "CNAME", 12: "PTR", 255: "ANY", 65: "HTTPS"}
NO_ERROR, SERVER_FAILURE, NO_SUCH_NAME = 0, 2, 3
MOST_ALIASES = 8
CNAME = 5
ANSWER_TTL_S = 0  # nothing is to be remembered between two lookups of a test


class Zone:
    """Names and their addresses, as strings; what was asked. A name with no addresses exists and has no data."""

    def __init__(self):
        self._lock = threading.Lock()
        self._released = threading.Condition(self._lock)
        self._held = set()
        self._names = {}
        self._records = {}
        self._aliases = {}
        self._failing = set()
        self._turns = {}
        self._asked = []

    def set(self, name, addresses, then=None):
        """`then`: what the name resolves to from the second question of a type on (a rebinding name)."""
        with self._lock:
            self._names[name.lower()] = (list(addresses), None if then is None else list(then))
            self._turns = {key: turn for key, turn in self._turns.items() if key[0] != name.lower()}

    def set_records(self, name, kind, datas):
        """Records of another type, as bytes; the name exists by then."""
        with self._lock:
            self._names.setdefault(name.lower(), ([], None))
            self._records[(name.lower(), kind)] = list(datas)

    def set_alias(self, name, target):
        """`name` is another name of `target` (CNAME), whose addresses follow in the same answer."""
        with self._lock:
            self._aliases[name.lower()] = target

    def set_failing(self, name, kind):
        """Questions of that kind for `name` are answered as by a server that has failed."""
        with self._lock:
            self._failing.add((name.lower(), kind))

    def hold(self, name):
        """Questions for `name` are kept as asked, and answered once it is released."""
        with self._lock:
            self._held.add(name.lower())

    def release(self):
        with self._lock:
            self._held.clear()
            self._released.notify_all()

    def is_failing(self, name, kind):
        with self._lock:
            return (name.lower(), kind) in self._failing

    def aliases_of(self, name):
        """The chain from this name on, without it."""
        chain = []
        with self._lock:
            while name.lower() in self._aliases and len(chain) < MOST_ALIASES:
                name = self._aliases[name.lower()]
                chain.append(name)
        return chain

    def drop(self, name):
        with self._lock:
            self._names.pop(name.lower(), None)
            self._aliases.pop(name.lower(), None)

    def asked(self):
        with self._lock:
            return list(self._asked)

    def reset(self):
        with self._lock:
            self._aliases.clear()
            self._failing.clear()
            self._asked.clear()
            self._records.clear()
            self._held.clear()
            self._released.notify_all()

    def look_up(self, name, kind, transport):
        """The data of that kind, or None where there is no such name."""
        folded = [name, *self.aliases_of(name)][-1].lower()
        with self._lock:
            self._asked.append({"name": name, "type": TYPE_NAMES.get(kind, str(kind)), "transport": transport})
            self._released.wait_for(lambda: name.lower() not in self._held)
            if folded not in self._names:
                return None
            if (folded, kind) in self._records:
                return self._records[(folded, kind)]
            first, then = self._names[folded]
            turn = self._turns.get((folded, kind), 0)
            self._turns[(folded, kind)] = turn + 1
        version = {A: 4, AAAA: 6}.get(kind)
        addresses = map(ipaddress.ip_address, first if then is None or turn == 0 else then)
        return [address.packed for address in addresses if address.version == version]


def written_name(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def srv_data(target, port):
    return struct.pack("!3H", 0, 0, port) + written_name(target)


def txt_data(text):
    return bytes([len(text)]) + text.encode()


def _read_name(packet, at):
    labels = []
    while packet[at]:
        size = packet[at]
        labels.append(packet[at + 1:at + 1 + size].decode("ascii", "backslashreplace"))
        at += 1 + size
    return ".".join(labels), at + 1


def _write_name(name):
    return b"".join(bytes([len(label)]) + label.encode("ascii") for label in name.split(".")) + b"\0"


def _record(owner, kind, data):
    return _write_name(owner) + struct.pack("!HHIH", kind, 1, ANSWER_TTL_S, len(data)) + data


def answer(zone, packet, transport):
    number, flags, questions = struct.unpack_from("!HHH", packet)
    if questions != 1:
        return struct.pack("!6H", number, 0x8180 | SERVER_FAILURE, 0, 0, 0, 0)
    name, end = _read_name(packet, 12)
    kind = struct.unpack_from("!H", packet, end)[0]
    datas = zone.look_up(name, kind, transport)
    code = NO_SUCH_NAME if datas is None else NO_ERROR
    if zone.is_failing(name, kind):
        code, datas = SERVER_FAILURE, []
    owners = [name, *zone.aliases_of(name)]
    count = len(owners) - 1 + len(datas or ())
    head = struct.pack("!6H", number, 0x8180 | (flags & 0x0100) | code, 1, count, 0, 0)
    records = b"".join(_record(owner, CNAME, _write_name(target)) for owner, target in zip(owners, owners[1:]))
    records += b"".join(_record(owners[-1], kind, data) for data in datas or ())
    return head + packet[12:end + 4] + records


class _Udp(socketserver.BaseRequestHandler):
    def handle(self):
        packet, reply_socket = self.request
        reply_socket.sendto(answer(self.server.zone, packet, "udp"), self.client_address)


class _Tcp(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            size = self.rfile.read(2)
            if len(size) < 2:
                return
            reply = answer(self.server.zone, self.rfile.read(struct.unpack("!H", size)[0]), "tcp")
            self.wfile.write(struct.pack("!H", len(reply)) + reply)


def serve(zone, address):
    for kind, handler in ((socketserver.ThreadingUDPServer, _Udp), (socketserver.ThreadingTCPServer, _Tcp)):
        kind.allow_reuse_address = True
        kind.daemon_threads = True
        kind.address_family = socket.AF_INET
        server = kind((address, 53), handler)
        server.zone = zone
        threading.Thread(target=server.serve_forever, daemon=True).start()
