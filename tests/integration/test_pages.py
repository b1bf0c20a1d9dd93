# SPDX-License-Identifier: Apache-2.0
"""Pages that a sandbox has opened, and logins that come back: real runs, answered from another process, with a browser of the test's
in the place of the machine's xdg-open. It is put there by a mount of the run's own: no variable can name another."""

import json
import os
import select
import shlex
import shutil
import socket
import subprocess
import tempfile
import unittest

import product
from product import RUN_TIMEOUT_S, TREE, each_person

from rig import capability
from rig.loopback import Server

LOGIN = os.path.join(TREE, "tests", "integration", "login.py")
# Its own mounts, with the browser where the machine's program is.
WITH_BROWSER = """if [ -e /usr/bin/xdg-open ]; then mount --bind "$0" /usr/bin/xdg-open
else mount -t tmpfs none /usr/local/bin && cp -p "$0" /usr/local/bin/xdg-open; fi && exec "$@" """
OK = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nSet-Cookie: own=1\r\n\r\ndone"
WHERE = "https://login.test/authorize?client_id=a&state=s&redirect_uri="


def encoded(url):
    return url.replace(":", "%3A").replace("/", "%2F")


def moved(status, location):
    return f"HTTP/1.1 {status} Found\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class PagesTest(product.ProductTest):
    def setUp(self):
        super().setUp()
        self.place = self.as_root()  # the browser's place is the system's
        self.fifo = self.place.path("opened")
        os.mkfifo(self.fifo)
        self.opened = os.open(self.fifo, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, self.opened)
        self.browse_by(f'printf "%s\\n" "$#" "$1" "$(env | sort | tr \'\\n\' \' \')" >{shlex.quote(self.fifo)}')

    def browse_by(self, script):
        browser = self.place.write("xdg-open", f"#!/bin/sh\n{script}\n", 0o755)
        self.place.outer = ("unshare", "--mount", "sh", "-c", WITH_BROWSER, browser)

    def start(self, *arguments, **more):
        front = self.place.start("run", *arguments, environment={"DISPLAY": ":99", "LEAKED": "yes"}, stdin=subprocess.DEVNULL,
                                 stdout=-1, stderr=-1, **more)
        self.addCleanup(front.communicate)
        self.addCleanup(front.kill)
        return front

    def login(self, page, *flags, bind=("127.0.0.1",), port=0, replies=None, ends=1):
        """A program inside that logs in, with $BROWSER; its question is waited for."""
        program = self.place.write("work/login.py", open(LOGIN, encoding="utf-8").read())
        plan = {"page": page, "bind": bind, "port": port, "replies": replies or {"*": OK}, "ends": ends}
        return self.start("--open", *flags, "--", "python3", program, json.dumps(plan))

    def question(self, front):
        """The one that waits, once its run has told of it."""
        for line in front.stderr:
            if "lnk-sandbox answer " in line:
                return next(one for one in self.place.listing("answer") if one["id"] in line)
        return self.fail("nothing was asked")

    def answer(self, question, word="yes"):
        self.assert_done(self.place.lnk("answer", question["id"], word))

    def page(self):
        """What the browser was started with."""
        self.assertTrue(select.select([self.opened], [], [], RUN_TIMEOUT_S)[0], "no page was opened")
        text = ""
        while text.count("\n") < 3:
            select.select([self.opened], [], [], RUN_TIMEOUT_S)
            text += os.read(self.opened, 65536).decode()
        count, url, environment = text.split("\n")[:3]
        self.assertEqual(count, "1")
        self.assertNotIn("LEAKED", environment)
        self.assertNotIn("LNK_", environment)
        return url

    def nothing_opened(self):
        self.assertFalse(select.select([self.opened], [], [], 0)[0])

    def said(self, front):
        return json.loads(front.stdout.readline())

    def begin(self, front):
        """Answered yes and opened: the port, and the page's URL."""
        question = self.question(front)
        self.answer(question)
        url = self.page()
        self.assertEqual(question["lines"][0], url)
        said = self.said(front)
        self.assertEqual((said["code"], said["said"]), (0, ""))
        return said["port"], url

    def fetch(self, port, request, address="127.0.0.1"):
        with socket.create_connection((address, port), timeout=RUN_TIMEOUT_S) as stream:
            stream.sendall(request.encode())
            received = b""
            while piece := stream.recv(65536):
                received += piece
        return received.decode()

    def get(self, port, target, host="localhost", address="127.0.0.1"):
        return self.fetch(port, f"GET {target} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: other=1\r\nAccept: */*\r\n\r\n", address)

    def assert_own(self, reply, status=200):
        """Our own page: nothing of the program's."""
        self.assertTrue(reply.startswith(f"HTTP/1.1 {status} "), reply)
        self.assertIn("Content-Security-Policy: default-src 'none'", reply)
        self.assertIn("X-Content-Type-Options: nosniff", reply)
        for word in ("Set-Cookie", "<script", "Location"):
            self.assertNotIn(word, reply)

    def assert_closed(self, port):
        for address in ("127.0.0.1", "::1"):
            with self.assertRaises(OSError):
                self.get(port, "/", address=address)

    def requests(self, front):
        requests = self.said(front)
        self.assertEqual(front.wait(RUN_TIMEOUT_S), 0)
        return requests


