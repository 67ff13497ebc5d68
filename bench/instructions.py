#!/usr/bin/env python3
"""Instructions per request of a service, its whole program, counted by callgrind, beside the figures that are kept.

    bench/instructions.py [SCENARIO …]                 now, beside the kept figures
    bench/instructions.py --update [SCENARIO …]        … and keeps those of now
    bench/instructions.py --against REV [SCENARIO …]   beside those of a revision, counted in the same run

Exits with 1 where a figure is too much above. A scenario is a store and a kind of request, "sqlite read": all by default,
PostgreSQL's where it answers. One client sends the requests through one connection; what is counted begins after some that
warm up. "start" is a start until the first answer. What callgrind wrote stays in target/instructions, for
callgrind_annotate.
See docs/contribute/benchmarks.md, "Counted instructions".
"""

import argparse
import http.client
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import uuid

from costs import ROOT, run
from growth import FILTER, PORT, Bench, bodies
from service import HEADERS, Service

KEPT = os.path.join(ROOT, "bench/instructions.txt")
TARGET = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "instructions")
ROWS = 10_000
# of which the median counts
ROUNDS = 3
# entities that requests take turns with: few, so that their pages are cached after the first requests
ENTITIES = 100
# the requests that are counted, and those before them
COUNTED = {"start": 0, "read": 1000, "page": 200, "list": 100, "create": 8000, "replace": 1000, "command": 400}
WARM_UP = 200
SCENARIOS = [f"{store} {kind}" for store in ("sqlite", "postgres") for kind in COUNTED]
# percent: rounds differ by less. Where a request goes to and fro between threads, they differ more on a busy machine, and a
# start compares clocks until they agree
TOLERANCE = 2
TOLERANCES = {"sqlite command": 5, "postgres create": 5, "postgres replace": 5, "postgres command": 5}
TOLERANCES |= {"sqlite start": 25, "postgres start": 25}
PROGRAMS = ("offers", "restocking", "filled_export")
# what would make runs differ: the allocator gives memory back by the clock, and valgrind counts each byte of a `rep movsb`
ENVIRONMENT = {
    "MIMALLOC_PURGE_DELAY": "-1",
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000",
}


