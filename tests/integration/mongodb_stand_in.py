# SPDX-License-Identifier: Apache-2.0
"""As much of a MongoDB server as a driver's connection takes: hello, ping, and a find that gives one document; over TLS.

mongodb_stand_in.py ADDRESS PEM NAME:PORT…: listens on each port of that address, as the members of a replica set by those names.
The protocol: MongoDB's "Wire Protocol" (OP_MSG, and OP_QUERY with OP_REPLY, which a driver's first hello may be), BSON 1.1.
"""

import socket
import ssl
import struct
import sys
import threading

OP_REPLY, OP_QUERY, OP_MSG = 1, 2004, 2013
DOUBLE, STRING, DOCUMENT, ARRAY, BOOL, INT32, INT64 = 1, 2, 3, 4, 8, 16, 18
SET, DATABASE, COLLECTION = "rs0", "shop", "things"
WIRE_VERSION = 21  # MongoDB 7.0's


class Long(int):
    """An integer that is written as one of 64 bits."""


def _value(value):
    if isinstance(value, bool):
        return BOOL, bytes([value])
    if isinstance(value, Long):
        return INT64, struct.pack("<q", value)
    if isinstance(value, int):
        return INT32, struct.pack("<i", value)
    if isinstance(value, float):
        return DOUBLE, struct.pack("<d", value)
    if isinstance(value, str):
        return STRING, struct.pack("<i", len(value.encode()) + 1) + value.encode() + b"\0"
    if isinstance(value, list):
        return ARRAY, bson({str(at): one for at, one in enumerate(value)})
    return DOCUMENT, bson(value)


def bson(document):
    body = b""
    for key, value in document.items():
        kind, data = _value(value)
        body += bytes([kind]) + key.encode() + b"\0" + data
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def command_of(document):
    """The name of a command is its document's first key, behind the size and the kind of its value."""
    return document[5:document.index(b"\0", 5)].decode().lower()


def reply_to(command, members, own):
    if command in ("hello", "ismaster"):
        is_first = own == members[0]
        return {"helloOk": True, "ismaster": is_first, "isWritablePrimary": is_first, "secondary": not is_first, "setName": SET, "setVersion": 1,
                "hosts": members, "primary": members[0], "me": own, "maxBsonObjectSize": 1 << 24, "maxMessageSizeBytes": 48_000_000,
                "maxWriteBatchSize": 100_000, "logicalSessionTimeoutMinutes": 30, "minWireVersion": 0, "maxWireVersion": WIRE_VERSION,
                "readOnly": False, "ok": 1.0}
    if command in ("ping", "endsessions"):
        return {"ok": 1.0}
    if command == "find":
        return {"cursor": {"firstBatch": [{"_id": 1, "text": f"from {own}"}], "id": Long(0), "ns": f"{DATABASE}.{COLLECTION}"}, "ok": 1.0}
    return {"ok": 0.0, "errmsg": f"no such command: '{command}'", "code": 59, "codeName": "CommandNotFound"}


def serve(stream, members, own):
    with stream, stream.makefile("rb") as file:
        while len(head := file.read(16)) == 16:
            size, number, _, kind = struct.unpack("<4i", head)
            body = file.read(size - 16)
            if kind == OP_QUERY:  # flags, the collection's name, how many to skip and to return
                document = body[body.index(b"\0", 4) + 1 + 8:]
                answer = struct.pack("<iqii", 8, 0, 0, 1)
                answered = OP_REPLY
            else:  # flags, and a section of kind 0
                document = body[5:]
                answer = struct.pack("<ib", 0, 0)
                answered = OP_MSG
            answer += bson(reply_to(command_of(document), members, own))
            stream.sendall(struct.pack("<4i", 16 + len(answer), 0, number, answered) + answer)


def accept(server, context, members, own):
    def shake_and_serve(stream):
        try:
            serve(context.wrap_socket(stream, server_side=True), members, own)
        except OSError:
            stream.close()  # it went away
    while True:
        threading.Thread(target=shake_and_serve, args=(server.accept()[0],), daemon=True).start()


def main(address, pem, *members):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    for own in members:
        # The rig's echo has the port at every other address.
        server = socket.create_server((address, int(own.rpartition(":")[2])), reuse_port=True)
        threading.Thread(target=accept, args=(server, context, list(members), own), daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
