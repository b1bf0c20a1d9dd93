# SPDX-License-Identifier: Apache-2.0
"""A program that a test runs inside: asks DNS questions as bytes, and prints what came back, one JSON value a line.

Each argument is a JSON object: `name`, and as they differ from the usual `type`, `class`, `flags`, `edns` (the size, null
without), `version`, `questions`, `raw` (hex of the whole packet), `over` ("udp" or "tcp"), `times` (on one connection).
"""

import json
import socket
import struct
import sys

SERVER = ("127.0.0.1", 53)
TIMEOUT_S = 20
ID = 0x5A17


def written_name(name):
    return b"".join(bytes([len(label)]) + label.encode("latin-1") for label in name.split(".") if label) + b"\0"


def question(ask):
    return written_name(ask["name"]) + struct.pack("!HH", ask.get("type", 1), ask.get("class", 1))


def packet_of(ask):
    if "raw" in ask:
        return bytes.fromhex(ask["raw"])
    count, size = ask.get("questions", 1), ask.get("edns")
    head = struct.pack("!6H", ID, ask.get("flags", 0x0100), count, 0, 0, 0 if size is None else 1)
    edns = b"" if size is None else struct.pack("!BHHBBHH", 0, 41, size, 0, ask.get("version", 0), 0, 0)
    return head + question(ask) * count + edns


def over_udp(packets):
    replies = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stream:
        stream.settimeout(TIMEOUT_S)
        stream.connect(SERVER)
        for packet in packets:
            stream.send(packet)
            replies.append(stream.recv(65535))
    return replies


def over_tcp(packets):
    replies = []
    with socket.create_connection(SERVER, TIMEOUT_S) as stream, stream.makefile("rb") as file:
        stream.sendall(b"".join(struct.pack("!H", len(packet)) + packet for packet in packets))
        for _ in packets:
            replies.append(file.read(struct.unpack("!H", file.read(2))[0]))
    return replies


def skip_name(packet, at):
    while packet[at] and packet[at] < 0xC0:
        at += 1 + packet[at]
    return at + (2 if packet[at] else 1)


def told(ask, packet):
    number, flags, questions, answers, authorities, more = struct.unpack_from("!6H", packet)
    asked = b"" if "raw" in ask else question(ask)
    at = 12
    for _ in range(questions):
        at = skip_name(packet, at) + 4
    records = []
    for _ in range(answers + authorities + more):
        at = skip_name(packet, at)
        kind, _, ttl, size = struct.unpack_from("!HHIH", packet, at)
        records.append([kind, ttl, packet[at + 10:at + 10 + size].hex()])
        at += 10 + size
    return {"id": number == ID, "reply": bool(flags & 0x8000), "cut": bool(flags & 0x0200), "available": bool(flags & 0x0080),
            "code": flags & 15, "question": questions == 1 and packet[12:12 + len(asked)] == asked, "size": len(packet),
            "answers": records[:answers], "authority": [one[0] for one in records[answers:answers + authorities]],
            "edns": [one[0] for one in records[answers + authorities:]], "whole": at == len(packet)}


def main():
    for text in sys.argv[1:]:
        ask = json.loads(text)
        send = over_tcp if ask.get("over") == "tcp" else over_udp
        for reply in send([packet_of(ask)] * ask.get("times", 1)):
            print(json.dumps(told(ask, reply)), flush=True)


if __name__ == "__main__":
    main()
