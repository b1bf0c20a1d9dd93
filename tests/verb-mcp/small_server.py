# SPDX-License-Identifier: Apache-2.0
"""small_server.py [FILE]: a small MCP server on standard input and output, of the revisions with sessions: what the wire's tests want of
one. The text of FILE is what it says its tool does."""

import json
import os
import sys

seen = []
held = []
print("small server: this line is no message", flush=True)


def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def text(number, words):
    say({"id": number, "result": {"content": [{"type": "text", "text": words}]}})


def run(number, name, arguments):
    seen.append(name)
    if name == "echo":
        text(number, arguments.get("text", ""))
    elif name == "seen":
        text(number, " ".join(seen))
    elif name == "wait":
        held.append(number)
    elif name == "release":
        for one in held:
            text(one, "at last")
        text(number, "released")
    elif name == "end":
        os._exit(3)


for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    if message["method"] == "initialize":
        say({"id": message["id"], "result": {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                                             "serverInfo": {"name": "small", "version": "1"}}})
    elif message["method"] == "tools/list":
        with open(sys.argv[1] if len(sys.argv) > 1 else os.devnull, encoding="utf-8") as file:
            words = file.read()
        say({"id": message["id"], "result": {"tools": [{"name": "echo", "description": words, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}]}})
    elif message["method"] == "tools/call":
        run(message["id"], message["params"]["name"], message["params"].get("arguments", {}))
    else:
        say({"id": message["id"], "error": {"code": -32601, "message": "not here"}})
