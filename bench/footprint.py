#!/usr/bin/env python3
"""What a service takes before anybody uses it: the size of its program, the time until its first answer, its memory.

    cargo build --release -p restwell --features postgres,measuring --example offers --example filled_export
    bench/footprint.py [--program NAME=PATH …] [--rows 10000,1000000]

Prints a table of the sizes of programs as built and stripped, and one of starts on filled databases: the median time from
the start of the process to the first answer (a page of one entity), its CPU time, and the resident memory then and after
one request of each kind. See docs/operate/performance.md, "Memory and start".
"""

import argparse
import os
import subprocess
import tempfile

from costs import ROOT, table
from growth import PORT, Bench, loads
from service import Service, measure

STARTS = 9


def size(path):
    return os.path.getsize(path) / 1e6


def stripped(path):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["strip", "-o", out.name, path], check=True)
        return size(out.name)


def starts(bench, store, rows):
    url, database = bench.filled(store, rows)
    times, memories, cpus = [], [], []
    for _ in range(STARTS):
        service = Service([bench.offers], url, PORT, bench.work)
        times.append(service.started * 1000)
        memories.append(service.memory())
        cpus.append(service.cpu() * 1000)
        service.stop()
    service = Service([bench.offers], url, PORT, bench.work)
    for name, load in loads(service.ids(number=100)).items():
        if name not in ("create", "replace") and "change" not in name:
            measure([service], load, connections=8, seconds=1, postgres=database)
    used, peak = service.memory(), service.memory("VmHWM")
    service.stop()
    middle = STARTS // 2
    figures = [sorted(values)[middle] for values in (times, cpus, memories)]
    return [f"{store}, {rows:,} rows", *(f"{figure:.0f}" for figure in figures), f"{used:.0f}", f"{peak:.0f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(part) for part in text.split(",") if part]  # noqa: E731
    parser.add_argument("--program", action="append", default=[], help="NAME=PATH of a program to weigh")
    parser.add_argument("--rows", type=numbers, default=[10_000, 1_000_000])
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--postgres", default=os.environ.get("POSTGRES_URL", "postgres://postgres@127.0.0.1:5432"))
    parser.add_argument("--programs", default=os.path.join(ROOT, "target/release"))
    parser.add_argument("--work", default=os.path.join(ROOT, "target/growth"))
    options = parser.parse_args()
    programs = [program.split("=", 1) for program in options.program]
    if programs:
        print(table(["program", "as built, MB", "stripped, MB"],
                    [[name, f"{size(path):.1f}", f"{stripped(path):.1f}"] for name, path in programs]) + "\n")
    bench = Bench(options)
    rows = [starts(bench, store, rows) for store in options.stores.split(",") for rows in options.rows]
    heads = ["", "first answer, ms", "CPU until then, ms", "memory then, MB", "memory after reads and lists, MB", "peak, MB"]
    print(table(heads, rows))


if __name__ == "__main__":
    main()
