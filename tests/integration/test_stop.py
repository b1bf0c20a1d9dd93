# SPDX-License-Identifier: Apache-2.0
"""stop, resume, paused and on-stop, and the limit of a spec, by what a running sandbox then reaches."""

import json
import os
import stat
import subprocess
import time
import unittest

import product
from product import EXIT_REFUSED, EXIT_USAGE, each_person

HOST = "allowed.test"
METADATA = "169.254.169.254"
LOOP = "while read host; do curl -sS -o /dev/null -w '%{http_code}\\n' http://$host/; done"


def waits_for(holds):
    end = time.monotonic() + product.RUN_TIMEOUT_S
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    return holds()


class StopTest(product.ProductTest):
    def spec(self, *more, hosts=(HOST,)):
        listed = ", ".join(f'"{host}"' for host in hosts)
        lines = ['name = "claude"', f'[files]\nwrite = ["{self.place.work}"]', f"[network]\nhosts = [{listed}]", *more]
        return self.place.spec("\n".join(lines) + "\n")

    def running(self, **more):
        """A run that asks for each host that it is given a line of."""
        front = self.place.start("run", "--spec", self.spec(), "--yes", "--", "sh", "-c", LOOP, stdin=-1, stdout=-1, stderr=-1, **more)
        self.addCleanup(front.communicate)
        return front

    def ask(self, front, host=HOST):
        front.stdin.write(host + "\n")
        front.stdin.flush()
        return front.stdout.readline().strip()

    def end(self, front):
        """What the person was told."""
        front.stdin.close()
        self.assertEqual(front.wait(product.RUN_TIMEOUT_S), 0)
        told = front.stderr.read().splitlines()
        front.stdin = None
        return told

    def done(self, *arguments):
        done = self.place.lnk(*arguments)
        self.assert_done(done)
        return done

    def switches(self):
        folder = os.path.join(self.place.settings, "wire")
        return {name for name in os.listdir(folder) if not name.endswith(".jsonl")} if os.path.exists(folder) else set()


