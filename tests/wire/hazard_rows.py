# SPDX-License-Identifier: Apache-2.0
"""The known hazards of HTTP/1 parsing, each a request or reply that two readers could take differently beside a twin with the one fault mended.

A request is a template: <M> is the method, <T> the target, <H> the host and <A> what else the road needs, so that one row is tried in
plain proxying, with CONNECT and on a verb. A row's number names the hazard; a number may have several rows."""

import collections

HOST = "allowed.test"
PLAIN, CONNECT, VERB = "plain", "connect", "verb"
ALL, BODIES, PROXY = (PLAIN, CONNECT, VERB), (PLAIN, VERB), (PLAIN, CONNECT)
# What would be a request of its own if what comes before it were read in another way.
SMUGGLED = f"GET http://{HOST}/smuggled HTTP/1.1\r\nHost: {HOST}\r\n\r\n"

Row = collections.namedtuple("Row", "number roads status refused allowed")


def head(fields="", body="", version="1.1"):
    return f"<M> <T> HTTP/{version}\r\nHost: <H>\r\n<A>{fields}\r\n{body}"


def line(first):
    return f"{first}\r\nHost: <H>\r\n<A>\r\n"


def host(fields):
    return f"<M> <T> HTTP/1.1\r\n{fields}<A>\r\n"


def connect(place, named=None):
    return f"CONNECT {place} HTTP/1.1\r\nHost: {named or place}\r\n\r\n"


def chunks(body):
    return head("Transfer-Encoding: chunked\r\n", body)


LENGTH, CODING = "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"
SIZED, CHUNKED = head(LENGTH, "hello"), chunks("5\r\nhello\r\n0\r\n\r\n")


def framing(number, fields, allowed, status=400):
    """CONNECT has no body, so any framing of one is refused there, a good one too."""
    refused = head(fields, "0\r\n\r\n" + SMUGGLED)
    return [Row(number, BODIES, status, refused, allowed), Row(number, (CONNECT,), 400, refused, head())]


