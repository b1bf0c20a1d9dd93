# SPDX-License-Identifier: Apache-2.0
"""[verb.<id>]: a verb of others is given its table, held to its schema, and opens what the table names and no more."""

import json
import os
import shutil
import subprocess
import unittest

import product
from product import each_person

from rig import capability

MODULE = os.path.join(os.environ.get("LNK_BUILD", os.path.join(product.TREE, "build", "release")), "tests", "verb-host", "verb-tabled.so")
FIXTURES = os.environ.get("LNK_TEST_FIXTURES", os.path.join(product.TREE, "build", "release", "tests", "modules"))
# argv: a port, a path on the wire. Serves that port, then asks the wire, and prints what it says and what was asked of the port.
PROGRAM = """
import http.server, os, sys, threading, urllib.error, urllib.request
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        asked.append(self.path)
        self.send_response(204); self.end_headers()
    def log_message(self, *words): pass
asked = []
server = http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    print(opener.open(os.environ["LNK_WIRE"] + "/_link/tabled/" + sys.argv[2], timeout=30).read().decode().strip())
except urllib.error.HTTPError as error:
    print(error.code, error.headers["Link-Refused"])
print(asked)
"""
CALL = "curl -sS -w '%{http_code}\\n' \"$LNK_WIRE/_link/tabled/PATH\""


def is_wire_of(process, front):
    try:
        with open(f"/proc/{process}/cmdline", encoding="utf-8") as words, open(f"/proc/{process}/stat", encoding="utf-8") as stat:
            return words.read() == "lnk-wire\0" and stat.read().rsplit(")", 1)[1].split()[1] == str(front)
    except OSError:  # it has ended
        return False