class Pages(PagesTest):
    def ask(self, *urls, flags=("--open",)):
        return self.start(*flags, "--", "sh", "-c", "; ".join(f'"$BROWSER" {shlex.quote(url)}; echo $?' for url in urls))

    def test_a_page_opens_after_a_yes_with_the_url_that_was_asked(self):
        front = self.ask("HTTPS://Example.test/\u202e?a={b}#c")
        question = self.question(front)
        self.assertEqual((question["kind"], question["lines"]), ("page", ["https://example.test/%E2%80%AE?a=%7Bb%7D#c"]))
        self.nothing_opened()
        self.answer(question)
        self.assertEqual(self.page(), question["lines"][0])
        self.assertEqual(front.stdout.readline(), "0\n")
        self.assertNotIn("example.test", json.dumps(self.place.listing("log", "sandbox")))

    def test_after_a_no_nothing_opens_and_each_page_is_asked_again(self):
        front = self.ask("https://example.test/", "https://example.test/")
        self.answer(self.question(front), "no")
        self.assertEqual(front.stdout.readline(), "1\n")
        self.answer(self.question(front))
        self.assertEqual(self.page(), "https://example.test/")
        self.assertEqual(front.stdout.readline(), "0\n")

    def test_what_may_not_be_asked_for_is_refused_in_words(self):
        for url, words in (("http://localhost:8080/", "[localhost] ports = [8080]"), ("http://192.168.0.1/", "a private range"),
                           ("http://router/", "one label"), ("http://169.254.169.254/", "never opened"),
                           ("https://a@example.test/", "userinfo"), ("https://example.test\\@other.test/", "backslash")):
            with self.subTest(url):
                front = self.ask(url)
                self.assertEqual(front.stdout.readline(), "1\n")
                self.assertIn(words, front.communicate()[1])
        self.nothing_opened()

    def test_a_browser_that_fails_is_told(self):
        self.browse_by("exit 3")
        front = self.ask("https://example.test/")
        self.answer(self.question(front))
        self.assertEqual(front.stdout.readline(), "1\n")
        self.assertIn("no browser could be started", front.communicate()[1])

    def test_a_browser_that_stays_is_told_as_open_and_outlives_the_run(self):
        self.browse_by(f'printf "%s\\n" "$$" x y >{shlex.quote(self.fifo)}; exec tail -f /dev/null')
        front = self.ask("https://example.test/")
        self.answer(self.question(front))
        self.assertTrue(select.select([self.opened], [], [], RUN_TIMEOUT_S)[0])
        browser = int(os.read(self.opened, 65536).split()[0])
        self.addCleanup(os.kill, browser, 9)
        self.assertEqual(front.stdout.readline(), "0\n")  # after ten seconds
        self.assertEqual(front.wait(RUN_TIMEOUT_S), 0)
        os.kill(browser, 0)

    @each_person
    def test_without_the_grant_there_is_no_such_program_and_no_such_verb(self):
        script = "echo ${BROWSER-none}; curl -sS -o /dev/null -w '%{http_code}\\n' -d https://example.test/ $LNK_WIRE/_link/s/$LNK_SECRET/open"
        self.assert_started(self.place.shell(script, "--host", "allowed.test"), "none\n404\n")

    @each_person
    def test_it_runs_beside_a_list_of_programs_and_says_so(self):
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[commands]\nallow = ["sh"]\n[open]\npages = true\n')
        described = self.place.lnk("describe", "--spec", spec)
        self.assertIn("opens    pages in your browser, each only after you were asked with its whole URL", described.stdout)
        done = self.place.shell('"$BROWSER" file:///etc/passwd; echo $?', "--spec", spec, "--yes")
        self.assert_started(done, "2\n")
        self.assertIn("usage: lnk-open URL", done.stderr)


