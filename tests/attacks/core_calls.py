# SPDX-License-Identifier: Apache-2.0
"""Every call of the filter's list, by number and for real. test_attacks and test_environments run these."""

import errno
import os
import subprocess

import attacks
from product import each_person
from rig import capability

# Calls that end or hold up the caller whatever they are told.
NOT_CALLED = {"pause", "fork", "vfork", "exit", "exit_group", "rt_sigreturn"}
LAST_NUMBER, LAST_NUMBER_AGAIN = 1100, 520  # the second where another test has gone on to the first
PACKET, NETLINK, INTERNET = 17, 16, (2, 10)
RAW, STREAM, DATAGRAM = 3, 1, 2
PROTOCOLS = {0, 1, 6, 17, 58, 262}

# What the wall answers to attempts that a kernel grants.
TRIES = {
    errno.EPERM: "own-keyring add-key bpf userfaultfd perf ptrace-me ptrace-seize vm-read vm-write pidfd-getfd kcmp clone-user "
                 "clone-user-high clone-user-mount unshare-user unshare-user-high unshare-all setns mount remount fsopen open-tree "
                 "umount chroot tiocsti tiocsti-high tiocsti-higher tioclinux tioclinux-high tiocsetd personality syslog",
    errno.ENOSYS: "io-uring clone3 clone3-user x32 x32-ptrace modify-ldt",
    0: "clone unshare-files tiocgwinsz personality-ask memory-program",
}
# What even root's kernel may lack: switched off, or for another kind of terminal.
OWN_REASONS = {"unshare-user-high", "tioclinux", "tioclinux-high", "x32", "x32-ptrace", "int80", "io-uring", "modify-ldt", "tiocsti",
               "tiocsti-high", "tiocsti-higher"}


def table():
    """[(name, number, "passed" | "partly" | error number)]"""
    text = subprocess.run([attacks.TABLE], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in text.splitlines()]
    return [(name, int(number), int(verdict) if verdict.isdigit() else verdict) for name, number, verdict in rows]


def expected_socket(family, kind, protocol):
    """The error of the filter; None where the call is the kernel's to answer."""
    if family == 1 or (family == NETLINK and protocol == 0):
        return None
    if family not in INTERNET:
        return errno.EAFNOSUPPORT
    if kind == RAW:
        return errno.EPERM
    if kind not in (STREAM, DATAGRAM):
        return errno.ESOCKTNOSUPPORT
    return None if protocol in PROTOCOLS else errno.EPROTONOSUPPORT


class CallAttacks(attacks.AttackTest):
    def shown(self, answers):
        return {name: attacks.words(answer) for name, answer in answers.items()}

    @each_person
    def test_every_refused_call_gets_the_error_of_the_list(self):
        refused = [row for row in table() if isinstance(row[2], int)]
        self.assertGreater(len(refused), 70)
        answers = self.inside("call", *(str(number) for _, number, _ in refused))
        self.assertEqual(self.shown({name: answers[str(number)] for name, number, _ in refused}),
                         self.shown({name: verdict for name, _, verdict in refused}))

    @each_person
    def test_every_unknown_number_is_answered_as_by_a_kernel_without_it(self):
        known = {number for _, number, _ in table()}
        last = LAST_NUMBER_AGAIN if self.lacks else LAST_NUMBER
        answers = self.inside("all-calls", str(max(known) + 1), str(last))
        self.assertEqual(set(answers.values()), {errno.ENOSYS})
        holes = [number for number in range(max(known)) if number not in known]
        if holes:
            self.assertEqual(set(self.inside("call", *map(str, holes)).values()), {errno.ENOSYS})

    @each_person
    def test_every_passed_call_is_answered_by_the_kernel(self):
        passed = [row for row in table() if row[2] == "passed" and row[0] not in NOT_CALLED]
        self.assertGreater(len(passed), 200)
        numbers = [str(number) for _, number, _ in passed]
        inside, outside = self.inside("call", *numbers), self.outside("call", *numbers)
        # A kernel may lack one; none is refused that it has.
        wrong = {name: attacks.words(inside[str(number)]) for name, number, _ in passed
                 if inside[str(number)] == errno.ENOSYS and outside[str(number)] != errno.ENOSYS}
        self.assertEqual(wrong, {})

    @each_person
    def test_what_a_kernel_grants_is_refused(self):
        answers = self.inside("tries")
        wanted = {name: error for error, names in TRIES.items() for name in names.split()}
        old_entry = answers.pop("int80", errno.ENOSYS)
        # A kernel without the 32-bit entry ends who uses it.
        self.assertIn(old_entry, (errno.ENOSYS, "signal11"))
        self.assertEqual(self.shown(answers), self.shown({name: wanted[name] for name in answers}))
        self.assertGreater(len(answers), 35)

    def test_those_attempts_work_where_there_is_no_wall(self):
        capability.need("root")
        self.place = self.as_root()
        answers = self.outside("tries")
        self.assertEqual({name for name, answer in answers.items() if answer != 0} - OWN_REASONS, set())

    @each_person
    def test_every_socket_family_type_and_protocol(self):
        answers = self.inside("sockets")
        self.assertGreater(len(answers), 45 * 7)
        wrong = {}
        for name, answer in answers.items():
            wanted = expected_socket(*map(int, name.split(":")))
            if wanted is not None and answer != wanted:
                wrong[name] = attacks.words(answer)
        self.assertEqual(wrong, {})
        for name in ("1:1:0", "1:2:0", "1:5:0", "2:1:0", "2:1:6", "2:2:17", "10:1:0", "10:2:17", "16:3:0", "16:2:0"):
            self.assertEqual(answers[name], 0, name)

    def test_other_sockets_can_be_had_where_there_is_no_wall(self):
        capability.need("root")
        self.place = self.as_root()
        answers = self.outside("sockets")
        for name in ("17:3:0", "2:3:1", "2:10:0", "16:3:15"):
            self.assertEqual(answers[name], 0, name)

    @each_person
    def test_privileges_are_read_back_as_none(self):
        done = self.place.run("--", "cat", "/proc/self/status")
        status = dict(line.split(":\t", 1) for line in done.stdout.splitlines() if ":\t" in line)
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            self.assertEqual(int(status[name], 16), 0, name)
        self.assertEqual(status["NoNewPrivs"], "1")
        self.assertEqual(status["Seccomp"], "2")
        self.assertGreaterEqual(int(status["Seccomp_filters"]), 1)
        self.assertEqual(status["Uid"].split()[0], str(self.place.person.uid))