REQUESTS = [
    *framing("1", LENGTH + CODING, SIZED),
    *framing("1", CODING + LENGTH, CHUNKED),
    *framing("1", "Content-Length: 0\r\n" + CODING, CHUNKED),
    *framing("2", "Content-Length: 0\r\nContent-Length: 5\r\n", SIZED),
    *framing("2", LENGTH + "Content-Length: 0\r\n", SIZED),
    *framing("3", LENGTH + LENGTH, SIZED),
    *framing("3", LENGTH + "content-length: 5\r\n", SIZED),
    *framing("4", "Content-Length: 5, 5\r\n", SIZED),
    *(row for value in ("+5", "-5", "0x5", "5_0", "5 0", "", "18446744073709551621", "\v5", "05", "5.0", "5e0", "\x855", "\xa05", "5;", "five")
      for row in framing("5", f"Content-Length: {value}\r\n", SIZED)),
    *framing("7", "Transfer-Encoding: xchunked\r\n", CHUNKED, 501),
    *framing("7", "Transfer-Encoding: chunkedx\r\n", CHUNKED, 501),
    *framing("8", "Transfer-Encoding: chunked, identity\r\n", CHUNKED),
    *framing("8", "Transfer-Encoding: chunked, gzip\r\n", CHUNKED),
    *framing("9", "Transfer-Encoding: identity\r\n", CHUNKED),
    *framing("9", "Transfer-Encoding: identity\r\n" + LENGTH, SIZED),
    *framing("10", "Transfer-Encoding: gzip, chunked\r\n", head("Content-Encoding: gzip\r\n" + LENGTH, "hello"), 501),
    *framing("11", 'Transfer-Encoding: "chunked"\r\n', CHUNKED),
    *framing("11", "Transfer-Encoding: chunked;q=1\r\n", CHUNKED),
    *framing("11", "Transfer-Encoding: \r\n", CHUNKED),
    *framing("11", "Transfer-Encoding: ,chunked\r\n", CHUNKED),
    *framing("11", "Transfer-Encoding: \xa0chunked\r\n", CHUNKED),
    *framing("13", CODING + CODING, CHUNKED),
    *framing("14", "Transfer-Encoding: identity\r\n" + CODING, CHUNKED),
    *framing("14", CODING + "Transfer-Encoding: cow\r\n", CHUNKED),
    Row("16", BODIES, 400, head(CODING, "0\r\n\r\n", "1.0"), head(LENGTH, "hello", "1.0")),
    Row("18", BODIES, 400, head("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"), CHUNKED),
    Row("18", ALL, 400, head("X\t: 1\r\n"), head("X:\t1\r\n")),
    Row("18", ALL, 400, head("Content-Length : 0\r\n"), head("X-Length: 0\r\n")),
    Row("19", ALL, 400, head("X: a\r\n b\r\n"), head("X: a b\r\n")),
    Row("19", ALL, 400, head("X: a\r\n\tb\r\n"), head("X: a\tb\r\n")),
    Row("19", ALL, 400, head("X: a\r\n \r\n"), head("X: a \r\n")),
    Row("20", BODIES, 400, head("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"), CHUNKED),
    Row("20", ALL, 400, host("Host:\r\n <H>\r\n"), host("Host: <H>\r\n")),
    Row("21", ALL, 400, host(" Host: <H>\r\n"), host("Host: <H>\r\n")),
    Row("21", ALL, 400, host("\tX: 1\r\nHost: <H>\r\n"), host("X: 1\r\nHost: <H>\r\n")),
    Row("22", ALL, 400, head().replace("\r\n", "\n"), head()),
    Row("22", ALL, 400, head("X: 1\n"), head("X: 1\r\n")),
    Row("23", ALL, 400, head("X: a\nb\r\n"), head("X: ab\r\n")),
    Row("23", ALL, 400, head("X: a\n\n"), head("X: a\r\n")),
    Row("24", ALL, 400, head("X: a\rb\r\n"), head("X: ab\r\n")),
    Row("24", ALL, 400, head("X: a\rContent-Length: 5\r\n"), head("X: a\r\n")),
    Row("24", ALL, 400, head("X: a\r\r\n"), head("X: a\r\n")),
    Row("24", ALL, 400, "<M> <T> HTTP/1.1\rHost: <H>\r\n\r\n", head()),
    *(Row("26", ALL, 400, head(f"X: a{byte}\r\n"), head("X: a\tb\r\n")) for byte in ("\0", "\1", "\x08", "\x0c", "\x1b", "\x1f", "\x7f")),
    Row("27", ALL, 400, head("X\0Y: 1\r\n"), head("XY: 1\r\n")),
    Row("27", BODIES, 400, line("<M> <T>\0 HTTP/1.1"), line("<M> <T> HTTP/1.1")),
    Row("27", ALL, 400, host("Host: <H>\0\r\n"), host("Host: <H>\r\n")),
    Row("27", (CONNECT,), 400, connect(f"{HOST}\0.other.test:80", f"{HOST}:80"), connect(f"{HOST}:80")),
    Row("28", (VERB,), 400, head("X: \xe9\r\n"), head("X: e\r\n")),
    Row("28", ALL, 400, host("Host: \xe9<H>\r\n"), host("Host: <H>\r\n")),
    Row("28", ALL, 400, host("Host: <H>\xa0\r\n"), host("Host: <H> \r\n")),
    Row("28", ALL, 400, head("X\x85: 1\r\n"), head("X: 1\r\n")),
    Row("29", BODIES, 400, line("<M> <T>\xc3\xa9 HTTP/1.1"), line("<M> <T> HTTP/1.1")),
    Row("30", ALL, 400, head(": a\r\n"), head("X: a\r\n")),
    Row("30", ALL, 400, head("no colon\r\n"), head("no-colon:\r\n")),
    Row("30", ALL, 400, head("X(): a\r\n"), head("X!: a\r\n")),
    Row("32", BODIES, 400, chunks("5;a=\0b\r\nhello\r\n0\r\n\r\n"), chunks("5;a=b;c=\"d\"\r\nhello\r\n0;e\r\n\r\n")),
    Row("32", BODIES, 400, chunks(f"5;{'a' * 300}\r\nhello\r\n0\r\n\r\n"), chunks(f"5;{'a' * 200}\r\nhello\r\n0\r\n\r\n")),
    Row("33", BODIES, 400, chunks("5;a\nhello\r\n0\r\n\r\n"), CHUNKED),
    Row("33", BODIES, 400, chunks("5;a\rb\r\nhello\r\n0\r\n\r\n"), CHUNKED),
    Row("33", BODIES, 400, chunks(f"5;\n4\r\nhello\r\n0\r\n\r\n{SMUGGLED}"), CHUNKED),
    Row("34", BODIES, 400, chunks("5;a=\"b\r\nhello\r\n0\r\n\"\r\n\r\n"), chunks("5;a=\"b\"\r\nhello\r\n0\r\n\r\n")),
    *(Row("35", BODIES, 400, chunks(f"{size}\r\nhello\r\n0\r\n\r\n"), CHUNKED)
      for size in ("5 ", " 5", "\t5", "0x5", "+5", "-5", "", "5_", "5\v", "5,5", "10000000000000005", "\xa05", "five", ";5", "5\x85")),
    Row("36", BODIES, 400, chunks("5\nhello\r\n0\r\n\r\n"), CHUNKED),
    Row("36", BODIES, 400, chunks("5\r\nhello\n0\r\n\r\n"), CHUNKED),
    Row("36", BODIES, 400, chunks("5\r\nhello!\r\n0\r\n\r\n"), CHUNKED),
    Row("36", BODIES, 400, chunks("5\r\nhello\r0\r\n\r\n"), CHUNKED),
    Row("36", BODIES, 400, chunks("5\r\nhello0\r\n\r\n"), CHUNKED),
    Row("36", BODIES, 400, chunks("5\r\nhello\r\n0\n\n"), CHUNKED),
    Row("36", BODIES, 400, chunks("5\r\nhello\r\n0\r\n\n"), CHUNKED),
    Row("38", BODIES, 400, chunks("5\r\nhello\r\n0\r\n X: 1\r\n\r\n"), chunks("5\r\nhello\r\n0\r\nHost: other.test\r\nAuthorization: x\r\n\r\n")),
    Row("38", BODIES, 400, chunks("5\r\nhello\r\n0\r\nX: a\nb\r\n\r\n"), chunks("5\r\nhello\r\n0\r\nX: ab\r\n\r\n")),
    Row("39", BODIES, 400, chunks("5\r\nhello\r\n0\r\nContent-Length: 9\r\n\r\n"), CHUNKED),
    Row("39", BODIES, 400, chunks("5\r\nhello\r\n0\r\ntransfer-encoding: chunked\r\n\r\n"), CHUNKED),
    Row("40", BODIES, 400, chunks("5\r\nhello\r\n00000000000000000\r\n\r\n"), chunks("005\r\nhello\r\n000\r\n\r\n")),
    Row("41", ALL, 400, host("Host: <H>\r\nHost: <H>\r\n"), host("Host: <H>\r\n")),
    Row("41", ALL, 400, host("Host: <H>\r\nhost: other.test\r\n"), host("Host: <H>\r\n")),
    Row("41", ALL, 400, host("Host: other.test\r\nHost: <H>\r\n"), host("Host: <H>\r\n")),
    Row("41", ALL, 400, host("Host: <H>, other.test\r\n"), host("Host: <H>\r\n")),
    Row("42", ALL, 400, host(""), host("Host: <H>\r\n")),
    Row("43", ALL, 400, host("Host:\r\n"), host("Host: <H>\r\n")),
    Row("43", ALL, 400, host("Host: \t\r\n"), host("Host: \t<H>\r\n")),
    Row("44", ALL, 400, host("Host: other.test\r\n"), host("Host: <H>\r\n")),
    Row("44", ALL, 400, host("Host: <H>0\r\n"), host("Host: <H>\r\n")),
    Row("44", PROXY, 400, host("Host: allowed.test:81\r\n"), host("Host: ALLOWED.test.:80\r\n")),
    Row("45", (PLAIN,), 400, line("<M> http://u:p@allowed.test/ HTTP/1.1"), line("<M> http://allowed.test/u:p@ HTTP/1.1")),
    Row("45", (PLAIN,), 400, line("<M> http://allowed.test@other.test/ HTTP/1.1"), line("<M> http://allowed.test/@other.test HTTP/1.1")),
    Row("45", ALL, 400, host("Host: u@<H>\r\n"), host("Host: <H>\r\n")),
    *(Row("45", (CONNECT,), 400, connect(place, f"{HOST}:80"), connect(f"{HOST}:80"))
      for place in (f"u@{HOST}:80", f"u:p@{HOST}:80", f"{HOST}:80@other.test:80", f"@{HOST}:80")),
    *(Row("46", (CONNECT,), 400, connect(place, f"{HOST}:80"), connect(f"{HOST}:80"))
      for place in (HOST, f"{HOST}:", f"{HOST}:80/", f"http://{HOST}:80", f"{HOST}:0", f"{HOST}:080", f"{HOST}:+80", f"{HOST}:65616", f"{HOST}:65536",
                    f"{HOST}:80:80", f"{HOST}:8 0", ":80", f"{HOST}:80?x", f"{HOST}:80#x", f"/{HOST}:80", "*", f"{HOST}:80,{HOST}:80")),
    Row("46", (PLAIN,), 400, line("<M> http://allowed.test:0/ HTTP/1.1"), line("<M> http://allowed.test:80/ HTTP/1.1")),
    Row("46", (PLAIN,), 400, line("<M> http://allowed.test:65616/ HTTP/1.1"), line("<M> http://allowed.test/ HTTP/1.1")),
    Row("47", (CONNECT,), 400, head("Content-Length: 0\r\n"), head()),
    Row("47", (CONNECT,), 400, head(LENGTH, "hello"), head("Content-Type: x\r\n")),
    Row("50", (VERB,), 400, head(LENGTH, "hello").replace("<M>", "GET"), head().replace("<M>", "GET")),
    Row("50", (VERB,), 400, head(CODING, "0\r\n\r\n").replace("<M>", "GET"), head("Content-Length: 0\r\n").replace("<M>", "GET")),
    Row("51", ALL, 400, "\r\n" + head(), head()),
    Row("51", ALL, 400, "\n" + head(), head()),
    *(Row("52", ALL, 400, line(first), line("<M> <T> HTTP/1.1"))
      for first in (" <M> <T> HTTP/1.1", "<M>  <T> HTTP/1.1", "<M> <T>  HTTP/1.1", "<M>\t<T> HTTP/1.1", "<M> <T>\tHTTP/1.1", "<M> <T> HTTP/1.1 ",
                    "<M> <T> x HTTP/1.1", "<M><T> HTTP/1.1", "<M> <T>", "<M>", "<M> <T> HTTP/1.1\t", "(<M>) <T> HTTP/1.1")),
    *(Row("55", ALL, 400, head(version=version), head())
      for version in ("0.9", "1.2", "1.10", "01.1", "2.0", "2", "1", "1.", "1.1x", "+1.1", "9.9")),
    Row("55", ALL, 400, line("<M> <T> http/1.1"), head()),
    Row("55", ALL, 400, line("<M> <T> HTTPS/1.1"), head()),
    Row("55", (PLAIN,), 400, "GET /\r\n\r\n", head()),
    Row("56", (PLAIN,), 400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", head()),
    Row("58", (VERB,), 400, line("GET * HTTP/1.1"), head()),
    Row("58", (VERB,), 405, line("OPTIONS * HTTP/1.1"), head()),
    *(Row("59", BODIES, 405, head().replace("<M>", method), head()) for method in ("TRACE", "TRACK")),
    *(Row("59", BODIES, 501, head().replace("<M>", method), head()) for method in ("BREW", "post", "CONNECTX", "PRI")),
    Row("59", (VERB,), 400, head().replace("<M>", "CONNECT"), head()),
    Row("60", (VERB,), 426, head("Connection: Upgrade\r\nUpgrade: websocket\r\n"), head("Connection: Downgrade\r\n")),
    Row("60", (VERB,), 426, head("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n"), head()),
    Row("61", BODIES, 417, head("Expect: 200-ok\r\n" + LENGTH, "hello"), head("Expect: 100-continue\r\n" + LENGTH, "hello")),
    Row("61", BODIES, 400, head("Expect: 100-continue\r\nExpect: 100-continue\r\n" + LENGTH), SIZED),
    Row("63", ALL, 431, head("".join(f"X-{n}: 1\r\n" for n in range(100))), head("".join(f"X-{n}: 1\r\n" for n in range(90)))),
    Row("63", ALL, 431, head("X: " + "a" * 9000 + "\r\n"), head("X: " + "a" * 7000 + "\r\n")),
    Row("63", ALL, 431, head("".join(f"X-{n}: {'a' * 7000}\r\n" for n in range(10))), head(f"X: {'a' * 7000}\r\n" * 5)),
    Row("63", (PLAIN,), 414, line(f"<M> <T>{'a' * 17000} HTTP/1.1"), line(f"<M> <T>?{'a' * 15000} HTTP/1.1")),
    *(Row("72", (VERB,), 403, line(f"<M> /_link/secret/key/v1/{path} HTTP/1.1"), line("<M> /_link/secret/key/v1/a/b HTTP/1.1"))
      for path in ("a//b", "./b", "a/../b", "%2e%2e/b", "a%2fb", "a%5cb", "a\\b", "a%00", "a;x", "%252e%252e/b", "%c0%ae%c0%ae/b", "a/..", "..;/b", "admin")),
    *(Row(number, (CONNECT,), status, connect(f"{place}:80"), connect(f"{HOST}:80"))
      for number, status, place in (
          ("73", 400, "allowed%2etest"), ("73", 400, "%61llowed.test"), ("74", 400, "[fe80::1%25eth0]"), ("74", 400, "[fe80::1%eth0]"),
          ("75", 400, "127.1"), ("75", 400, "0177.0.0.1"), ("75", 400, "0x7f.1"), ("75", 400, "2130706433"), ("75", 400, "017700000001"),
          ("75", 400, "0"), ("75", 400, "127.0.0.01"), ("75", 400, "127.0.0.1.1"), ("75", 400, "127.0.0.256"), ("75", 400, "0x7f000001"),
          ("75", 400, "allowed.0x1"), ("77", 400, f"{HOST}.."), ("77", 403, "127.0.0.1."), ("77", 400, "."), ("77", 400, f".{HOST}"),
          ("79", 400, "b\xc3\xbccher.test"), ("79", 400, "allowed\xe3\x80\x82test"), ("79", 400, "\xef\xbd\x81llowed.test"),
          ("79", 403, "xn--llowed-4ta.test"), ("81", 403, "[::ffff:127.0.0.1]"), ("81", 403, "[::1]"), ("81", 403, "[::]"), ("81", 400, "[::1"),
          ("81", 400, "::1"), ("81", 400, "[allowed.test]"), ("81", 400, "[127.0.0.1]"), ("81", 400, "[]"), ("81", 400, "[::1]x"),
          ("82", 403, "evil-allowed.test"), ("82", 403, "allowed.test.evil.com"), ("82", 403, "allowed.test-evil.com"), ("82", 403, "www.allowed.test"))),
    Row("78", PROXY, 400, host("Host: ALLOWED.test:443\r\n"), host("Host: aLLowed.TEST:80\r\n")),
]

IN_THE_BODY = {"32", "33", "34", "35", "36", "38", "39", "40"}  # these heads are sound

# Numbers of the list that no row can be: what a test of its own shows, and what has no verb here that reads a JSON body.
SHOWN_ELSEWHERE = {"48": "test_tunnels", "49": "test_heads", "65": "test_process"}
OF_BODY_READING_VERBS = {"64", "67", "68", "69", "70"}


def ok(fields="", body=""):
    return f"HTTP/1.1 200 OK\r\n{fields}\r\n{body}"


Reply = collections.namedtuple("Reply", "number refused allowed")

OK_LENGTH, OK_CHUNKED = ok(LENGTH, "hello"), ok(CODING, "5\r\nhello\r\n0\r\n\r\n")
INTERIM = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"

REPLIES = [
    Reply("83", INTERIM * 20 + OK_LENGTH, INTERIM * 3 + OK_LENGTH),
    Reply("83", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n" + OK_LENGTH),
    Reply("83", "HTTP/1.1 103 Early Hints\r\nContent-Length: 5\r\n\r\nhello" + OK_LENGTH, "HTTP/1.1 103 Early Hints\r\n\r\n" + OK_LENGTH),
    Reply("83", "HTTP/1.1 103 Early Hints\r\nX: a\rb\r\n\r\n" + OK_LENGTH, INTERIM + OK_LENGTH),
    Reply("85", ok(LENGTH + CODING, "0\r\n\r\n"), OK_LENGTH),
    Reply("85", ok(CODING + LENGTH, "5\r\nhello\r\n0\r\n\r\n"), OK_CHUNKED),
    Reply("85", ok("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"), OK_LENGTH),
    Reply("85", ok(LENGTH + LENGTH, "hello"), OK_LENGTH),
    *(Reply("85", ok(f"Content-Length: {value}\r\n", "hello"), OK_LENGTH) for value in ("+5", "5, 5", "0x5", "", "5x", "\v5", "18446744073709551621")),
    Reply("85", "HTTP/1.1 1000 OK\r\nContent-Length: 0\r\n\r\n", OK_LENGTH),
    Reply("85", "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n", OK_LENGTH),
    Reply("85", "HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
    Reply("85", "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"),
    Reply("85", OK_LENGTH.replace("\r\n", "\n"), OK_LENGTH),
    Reply("85", ok("X: a\nContent-Length: 5\r\n", "hello"), OK_LENGTH),
    Reply("85", ok("X: a\rb\r\n" + LENGTH, "hello"), OK_LENGTH),
    Reply("85", ok("X: a\0b\r\n" + LENGTH, "hello"), OK_LENGTH),
    Reply("85", ok("X : a\r\n" + LENGTH, "hello"), OK_LENGTH),
    Reply("85", ok("no colon\r\n" + LENGTH, "hello"), OK_LENGTH),
    Reply("85", "HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n", OK_LENGTH),
    Reply("85", "HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n"),
    Reply("85", "ICY 200 OK\r\n\r\n", OK_LENGTH),
    Reply("85", "\r\n" + OK_LENGTH, OK_LENGTH),
    Reply("86", ok("X: a\r\n b\r\n" + LENGTH, "hello"), ok("X: a b\r\n" + LENGTH, "hello")),
    Reply("86", ok("Content-Length:\r\n 5\r\n", "hello"), OK_LENGTH),
    Reply("87", "HTTP/1.1 099 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 599 X\r\nContent-Length: 0\r\n\r\n"),
    Reply("87", "HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n", OK_LENGTH),
    *(Reply("88", ok(f"Transfer-Encoding: {coding}\r\n", "5\r\nhello\r\n0\r\n\r\n"), OK_CHUNKED)
      for coding in ("xchunked", "gzip, chunked", "chunked, identity", "identity", '"chunked"', "chunked, chunked")),
    Reply("88", "HTTP/1.0 200 OK\r\n" + CODING + "\r\n0\r\n\r\n", "HTTP/1.0 200 OK\r\n" + LENGTH + "\r\nhello"),
]