class KillSwitch(StopTest):
    @each_person
    def test_stop_and_resume_of_all_and_of_one(self):
        front = self.running()
        for name in ((), ("claude",)):
            self.assertEqual(self.ask(front), "200")
            self.done("stop", *name)
            file, = self.switches()
            mode = os.stat(os.path.join(self.place.settings, "wire", file)).st_mode
            self.assertEqual((file, stat.S_IMODE(mode)), ("claude.stopped" if name else "stopped", 0o600))
            self.assertEqual(self.ask(front), "503")
            entry, = self.place.listing("paused")
            self.assertEqual((entry["name"], entry["state"]), ("claude" if name else None, "stopped"))
            self.assertEqual(set(entry), {"name", "state", "reason", "since"})
            self.done("resume", *name)
            self.assertEqual(self.ask(front), "200")
            self.assertEqual(self.place.listing("paused"), [])
        told = self.end(front)
        self.assertEqual([("stopped" in line, "open again" in line) for line in told], [(True, False), (False, True)] * 2, told)

    @each_person
    def test_another_name_goes_on_and_a_stop_of_all_stays_over_a_resume_of_one(self):
        front = self.running()
        self.assertIn("no wire named other", self.done("stop", "other").stderr)
        self.assertEqual(self.ask(front), "200")
        self.assertEqual(self.place.listing("paused", "claude"), [])
        self.done("stop")
        self.done("stop", "claude")
        self.assertIn("all wires are stopped still", self.done("resume", "claude").stderr)
        self.assertEqual(self.ask(front), "503")
        self.done("resume")
        self.assertEqual(self.ask(front), "200")

    @each_person
    def test_resume_of_what_is_open_and_wrong_names_are_refused(self):
        for name in ((), ("claude",)):
            done = self.place.lnk("resume", *name)
            self.assertEqual(done.returncode, EXIT_REFUSED)
            self.assertIn("lnk-sandbox paused", done.stderr)
        for command in ("stop", "resume", "paused"):
            for name in ("../x", "A", "a.b"):
                self.assertEqual(self.place.lnk(command, name).returncode, EXIT_USAGE, (command, name))
        self.assertEqual(self.switches(), set())

    @each_person
    def test_a_switch_made_by_hand_is_listed_and_one_that_can_not_be_written_is_no_stop(self):
        self.place.folder("settings", "wire")
        self.place.write("settings/wire/stopped", "", 0o600)
        entry, = self.place.listing("paused")
        self.assertEqual((entry["name"], entry["state"], entry["reason"]), (None, "stopped", ""))
        self.assertRegex(entry["since"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertIn("all wires  stopped since", self.done("paused").stdout)
        self.done("resume")
        os.mkdir(self.place.path("settings", "wire", "stopped"))
        done = self.place.lnk("stop")
        self.assertEqual(done.returncode, EXIT_REFUSED, done.stderr)
        self.assertIn("nothing was stopped", done.stderr)

    @each_person
    def test_nothing_inside_reads_or_turns_a_switch(self):
        self.done("stop")
        wire = os.path.join(self.place.settings, "wire")
        script = (f"ls {wire} || echo closed; cat {wire}/stopped || echo closed; rm -f {wire}/stopped; mkdir -p {wire};"
                  f"echo >{wire}/other.paused; {self.place.program} resume; curl -sS -o /dev/null -w '%{{http_code}}\\n' http://{HOST}/")
        flags = ("--read", self.place.root, "--write", self.place.work, "--host", HOST, "--name", "claude", "--env", f"LNK_X={wire}")
        done = self.place.shell(script, *flags[:-2])
        self.assert_started(done)
        self.assertEqual(done.stdout.splitlines()[1:], ["closed", "closed", "503"], done.stderr)
        self.assertEqual(self.switches(), {"stopped"})


class Pause(StopTest):
    @each_person
    def test_a_pause_is_told_once_listed_logged_and_lifted_by_resume_alone(self):
        front = self.running()
        self.assertEqual([self.ask(front, host) for host in (METADATA, METADATA, HOST, METADATA, HOST, HOST)],
                         ["403", "403", "200", "403", "503", "503"])
        entry, = self.place.listing("paused", "claude")
        self.assertEqual((entry["name"], entry["state"]), ("claude", "paused"))
        self.assertIn("metadata", entry["reason"])
        self.assertEqual(self.place.lnk("resume").returncode, EXIT_REFUSED)  # of all: there is none
        self.assertEqual(self.ask(front), "503")
        self.done("resume", "claude")
        self.assertEqual(self.ask(front), "200")
        told = self.end(front)
        self.assertEqual(len([line for line in told if "is paused" in line]), 1, told)
        self.assertIn("lnk-sandbox resume claude", told[0])
        lines = [line for line in self.place.listing("log", "claude") if line["event"] in ("pause", "resume")]
        self.assertEqual([(line["event"], line.get("reason")) for line in lines], [("pause", "metadata"), ("resume", None)])

    @each_person
    def test_a_run_that_starts_while_its_name_is_paused_is_paused(self):
        front = self.running()
        for _ in range(3):
            self.ask(front, METADATA)
        self.end(front)
        later = self.running()
        self.assertEqual(self.ask(later), "503")
        self.done("resume", "claude")
        self.assertEqual(self.ask(later), "200")
        self.assertIn("paused", self.end(later)[0])

    def test_the_desktop_is_told_by_a_program_with_an_environment_of_nothing_else(self):
        self.place = self.as_root()
        told = self.place.path("told")
        program = self.place.write("notify-send", f"#!/bin/sh\nenv >{told}.env\nprintf '%s\\n' \"$@\" >{told}.new\nmv {told}.new {told}\n", 0o755)
        stage = f'mount -t tmpfs -o mode=755 programs /usr/local/bin && cp {program} /usr/local/bin/ && exec "$@"'
        self.place.outer = ("unshare", "--mount", "--", "sh", "-c", stage, "sh")
        display = {"DISPLAY": ":9", "XDG_RUNTIME_DIR": "/run/user/0", "LD_PRELOAD": "", "SECRET": "x"}
        for environment, expected in (({}, False), (display, True)):
            front = self.running() if not environment else self.place.start(
                "run", "--spec", self.spec(), "--yes", "--", "sh", "-c", LOOP, stdin=-1, stdout=-1, stderr=-1, environment=environment)
            for _ in range(3):
                self.assertEqual(self.ask(front, METADATA), "403")
            self.assertEqual(self.ask(front), "503")
            is_told = waits_for(lambda: os.path.exists(told)) if expected else os.path.exists(told)
            self.assertEqual(is_told, expected)
            self.end(front)
            subprocess.run(self.place.command("resume", "claude"), env=self.place.environment(), check=True, capture_output=True)
        with open(told, encoding="utf-8") as file:
            self.assertIn("the wire of claude is paused", file.read())
        with open(told + ".env", encoding="utf-8") as file:
            names = {line.partition("=")[0] for line in file} - {"PWD", "SHLVL", "_", "OLDPWD"}  # the shell's own
        self.assertLessEqual(names, {"DISPLAY", "XDG_RUNTIME_DIR", "HOME"})


class Limits(StopTest):
    @each_person
    def test_a_specs_limit_is_described_kept_and_held(self):
        spec = self.spec("[limits]\ncalls_per_minute = 2")
        self.assertIn("at most 2 times a minute in each run", self.done("describe", "--spec", spec).stdout)
        self.assertEqual(json.loads(self.done("describe", "--spec", spec, "--json").stdout)["grants"]["limits"], {"calls_per_minute": 2})
        done = self.place.run("--spec", spec, "--yes", "--", "sh", "-c", f"echo started; for i in 1 2 3; do echo {HOST}; done | ({LOOP})")
        self.assert_started(done, "200\n200\n429\n")
        again = self.place.run("--spec", spec, "--", "curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", f"http://{HOST}/")
        self.assertEqual(again.stdout, "200", again.stderr)  # each run counts for itself
        spec = self.spec()
        self.assertEqual(json.loads(self.done("describe", "--spec", spec, "--json").stdout)["grants"]["limits"], {"calls_per_minute": None})

    @each_person
    def test_a_limit_without_a_wire_to_hold_it_is_refused(self):
        spec = self.place.spec("[network]\ndirect = true\n[limits]\ncalls_per_minute = 2\n")
        done = self.place.lnk("describe", "--spec", spec)
        self.assertEqual(done.returncode, EXIT_REFUSED)
        self.assertIn("calls_per_minute", done.stderr)


class OnStop(StopTest):
    def script(self, name, text):
        return self.place.write(name, "#!/bin/sh\n" + text + "\n", 0o755)

    @each_person
    def test_stop_runs_what_is_registered_for_all_or_for_the_name_and_says_how_it_ended(self):
        told = self.place.path("told")
        for name, code in (("one", 0), ("two", 3)):
            self.done("on-stop", "add", name, "--", self.script(name, f"echo {name} \"$@\" >>{told}; env >{told}.env; exit {code}"), "--now", "a b")
        listed = self.place.listing("on-stop", "list")
        self.assertEqual([entry["name"] for entry in listed], ["one", "two"])
        self.assertEqual(listed[0]["command"], [self.place.path("one"), "--now", "a b"])
        done = self.done("stop", "one")
        self.assertIn("ended with 0", done.stderr)
        with open(told, encoding="utf-8") as file:
            self.assertEqual(file.read(), "one --now a b\n")
        with open(told + ".env", encoding="utf-8") as file:
            variables = dict(line.rstrip("\n").split("=", 1) for line in file)
        self.assertLessEqual(set(variables), {"PATH", "HOME", "USER", "LOGNAME", "LNK_HOME", "PWD", "SHLVL", "_", "OLDPWD"})
        self.assertEqual(variables["LNK_HOME"], self.place.settings)
        done = self.done("stop")  # the switch is on, whatever became of what is registered
        self.assertIn("on-stop two: ", done.stderr)
        self.assertIn("ended with 3", done.stderr)
        with open(told, encoding="utf-8") as file:
            self.assertEqual(sorted(file.read().splitlines()), ["one --now a b", "one --now a b", "two --now a b"])
        self.done("on-stop", "remove", "two")
        self.assertEqual([entry["name"] for entry in self.place.listing("on-stop", "list")], ["one"])
        self.assertEqual(self.place.lnk("on-stop", "remove", "two").returncode, EXIT_REFUSED)

    @each_person
    def test_what_can_not_be_run_is_refused_when_it_is_added_and_told_when_it_is_run(self):
        theirs = self.script("theirs", "true")
        os.chmod(theirs, 0o777)
        for command, words in ((theirs, "theirs"), ("no-such-program-at-all", "not found")):
            done = self.place.lnk("on-stop", "add", "one", "--", command)
            self.assertEqual(done.returncode, EXIT_REFUSED)
            self.assertIn(words, done.stderr)
        for arguments in (("add", "one"), ("add", "one", "--"), ("add", "A", "--", "true"), ("remove",), ("drop",), ()):
            self.assertEqual(self.place.lnk("on-stop", *arguments).returncode, EXIT_USAGE, arguments)
        self.assertEqual(self.place.listing("on-stop", "list"), [])
        mine = self.script("mine", "true")
        self.done("on-stop", "add", "one", "--", mine)
        os.chmod(mine, 0o777)
        self.assertIn("can't be started", self.done("stop").stderr)
        self.done("on-stop", "add", "one", "--", "true")
        self.assertIn("ended with 0", self.done("stop").stderr)


if __name__ == "__main__":
    unittest.main()
