# SPDX-License-Identifier: Apache-2.0
"""scripts/bench model: a hosted model by the wire's verb against the same server through a plain CONNECT, both from inside one
sandbox, in interleaved rounds; and what many streams at once keep in memory. Client and server are Python's, the same for both."""

import json
import os
import shutil
import statistics
import subprocess
import sys

from bench.wire import named_below, pss_mib

HOST, PLAIN_HOST, ADDRESS = "api.anthropic.com", "plain-model.test", "93.184.215.61"
STREAMS, GOAL_MIB = 100, 64
KINDS = {"stream": ("first byte of a streamed reply", 1), "large": ("a request of 1 MiB", 5)}
CASES = {"kept": "on a kept connection", "new": "on a new connection"}
KEY = "sk-rig-the-key-of-the-benchmark"
EVENTS = b"".join(b'data: {"type":"ping","number":%d}\n\n' % number for number in range(20))
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(EVENTS) + EVENTS


def bench_model(bench, rounds, binary, net, describe):
    net.reset()
    for host in (HOST, PLAIN_HOST):
        net.set_name(host, [ADDRESS])
    net.issue([HOST, PLAIN_HOST])
    # Before anything is kept: the streams that are held must not find a reply of their own.
    command = prepared(bench, binary)
    memory = streams(bench, command)
    for host in (HOST, PLAIN_HOST):
        net.set_reply(host, "/v1/messages", REPLY, close=False)
    done = bench.run([*command, "timed", str(rounds)])
    if done.returncode != 0:
        sys.exit(f"bench: exit {done.returncode}: {done.stdout[-2000:]} {done.stderr[-2000:]}")
    describe(rounds)
    times(json.loads(done.stdout))
    before, more = memory
    print(f"\n| streams at once | PSS of the wire before, MiB | with them | KiB each | goal |\n|---|---|---|---|---|\n"
          f"| {STREAMS} | {before:.1f} | {before + more:.1f} | {more * 1024 / STREAMS:.0f} | at most {GOAL_MIB} MiB: "
          f"{'met' if before + more <= GOAL_MIB else '**not met**'} |")


def prepared(bench, binary):
    """The command that runs the client inside, with the key kept and its spec approved."""
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "model_load.py"), bench.work)
    added = subprocess.run([*bench.person.prefix, binary, "key", "add", "anthropic"], input=KEY + "\n", env=bench.environment,
                           capture_output=True, text=True, check=False)
    spec = os.path.join(bench.root, "model.toml")
    with open(spec, "w", encoding="ascii") as file:
        file.write(f'[files]\nwrite = ["{bench.work}"]\n[network]\nhosts = ["{PLAIN_HOST}"]\n[model]\nproviders = ["anthropic"]\n')
    approved = bench.run([binary, "approve", "--spec", spec])
    for done in (added, approved):
        if done.returncode != 0:
            sys.exit(f"bench: {done.stderr}")
    return [binary, "run", "--spec", spec, "--", "python3", "-B", "model_load.py"]


def times(samples):
    print("\n| ms to the first byte, median (10 to 90 %) | CONNECT | by the verb | more by the verb, median of rounds | goal |\n"
          "|---|---|---|---|---|")
    for kind, (title, goal) in KINDS.items():
        for case, words in CASES.items():
            by_verb, plain = (samples[f"{kind} {case} {way}"] for way in ("Verb", "Plain"))
            more = statistics.median(one - other for one, other in zip(by_verb, plain))
            judged = f"at most {goal}: {'met' if more <= goal else '**not met**'}"
            print(f"| {title}, {words} | {spread(plain)} | {spread(by_verb)} | {more:+.2f} | {judged} |")


def spread(values):
    ordered = sorted(values)
    return f"{statistics.median(ordered):.2f} ({ordered[len(ordered) // 10]:.2f} to {ordered[-1 - len(ordered) // 10]:.2f})"


def streams(bench, command):
    """(before, more): what the wire keeps in MiB before its first stream, and with all of them open."""
    *run, python, flag, load = command
    script = f"echo started; read go; exec {python} {flag} {load} streams {STREAMS}"
    process = subprocess.Popen([*bench.person.prefix, *run, "sh", "-c", script], cwd=bench.work, env=bench.environment, text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    expect(process, "started")
    wire = named_below(process.pid, "wire")
    before = pss_mib(wire)
    go(process)
    expect(process, "open")
    more = pss_mib(wire) - before
    go(process)
    expect(process, "ended")
    process.communicate()
    return before, more


def go(process):
    process.stdin.write("\n")
    process.stdin.flush()


def expect(process, word):
    said = process.stdout.readline()
    if said != word + "\n":
        sys.exit(f"bench: {said!r} for {word}")
