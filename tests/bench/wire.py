# SPDX-License-Identifier: Apache-2.0
"""scripts/bench wire: the wire from inside its sandbox, against nothing between and against its peers, in interleaved rounds."""

import os
import shlex
import shutil
import statistics
import subprocess
import sys

from bench import peers

BULK_BYTES = 1 << 30
SETUP_CLIENTS, REQUEST_CLIENTS, SECONDS = 8, 32, 2
IDLE = 5000
HOSTS = (10, 1000, 10_000, 100_000)
WIRE = "127.0.0.1:40781"


class Ways:
    """How a command is run for one way of getting out."""

    def __init__(self, bench, binary, load, running, srt):
        self.bench, self.binary, self.load, self.running, self.srt = bench, binary, load, running, srt

    def inside(self, command, spec=None):
        return [self.binary, "run", "--spec", spec or self.bench.spec, "--", *command]

    def curl(self, way, words, path, is_tunnel):
        base = ["curl", "-sS", "-o", "/dev/null", *words]
        through = ["--proxytunnel"] if is_tunnel else []
        if way == "direct":
            return [*base, f"http://{peers.NAME}{path}"]
        if way == "lnk-sandbox":
            return self.inside([*base, *through, f"http://{peers.NAME}{path}"])
        if way == "haproxy":
            return [*base, f"http://127.0.0.1:{peers.RAW if is_tunnel else peers.WEB}{path}"]
        if way == "srt":
            return self.in_srt([*base, *through, f"http://{peers.NAME}{path}"])
        return [*base, *through, "-x", f"http://127.0.0.1:{self.running.proxies[way]}", f"http://{peers.NAME}{path}"]

    def rate(self, way, kind, clients, spec=None):
        def words(proxy, target):
            return [self.load, kind, proxy, target, str(clients), str(SECONDS)]
        if way == "direct":
            return words("-", f"{peers.ORIGIN}:{peers.ORIGIN_PORT}")
        if way == "lnk-sandbox":
            return self.inside(words(WIRE, peers.NAME), spec)
        if way == "haproxy":
            return words("-", f"127.0.0.1:{peers.RAW if kind == 'setups' else peers.WEB}")
        if way == "srt":
            # Its proxy wants the credential that stands in its address.
            command = words("PROXY", peers.NAME)
            line = " ".join('"$(echo "${HTTP_PROXY#http://}" | sed s/localhost/127.0.0.1/)"' if word == "PROXY" else word for word in command)
            return [*self.srt, "-c", line]
        return words(f"127.0.0.1:{self.running.proxies[way]}", peers.NAME)

    def in_srt(self, command):
        return [*self.srt, "-c", shlex.join(command)]

    def names(self):
        names = ["direct", "lnk-sandbox", *(["haproxy"] if self.running.has("haproxy") else []), *self.running.proxies]
        return names + (["srt"] if self.srt else [])


def bench_wire(bench, rounds, binary, srt, describe):
    load = os.path.join(bench.work, "wire_load")
    shutil.copy(os.path.join(os.environ["LNK_BUILD"], "bin", "wire_load"), load)
    with open(os.path.join(bench.work, "bulk"), "wb") as file:
        file.truncate(BULK_BYTES)
    with peers.Peers(bench.root, load) as running:
        ways = Ways(bench, binary, load, running, srt)
        bulk(ways, rounds, describe)
        rates(ways, rounds)
        sizes(ways, rounds)
        idle(ways)


def bulk(ways, rounds, describe):
    fetch = (["-w", "%{speed_download} %{size_download}"], f"/bytes/{BULK_BYTES}")
    send = (["-w", "%{speed_upload} %{size_upload}", "-T", os.path.join(ways.bench.work, "bulk")], "/sink")
    cases = {"tunnel, down": (*fetch, True), "tunnel, up": (*send, True),
             "plain body, down": (*fetch, False), "plain body, up": (*send, False)}
    samples = {(case, way): [] for case in cases for way in ways.names()}
    for _ in range(rounds):
        for case, (words, path, is_tunnel) in cases.items():
            for way in ways.names():
                done = ways.bench.run(ways.curl(way, words, path, is_tunnel))
                samples[case, way].append(speed_mib(done, f"{case}, {way}"))
    describe(rounds)
    table(f"{BULK_BYTES >> 20} MiB, MiB/s", cases, ways.names(), samples)


