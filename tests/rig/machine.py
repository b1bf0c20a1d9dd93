# SPDX-License-Identifier: Apache-2.0
"""The file system of the rig's machine: a root of its own, so that nothing that a test does reaches the real one.

Guarantees: /, /etc, /home, /root, /opt, /run, /tmp and /var/tmp are memory, the rest of the system is bound as it is, the
project's tree is at its own path, writable. The folders above the tree and the homes belong to the rig's root, which in a
namespace made by an ordinary user is that user.
Does not do: hide the system below /usr, /var, /dev and /sys.
"""

import os
import shutil
import stat

from . import kernel

# Where the new root is put together; any empty folder that isn't above the project's tree will do.
STAGING_CHOICES = ("/mnt", "/media", "/srv", "/opt")
SYSTEM = ("bin", "sbin", "usr", "var", "sys", "dev", "nix", "gnu")
EMPTY = {"home": 0o755, "root": 0o755, "run": 0o755, "tmp": 0o1777, "mnt": 0o755, "proc": 0o555, "etc": 0o755,
         "opt": 0o755}

ORDINARY_NAME = "person"
ORDINARY_UID = 47001

NSSWITCH = "passwd: files\ngroup: files\nhosts: files dns\nservices: files\nprotocols: files\n"


def build_root(tree, nameserver, real_root):
    """Makes the new root and makes it the root of this process. Needs a mount namespace of its own."""
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    staging = next(choice for choice in STAGING_CHOICES if os.path.isdir(choice) and not _inside(tree, choice))
    tree_fd = os.open(tree, os.O_PATH | os.O_DIRECTORY)
    kernel.mount("rig-root", staging, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=0755")
    for name, mode in EMPTY.items():
        _make_dir(os.path.join(staging, name), mode)
    _bind_system(staging)
    if os.path.isdir("/var/tmp"):
        # Before the tree, which may lie there.
        kernel.mount("rig-var-tmp", staging + "/var/tmp", "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=1777")
    _copy_etc(staging, nameserver)
    _put_tree(staging, tree, tree_fd)
    kernel.mount("proc", os.path.join(staging, "proc"), "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    _become_root(staging)
    kernel.set_hostname("machine")
    os.umask(0o022)
    _make_home(real_root)


def _inside(path, folder):
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _make_dir(path, mode):
    os.makedirs(path, exist_ok=True)
    os.chmod(path, mode)


def _bind_system(staging):
    for name in os.listdir("/"):
        source, target = "/" + name, os.path.join(staging, name)
        if os.path.islink(source):
            if name in SYSTEM or name.startswith("lib"):
                os.symlink(os.readlink(source), target)
        elif name in SYSTEM or name.startswith("lib"):
            os.makedirs(target, exist_ok=True)
            kernel.bind(source, target)
    for name in os.listdir("/opt") if os.path.isdir("/opt") else ():
        source, target = os.path.join("/opt", name), os.path.join(staging, "opt", name)
        if os.path.isdir(source) and not os.path.islink(source):
            os.makedirs(target, exist_ok=True)
            kernel.bind(source, target)


def _copy_etc(staging, nameserver):
    """/etc as it is, but for who resolves names. Copied, so that tests may change it, and not followed outside it."""
    target = os.path.join(staging, "etc")
    shutil.copytree("/etc", target, symlinks=True, dirs_exist_ok=True, copy_function=_copy_or_skip,
                    ignore=_unreadable_dirs, ignore_dangling_symlinks=True)
    for name, text in (("resolv.conf", f"nameserver {nameserver}\n"), ("nsswitch.conf", NSSWITCH),
                       ("hosts", "127.0.0.1 localhost machine\n::1 localhost\n"), ("hostname", "machine\n")):
        _replace(os.path.join(target, name), text)
    for name in ("passwd", "group"):
        _add_ordinary(os.path.join(target, name), name)
    shadow = os.path.join(target, "shadow")
    if not os.path.exists(shadow):  # an ordinary user's copy has none, and tests look for what others can't read
        _replace(shadow, "root:*:19000:0:99999:7:::\n")
        os.chmod(shadow, 0o600)


def _copy_or_skip(source, target):
    try:
        # Pipes and sockets would block or fail; a file that only root reads is no part of an ordinary user's machine.
        if not stat.S_ISREG(os.lstat(source).st_mode):
            return target
        shutil.copy2(source, target)
        if os.geteuid() == 0:
            info = os.stat(source)
            os.chown(target, info.st_uid, info.st_gid)
    except OSError:
        pass
    return target


def _unreadable_dirs(folder, names):
    def closed(name):
        path = os.path.join(folder, name)
        return os.path.isdir(path) and not os.path.islink(path) and not os.access(path, os.R_OK | os.X_OK)

    return [name for name in names if closed(name)]


def _replace(path, text):
    if os.path.lexists(path):
        os.unlink(path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o644)


def _add_ordinary(path, kind):
    line = {
        "passwd": f"{ORDINARY_NAME}:x:{ORDINARY_UID}:{ORDINARY_UID}::/home/{ORDINARY_NAME}:/bin/sh\n",
        "group": f"{ORDINARY_NAME}:x:{ORDINARY_UID}:\n",
    }[kind]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    _replace(path, text + line)


def _put_tree(staging, tree, tree_fd):
    target = staging + tree
    os.makedirs(target, mode=0o755, exist_ok=True)
    # By descriptor: the staging folder's own mount may have covered the path by now.
    kernel.bind(f"/proc/self/fd/{tree_fd}", target)
    os.close(tree_fd)


def _become_root(staging):
    os.chdir(staging)
    kernel.pivot_root(".", ".")
    kernel.unmount_later(".")
    os.chdir("/")


def _make_home(real_root):
    home = f"/home/{ORDINARY_NAME}"
    os.mkdir(home, 0o700)
    if real_root:
        os.chown(home, ORDINARY_UID, ORDINARY_UID)
    os.chmod("/root", 0o711)
