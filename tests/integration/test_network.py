# SPDX-License-Identifier: Apache-2.0
"""The one way out: real clients through the wire, with nothing set beyond the environment that the sandbox is given."""

import json
import os
import signal
import subprocess
import unittest

import product
from product import each_person
from leftovers import Moment  # after product, by which the rig is found
from rig import capability, client, sites

HOSTS = ("allowed.test", "git.test", "registry.test")


class NetworkTest(product.ProductTest):
    def spec(self, *more, hosts=HOSTS):
        listed = ", ".join(f'"{host}"' for host in hosts)
        return self.place.spec("\n".join([f'[files]\nwrite = ["{self.place.work}"]', f"[network]\nhosts = [{listed}]", *more]) + "\n")

    def inside(self, script, *more, **options):
        return self.place.shell(script, "--spec", self.spec(*more, **options), "--yes")


class Clients(NetworkTest):
    @each_person
    def test_curl_reaches_a_listed_host_and_no_other(self):
        done = self.inside("curl -sS https://allowed.test/; curl -sS -o /dev/null -w '%{http_connect}\\n' https://other.test/")
        self.assert_started(done, "hello from allowed.test\n403\n")
        self.assertEqual(self.net.queries("other.test"), [])
        self.assertEqual([one for one in self.net.requests() if one["host"] != "allowed.test"], [])
        request, = self.net.requests("allowed.test")
        self.assertTrue(request["tls"])
        done = self.inside("curl -sS https://other.test/", hosts=("other.test",))
        self.assert_started(done, "hello from other.test\n")

    @each_person
    def test_a_refusal_names_its_reason_and_the_key_that_would_allow_it(self):
        done = self.inside("curl -sS -i http://other.test/")
        self.assert_started(done)
        self.assertIn("HTTP/1.1 403 ", done.stdout)
        self.assertIn("link-refused: host-not-listed", done.stdout.lower())
        self.assertIn("hosts", done.stdout.partition("\n\n")[2] or done.stdout.splitlines()[-1])
        self.assertEqual(self.net.queries("other.test"), [])

    @each_person
    def test_plain_http_goes_through_and_arrives_rewritten(self):
        done = self.inside("curl -sS http://allowed.test/a?b=c -H 'Proxy-Connection: close' -H 'X-Kept: yes'")
        self.assert_started(done, "hello from allowed.test\n")
        request, = self.net.requests("allowed.test")
        names = [name.lower() for name, _ in request["fields"]]
        self.assertEqual((request["method"], request["target"]), ("GET", "/a?b=c"))
        self.assertIn("x-kept", names)
        self.assertNotIn("proxy-connection", names)

    @each_person
    def test_git_clones_over_https(self):
        done = self.inside(f"git clone -q https://git.test/{sites.REPOSITORY} clone && cat clone/README")
        self.assert_started(done, sites.README_TEXT)

    @each_person
    def test_npm_installs_a_package(self):
        capability.need("npm")
        # npm's registry, and node's trust in the rig's authority, are the rig's to arrange.
        settings = f'npm_config_registry = "https://{sites.REGISTRY}/", NODE_EXTRA_CA_CERTS = "{client.TRUST_FILE}"'
        script = f"npm install --no-audit --no-fund {sites.PACKAGE} >log 2>&1 || cat log; node -e \"require('{sites.PACKAGE}')\""
        done = self.inside(script, f"[env]\nset = {{ {settings} }}")
        self.assert_started(done, sites.PACKAGE + "\n")

    @each_person
    def test_pythons_urllib_works(self):
        probe = "import urllib.request as u; print(u.urlopen('https://allowed.test/').read().decode(), end='')"
        self.assert_started(self.inside(f'python3 -c "{probe}"'), "hello from allowed.test\n")

    @each_person
    def test_wget_reaches_a_listed_host_and_no_other(self):
        capability.need("wget")
        done = self.inside("for scheme in http https; do wget -q -O - $scheme://allowed.test/; wget -q -O - $scheme://other.test/ || echo refused; done")
        self.assert_started(done, "hello from allowed.test\nrefused\n" * 2)
        self.assertEqual((self.net.queries("other.test"), self.net.requests("other.test")), ([], []))

    @each_person
    def test_pythons_http_client_by_its_own_tunnel_reaches_a_listed_host_and_no_other(self):
        probe = ("import http.client, os, ssl, sys, urllib.parse as u; place = u.urlsplit(os.environ['HTTPS_PROXY']); "
                 "link = http.client.HTTPSConnection(place.hostname, place.port, context=ssl.create_default_context()); link.set_tunnel(sys.argv[1], 443); "
                 "link.request('GET', '/'); print(link.getresponse().read().decode(), end='')")
        done = self.inside(f'python3 -c "{probe}" allowed.test; python3 -c "{probe}" other.test 2>&1 | tail -n 1')
        self.assert_started(done)
        said = done.stdout.splitlines()
        self.assertIn("hello from allowed.test", said)
        self.assertIn("403", said[-1])
        self.assertEqual(self.net.queries("other.test"), [])

    @each_person
    def test_chromium_takes_its_proxy_from_the_environment(self):
        capability.need("chromium")
        # It reads no store of the system's: the rig's authority is unknown to it. HTTPS is a tunnel all the same.
        chromium = "chromium --headless --no-sandbox --disable-gpu --ignore-certificate-errors --dump-dom"
        done = self.inside(f"{chromium} https://allowed.test/ 2>log; {chromium} https://other.test/ 2>>log | grep -c hello")
        self.assert_started(done)
        self.assertIn("hello from allowed.test", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "0")
        self.assertEqual((self.net.queries("other.test"), self.net.requests("other.test")), ([], []))

    @each_person
    def test_a_host_by_flag_needs_no_spec(self):
        done = self.place.shell("curl -sS https://allowed.test/", "--host", "allowed.test")
        self.assert_started(done, "hello from allowed.test\n")


