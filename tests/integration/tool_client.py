# SPDX-License-Identifier: Apache-2.0
"""Inside: tool_client.py URL NAME… calls tools by the wire, and prints a line of JSON for each; then it waits for its input's end."""

import json
import sys
import urllib.request

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
FIELDS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def post(url, message):
    request = urllib.request.Request(url, json.dumps({"jsonrpc": "2.0", **message}).encode(), FIELDS)
    with OPENER.open(request) as reply:
        session = reply.headers.get("Mcp-Session-Id")
        if session:
            FIELDS["Mcp-Session-Id"] = session
        text = reply.read().decode()
    if text.startswith("{"):
        return json.loads(text)
    found = [json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]
    return next((one for one in found if one.get("id") == message.get("id")), None)


def main(url, *names):
    start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "client", "version": "1"}}
    post(url, {"id": 1, "method": "initialize", "params": start})
    FIELDS["MCP-Protocol-Version"] = "2025-06-18"
    post(url, {"method": "notifications/initialized"})
    for number, name in enumerate(names, 2):
        tool, _, arguments = name.partition("=")
        done = post(url, {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": json.loads(arguments or "{}")}})
        print(json.dumps(done.get("result", done)), flush=True)
    sys.stdin.read()


main(*sys.argv[1:])
