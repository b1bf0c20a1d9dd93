# SPDX-License-Identifier: Apache-2.0
"""An MCP server on standard input and output: tool_server.py TOOLS.json. It lists what that file holds when it is asked, and answers a
call with what it was called with and what it is itself. The call "leave" first starts a process that no TERM ends; "roots" asks for
the client's roots."""

import json
import os
import subprocess
import sys

STUBBORN = 'trap "" TERM; exec sleep 1000'


def ask(method):
    """What the other side answers, of what may come in between."""
    print(json.dumps({"jsonrpc": "2.0", "id": "asked", "method": method}), flush=True)
    while True:
        message = json.loads(sys.stdin.readline())
        if message.get("id") == "asked":
            return message.get("result", "none")


def called(params):
    left = []
    if params["name"] == "leave":
        left.append(subprocess.Popen(["setsid", "sh", "-c", STUBBORN], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).pid)
    roots = ask("roots/list") if params["name"] == "roots" else None
    said = {"roots": roots, "name": params["name"], "arguments": params.get("arguments"), "pids": [os.getpid(), *left], "environment": dict(os.environ)}
    return {"content": [{"type": "text", "text": json.dumps(said)}]}


def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "stand-in", "version": "1"}}
    if method == "tools/list":
        with open(sys.argv[1], encoding="utf-8") as file:
            return {"tools": json.load(file)}
    return called(params) if method == "tools/call" else None


print("serving", file=sys.stderr, flush=True)
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    result = answer(message["method"], message.get("params") or {})
    reply = {"result": result} if result is not None else {"error": {"code": -32601, "message": "none"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