class WayRound(NetworkTest):
    @each_person
    def test_there_is_no_way_but_the_wire(self):
        probe = "import socket; socket.create_connection(('93.184.215.10', 443), 5); print('connected')"
        done = self.inside(f'python3 -c "{probe}" || echo refused; curl -sS --noproxy "*" https://allowed.test/ || echo refused')
        self.assert_started(done, "refused\nrefused\n")
        self.assertEqual(self.net.connections(), [])
        self.assertEqual(self.net.queries(), [])

    @each_person
    def test_a_listed_name_that_resolves_to_a_closed_address_is_refused(self):
        closed = ("loopback.test", "private.test", "machine.test", "metadata.test", "mapped.test")
        script = "; ".join(f"curl -sS -o /dev/null -w '%{{http_code}}\\n' http://{name}/" for name in closed)
        done = self.inside(script, hosts=closed)
        self.assert_started(done, "403\n" * len(closed))
        self.assertEqual(self.net.connections(), [])

    @each_person
    def test_an_address_is_no_way_round_a_name(self):
        done = self.inside("curl -sS -o /dev/null -w '%{http_code}\\n' http://93.184.215.10/ -H 'Host: allowed.test'")
        self.assert_started(done)
        self.assertIn(done.stdout.splitlines()[1], ("400", "403"))
        self.assertEqual(self.net.connections(), [])

    @each_person
    def test_a_port_that_is_not_named_is_refused(self):
        script = "curl -sS -o /dev/null -w '%{http_connect}\\n' https://allowed.test:8443/"
        self.assert_started(self.inside(script), "403\n")
        self.assertEqual(self.net.connections(), [])
        self.assert_started(self.inside(script, hosts=("allowed.test:8443",)), "200\n")

    @each_person
    def test_a_star_covers_what_is_under_a_name_and_not_itself(self):
        script = "; ".join(f"curl -sS -o /dev/null -w '%{{http_code}}\\n' http://{name}/" for name in ("www.allowed.test", "allowed.test"))
        self.assert_started(self.inside(script, hosts=("*.allowed.test",)), "200\n403\n")

    @each_person
    def test_a_spec_may_list_very_many_hosts(self):
        many = "".join(f'"host-{number}.example.com", "*.under-{number}.example.org", ' for number in range(50_000))
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = [{many} "allowed.test"]\n')
        self.assert_done(self.place.lnk("approve", "--spec", spec))
        done = self.place.shell("curl -sS https://allowed.test/; curl -sS -o /dev/null -w '%{http_connect}' https://other.test/", "--spec", spec)
        self.assert_started(done, "hello from allowed.test\n403")

    @each_person
    def test_large_bodies_pass_both_ways(self):
        size = 50_000_000
        script = (f"curl -sS -o /dev/null -w '%{{size_download}}\\n' https://allowed.test/bytes/{size};"
                  f"head -c {size} /dev/zero >body; for scheme in http https; do curl -sS -T body $scheme://allowed.test/sink; done")
        self.assert_started(self.inside(script), f"{size}\n{size}{size}")


