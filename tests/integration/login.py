# SPDX-License-Identifier: Apache-2.0
"""A program that logs in, as it runs inside: it listens, has the page opened by $BROWSER, and takes what comes back.

Its one argument is JSON: "page" with PORT in it, "bind" (addresses), "port" (0: any), "replies" (a path and the raw reply to it, PORT in
it too; "*" is any other path), "ends" (requests after which it is done). It prints a line of JSON when the page was asked for and one when it is done."""

import json
import os
import select
import socket
import subprocess
import sys

plan = json.loads(sys.argv[1])
listeners = []
port = plan["port"]
for address in plan["bind"]:
    listener = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, port))
    listener.listen()
    port = listener.getsockname()[1]
    listeners.append(listener)


def with_port(text):
    return text.replace("PORT", str(port))


def take(stream):
    received = b""
    while b"\r\n\r\n" not in received:
        received += stream.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    fields = dict(line.split(": ", 1) for line in lines[1:])
    while len(body) < int(fields.get("Content-Length", 0)):
        body += stream.recv(65536)
    return {"line": lines[0], "fields": fields, "body": body.decode()}


asked = subprocess.run([os.environ["BROWSER"], with_port(plan["page"])], capture_output=True, text=True, check=False)
print(json.dumps({"code": asked.returncode, "said": asked.stderr, "port": port}), flush=True)
requests = []
while asked.returncode == 0 and len(requests) < plan["ends"]:
    stream, _ = select.select(listeners, [], [])[0][0].accept()
    with stream:
        requests.append(take(stream))
        path = requests[-1]["line"].split()[1].partition("?")[0]
        stream.sendall(with_port(plan["replies"].get(path, plan["replies"].get("*", ""))).encode())
print(json.dumps(requests), flush=True)
