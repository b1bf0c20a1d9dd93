# SPDX-License-Identifier: Apache-2.0
"""Names that are read only inside, replaced from outside while a run lives: held again, or the run ends."""

import ctypes
import os
import select
import shutil
import signal
import subprocess
import time
import unittest

import product
from product import each_person
from rig import capability
from terminal import descendants

# Asked by a line: "open PATH" tries to open it for writing and writes nothing; "state PID" tells how a process is, "wait" starts one
# that "end PID" ends.
INSIDE = r"""
import os, signal, sys, time
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "open":
        try:
            os.close(os.open(rest, os.O_WRONLY))
            print("opened", flush=True)
        except OSError as error:
            print(error.strerror, flush=True)
    elif word == "stop":
        pid = os.fork()
        if pid == 0:
            os.kill(os.getpid(), signal.SIGSTOP)
            os._exit(0)
        os.waitpid(pid, os.WUNTRACED)
        print(pid, flush=True)
    elif word == "wait":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        pid = os.fork()
        if pid == 0:
            signal.sigwait({signal.SIGUSR1})
            os._exit(0)
        print(pid, flush=True)
    elif word == "end":
        os.kill(int(rest), signal.SIGUSR1)
        end = time.monotonic() + 30
        while (gone := os.waitpid(int(rest), os.WNOHANG)[0]) == 0 and time.monotonic() < end:
            time.sleep(0.001)
        print("ended" if gone else "stays", flush=True)
    elif word == "state":
        print(open(f"/proc/{rest}/stat").read().rpartition(")")[2].split()[0], flush=True)
"""
READ_ONLY = "Read-only file system"
SEIZE, INTERRUPT, DETACH, ANY_CHILD = 0x4206, 0x4207, 17, 0x40000000  # ptrace(2), waitpid(2)'s __WALL


def field_of(pid, name):
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        return next(line for line in file if line.startswith(name + ":")).split()[1:]


def until(what, words):
    deadline = time.monotonic() + 30
    while not what():
        if time.monotonic() > deadline:
            raise AssertionError(words)

# A child that stops itself again and again and is let go on each time by its parent, which tells of each fifty, beside many that
# sleep. What stops the child otherwise is nobody's to end but who did it.
STOPPED_AND_CONTINUED = r"""
import os, signal, sys
end, (told, tell) = sys.argv[1], os.pipe()
child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    while not os.path.exists(end):
        os.kill(os.getpid(), signal.SIGTSTP)
        os.write(tell, b"x")
    os._exit(0)
os.close(tell)
sleepers = []
for _ in range(200):
    sleepers.append(os.fork())
    if sleepers[-1] == 0:
        signal.pause()
rounds = 0
while True:
    _, status = os.waitpid(child, os.WUNTRACED)
    if not os.WIFSTOPPED(status):
        break
    if os.WSTOPSIG(status) != signal.SIGTSTP:
        continue
    os.kill(child, signal.SIGCONT)
    if os.read(told, 1):
        rounds += 1
    if rounds % 50 == 1:
        print("round", flush=True)
for sleeper in sleepers:
    os.kill(sleeper, signal.SIGKILL)
print("over", flush=True)
"""


def command_of(pid):
    with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
        return file.read().split("\0")


def front_of(pid):
    """The product itself, where another program starts it."""
    return next(one for one in (pid, *descendants(pid)) if command_of(one)[0] == product.BIN)