def rates(ways, rounds):
    cases = {f"CONNECT set-ups, {SETUP_CLIENTS} clients": ("setups", SETUP_CLIENTS),
             f"plain requests, {REQUEST_CLIENTS} connections": ("requests", REQUEST_CLIENTS)}
    samples = {(case, way): [] for case in cases for way in ways.names()}
    for _ in range(rounds):
        for case, (kind, clients) in cases.items():
            for way in ways.names():
                samples[case, way].append(number(ways.bench.run(ways.rate(way, kind, clients)), f"{case}, {way}"))
    table("a second", cases, ways.names(), samples)


def sizes(ways, rounds):
    """Requests and set-ups where more and more hosts are listed, the one that is asked for last."""
    cases = {"CONNECT set-ups": ("setups", SETUP_CLIENTS), "plain requests": ("requests", REQUEST_CLIENTS)}
    specs = {}
    for count in HOSTS:
        specs[count] = os.path.join(ways.bench.root, f"hosts-{count}.toml")
        listed = [f"host-{number}.example.com" for number in range(count - 1)] + [peers.NAME]
        with open(specs[count], "w", encoding="ascii") as file:
            file.write(f'[files]\nwrite = ["{ways.bench.work}"]\n[network]\nhosts = [\n' +
                       "".join(f'"{host}",\n' for host in listed) + "]\n")
        approved = ways.bench.run([ways.binary, "approve", "--spec", specs[count]])
        if approved.returncode != 0:
            sys.exit(f"bench: {approved.stderr}")
    samples = {(case, count): [] for case in cases for count in HOSTS}
    for _ in range(rounds):
        for case, (kind, clients) in cases.items():
            for count in HOSTS:
                done = ways.bench.run(ways.rate("lnk-sandbox", kind, clients, specs[count]))
                samples[case, count].append(number(done, f"{case}, {count} hosts"))
    table("a second, with so many hosts listed", cases, HOSTS, samples)


def table(title, cases, names, samples):
    print(f"\n| {title} | " + " | ".join(str(name) for name in names) + " |\n|" + "---|" * (len(names) + 1))
    for case in cases:
        middle = [statistics.median(samples[case, name]) for name in names]
        print(f"| {case} | " + " | ".join(f"{value:.0f} ({value / middle[0]:.2f})" for value in middle) + " |")


def pss_mib(pids):
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            total += next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    return total / 1024


def named_below(pid, name):
    """The processes of that name below another."""
    found = []
    for child in children(pid):
        with open(f"/proc/{child}/comm", encoding="utf-8") as file:
            found += [child] if file.read().strip() == name else []
        found += named_below(child, name)
    return found


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def idle(ways):
    """Memory that idle tunnels keep in who carries them, over what it had before."""
    print(f"\n| {IDLE} idle tunnels | MiB before | MiB more | KiB each |\n|---|---|---|---|")
    load, bench = ways.load, ways.bench
    places = {"haproxy": ("-", f"127.0.0.1:{peers.RAW}")} if ways.running.has("haproxy") else {}
    places.update({name: (f"127.0.0.1:{port}", peers.NAME) for name, port in ways.running.proxies.items()})
    for name, place in {"lnk-sandbox": (WIRE, peers.NAME), **places}.items():
        command = [load, "idle", *place, str(IDLE)]
        if name == "lnk-sandbox":
            script = f'read go; exec {" ".join(command)}'
            command = ways.inside(["sh", "-c", script])
        process = subprocess.Popen([*bench.person.prefix, *command], cwd=bench.work, env=bench.environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        pids = [ways.running.pid(name)] if name in places else named_below(process.pid, "wire")
        if name in places:
            before = pss_mib(pids)
        else:
            while not (pids := named_below(process.pid, "wire")):
                pass
            before = pss_mib(pids)
            process.stdin.write("\n")
            process.stdin.flush()
        said = process.stdout.readline()
        if said != f"open {IDLE}\n":
            sys.exit(f"bench: {name}: {said!r}")
        more = pss_mib(pids) - before
        process.communicate()
        print(f"| {name} | {before:.1f} | {more:.1f} | {more * 1024 / IDLE:.1f} |")


def speed_mib(done, name):
    words = done.stdout.split()
    if done.returncode != 0 or len(words) != 2 or int(words[1]) != BULK_BYTES:
        sys.exit(f"bench: {name}: exit {done.returncode}, {done.stdout[:500]} {done.stderr[:500]}")
    return float(words[0]) / (1 << 20)


def number(done, name):
    if done.returncode != 0:
        sys.exit(f"bench: {name}: exit {done.returncode}, {done.stdout[:500]} {done.stderr[:500]}")
    return float(done.stdout)
