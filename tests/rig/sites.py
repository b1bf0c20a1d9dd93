# SPDX-License-Identifier: Apache-2.0
"""Sites of the rig's internet that real clients speak to: a git repository, an npm registry and a WebSocket's server."""

import base64
import gzip
import hashlib
import io
import json
import os
import subprocess
import tarfile

from . import web

REGISTRY = "registry.test"
PACKAGE = "rig-package"
PACKAGE_VERSION = "1.2.3"
REPOSITORY = "project.git"
CHAT = "chat.test"
README_TEXT = "a repository of the rig\n"

_GIT_IDENTITY = {"GIT_AUTHOR_NAME": "rig", "GIT_AUTHOR_EMAIL": "rig@git.test", "GIT_COMMITTER_NAME": "rig",
                 "GIT_COMMITTER_EMAIL": "rig@git.test", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null"}


class GitSite:
    """git's smart HTTP by its own http-backend."""

    def __init__(self, folder):
        self.root = folder
        self._environment = {"PATH": "/usr/bin:/bin", "HOME": folder, **_GIT_IDENTITY}
        work = os.path.join(folder, "work")
        os.makedirs(work)
        with open(os.path.join(work, "README"), "w", encoding="ascii") as file:
            file.write(README_TEXT)
        for command in (["init", "-q", "-b", "main"], ["add", "README"], ["commit", "-q", "-m", "first"]):
            self._git(["-C", work, *command])
        self._git(["clone", "-q", "--bare", work, os.path.join(folder, REPOSITORY)])

    def _git(self, arguments):
        subprocess.run(["git", *arguments], check=True, env=self._environment, stdout=subprocess.DEVNULL)

    def __call__(self, request, stream):
        path, _, query = request.target.partition("?")
        environment = {**self._environment, "GIT_PROJECT_ROOT": self.root, "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                       "QUERY_STRING": query, "REQUEST_METHOD": request.method, "REMOTE_ADDR": "192.0.2.1",
                       "CONTENT_TYPE": request.field("content-type") or "", "CONTENT_LENGTH": str(len(request.body)),
                       "HTTP_CONTENT_ENCODING": request.field("content-encoding") or "",
                       "GIT_PROTOCOL": request.field("git-protocol") or ""}
        done = subprocess.run(["git", "http-backend"], input=request.body, env=environment, capture_output=True, check=False)
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        fields = [tuple(line.decode().split(": ", 1)) for line in head.split(b"\r\n") if line]
        status = next((int(value.split()[0]) for name, value in fields if name.lower() == "status"), 200)
        kind = next((value for name, value in fields if name.lower() == "content-type"), "text/plain")
        web.send(request, stream, status, body, kind)


class NpmSite:
    """A registry with one package, which is one file that prints its name."""

    def __init__(self):
        self._manifest = {"name": PACKAGE, "version": PACKAGE_VERSION, "main": "index.js", "license": "Apache-2.0"}
        self._tarball = self._pack()

    def _pack(self):
        files = {"package/package.json": json.dumps(self._manifest), "package/index.js": f'console.log("{PACKAGE}");\n'}
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as tar:
            for name, text in files.items():
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = len(text), 0o644
                tar.addfile(entry, io.BytesIO(text.encode()))
        return gzip.compress(packed.getvalue(), mtime=0)

    def __call__(self, request, stream):
        tarball = f"/{PACKAGE}/-/{PACKAGE}-{PACKAGE_VERSION}.tgz"
        if request.path == f"/{PACKAGE}":
            integrity = "sha512-" + base64.b64encode(hashlib.sha512(self._tarball).digest()).decode()
            version = {**self._manifest, "dist": {"tarball": f"https://{REGISTRY}{tarball}", "integrity": integrity}}
            web.json_reply(request, stream, {"name": PACKAGE, "dist-tags": {"latest": PACKAGE_VERSION},
                                             "versions": {PACKAGE_VERSION: version}})
        elif request.path == tarball:
            web.send(request, stream, 200, self._tarball, "application/octet-stream")
        elif request.path.startswith("/-/npm/v1/security/"):
            web.json_reply(request, stream, {})
        else:
            web.json_reply(request, stream, {"error": "not found"}, 404)


CLOSE, LONGER, LONGEST = 8, 126, 127


def chat(request, stream):
    """A WebSocket's server that sends each frame back (RFC 6455 5.2: a client's is masked, a server's isn't), to the closing one."""
    if (request.field("upgrade") or "").lower() != "websocket":
        web.send(request, stream, 426, b"")
        return
    stream.sendall(web.switching(request))
    with stream.makefile("rb") as file:
        while head := file.read(2):
            size = head[1] & 0x7F
            more = file.read({LONGER: 2, LONGEST: 8}.get(size, 0))
            mask = file.read(4)
            text = bytearray(file.read(int.from_bytes(more, "big") if more else size))
            for at, byte in enumerate(mask):
                text[at::4] = bytes(one ^ byte for one in text[at::4])
            stream.sendall(bytes((head[0], size)) + more + text)
            if head[0] & 0x0F == CLOSE:
                return