class Logins(PagesTest):
    """The shapes that programs have."""

    def test_two_requests_at_a_fixed_port_as_codex(self):
        front = self.login(WHERE + encoded("http://localhost:PORT/auth/callback"), port=1455, ends=2,
                           replies={"/auth/callback": moved(302, "http://localhost:PORT/success?id_token=t"), "/success": OK})
        port, _ = self.begin(front)
        self.assertEqual(port, 1455)
        self.assertEqual(self.get(port, "/favicon.ico").split()[1], "404")
        reply = self.get(port, "/auth/callback?code=c&state=s", address="::1")
        self.assertIn("HTTP/1.1 302 ", reply)
        self.assertIn("Location: http://localhost:1455/success?id_token=t\r\n", reply)
        self.assertEqual(self.get(port, "/auth/callback?code=second").split()[1], "404")
        self.assert_own(self.get(port, "/success?id_token=t"))
        first, second = self.requests(front)
        self.assertEqual((first["line"], second["line"]), ("GET /auth/callback?code=c&state=s HTTP/1.1", "GET /success?id_token=t HTTP/1.1"))
        self.assertEqual(first["fields"], {"Host": "localhost:1455", "Connection": "close"})
        self.assert_closed(port)

    def test_one_request_at_any_port_and_a_page_of_others_behind_it_as_gemini_wrangler_and_claude(self):
        for spelled, status in (("127.0.0.1", 301), ("localhost", 307)):
            with self.subTest(spelled):
                front = self.login(WHERE + encoded(f"http://{spelled}:PORT/oauth2callback"),
                                   replies={"/oauth2callback": moved(status, "https://end.test/success")})
                port, _ = self.begin(front)
                self.assertEqual(self.get(port, "/favicon.ico").split()[1], "404")
                self.assert_own(self.get(port, "/oauth2callback?code=c&state=s", host=spelled))
                [request] = self.said(front)
                self.assertEqual(request["line"], "GET /oauth2callback?code=c&state=s HTTP/1.1")
                self.assert_closed(port)
                front.wait(RUN_TIMEOUT_S)

    def test_the_page_that_ends_a_login_is_asked_as_any(self):
        # The program goes on, as one that logged in does.
        front = self.login(WHERE + encoded("http://localhost:PORT/cb"), replies={"/cb": moved(302, "https://end.test/success")}, ends=2)
        port, _ = self.begin(front)
        self.assert_own(self.get(port, "/cb?code=c"))
        question = self.question(front)
        self.assertEqual(question["lines"], ["https://end.test/success"])
        self.nothing_opened()
        self.answer(question)
        self.assertEqual(self.page(), "https://end.test/success")

    def test_a_form_that_is_posted_as_az(self):
        front = self.login(WHERE + encoded("http://localhost:PORT"), ends=1)
        port, _ = self.begin(front)
        self.assert_own(self.get(port, "/"))
        form = "code=c&state=s"
        self.assert_own(self.fetch(port, f"POST / HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: https://login.test\r\n"
                                         f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n{form}"))
        [request] = self.requests(front)
        self.assertEqual((request["line"], request["body"]), ("POST / HTTP/1.1", form))
        self.assertEqual(sorted(request["fields"]), ["Connection", "Content-Length", "Content-Type", "Host"])

    def test_a_root_path_and_a_program_on_the_other_family_as_gcloud(self):
        for bind in (["127.0.0.1"], ["::1"]):
            with self.subTest(bind):
                front = self.login(WHERE + encoded("http://localhost:PORT/"), bind=bind)
                port, _ = self.begin(front)
                self.assert_own(self.get(port, "/?code=c"))
                self.assertEqual(self.requests(front)[0]["line"], "GET /?code=c HTTP/1.1")

    def test_a_literal_ipv6_address(self):
        front = self.login(WHERE + encoded("http://[::1]:PORT/cb"), bind=["::1"])
        port, _ = self.begin(front)
        self.assert_own(self.get(port, "/cb?code=c", host="[::1]", address="::1"))
        self.assertEqual(self.requests(front)[0]["fields"]["Host"], f"[::1]:{port}")

    def test_a_taken_port_is_refused_and_nothing_opens(self):
        taken = Server(lambda stream: None)
        self.addCleanup(taken.close)
        front = self.login(WHERE + encoded("http://localhost:PORT/cb"), port=taken.port)
        self.answer(self.question(front))
        said = self.said(front)
        self.assertEqual(said["code"], 1)
        self.assertIn(f"returns to port {taken.port} of this machine, which another program has", said["said"])
        self.assertEqual(taken.count, 0)
        self.nothing_opened()

    def test_a_port_of_the_machine_that_the_spec_carries_is_left_to_the_machine(self):
        own = Server(lambda stream: None)
        self.addCleanup(own.close)
        front = self.start("--open", "--port", str(own.port), "--", "sh", "-c", f'"$BROWSER" "{WHERE}http://localhost:{own.port}/cb"; echo $?')
        question = self.question(front)
        self.assertEqual(len(question["lines"]), 1)
        self.answer(question)
        self.page()
        self.assertEqual(front.stdout.readline(), "0\n")

    def test_the_port_is_gone_with_the_run(self):
        front = self.login(WHERE + encoded("http://localhost:PORT/cb"))
        port, _ = self.begin(front)
        self.assert_own(self.get(port, "/cb"))
        front.kill()
        front.wait()
        with self.assertRaises(OSError):
            while True:  # the wire ends with its front's socket
                self.get(port, "/cb")

    def test_a_stopped_wire_passes_nothing_in(self):
        front = self.login(WHERE + encoded("http://localhost:PORT/cb"))
        port, _ = self.begin(front)
        self.assert_done(self.place.lnk("stop", "sandbox"))
        self.addCleanup(self.place.lnk, "resume", "sandbox")
        self.assertIn(self.get(port, "/cb?code=c")[9:12], ("", "503"))  # cut, where it is the first to see it
        self.assertEqual(self.get(port, "/cb?code=c")[9:12], "503")
        self.assert_done(self.place.lnk("resume", "sandbox"))
        self.assert_own(self.get(port, "/cb?code=d"))
        self.assertEqual([one["line"] for one in self.requests(front)], ["GET /cb?code=d HTTP/1.1"])

    def test_the_log_has_nothing_of_it(self):
        front = self.login(WHERE + encoded("http://localhost:PORT/cb"))
        port, _ = self.begin(front)
        self.get(port, "/cb?code=the-code&state=the-state")
        self.requests(front)
        log = json.dumps(self.place.listing("log", "sandbox"))
        self.assertIn("verb-open", log)
        for word in ("the-code", "the-state", "login.test", "/cb"):
            self.assertNotIn(word, log)


class RealBrowser(PagesTest):
    def setUp(self):
        super().setUp()
        capability.need("chromium")
        self.profile = tempfile.mkdtemp(prefix="chromium-")
        self.addCleanup(shutil.rmtree, self.profile, ignore_errors=True)
        # What it shows in the end is what the test reads.
        self.browse_by(f'exec chromium --headless --no-sandbox --disable-gpu --ignore-certificate-errors --user-data-dir={self.profile} '
                       f'--dump-dom "$1" >{shlex.quote(self.fifo)} 2>/dev/null')

    def shown(self):
        text = ""
        while "</html>" not in text:
            self.assertTrue(select.select([self.opened], [], [], RUN_TIMEOUT_S)[0], text)
            text += os.read(self.opened, 65536).decode()
        return text

    def test_chromium_logs_in_and_sees_our_own_page_whatever_the_program_says(self):
        stolen = "https://other.test/stolen"
        attack = f"<html><script>document.title='taken'; fetch('{stolen}')</script><img src='{stolen}'></html>"
        fields = f"Content-Length: {len(attack)}\r\nSet-Cookie: taken=1\r\nRefresh: 0;url={stolen}\r\n"
        said = moved(302, stolen).replace("Content-Length: 0\r\n", fields)
        port = 17655
        page = WHERE + encoded("http://localhost:PORT/cb")
        target = page.replace("PORT", str(port)).removeprefix("https://login.test")
        self.net.set_reply("allowed.test", target, moved(302, f"http://localhost:{port}/cb?code=c&state=s").encode())
        front = self.login(page.replace("login.test", "allowed.test"), port=port, replies={"/cb": said + attack})
        self.answer(self.question(front))
        shown = self.shown()
        self.assertIn("The login came back, and was passed to the program", shown)
        for word in ("taken", "script", "stolen"):
            self.assertNotIn(word, shown)
        self.assertEqual(self.said(front)["code"], 0)
        [request] = self.requests(front)
        self.assertEqual(request["line"], "GET /cb?code=c&state=s HTTP/1.1")
        self.assertEqual(self.net.requests("other.test"), [])


if __name__ == "__main__":
    unittest.main()
