# SPDX-License-Identifier: Apache-2.0
"""An image that a kernel unpacks to its first root: the product as staged, bubblewrap, the attacks, and what these load."""

import gzip
import os
import re
import stat
import subprocess

MAGIC, END = "070701", "TRAILER!!!"


def libraries_of(program):
    """What the loader would map for it, itself too."""
    told = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    return re.findall(r"(/\S+) \(0x", told)


class Image:
    """Entries of a "newc" cpio archive (linux: Documentation/driver-api/early-userspace/buffer-format.rst)."""

    def __init__(self):
        self.parts, self.names, self.count = [], set(), 0

    def _add(self, name, mode, content=b"", uid=0, device=(0, 0)):
        if name in self.names:
            return
        self.names.add(name)
        self.count += 1
        raw = os.fsencode(name) + b"\0"
        fields = (self.count, mode, uid, uid, 1, 0, len(content), 0, 0, *device, len(raw), 0)
        head = MAGIC.encode() + b"".join(b"%08x" % field for field in fields) + raw
        self.parts += [head, b"\0" * (-len(head) % 4), content, b"\0" * (-len(content) % 4)]

    def folder(self, path, mode=0o755, uid=0):
        """With those above it, which are root's."""
        parts = path.strip("/").split("/")
        for end in range(1, len(parts)):
            self._add("/".join(parts[:end]), stat.S_IFDIR | 0o755)
        self._add("/".join(parts), stat.S_IFDIR | mode, uid=uid)

    def file(self, path, content, mode=0o644, uid=0):
        if isinstance(content, str):
            content = content.encode()
        self.folder(os.path.dirname(path))
        self._add(path.strip("/"), stat.S_IFREG | mode, content, uid)

    def link(self, path, target):
        self._add(path.strip("/"), stat.S_IFLNK | 0o777, target.encode())

    def node(self, path, major, minor):
        self._add(path.strip("/"), stat.S_IFCHR | 0o600, device=(major, minor))

    def copy(self, source, path, mode=None):
        with open(source, "rb") as file:
            self.file(path, file.read(), mode or stat.S_IMODE(os.stat(source).st_mode))

    def program(self, source, path):
        """With the libraries that it is linked to, each at its own place."""
        self.copy(source, path, 0o755)
        for library in libraries_of(source):
            real = os.path.realpath(library)
            self.copy(real, self.place_of(library), 0o755)

    @staticmethod
    def place_of(library):
        # /lib and /lib64 are links into /usr in the image, as they are in Debian.
        return library if library.startswith("/usr/") else "/usr" + library

    def packed(self):
        self._add(END, 0)
        return gzip.compress(b"".join(self.parts), 1)


def base(product, attacks, kernel_init):
    """A Debian of the smallest kind. `product`: the staged tree."""
    image = Image()
    image.node("/dev/console", 5, 1)
    for name in ("bin", "sbin", "lib", "lib64"):
        image.folder("/usr/" + name)
        image.link("/" + name, "usr/" + name)
    for folder in ("/proc", "/sys", "/run", "/root", "/home", "/var/lib", "/etc", "/opt", "/mnt"):
        image.folder(folder)
    for folder in ("/tmp", "/var/tmp"):
        image.folder(folder, 0o1777)
    image.link("/var/run", "/run")
    image.file("/etc/passwd", "root:x:0:0::/root:/bin/sh\nuser:x:1000:1000::/home/1000:/bin/sh\n")
    image.file("/etc/group", "root:x:0:\nuser:x:1000:\n")
    image.file("/etc/shadow", "root:secret\n", 0o600)
    image.program("/usr/bin/bwrap", "/usr/bin/bwrap")
    image.program("/bin/dash", "/usr/bin/sh")
    for at, _, names in os.walk(product):
        for name in names:
            path = os.path.join(at, name)
            place = "/usr/" + os.path.relpath(path, product)
            if name.endswith((".a", ".h", ".hpp")) or "/share/" in place:
                continue
            with open(path, "rb") as file:
                is_program = file.read(4) == b"\x7fELF"
            (image.program if is_program else image.copy)(path, place)
    image.copy(attacks, "/opt/attacks", 0o755)
    image.copy(kernel_init, "/init", 0o755)
    return image