class WireProcess(NetworkTest):
    def running(self):
        """A run that waits inside, and the processes that it started outside and in, by name."""
        before = Moment().processes
        spec = self.spec()
        front = self.place.start("run", "--spec", spec, "--yes", "--", "sh", "-c", "echo started; curl -sS https://allowed.test/; read go",
                                 stdin=-1, stdout=-1, stderr=-1)
        self.addCleanup(front.communicate)
        self.assertEqual((front.stdout.readline(), front.stdout.readline()), ("started\n", "hello from allowed.test\n"))
        found = {}
        for number, name in Moment().processes.items():
            if number not in before and number != front.pid:
                found.setdefault(name, []).append(number)
        return found

    @staticmethod
    def status(number):
        with open(f"/proc/{number}/status", encoding="utf-8") as file:
            return {line.partition(":")[0]: line.partition(":")[2].strip() for line in file}

    def assert_powerless(self, number, *sets):
        fields = self.status(number)
        self.assertEqual({name: int(fields[name], 16) for name in sets}, dict.fromkeys(sets, 0))
        self.assertEqual((fields["NoNewPrivs"], fields["Seccomp"]), ("1", "2"))

    @each_person
    def test_the_wire_holds_no_capability_and_can_gain_none(self):
        wire, = self.running()["wire"]
        self.assert_powerless(wire, "CapInh", "CapPrm", "CapEff", "CapAmb")

    @each_person
    def test_the_resolver_holds_no_capability_either(self):
        first, looks_up = sorted(self.running()["resolver"])
        self.assert_powerless(looks_up, "CapInh", "CapPrm", "CapEff", "CapAmb")
        self.assertEqual((int(self.status(first)["CapPrm"], 16), self.status(first)["NoNewPrivs"]), (0, "1"))

    @each_person
    def test_the_net_helper_keeps_one_capability_and_few_system_calls(self):
        keepers = [self.status(number) for number in self.running()["keeper"]]
        helper, = [fields for fields in keepers if fields["NoNewPrivs"] == "1"]
        sets = {name: int(helper[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")}
        bind_service = 1 << 10
        self.assertEqual(sets, {"CapInh": 0, "CapPrm": bind_service, "CapEff": bind_service, "CapAmb": 0})
        self.assertEqual(helper["Seccomp"], "2")

    @each_person
    def test_the_person_cannot_open_the_wires_memory_or_descriptors(self):
        wire, = self.running()["wire"]
        ordinary = client.people()[1]
        other = subprocess.Popen([*ordinary.prefix, "cat"], stdin=-1, stdout=-1, text=True)
        self.addCleanup(other.communicate)
        other.stdin.write("started\n")
        other.stdin.flush()
        self.assertEqual(other.stdout.readline(), "started\n")
        for what in ("mem", "environ", "fd/0"):
            probe = "import os, sys; os.close(os.open(f'/proc/{sys.argv[1]}/{sys.argv[2]}', os.O_RDONLY)); print('opened')"
            looks = [subprocess.run([*ordinary.prefix, "python3", "-c", probe, str(number), what], capture_output=True, text=True, check=False)
                     for number in (wire, other.pid)]
            self.assertIn("PermissionError", looks[0].stderr, what)
            if os.environ["LNK_RIG_ROOT"] == "real" and what == "environ":
                self.assertEqual(looks[1].stdout, "opened\n", looks[1].stderr)


class VanishingClients(NetworkTest):
    # Each is gone in the middle of something: a head, a body, a tunnel, the reply; with a reset or an end.
    PROBE = """
import os, socket, struct
where = ("127.0.0.1", int(os.environ["LNK_WIRE"].rpartition(":")[2]))
heads = (b"", b"GET http://allow", b"POST http://allowed.test/sink HTTP/1.1\\r\\nHost: allowed.test\\r\\nContent-Length: 1000000\\r\\n\\r\\npart",
         b"CONNECT allowed.test:443 HTTP/1.1\\r\\nHost: allowed.test:443\\r\\n\\r\\n",
         b"GET http://allowed.test/bytes/50000000 HTTP/1.1\\r\\nHost: allowed.test\\r\\n\\r\\n", b"\\0\\xff\\r\\n\\r\\n")
for turn in range(30):
    for head in heads:
        for reset in (False, True):
            stream = socket.create_connection(where)
            stream.sendall(head)
            if turn % 2 and head.startswith((b"C", b"G")) and head.endswith(b"\\n"):
                stream.recv(10)
            if reset:
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            stream.close()
"""

    @each_person
    def test_clients_that_vanish_leave_the_wire_serving_others(self):
        self.place.write("work/vanish.py", self.PROBE)
        done = self.inside("python3 vanish.py && curl -sS https://allowed.test/")
        self.assert_started(done, "hello from allowed.test\n")
        self.assertEqual(done.stderr, "")

    @each_person
    def test_a_reader_that_vanishes_ends_the_run_and_leaves_nothing(self):
        spec = self.spec()
        self.assert_started(self.place.shell("curl -sS https://allowed.test/", "--spec", spec, "--yes"))
        before = Moment(self.place.root)
        front = self.place.start("run", "--spec", spec, "--", "sh", "-c", "echo started; exec yes", stdin=-3, stdout=-1, stderr=-1)
        self.assertEqual(front.stdout.readline(), "started\n")
        front.stdout.close()
        self.assertEqual(front.wait(product.RUN_TIMEOUT_S), 128 + signal.SIGPIPE)
        self.assertEqual(front.stderr.read(), "")
        front.stderr.close()
        self.assertEqual(before.difference(), [])


class Log(NetworkTest):
    @each_person
    def test_refusals_that_repeat_are_counted_by_the_runs_end(self):
        spec = self.place.spec(f'name = "repeats"\n[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["allowed.test"]\n')
        script = "curl -sS -o /dev/null " + " ".join(f"http://other.test/{number}" for number in range(30))
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"))
        lines = self.place.listing("log", "repeats")
        self.assertEqual([line.get("count") for line in lines], [None] * 10 + [20])
        self.assertEqual({(line["event"], line["host"], line["reason"]) for line in lines}, {("refused", "other.test", "host-not-listed")})

    @each_person
    def test_each_call_has_its_lines_and_none_tells_what_was_asked(self):
        script = "curl -sS http://allowed.test/path-of-mine -H 'X-Mine: value-of-mine'; curl -sS -o /dev/null https://other.test/"
        spec = self.place.spec(f'name = "logged"\n[files]\nwrite = ["{self.place.work}"]\n[network]\nhosts = ["allowed.test"]\n')
        self.assert_started(self.place.shell(script, "--spec", spec, "--yes"))
        path = os.path.join(self.place.settings, "wire", "logged.jsonl")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([(one["event"], one.get("host")) for one in lines],
                         [("open", "allowed.test"), ("close", "allowed.test"), ("refused", "other.test")])
        self.assertEqual(lines[2]["reason"], "host-not-listed")
        self.assertNotIn("-of-mine", text)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        shown = self.place.listing("log", "logged")
        self.assertEqual(shown, [{**line, "name": "logged"} for line in lines])


if __name__ == "__main__":
    unittest.main()
