# SPDX-License-Identifier: Apache-2.0
"""A tunnel to port 443 goes on where its ClientHello asks for the host it was asked for, and for no other: byte by byte. What was refused
sent nothing: the server outside tells whether a byte reached it."""

import socket
import unittest

from hello_checks import ADDRESS, HOST, OTHER, HelloTest, cut_in_two_records, grown, hello, in_records
from wire_process import TIMEOUT_S, Wire, read_all, wait_until

NEVER_S = 10  # the wire's own patience for a hello, and no test's
# As large as one with a post-quantum share (X25519MLKEM768: 1,216 bytes), and with an encrypted one for show (RFC 9849: outer).
SHARE, FOR_SHOW = (0x2A2A, bytes(1216)), (0xFE0D, b"\0\0\1\0\1\x20\0\x20" + bytes(32) + b"\0\x90" + bytes(144))


class Hellos(HelloTest):
    def test_the_name_that_was_asked_for_goes_on_and_no_other(self):
        self.assert_goes_on([hello(HOST)])
        self.assert_goes_on([hello(HOST.upper())])
        for name in (OTHER, f"www.{HOST}", f"{HOST}.{OTHER}", f"x{HOST}", None):
            self.assert_closed([hello(name)])

    def test_it_is_read_wherever_it_is_split(self):
        whole = hello(HOST)
        self.assert_goes_on([bytes([byte]) for byte in whole])
        for size in (len(whole) // 2, 64, 20):
            self.assert_goes_on([in_records(whole, size)])
        wrong = hello(OTHER)
        self.assert_closed([bytes([byte]) for byte in wrong])
        self.assert_closed([in_records(wrong, 20)])
        self.assert_closed([in_records(whole, 1)])  # over 32 records

    def test_it_is_read_cut_in_two_at_every_byte_in_segments_and_in_records(self):
        whole, wrong = hello(HOST), hello(OTHER)
        for at in range(1, len(whole)):
            self.assert_goes_on([whole[:at], whole[at:]])
        for at in range(1, len(whole) - 5):
            self.assert_goes_on([cut_in_two_records(whole, at)])
        for at in range(1, len(wrong) - 5, 16):
            self.assert_closed([wrong[:at], wrong[at:]])
            self.assert_closed([cut_in_two_records(wrong, at)])

    def test_one_of_post_quantum_size_with_an_encrypted_one_for_show_is_read(self):
        for name, check in ((HOST, self.assert_goes_on), (OTHER, self.assert_closed)):
            large = grown(hello(name), SHARE, FOR_SHOW)
            self.assertGreater(len(large), 1700)
            check([large])
            check([large[:1448], large[1448:]])
            check([in_records(large, 128)])
        self.assert_closed([grown(hello(None), SHARE, FOR_SHOW)])

    def test_one_with_two_names_an_inner_one_or_no_room_for_itself_is_closed(self):
        other = OTHER.encode()
        entry = b"\0" + len(other).to_bytes(2, "big") + other
        second = (0, len(entry).to_bytes(2, "big") + entry)
        for more in (second, (0xFE0D, b"\1")):
            self.assert_closed([grown(hello(HOST), more)])
        self.assert_closed([grown(hello(HOST), *[(0x2A2A, bytes(16000))] * 4)])  # over 64 KiB

    def test_one_that_came_with_the_head_is_read_too(self):
        stream = self.tunnel(first=hello(HOST))
        self.assertEqual(stream.recv(1), b"\x16")
        self.net.reset()
        stream = self.tunnel(first=hello(OTHER))
        self.assertEqual(read_all(stream), b"")

    def test_what_is_no_hello_is_closed(self):
        for bytes_ in (b"GET / HTTP/1.1\r\nHost: allowed.test\r\n\r\n", b"SSH-2.0-OpenSSH_9\r\n", b"PRI * HTTP/2.0\r\n\r\n", b"\x80\x2e\x01\x00\x02",
                       b"\x15\x03\x01\x00\x02\x01\x00", hello(HOST) [:5] + b"\x02" + hello(HOST)[6:]):
            self.assert_closed([bytes_])

    def test_one_that_is_cut_is_closed(self):
        stream = self.tunnel()
        stream.sendall(hello(HOST)[:-1])
        stream.shutdown(socket.SHUT_WR)
        self.assertEqual(read_all(stream), b"")
        self.assertEqual(self.wire.closed_calls(1)[-1]["reason"], "name-mismatch")
        # And one that is never whole, once the wire's patience is at its end.
        stream = self.tunnel()
        stream.settimeout(NEVER_S + TIMEOUT_S)
        stream.sendall(hello(HOST)[:-1])
        self.assertEqual(read_all(stream), b"")
        self.assert_nothing_was_sent(2)

    def test_other_ports_are_not_read(self):
        for port in (80, 8443):
            stream = self.tunnel(f"{HOST}:{port}")
            stream.sendall(b"x")
        found = wait_until(self.net.connections, lambda all_: [one["spoken"] for one in all_] == [True, True])
        self.assertEqual([one["spoken"] for one in found], [True, True])

    def test_a_listed_address_comes_without_a_name(self):
        self.assert_goes_on([hello(None)], f"{ADDRESS}:443")
        self.assert_closed([hello(HOST)], f"{ADDRESS}:443")

    def test_where_any_host_is_open_none_is_read(self):
        with Wire({"*": [443]}) as wire:
            self.assert_goes_on([hello(OTHER)], wire=wire)


if __name__ == "__main__":
    unittest.main()
