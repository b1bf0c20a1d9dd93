# SPDX-License-Identifier: Apache-2.0
"""Which programs run under a list, tried by programs that ran in the sandbox; each refusal with its allowed twin."""

import functools
import os
import re
import select
import shutil
import signal
import subprocess
import unittest

import wall
from ways import (BY_DESCRIPTOR, BY_NAME_OF_DESCRIPTOR, BY_PATH, IN_MEMORY, MADE_INSIDE, OF_MEMORY, expect, unlisted)

def each(*kernels):
    """Root and an ordinary user, each on the kernels named: what they lack."""
    def wrap(test):
        @functools.wraps(test)
        def run(self):
            uids = [0, wall.ORDINARY_UID] if os.geteuid() == 0 else [os.geteuid()]
            for person in (wall.Person(uid, lacks) for uid in uids for lacks in kernels):
                with self.subTest(str(person)), wall.Place(person) as place:
                    test(self, place)
        return run
    return wrap


every_kernel = each(())


class Programs(unittest.TestCase):
    def setUp(self):
        self.maxDiff = None

    def lay_out(self, place):
        """A folder that is written, and one to read with the program that tries and the one that is tried."""
        place.grant("write", place.folder("work"))
        for name in ("tries", "other"):
            shutil.copy(os.path.join(wall.BUILD, "bin", "run_tries"), place.path(place.folder("bin"), name))
            os.chmod(place.path("bin", name), 0o755)
        place.grant("read", place.path("bin"))
        place.started = place.path("bin/tries")
        return place.path("bin/other")

    def tries(self, place, watch="listed", which=("all",)):
        """What each try answered, and what was said on the standard error."""
        options = ("--watch", watch) if watch else ()
        run = place.run(place.path("bin/tries"), place.path("work"), place.path("bin/other"), *which,
                        cwd=place.path("work"), options=options)
        self.assertEqual(run.returncode, 0, run.stderr)
        answers = dict(line.split(": ", 1) for line in run.stdout.splitlines())
        return answers, run.stderr.splitlines()

    def check(self, answers, wanted):
        self.assertEqual({way: answers.get(way) for way in wanted}, wanted)

    @every_kernel
    def test_what_is_not_listed_runs_in_no_way(self, place):
        other = self.lay_out(place)
        place.allow()
        answers, said = self.tries(place)
        self.check(answers, unlisted(seals=True))
        for way in ("mapped_anonymous", "mapped_system_v"):
            self.assertIn(answers[way], ("EPERM", "EACCES", "ENOENT"), way)
        named = [line for line in said if line.startswith("program ")]
        self.assertIn(f"program refused {other} by {place.started}", named)
        self.assertEqual(len(named), len(set(named)), "each is named once")
        self.assertFalse([line for line in named if "allowed" in line or line.endswith(f"{place.started} by lnk-sandbox")])

    @every_kernel
    def test_what_is_listed_runs_by_every_name_it_has(self, place):
        other = self.lay_out(place)
        place.allow(other)
        answers, said = self.tries(place)
        self.check(answers, {**expect("ran", *BY_PATH, *BY_NAME_OF_DESCRIPTOR), **expect("ENOSYS", *BY_DESCRIPTOR),
                             **expect("EACCES", *MADE_INSIDE, *IN_MEMORY)})
        self.assertFalse([line for line in said if line.startswith(f"program refused {other}")], said)

    @every_kernel
    def test_a_folder_is_listed_with_all_below_it_and_nothing_beside_it(self, place):
        other = self.lay_out(place)
        place.allow(place.path("bin") + "/")
        answers, _ = self.tries(place)
        self.check(answers, {**expect("ran", *BY_PATH), **expect("EACCES", *MADE_INSIDE, *IN_MEMORY)})
        beside = place.path(place.folder("bin2"), "other")
        shutil.copy(other, beside)
        place.grant("read", place.path("bin2"))
        run = place.run(place.path("bin/tries"), place.path("work"), beside, "path_plain", cwd=place.path("work"),
                        options=("--watch", "listed"))
        self.assertEqual(run.stdout, "path_plain: EACCES\n")
        self.assertIn(f"program refused {beside} by {place.started}", run.stderr)

    @each((), ("landlock",), ("notify",), ("memfd-seal",))
    def test_without_a_list_all_of_it_runs(self, place):
        self.lay_out(place)
        answers, _ = self.tries(place, watch=None)
        lacks_seal = "memfd-seal" in place.person.poorer
        self.check(answers, {**expect("ran", *BY_PATH, *BY_NAME_OF_DESCRIPTOR, *BY_DESCRIPTOR, *MADE_INSIDE, *IN_MEMORY[:3],
                                      "memory_descriptor"), **OF_MEMORY,
                             "memory_exec": "EINVAL" if lacks_seal else "ran",
                             "memory_sealed": "EINVAL" if lacks_seal else "EACCES"})

    @each(("notify",), ("memfd-seal",), ("notify", "memfd-seal"))
    def test_where_nothing_can_be_sealed_memory_files_are_refused_and_the_list_holds(self, place):
        other = self.lay_out(place)
        place.allow()
        has_listener = "notify" not in place.person.poorer
        answers, said = self.tries(place, watch="listed" if has_listener else None)
        self.check(answers, unlisted(seals=False))
        self.assertEqual(f"program refused {other} by {place.started}" in said, has_listener)
        plan = place.plan()
        self.assertRegex(plan, r"holding 2 commands .*memory files can't be made")
        self.assertEqual("isn't named" in plan, not has_listener)

    @each((), ("notify",), ("memfd-seal",), ("killable",))
    def test_what_the_machine_can_is_told_by_trying(self, place):
        command = [*place.person.prefix, wall.DRIVER, wall.MODULE, "probe"]
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=wall.RUN_TIMEOUT_S).stdout
        supported, degraded, unsupported = 1, 2, 3
        for name, lacks in (("linux.exec_watch", ("notify",)), ("linux.sealed_memory", ("notify", "memfd-seal"))):
            has_it = not set(lacks) & set(place.person.poorer)
            state = supported if has_it else unsupported
            if name == "linux.exec_watch" and "killable" in place.person.poorer:
                state = degraded
            line, = (line for line in said.splitlines() if line.startswith(f"{name} "))
            self.assertIn(f" state={state} ", line)
            self.assertEqual(line.endswith("| "), has_it, "a mend where one is due")

    @each(("landlock",), ("landlock-off",), ("landlock-refused",))
    def test_without_landlock_a_list_starts_nothing(self, place):
        self.lay_out(place)
        place.allow()
        run = place.run(place.path("bin/tries"), place.path("work"), place.path("bin/other"), "path_plain", cwd=place.path("work"))
        self.assertEqual(run.returncode, wall.NOT_STARTED)
        self.assertEqual(run.stdout, "")
        self.assertIn("[commands]: needs Landlock", run.stderr)

    @every_kernel
    def test_what_the_sandbox_could_write_is_not_let_run(self, place):
        self.lay_out(place)
        shutil.copy(place.path("bin/other"), place.path("work/own"))
        for listed in (place.path("work/own"), place.path("work") + "/", place.root + "/", place.home + "/", "/tmp/", "/var/"):
            place.programs = None
            place.allow(listed)
            run = place.run(place.path("bin/tries"), place.path("work"), place.path("work/own"), "path_plain", cwd=place.path("work"))
            self.assertEqual((run.returncode, run.stdout), (wall.NOT_STARTED, ""), listed)
            self.assertIn("the sandbox could write it", run.stderr)
        # The nearest place decides: named to be read, it isn't written any more.
        place.programs = None
        place.grant("read", place.path("work/own"))
        place.allow(place.path("work/own"))
        run = place.run(place.path("bin/tries"), place.path("work"), place.path("work/own"), "path_plain", cwd=place.path("work"))
        self.assertEqual(run.stdout, "path_plain: ran\n", run.stderr)

    @every_kernel
    def test_a_listed_program_that_is_gone_or_another_starts_nothing(self, place):
        other = self.lay_out(place)
        place.allow(other)
        place.plan()
        os.unlink(other)
        run = place.run(place.path("bin/tries"), place.path("work"), other, "path_plain", cwd=place.path("work"))
        self.assertEqual(run.returncode, wall.NOT_STARTED)
        self.assertIn("a program that may run", run.stderr)
        os.symlink("/usr/bin/true", other)
        run = place.run(place.path("bin/tries"), place.path("work"), other, "path_plain", cwd=place.path("work"))
        self.assertEqual(run.returncode, wall.NOT_STARTED)

    @every_kernel
    def test_every_start_is_told_where_that_is_asked_for(self, place):
        place.grant("write", place.folder("work"))
        script = place.file("work/script", "#!/usr/bin/env sh\ntrue; /usr/bin/true\ncd /usr/bin && ./id -u\n", 0o755)
        run = place.run(script, cwd=place.path("work"), options=("--watch", "all"))
        self.assertEqual(run.returncode, 0, run.stderr)
        told = [line for line in run.stderr.splitlines() if line.startswith("program ")]
        shell = os.path.realpath("/bin/sh")
        self.assertEqual(told, [f"program allowed {script} by lnk-sandbox", "program allowed /usr/bin/env by lnk-sandbox",
                                f"program allowed {shell} by /usr/bin/env", f"program allowed /usr/bin/true by {shell}",
                                f"program allowed /usr/bin/id by {shell}"])

    @every_kernel
    def test_an_interpreter_that_is_not_listed_is_the_one_that_is_named(self, place):
        place.grant("write", place.folder("work"))
        place.grant("read", place.folder("bin"))
        script = place.file("bin/script", "#!/usr/bin/env sh\n", 0o755)
        place.allow(script, "/bin/sh")
        place.started = os.path.realpath("/bin/sh")
        command = ("/bin/sh", "-c", f"{script}; echo went on")
        run = place.run(*command, cwd=place.path("work"), options=("--watch", "listed"))
        self.assertEqual(run.stdout, "went on\n")
        self.assertIn(f"program refused /usr/bin/env by {place.started}", run.stderr)
        place.allow("/usr/bin/env")
        run = place.run(*command, cwd=place.path("work"), options=("--watch", "listed"))
        self.assertNotIn("refused", run.stderr)

    @every_kernel
    def test_names_of_any_bytes_are_told(self, place):
        other = self.lay_out(place)
        place.allow()
        name = os.fsencode(place.path("work/")) + b"a \n\"\xff\\"
        shutil.copy(other, name)
        run = subprocess.run([os.fsencode(part) for part in place.command(
            place.path("bin/tries"), place.path("work"), "NAME", "path_plain", cwd=place.path("work"),
            options=("--watch", "listed"))][:-2] + [name, b"path_plain"], capture_output=True, timeout=wall.RUN_TIMEOUT_S)
        self.assertEqual(run.stdout, b"path_plain: EACCES\n", run.stderr)
        self.assertIn(b"program refused " + name + b" by ", run.stderr)


