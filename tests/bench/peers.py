# SPDX-License-Identifier: Apache-2.0
"""What else carries bytes for a program: the proxies that people know, as Debian has them, each with its own defaults but for
what keeps it from the disk; and srt, seen from inside its sandbox."""

import os
import shutil
import signal
import socket
import subprocess
import time

from rig import client

ORIGIN, ORIGIN_PORT = "93.184.215.50", 8090  # bulk.test's address, at a port that the rig's own servers leave free
NAME = f"bulk.test:{ORIGIN_PORT}"
RAW, WEB, SQUID, TINYPROXY = 9101, 9102, 9103, 9104
READY_S = 20

HAPROXY = f"""global
  maxconn 9000
defaults
  timeout connect 10s
  timeout client 1h
  timeout server 1h
listen raw
  mode tcp
  bind 127.0.0.1:{RAW}
  server origin {ORIGIN}:{ORIGIN_PORT}
listen web
  mode http
  bind 127.0.0.1:{WEB}
  server origin {ORIGIN}:{ORIGIN_PORT}
"""
SQUID_CONF = f"""http_port 127.0.0.1:{SQUID}
http_access allow all
cache deny all
access_log none
cache_log /dev/null
pid_filename none
max_filedescriptors 16384
shutdown_lifetime 0 seconds
"""
TINYPROXY_CONF = f"""Port {TINYPROXY}
Listen 127.0.0.1
Timeout 3600
MaxClients 9000
ConnectPort {ORIGIN_PORT}
LogLevel Critical
"""


class Peers:
    """All that are installed, and the origin, from `with` on to its end. `proxies` is {name: port of what takes CONNECT}."""

    def __init__(self, folder, load):
        self._folder, self._load = folder, load
        self._running = {}
        self.proxies = {}

    def _start(self, name, text, command, *ports):
        path = os.path.join(self._folder, name + ".conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        self._running[name] = subprocess.Popen([*command, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for port in ports:
            wait_for("127.0.0.1", port)

    def pid(self, name):
        return self._running[name].pid

    def __enter__(self):
        # The rig's name server is a small Python program, which would be what is measured.
        with open("/etc/hosts", "a", encoding="ascii") as file:
            file.write(f"{ORIGIN} {NAME.partition(':')[0]}\n")
        self._running["origin"] = client.Internet().popen([self._load, "serve", str(ORIGIN_PORT)])
        wait_for(ORIGIN, ORIGIN_PORT)
        if program := shutil.which("haproxy"):
            self._start("haproxy", HAPROXY, [program, "-q", "-db", "-f"], RAW, WEB)
        if program := shutil.which("squid"):
            self._start("squid", SQUID_CONF, [program, "-N", "-f"], SQUID)
            self.proxies["squid"] = SQUID
        if program := shutil.which("tinyproxy"):
            self._start("tinyproxy", TINYPROXY_CONF, [program, "-d", "-c"], TINYPROXY)
            self.proxies["tinyproxy"] = TINYPROXY
        return self

    def has(self, name):
        return name in self._running

    def __exit__(self, *_):
        for process in self._running.values():
            process.send_signal(signal.SIGKILL)
            process.wait()


def wait_for(address, port):
    end = time.monotonic() + READY_S
    while True:
        try:
            socket.create_connection((address, port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