class ReplacedNames(product.ProductTest):
    def started(self, folder="work", **more):
        """A run whose spec lies in the folder that it writes, and is read only for it."""
        self.kept = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\n', f"{folder}/spec.toml")
        return self.running("run", "--spec", self.kept, "--yes", **more)

    def running(self, *command, program=(INSIDE,)):
        run = self.place.start(*command, "--", "python3", "-c", *program, stdin=-1, stdout=-1, stderr=-1)
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.stderr.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        self.addCleanup(run.stdin.close)
        return run

    def ask(self, run, words):
        run.stdin.write(words + "\n")
        run.stdin.flush()
        said = run.stdout.readline()
        if not said:
            self.fail((run.wait(product.RUN_TIMEOUT_S), run.stderr.read()))
        return said.rstrip("\n")

    def replace(self, text):
        """As an editor saves."""
        os.replace(self.place.write("beside", text), self.kept)

    def until_refused(self, run):
        """The front sees a replacement only after it happened, which is why this is asked more than once."""
        deadline = time.monotonic() + 30
        while (said := self.ask(run, f"open {self.kept}")) != READ_ONLY:
            self.assertEqual(said, "opened")
            self.assertLess(time.monotonic(), deadline, "it was never held again")

    @each_person
    def test_a_name_replaced_again_and_again_is_held_each_time(self):
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        for text in ("one\n", "two\n", "three\n"):
            self.replace(text)
            self.until_refused(run)
            with open(self.kept, encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        self.assertEqual(self.ask(run, f"open {self.place.write('work/ordinary', '')}"), "opened")
        run.stdin.close()
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), 0, run.stderr.read())

    @each_person
    def test_saves_that_follow_each_other_closely_end_nothing(self):
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        for number in range(300):
            self.replace(f"{number}\n")
        self.until_refused(run)
        with open(self.kept, encoding="utf-8") as file:
            self.assertEqual(file.read(), "299\n")
        self.assertEqual(self.ask(run, f"open {self.place.write('work/ordinary', '')}"), "opened")
        run.stdin.close()
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), 0, run.stderr.read())

    def slow_to_mount(self, delay_s):
        """A run whose names are held again late: each has been looked at, and its mount waits so long. The calls are told in a file."""
        capability.need("strace")
        calls = self.place.write("calls", "")
        self.place.outer = ("strace", "-f", "-qq", "-o", calls, "-e", "signal=none", "-e", "trace=mount_setattr")
        self.place.outer += ("-e", f"inject=mount_setattr:delay_enter={int(delay_s * 1e6)}")
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        self.replace("one\n")
        deadline = time.monotonic() + 30
        while not os.path.getsize(calls):
            self.assertLess(time.monotonic(), deadline, "it was never held again")
        return run

    @each_person
    def test_a_save_between_the_look_at_a_name_and_its_mount_leaves_nobody_stopped(self):
        run = self.slow_to_mount(0.2)
        self.replace("two\n")
        self.until_refused(run)
        run.stdin.close()
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), 0)

    @each_person
    def test_a_front_that_is_killed_while_a_name_is_mounted_takes_the_program_along(self):
        run = self.slow_to_mount(150)
        below = list(descendants(run.pid))
        program = os.pidfd_open(next(pid for pid in below if command_of(pid)[:2] == ["python3", "-c"]))
        self.addCleanup(os.close, program)
        os.kill(below[0], signal.SIGKILL)
        self.assertEqual(select.select([program], [], [], 60)[0], [program])

    @each_person
    def test_a_program_that_ends_while_a_name_is_replaced_ends_the_run_as_ever(self):
        for _ in range(20):
            run = self.started()
            self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
            for number in range(20):
                self.replace(f"{number}\n")
            run.stdin.close()
            self.assertEqual((run.wait(product.RUN_TIMEOUT_S), run.stderr.read()), (0, ""))

    @each_person
    def test_what_a_spec_reads_inside_what_it_writes_is_held_again_too(self):
        self.kept = self.place.write("work/.mcp.json", "{}\n")
        spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{self.kept}"]\n')
        run = self.running("run", "--spec", spec, "--yes")
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        for text in ("one\n", "two\n"):
            self.replace(text)
            self.until_refused(run)
        self.assertEqual(self.ask(run, f"open {self.place.write('work/ordinary', '')}"), "opened")

    @each_person
    def test_a_name_removed_and_made_again_is_held_though_its_file_has_the_old_number(self):
        # A file system in memory and ext4 both give a freed number straight back.
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        for text in ("one\n", "two\n", "three\n", "four\n"):
            os.unlink(self.kept)
            self.place.write("work/spec.toml", text)
            self.until_refused(run)

    @each_person
    def test_a_folder_far_above_it_put_there_anew_ends_the_run(self):
        self.place.folder("work", "a", "b", "c")
        for moved in ("work/a", "work"):
            self.kept = self.place.write("work/a/b/c/kept", "good\n")
            spec = self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{self.kept}"]\n', f"{moved.replace('/', '-')}.toml")
            run = self.running("run", "--spec", spec, "--yes")
            self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
            os.rename(self.place.path(*moved.split("/")), self.place.path("away"))
            os.rename(self.place.path("away"), self.place.path(*moved.split("/")))
            self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
            self.assertIn("a folder above it was moved or removed", run.stderr.read())

    @each_person
    def test_a_held_folder_that_is_removed_outside_ends_the_run(self):
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        os.rmdir(self.place.path("work", ".vscode"))
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
        self.assertIn(".vscode\" was removed outside", run.stderr.read())

    @each_person
    def test_a_job_that_was_stopped_stays_stopped(self):
        run = self.started()
        job = self.ask(run, "stop")
        self.assertEqual(self.ask(run, f"state {job}"), "T")
        self.replace("other\n")
        self.until_refused(run)
        self.assertEqual(self.ask(run, f"state {job}"), "T")

    @each_person
    def test_one_that_is_stopped_for_its_tracer_goes_on_with_the_others(self):
        # A tracer outside holds it just then, which is no stop of its own: let go by the tracer later, it runs.
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        job = self.ask(run, "wait")
        traced = next(pid for pid in descendants(run.pid) if field_of(pid, "NSpid")[-1] == job)
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long] * 4
        for request in (SEIZE, INTERRUPT):
            self.assertEqual(libc.ptrace(request, traced, 0, 0), 0, os.strerror(ctypes.get_errno()))
        self.assertTrue(os.WIFSTOPPED(os.waitpid(traced, ANY_CHILD)[1]))
        self.replace("other\n")
        self.until_refused(run)
        self.assertEqual(self.ask(run, f"state {job}"), "t")
        self.assertEqual(libc.ptrace(DETACH, traced, 0, 0), 0)
        self.assertEqual(self.ask(run, f"end {job}"), "ended")

    @each_person
    def test_a_name_that_could_not_be_held_is_told_though_the_program_ends_by_itself_meanwhile(self):
        # The front is stopped as it goes to end the run, and the program ends first.
        capability.need("strace")
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        keeper = os.pidfd_open(next(descendants(run.pid)))
        self.addCleanup(os.close, keeper)
        calls = self.place.path("calls")
        tracer = subprocess.Popen(["strace", "-qq", "-o", calls, "-e", "trace=pidfd_open", "-e", "inject=pidfd_open:signal=STOP", "-p", str(run.pid)])
        self.addCleanup(tracer.wait)
        self.addCleanup(tracer.kill)
        until(lambda: field_of(run.pid, "TracerPid") == [str(tracer.pid)], "the front is not traced")
        os.rmdir(self.place.path("work", ".vscode"))
        until(lambda: os.path.exists(calls) and os.path.getsize(calls) and field_of(run.pid, "State")[0] in "tT", "the front does not end the run")
        run.stdin.close()
        self.assertEqual(select.select([keeper], [], [], 60)[0], [keeper])
        tracer.terminate()
        tracer.wait()
        os.kill(run.pid, signal.SIGCONT)
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
        self.assertIn(".vscode\" was removed outside", run.stderr.read())

    @each_person
    def test_more_changes_than_a_stopped_front_is_told_of_end_the_run(self):
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        os.kill(run.pid, signal.SIGSTOP)
        until(lambda: field_of(run.pid, "State")[0] == "T", "the front does not stop")
        with open("/proc/sys/fs/inotify/max_queued_events", encoding="ascii") as file:
            most = int(file.read())
        names = [self.place.write(f"work/{name}", "") for name in ("one", "other")]
        os.unlink(names[1])
        for number in range(most // 2 + 1):
            os.rename(names[number % 2], names[1 - number % 2])
        os.kill(run.pid, signal.SIGCONT)
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
        self.assertIn("too much changed beside it at once", run.stderr.read())

    @each_person
    def test_one_that_is_let_go_on_in_the_moment_of_the_stop_goes_on(self):
        end = self.place.path("work", "end")
        run = self.started(program=(STOPPED_AND_CONTINUED, end))
        for number in range(60):
            self.assertEqual(select.select([run.stdout], [], [], product.RUN_TIMEOUT_S)[0], [run.stdout], "it stayed stopped")
            self.assertEqual(run.stdout.readline(), "round\n")
            self.replace(f"{number}\n")
        self.place.write("work/end", "")
        said = run.stdout.read()
        self.assertEqual((run.wait(product.RUN_TIMEOUT_S), said.splitlines()[-1]), (0, "over"), run.stderr.read())

    @each_person
    def test_a_link_put_in_its_place_ends_the_run(self):
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        link = self.place.path("link")
        os.symlink(self.place.write("work/ordinary", ""), link)
        os.replace(link, self.kept)
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
        self.assertIn("was replaced outside and can't be held read only again", run.stderr.read())

    @each_person
    def test_one_that_has_another_name_by_then_ends_the_run(self):
        # As a quick program leaves it, which linked the new file elsewhere before it was held.
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        beside = self.place.write("beside", "other\n")
        os.link(beside, self.place.path("work", "alias"))
        os.replace(beside, self.kept)
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
        said = run.stderr.read()
        self.assertIn("no other name", said)
        self.assertIn("Too many links", said)

    def git_folder(self, linked):
        """A folder as of git, with a file in it that has another name where the program writes; renamed to the name that a run holds."""
        self.place.folder("beside", "hooks")
        for folder in ("objects", "objects/ab", "objects/info"):
            self.place.folder("beside", folder)
        for name in ("HEAD", "config", "hooks/pre-commit", "objects/ab/cdef"):
            self.place.write(f"beside/{name}", "")
        os.link(self.place.path("beside", linked), self.place.path("work", "alias"))
        os.rename(self.place.path("beside"), self.place.path("work", ".git"))

    @each_person
    def test_a_folder_put_there_with_a_file_that_has_another_name_ends_the_run(self):
        for linked in ("config", "hooks/pre-commit"):
            run = self.started()
            self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
            self.git_folder(linked)
            self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
            self.assertIn(f"work/.git/{linked}\" has another name as well", run.stderr.read())
            shutil.rmtree(self.place.path("work", ".git"))
            os.unlink(self.place.path("work", "alias"))

    @each_person
    def test_gits_objects_may_have_other_names(self):
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        self.git_folder("objects/ab/cdef")
        self.kept = self.place.path("work", ".git", "config")
        self.until_refused(run)
        run.stdin.close()
        self.assertEqual((run.wait(product.RUN_TIMEOUT_S), run.stderr.read()), (0, ""))

    def put_there_as_it_ends(self, put):
        """A run whose program ends after `put` and before the front has looked: what it says."""
        run = self.started()
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        front = front_of(run.pid)
        below = [os.pidfd_open(pid) for pid in descendants(front)]
        os.kill(front, signal.SIGSTOP)
        put()
        run.stdin.close()
        for pidfd in below:
            self.assertEqual(select.select([pidfd], [], [], product.RUN_TIMEOUT_S)[0], [pidfd])
            os.close(pidfd)
        os.kill(front, signal.SIGCONT)
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), 0)
        return run.stderr.read()

    @each_person
    def test_another_name_is_told_where_the_program_ended_before_the_front_looked(self):
        def link_and_replace():
            beside = self.place.write("beside", "other\n")
            os.link(beside, self.place.path("work", "alias"))
            os.replace(beside, self.kept)

        self.assertIn("spec.toml\" has another name as well", self.put_there_as_it_ends(link_and_replace))
        os.unlink(self.place.path("work", "alias"))
        self.assertEqual(self.put_there_as_it_ends(lambda: self.replace("other\n")), "")
        self.assertIn("work/.git/config\" has another name as well", self.put_there_as_it_ends(lambda: self.git_folder("config")))

    @each_person
    def test_a_folder_above_it_moved_away_ends_the_run(self):
        self.place.folder("work", "inner")
        run = self.started("work/inner")
        self.assertEqual(self.ask(run, f"open {self.kept}"), READ_ONLY)
        os.rename(self.place.path("work", "inner"), self.place.path("work", "moved"))
        self.assertEqual(run.wait(product.RUN_TIMEOUT_S), product.EXIT_ENDED)
        self.assertIn("a folder above it was moved", run.stderr.read())


if __name__ == "__main__":
    unittest.main()