class Watch(unittest.TestCase):
    """The watch under load, and gone."""

    LOOPS, STARTS = 16, 50_000

    def lay_out(self, place):
        for name, of in (("storm", "exec_storm"), ("listed", "run_tries"), ("unlisted", "run_tries")):
            shutil.copy(os.path.join(wall.BUILD, "bin", of), place.path(place.folder("bin"), name))
            os.chmod(place.path("bin", name), 0o755)
        place.grant("read", place.path("bin"))
        place.started = place.path("bin/storm")
        place.allow(place.path("bin/listed"))

    def start(self, place, loops, count):
        command = place.command(place.started, str(loops), str(count), place.path("bin/listed"), place.path("bin/unlisted"),
                                cwd=place.path("bin"), options=("--watch", "listed"))
        run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        self.assertEqual(run.stdout.readline(), "begun\n")
        return run

    def end_of(self, run):
        said, errors = run.communicate(timeout=wall.RUN_TIMEOUT_S * 4)
        self.assertEqual(run.returncode, 0, errors)
        found = re.fullmatch(r"listed (\d+) of (\d+), unlisted (\d+) of (\d+), memory (\w+)\n", said)
        self.assertTrue(found, said)
        return [int(number) for number in found.groups()[:4]], found.group(5), errors.splitlines()

    def many_starts(self, place):
        self.lay_out(place)
        is_first = place.person.uid == os.geteuid() and not place.person.poorer
        starts = self.STARTS if is_first else self.STARTS // 10
        counts, memory, said = self.end_of(self.start(place, self.LOOPS, starts))
        each_loop = starts // self.LOOPS
        tried = each_loop * self.LOOPS
        self.assertEqual(counts, [tried, tried, 0, -(-each_loop // 16) * self.LOOPS])
        self.assertEqual(memory, "ok")
        self.assertEqual(said, [f"program refused {place.path('bin/unlisted')} by {place.started}"])

    @every_kernel
    def test_of_many_starts_with_signals_flying_none_is_lost_and_none_named_wrongly(self, place):
        self.many_starts(place)

    @each(("killable",))
    def test_of_many_starts_where_waits_can_not_be_made_killable_none_is_lost_either(self, place):
        self.many_starts(place)

    @every_kernel
    def test_a_watch_that_is_killed_leaves_the_list_as_it_was_and_nobody_waiting(self, place):
        self.lay_out(place)
        run = self.start(place, self.LOOPS, 0)
        os.kill(watch_below(run.pid), signal.SIGKILL)
        counts, memory, said = self.end_of(run)
        self.assertEqual(counts[0], counts[1])
        self.assertEqual(counts[2], 0)
        self.assertGreater(counts[3], 0)
        self.assertEqual(memory, "ENOSYS")
        self.assertEqual(sum("the exec watch has ended" in line for line in said), 1, said)

    @every_kernel
    def test_the_watch_can_not_be_read_and_ends_with_its_sandbox(self, place):
        self.lay_out(place)
        run = self.start(place, 1, 0)
        watch = watch_below(run.pid)
        pidfd = os.pidfd_open(watch)
        with open(f"/proc/{watch}/status", encoding="ascii") as file:
            status = dict(line.split(":\t", 1) for line in file.read().splitlines() if ":\t" in line)
        self.assertEqual((status["CapEff"], status["CapPrm"], status["NoNewPrivs"], status["Seccomp"]),
                         ("0" * 16, "0" * 16, "1", "2"))
        if place.person.uid == 0 and os.geteuid() == 0:
            # Not dumpable: its files in /proc are root's, whoever it is.
            self.assertEqual(os.stat(f"/proc/{watch}/mem").st_uid, 0)
        self.end_of(run)
        ready, _, _ = select.select([pidfd], [], [], wall.RUN_TIMEOUT_S)
        self.assertTrue(ready, "it is still there")


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(number) for number in file.read().split()]


def name_of(pid):
    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
        return file.read().strip()


def watch_below(driver):
    """The number of its exec watch: the child of the keeper that is a keeper too."""
    keeper, = (child for child in children_of(driver) if name_of(child) == "keeper")
    watch, = (child for child in children_of(keeper) if name_of(child) == "keeper")
    return watch


if __name__ == "__main__":
    unittest.main()