class Client:
    """One connection; each request is sent in one piece, so that the service always reads it at once."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=600)

    def ask(self, method, path, body="", accept=HEADERS["Accept"]):
        body = body.encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"User-Agent: {HEADERS['User-Agent']}", f"Accept: {accept}"]
        if body:
            lines += [f"Content-Type: {HEADERS['Content-Type']}", f"Content-Length: {len(body)}"]
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        response = http.client.HTTPResponse(self.socket, method=method)
        response.begin()
        if response.status >= 300:
            raise SystemExit(f"{method} {path}: {response.status} {response.read().decode()}")
        return response

    def send(self, *request):
        self.ask(*request).read()


class Requests:
    """Requests of one kind to a service."""

    def __init__(self, service, kind):
        self.client, self.kind, self.bodies, self.sent = Client(service.port), kind, bodies(), 0
        self.ids = service.ids(number=ENTITIES)
        if kind == "command":
            self.ends = Client(service.port).ask("GET", "/events?type=offers.offer.restock-command.successful", "", "text/event-stream")

    def send(self, count):
        for _ in range(count):
            path, body = f"/offers/{self.ids[self.sent % ENTITIES]}", self.bodies[self.sent % len(self.bodies)]
            self.sent += 1
            match self.kind:
                case "read":
                    self.client.send("GET", path)
                case "page":
                    self.client.send("GET", "/offers?limit=50")
                case "list":
                    self.client.send("GET", FILTER)
                case "create":
                    self.client.send("POST", "/offers", body)
                case "replace":
                    self.client.send("PUT", path, body)
                case "command":
                    self.client.send("PUT", f"{path}/restock-commands/{uuid.uuid4()}", "{}")
                    while not self.ends.readline().startswith(b"data:"):
                        pass


class Counter:
    """The programs of a checkout, and the databases that they start from."""

    def __init__(self, name, folder, postgres):
        self.work = os.path.join(TARGET, name)
        programs = os.path.join(self.work, "programs")
        os.makedirs(os.path.join(programs, "examples"), exist_ok=True)
        examples = [argument for program in PROGRAMS for argument in ("--example", program)]
        print(f"building {name}", flush=True)
        run(["cargo", "build", "--quiet", "--package", "restwell", "--features", "postgres,measuring", *examples, "--profile",
             "instructions"], folder, CARGO_TARGET_DIR=TARGET)
        for program in PROGRAMS:
            shutil.copy(os.path.join(TARGET, "instructions/examples", program), os.path.join(programs, "examples", program))
        self.bench = Bench(argparse.Namespace(programs=programs, work=self.work, postgres=postgres))

    def figure(self, store, kind):
        """The median of some rounds: instructions of a request, or of a start until its first answer."""
        return round(statistics.median(self.round(store, kind) for _ in range(ROUNDS)))

    def round(self, store, kind):
        database = self.database(store)
        program = os.path.join(self.bench.options.programs, "examples", "restocking" if kind == "command" else "offers")
        out = os.path.join(self.work, f"{store}-{kind}.out")
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}", program]
        service = Service(valgrind, database, PORT, self.work, **ENVIRONMENT)
        process = str(service.process.pid)
        if COUNTED[kind]:
            requests = Requests(service, kind)
            requests.send(WARM_UP)
            run(["callgrind_control", "--zero", process])
            requests.send(COUNTED[kind])
        run(["callgrind_control", "--dump", process])
        service.stop()
        # the first dump; the second one is of what came after it
        os.replace(out + ".1", out)
        with open(out, encoding="utf-8", errors="replace") as file:
            total = int(next(line for line in file if line.startswith("totals:")).split()[1])
        return total / max(COUNTED[kind], 1)

    def database(self, store):
        """A copy of a filled database."""
        if store == "sqlite":
            return self.bench.copy(store, ROWS)[0]
        _, filled = self.bench.filled(store, ROWS)
        copy = self.bench.postgres("instructions")
        copy.make(filled.name)
        return copy.url

    def drop_databases(self):
        """Another checkout fills its own."""
        for name in ("instructions", str(ROWS)):
            self.bench.postgres(name).drop()


def checkout(revision):
    """The sources of a revision, with the programs of this one."""
    folder = os.path.join(TARGET, f"sources-{revision}")
    if not os.path.exists(folder):
        os.makedirs(folder + ".part", exist_ok=True)
        subprocess.run(f"git archive {revision} | tar -x -C '{folder}.part'", shell=True, check=True, cwd=ROOT)
        os.rename(folder + ".part", folder)
    shutil.copytree(os.path.join(ROOT, "runtime/examples"), os.path.join(folder, "runtime/examples"), dirs_exist_ok=True)
    return folder


def machine():
    """What figures can be compared on: the compiler, callgrind, and what of the processor it lets programs see."""
    said = lambda *command: subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()  # noqa: E731
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = next(line for line in file if line.startswith("flags"))
    seen = sorted(set(re.findall(r"\b(?:sse4_2|avx|avx2|bmi2|aes|pclmulqdq|sha_ni|rdrand|rdseed)\b", flags)))
    return f"{said('rustc', '--version')}; {said('valgrind', '--version')}; {os.uname().machine} {' '.join(seen)}"


def kept():
    """The kept figures, and what they were counted on."""
    if not os.path.exists(KEPT):
        return {}, None
    with open(KEPT, encoding="utf-8") as file:
        lines = file.read().splitlines()
    figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {scenario: int(figure) for scenario, figure in figures.items()}, lines[1].removeprefix("# ")


def keep(figures):
    heads = ["# Instructions per request, written by bench/instructions.py; they compare on this only:", f"# {machine()}"]
    lines = [f"{scenario} {figures[scenario]}" for scenario in SCENARIOS if scenario in figures]
    with open(KEPT, "w", encoding="utf-8") as file:
        file.write("\n".join([*heads, *lines, ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--against", metavar="REV")
    parser.add_argument("--postgres", default=os.environ.get("POSTGRES_URL", "postgres://postgres@127.0.0.1:5432"))
    options = parser.parse_args()
    if unknown := set(options.scenarios) - set(SCENARIOS):
        parser.error(f"no scenario: {', '.join(unknown)}; there are {', '.join(SCENARIOS)}")
    if not shutil.which("valgrind"):
        parser.error("valgrind is not installed")
    answers = subprocess.run(["psql", "-qc", "SELECT 1", f"{options.postgres}/postgres"], capture_output=True, check=False).returncode == 0
    scenarios = [name for name in options.scenarios or SCENARIOS if answers or not name.startswith("postgres")]

    os.makedirs(TARGET, exist_ok=True)
    counters = {"now": Counter("now", ROOT, options.postgres)}
    before, counted_on = kept()
    if options.against:
        revision = subprocess.run(["git", "rev-parse", "--short", options.against + "^{commit}"], cwd=ROOT, capture_output=True,
                                  text=True, check=True).stdout.strip()
        counters[revision] = Counter(revision, checkout(revision), options.postgres)
    elif counted_on not in (None, machine()):
        print("The kept figures are of another compiler, valgrind or processor; use --against REV, or --update.", file=sys.stderr)
    figures = {}
    for name, counter in counters.items():
        counter.drop_databases()
        figures[name] = {}
        for scenario in scenarios:
            figures[name][scenario] = counter.figure(*scenario.split())
            print(f"{name}: {scenario} {figures[name][scenario]}", flush=True)
        counter.drop_databases()
    if options.against:
        before = figures[revision]
    failed = False
    print(f"{'':18} {'before':>12} {'now':>12} {'change':>9}")
    for scenario, now in figures["now"].items():
        if scenario not in before:
            print(f"{scenario:18} {'-':>12} {now:12}")
            continue
        change = (now - before[scenario]) * 100 / before[scenario]
        is_too_much = change > TOLERANCES.get(scenario, TOLERANCE)
        failed |= is_too_much
        print(f"{scenario:18} {before[scenario]:12} {now:12} {change:+8.2f} %{'  too much' if is_too_much else ''}")
    if options.update:
        keep({**before, **figures["now"]})
    elif failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
