# SPDX-License-Identifier: Apache-2.0
"""enter.py [--user-namespace] -- COMMAND…: runs COMMAND on the rig's machine, joined to the rig's internet.

Works as root, and as an ordinary user where user namespaces are allowed; then the user is root of a namespace in which no
other number is known. Everything, the internet too, is in one pid namespace whose first process is killed with this one,
so that nothing is left behind whatever ends it. Exits as COMMAND does; 125 where the machine can't be made.
"""

import os
import select
import signal
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if __package__ is None or __package__ == "":
    sys.path.insert(0, os.path.join(TREE, "tests"))
    __package__ = "rig"  # run as a file: the package is found beside it

from rig import internet, kernel, machine  # noqa: E402

EXIT_NOT_MADE = 125
NAMESPACES = (kernel.CLONE_NEWNS | kernel.CLONE_NEWNET | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS)
SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What a test run may be told from outside; nothing else of the caller's environment is seen on the machine.
PASSED = ("TERM", "LANG", "CI", "COLUMNS")


def _knows(number):
    """Whether this user namespace has that user."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    return any(first <= number < first + size for first, _, size in ranges)


def _unshare(want_user_namespace):
    """True where this is root over other users too, as the machine's real root is."""
    if os.geteuid() == 0 and not want_user_namespace:
        try:
            kernel.unshare(NAMESPACES)
            return _knows(machine.ORDINARY_UID)
        except PermissionError:
            pass  # root without the capabilities, as in a container: a user namespace may still be had
    uid, gid = os.geteuid(), os.getegid()
    kernel.unshare(NAMESPACES | kernel.CLONE_NEWUSER)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    return False


def _start_internet():
    ready_read, ready_write = os.pipe()
    joined_read, joined_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(ready_read)
        os.close(joined_write)
        try:
            internet.run(ready_write, joined_read)
        finally:
            sys.stderr.flush()
            os._exit(1)
    os.close(ready_write)
    os.close(joined_read)
    if os.read(ready_read, 1) != b"n":
        raise RuntimeError("the internet's namespace was not made")
    internet.join(pid)
    os.write(joined_write, b"j")
    os.close(joined_write)
    if os.read(ready_read, 1) != b"s":
        raise RuntimeError("the internet's servers did not start")
    os.close(ready_read)
    return pid


def _environment(real_root):
    environment = {name: os.environ[name] for name in os.environ if name in PASSED or name.startswith("LNK_")}
    environment.update(HOME="/root", USER="root", LOGNAME="root", LNK_RIG="/run/rig", PYTHONDONTWRITEBYTECODE="1",
                       LNK_RIG_ROOT="real" if real_root else "namespace",
                       PATH=SEARCH_PATH)
    return environment


def _wait_for(wanted):
    """The first process of a pid namespace is given every orphan, and must collect them all."""
    while True:
        pid, status = os.wait()
        if pid == wanted:
            return status


def _exit_code(status):
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _first_process(alive_fd, real_root, cwd, command):
    kernel.die_with_parent()
    if select.select([alive_fd], [], [], 0)[0]:
        return EXIT_NOT_MADE  # the parent was gone before we asked to go with it
    machine.build_root(TREE, internet.NAMESERVER, real_root)
    os.makedirs("/run/rig", mode=0o755)
    _start_internet()
    os.chdir(cwd if os.path.isdir(cwd) else "/")
    try:
        child = subprocess.Popen(command, env=_environment(real_root))
    except OSError as error:
        print(f"rig: {command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    return _exit_code(_wait_for(child.pid))


def main(arguments):
    want_user_namespace = arguments[:1] == ["--user-namespace"]
    command = arguments[1:] if want_user_namespace else arguments
    command = command[1:] if command[:1] == ["--"] else command
    if not command:
        print(__doc__, file=sys.stderr)
        return 2
    cwd = os.getcwd()
    try:
        real_root = _unshare(want_user_namespace)
    except OSError as error:
        print(f"rig: no namespaces here: {error.strerror}", file=sys.stderr)
        return EXIT_NOT_MADE
    alive_read, alive_write = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(alive_write)
        code = EXIT_NOT_MADE
        try:
            code = _first_process(alive_read, real_root, cwd, command)
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            print(f"rig: {error}", file=sys.stderr)
        finally:
            sys.stdout.flush()
            os._exit(code)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGKILL))
    signal.signal(signal.SIGINT, lambda *_: os.kill(pid, signal.SIGKILL))
    return _exit_code(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
