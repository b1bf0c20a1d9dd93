# SPDX-License-Identifier: Apache-2.0
"""Many tunnels and much through them: memory is bounded, no descriptor is lost, and the log's lines are paired."""

import collections
import os
import resource
import shutil
import socket
import subprocess
import tempfile
import unittest

from wire_process import TIMEOUT_S, TREE, Wire, connect, read_head, status_of, wait_until

from rig import capability, client

LOAD = os.path.join(os.environ.get("LNK_TEST_SUPPORT", os.path.join(TREE, "build", "release", "bin")), "wire_load")
HOST, ADDRESS, PORT = "bulk.test", "93.184.215.50", 8090
IDLE, BUSY, BUSY_SECONDS = 5000, 500, 3
MOST_IDLE_KIB, MOST_KIB_EACH = 30 << 10, 6  # 3.7 each as built for release; frames are larger without optimisation
MOST_GROWTH_KIB = 4 << 10  # of memory, for bytes on their way: one buffer is 128 KiB
GIB = 1 << 30
SPARE = 8  # up to four spare pipes stay
SLOW_S = TIMEOUT_S * 6


class Scale(unittest.TestCase):
    def setUp(self):
        capability.need("rig")
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most != resource.RLIM_INFINITY and most < 2 * IDLE + 100:
            capability.lack("descriptors", f"a process may have {most}")
        net = client.Internet()
        net.reset()
        origin = net.popen([LOAD, "serve", str(PORT)])
        self.addCleanup(origin.wait)
        self.addCleanup(origin.kill)
        wait_until(is_served, bool)
        settings = tempfile.mkdtemp(prefix="settings-")
        self.addCleanup(shutil.rmtree, settings)
        self.wire = Wire({HOST: [PORT]}, settings=settings)
        self.addCleanup(self.end_wire)
        self.descriptors = self.wire.descriptors()

    def load(self, *arguments):
        return subprocess.Popen([LOAD, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def assert_nothing_left(self):
        count = wait_until(self.wire.descriptors, lambda value: value <= self.descriptors + SPARE, SLOW_S)
        self.assertLessEqual(count, self.descriptors + SPARE)

    def end_wire(self):
        if not self.wire.process.stderr.closed:
            self.wire.close()

    def unpaired(self):
        """The calls whose lines aren't one of each, those that have begun."""
        events = collections.defaultdict(list)
        for line in self.wire.whole_log():
            if "id" in line:
                events[line["id"]].append(line["event"])
        self.assertGreater(len(events), 0)
        return len(events), [each for each in events.values() if each != ["open", "close"]]

    def assert_paired(self, count=None):
        """Ends the wire. Each call that was opened is closed once, and beyond the lines of a minute each is counted."""
        # The last few may still be open behind the descriptors that may stay; a wire that ends cuts them.
        self.assertEqual(wait_until(self.unpaired, lambda found: not found[1], SLOW_S)[1], [])
        self.end_wire()
        written, unpaired = self.unpaired()
        self.assertEqual(unpaired, [])
        if count:
            self.assertEqual(written + sum(line.get("count", 0) for line in self.wire.whole_log()), count)

    def test_idle_tunnels_hold_little_and_leave_nothing(self):
        before = self.wire.memory_kib("RssAnon")
        with self.load("idle", f"127.0.0.1:{self.wire.port}", f"{HOST}:{PORT}", str(IDLE)) as load:
            self.assertEqual(load.stdout.readline(), f"open {IDLE}\n")
            grown = self.wire.memory_kib("RssAnon") - before
            load.stdin.close()
            self.assertEqual(load.wait(SLOW_S), 0)
        self.assertLess(grown, min(MOST_IDLE_KIB, IDLE * MOST_KIB_EACH))
        self.assert_nothing_left()
        self.assert_paired(IDLE)

    def test_busy_tunnels_are_all_served_and_leave_nothing(self):
        with self.load("setups", f"127.0.0.1:{self.wire.port}", f"{HOST}:{PORT}", str(BUSY), str(BUSY_SECONDS)) as load:
            self.assertEqual(load.wait(SLOW_S), 0, "one was not served")
        self.assert_nothing_left()
        self.assert_paired()

    def test_a_gibibyte_each_way_keeps_no_memory_and_is_counted(self):
        before = self.wire.memory_kib()
        with self.tunnel() as stream:
            stream.sendall(f"GET /bytes/{GIB} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            head, rest = read_head(stream)
            down, buffer = len(rest), bytearray(1 << 20)
            while down < GIB and (size := stream.recv_into(buffer)):
                down += size
            self.assertEqual(down, GIB)
            self.assertLess(self.wire.memory_kib() - before, MOST_GROWTH_KIB)
            head = f"PUT /sink HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: {GIB}\r\n\r\n".encode()
            stream.sendall(head)
            zeros = bytes(1 << 20)
            for _ in range(GIB >> 20):
                stream.sendall(zeros)
            self.assertEqual(status_of(read_head(stream)[0]), 200)
            self.assertLess(self.wire.memory_kib() - before, MOST_GROWTH_KIB)
        line, = self.wire.closed_calls(1)
        self.assertGreater(min(line["in"], line["out"]), GIB)
        self.assert_nothing_left()

    def tunnel(self):
        stream = self.wire.connect()
        stream.sendall(connect(f"{HOST}:{PORT}"))
        self.assertEqual(status_of(read_head(stream)[0]), 200)
        return stream


def is_served():
    try:
        socket.create_connection((ADDRESS, PORT), timeout=1).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    unittest.main()
