# SPDX-License-Identifier: Apache-2.0
"""The agents of tests/npm/agents, which scripts/setup --with-agents fetches. A test that uses one says capability.need("agents") and
grants its sandbox to read FOLDER."""

import os

from . import npm_clients

FOLDER = os.path.join(npm_clients.TREE, "build", "agents")
CODEX = os.path.join(FOLDER, "node_modules", "@openai", "codex", "bin", "codex.js")
OPENCODE = os.path.join(FOLDER, "node_modules", "opencode-linux-x64-baseline", "bin", "opencode")


def why_not_there():
    if npm_clients.is_fetched(FOLDER, os.path.join(npm_clients.TREE, "tests", "npm", "agents")):
        return None
    return "build/agents has not the packages of tests/npm/agents; scripts/setup --with-agents fetches them"