class VerbTables(product.ProductTest):
    def setUp(self):
        super().setUp()
        if not os.path.exists(MODULE):
            capability.lack("fixtures", f"{MODULE} is not built")

    def with_module(self, source=MODULE):
        folder = self.place.folder("modules")
        target = os.path.join(folder, os.path.basename(source))
        shutil.copyfile(source, target)
        os.chmod(target, 0o644)
        self.place.person.give(target)
        self.added = ("--module-dir", folder)
        return target

    def spec_of(self, table, more=""):
        return self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n{more}[verb.tabled]\n{table}\n')

    def lnk(self, *arguments, **more):
        return self.place.lnk(*self.added, *arguments, **more)

    def shell(self, spec, script, *flags):
        return self.lnk("run", "--spec", spec, *flags, "--", "sh", "-c", "echo started; " + script)

    def call(self, spec, path):
        return self.shell(spec, CALL.replace("PATH", path), "--yes")

    def start(self, kept):
        """As a harness would, with an environment of its own."""
        return subprocess.run([*self.place.person.prefix, *kept["argv"]], cwd=self.place.work, capture_output=True, text=True,
                              env=self.place.person.environment(**kept["env"]), timeout=product.RUN_TIMEOUT_S, check=False)

    def program(self, spec, port, path):
        file = self.place.write(os.path.join("work", "program.py"), PROGRAM)
        return self.lnk("run", "--spec", spec, "--yes", "--", "sh", "-c", f"echo started; python3 {file} {port} {path}")

    @each_person
    def test_what_a_verb_did_wrong_is_told_by_the_front(self):
        self.with_module()
        done = self.call(self.spec_of('greeting = "hello"'), "in/9")
        self.assertIn("lnk-sandbox: verb verb-tabled refused a call by a fault of its own: a call to port 9 inside, which is not granted\n",
                      done.stderr)
        self.assertEqual(done.stderr.count("lnk-sandbox: lnk-sandbox"), 0, done.stderr)

    def test_the_wire_has_no_stream_of_the_persons(self):
        capability.need("root")  # the wire can't be looked at by an ordinary user
        self.place = self.as_root()
        self.with_module()
        spec = self.spec_of('greeting = "hello"')
        run = self.place.start(*self.added, "run", "--spec", spec, "--yes", "--", "sh", "-c", "echo started; read line",
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(run.communicate)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), "started\n")
        streams = {os.readlink(f"/proc/{run.pid}/fd/{fd}") for fd in range(3)}
        wires = [process for process in filter(str.isdigit, os.listdir("/proc")) if is_wire_of(process, run.pid)]
        self.assertEqual(len(wires), 1)
        held = {os.readlink(f"/proc/{wires[0]}/fd/{fd}") for fd in os.listdir(f"/proc/{wires[0]}/fd")}
        self.assertEqual(held & streams, set())

    @each_person
    def test_a_table_that_fits_is_given_to_the_verb_as_it_stands(self):
        self.with_module()
        spec = self.spec_of('share = 0.1\ngreeting = "hello"\nmode = "fast"')
        self.assert_started(self.call(spec, "table"), '{"greeting":"hello","mode":"fast","share":0.1}200\n')
        # What no table names is refused as ever.
        done = self.shell(self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["api.test"]\n'),
                          CALL.replace("PATH", "table"), "--yes")
        self.assert_started(done)
        self.assertEqual(done.stdout.splitlines()[-1], "404")

    @each_person
    def test_each_misfit_is_told_with_its_line(self):
        self.with_module()
        spec = self.spec_of('greeting = "Hello"\nhosts = ["api.test", 7, "127.0.0.1", "*.test", "api.test"]\nports = [0, "x"]\nretries = 10\n'
                            'mode = "odd"\nhost = "api.test"')
        done = self.shell(spec, "true", "--yes")
        at = spec + ":"
        self.assert_refused(
            done, at + '4:1: [verb.tabled] /greeting: is "Hello", which isn\'t of the form "^[a-z]+$"',
            at + "5:22: [verb.tabled] /hosts/1: is a number, and a string is wanted",
            at + '5:25: [verb.tabled] /hosts/2: "127.0.0.1" is closed', at + '5:38: [verb.tabled] /hosts/3: "*.test"',
            at + "5:48: [verb.tabled] /hosts/4: is in the list already", at + "6:10: [verb.tabled] /ports/0: is 0, which is no port",
            at + "6:13: [verb.tabled] /ports/1: is a string, and a whole number is wanted",
            at + "7:1: [verb.tabled] /retries: is 10, and at most 9 is wanted", at + '8:1: [verb.tabled] /mode: is "odd", and one of "fast", "slow" is taken',
            at + "9:1: [verb.tabled] /host: is a key that the verb doesn't know")
        self.assert_refused(self.shell(self.spec_of("retries = 1"), "true", "--yes"), at + '3:7: [verb.tabled] it lacks the key "greeting"')
        # What no schema says is the module's own to refuse, before the program starts.
        self.assert_refused(self.shell(self.spec_of('greeting = "nobody"'), "true", "--yes"), "nobody is not greeted", "verb-tabled")

    @each_person
    def test_a_host_of_the_table_is_reached_by_the_verb_alone(self):
        self.with_module()
        spec = self.spec_of('greeting = "hello"\nhosts = ["api.test"]')
        self.assert_started(self.call(spec, "out/api.test"), "hello from api.test\n200\n")
        request, = self.net.requests("api.test")
        self.assertTrue(request["tls"])
        self.net.reset()
        done = self.shell(spec, "curl -sS -o /dev/null -w '%{http_connect}\\n' https://api.test/")
        self.assert_started(done, "403\n")
        # One that the table doesn't name: nothing is asked or connected to.
        done = self.call(spec, "out/allowed.test")
        self.assert_started(done)
        self.assertNotEqual(done.stdout.splitlines()[-1], "200")
        self.assertEqual((self.net.requests(), self.net.queries(), self.net.connections()), ([], [], []))

    @each_person
    def test_a_module_that_wants_more_than_its_table_opens_ends_the_start(self):
        self.with_module()
        self.assert_refused(self.call(self.spec_of('greeting = "hello"\nalso = ["api.test"]'), "table"), "verb-tabled", "api.test")
        self.assertEqual(self.net.queries(), [])

    @each_person
    def test_the_program_is_called_on_a_port_of_the_table_and_on_no_other(self):
        self.with_module()
        spec = self.spec_of('greeting = "hello"\nports = [8080]')
        self.assert_started(self.program(spec, 8080, "in/8080"), "inside said 204\n['/called']\n")
        done = self.program(spec, 8081, "in/8081")
        self.assert_started(done)
        self.assertEqual(done.stdout.splitlines()[-1], "[]")
        self.assertNotIn("inside said", done.stdout)

    @each_person
    def test_ports_and_hosts_that_would_lead_elsewhere_are_refused(self):
        self.with_module()
        at = self.place.path("spec.toml") + ":"
        done = self.shell(self.spec_of('greeting = "hello"\nports = [40781]'), "true", "--yes")
        self.assert_refused(done, at + "5:10: port 40781 is where the wire listens inside")
        done = self.shell(self.spec_of('greeting = "hello"\nports = [5432]', "[localhost]\nports = [5432]\n"), "true", "--yes")
        self.assert_refused(done, at + "7:10: port 5432 is one of this machine, carried in (" + at + "4:10)")
        done = self.shell(self.spec_of('greeting = "hello"', "[network]\ndirect = true\n"), "true", "--yes")
        self.assert_refused(done, "[verb] goes through the wire, and [network] direct = true (line 4) leaves it out")

    @each_person
    def test_what_the_table_opens_is_described_approved_and_asked_about_again(self):
        self.with_module()
        spec = self.spec_of('greeting = "hello"\nhosts = ["api.test:8443"]\nports = [8080]')
        lines = ('uses     the verb "tabled", code of others that runs outside beside the wire, with {"greeting":"hello","hosts":["api.test:8443"],"ports":[8080]}',
                 'reaches  api.test (port 8443) by the verb "tabled" alone, with TLS', 'is called on its own port 8080 by the verb "tabled"')
        for command in ("describe", "approve"):
            done = self.lnk(command, "--spec", spec)
            self.assert_done(done)
            for line in lines:
                self.assertIn("  " + line + "\n", done.stdout)
        described = json.loads(self.lnk("describe", "--spec", spec, "--json").stdout)
        self.assertTrue(described["approved"])
        verb, = described["grants"]["verbs"]
        self.assertEqual((verb["id"], verb["hosts"], verb["inside_ports"]), ("tabled", [{"name": "api.test", "port": 8443}], [8080]))
        self.assert_started(self.shell(spec, "true"), "")
        answer = json.loads(self.lnk("why", "--spec", spec, "--json", "host", "api.test:8443").stdout)
        self.assertEqual((answer["allowed"], answer["rule"], answer["mend"]), (False, "verb-host", None))
        self.assertIn('the verb "tabled" may, with TLS', answer["words"])
        # Any other text is asked about, though it opens nothing more.
        for table in ('greeting = "hi"\nhosts = ["api.test:8443"]\nports = [8080]', 'greeting = "hello"\nhosts = ["api.test:8443"]\nports = [8080, 8081]'):
            changed = self.spec_of(table)
            self.assert_refused(self.shell(changed, "true"), "approve")
        done = self.lnk("describe", "--spec", changed)
        self.assertIn('new   is called on its own port 8081 by the verb "tabled"', done.stdout)

    @each_person
    def test_a_kept_command_holds_the_module_that_it_was_made_with(self):
        target = self.with_module()
        spec = self.spec_of('greeting = "hello"')
        self.assert_done(self.lnk("approve", "--spec", spec))
        done = self.lnk("wrap", "--spec", spec, "--json", "--", "sh", "-c", "echo started; " + CALL.replace("PATH", "table"))
        self.assert_done(done)
        kept = json.loads(done.stdout)
        self.assert_started(self.start(kept), '{"greeting":"hello"}200\n')
        with open(target, "ab") as file:
            file.write(b"\n")
        stale = self.start(kept)
        self.assertNotIn("started", stale.stdout)
        self.assertEqual(stale.returncode, product.EXIT_REFUSED, stale.stderr)
        self.assertIn("another file than the snapshot holds", stale.stderr)
        # A run takes it as it is now.
        self.assert_started(self.call(spec, "table"), '{"greeting":"hello"}200\n')

    @each_person
    def test_a_verb_that_is_not_there_or_takes_no_table_is_one_clear_line(self):
        self.with_module()
        spec = self.place.spec('[verb.absent]\nx = 1\n')
        done = self.shell(spec, "true", "--yes")
        self.assert_refused(done, spec + ":1:7: [verb.absent] there is no module 'verb-absent' in ", "--module-dir")
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for fixture, words in (("good", "carries no schema, so it takes no table"), ("needs_much", "fixture.moon")):
            self.with_module(os.path.join(FIXTURES, fixture, "verb-fixture.so"))
            spec = self.place.spec('[verb.fixture]\n')
            self.assert_refused(self.shell(spec, "true", "--yes"), spec + ":1:7: [verb.fixture] the module ", words)
        for own, table in (("secret", "[secrets]"), ("model", "[model]"), ("mcp", "[tools]"), ("open", "[open]"), ("local", "[model] local")):
            spec = self.place.spec(f"[verb.{own}]\n")
            self.assert_refused(self.shell(spec, "true", "--yes"), f"1:7: [verb.{own}] is no table", table + " says what it may do")

    @each_person
    def test_a_table_of_this_system_alone_is_one_too(self):
        self.with_module()
        head = f'[files]\nwrite = ["{self.place.work}"]\n'
        self.assert_started(self.call(self.place.spec(head + '[linux.verb.tabled]\ngreeting = "hello"\n'), "table"), '{"greeting":"hello"}200\n')
        spec = self.place.spec(head + '[verb.tabled]\ngreeting = "hello"\n[linux.verb.tabled]\ngreeting = "hi"\n')
        self.assert_refused(self.shell(spec, "true", "--yes"), '5:13: the verb "tabled" has a table already (line 3)')
        # The other system's is looked at for its form alone.
        self.assert_started(self.shell(self.place.spec(head + '[macos.verb.absent]\nx = 1\n'), "true", "--yes"), "")


if __name__ == "__main__":
    unittest.main()
