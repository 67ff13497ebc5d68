#!/usr/bin/env python3
"""What the first commands on a new machine cost: in a fresh clone, with a target of its own, one after the other.

    bench/first_run.py [REV] [--folder FOLDER] [--tests]

Prints a table: CPU time (user and system of all processes) and time on the clock of each command, how many crates and
units it compiles, and the size of the target after it; then the libraries that were compiled more than once. `--tests`
also runs the tests. The sources of dependencies must have been downloaded. See docs/operate/performance.md, "The first run".
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMANDS = [
    ("cargo run", ["run", "--", "--version"]),
    ("cargo restwell --version", ["restwell", "--version"]),
    ("cargo test --workspace --no-run", ["test", "--workspace", "--no-run"]),
]
TESTS = ("cargo test --workspace", ["test", "--workspace", "--no-fail-fast"])


def clone(folder, revision):
    """A checkout of the revision without a target."""
    if os.path.exists(folder):
        sys.exit(f"{folder} is in the way")
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", revision], cwd=folder, check=True)


def with_format(arguments):
    """The arguments with which cargo reports what it compiled; it expands its alias only as the first word."""
    if arguments[0] == "restwell":
        with open(os.path.join(ROOT, ".cargo/config.toml"), encoding="utf-8") as config:
            alias = next(line for line in config if line.startswith("restwell = ")).split('"')[1].split()
        arguments = alias[:-1] + ["--"] + arguments[1:]
    position = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:position] + ["--message-format", "json-render-diagnostics"] + arguments[position:]


def run(arguments, folder, log):
    """Runs cargo and returns CPU seconds, seconds, and the units that it compiled."""
    environment = {name: value for name, value in os.environ.items() if name not in ("CARGO_TARGET_DIR", "RUSTFLAGS")}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with open(log, "w+", encoding="utf-8") as output, open(log + ".err", "w", encoding="utf-8") as errors:
        command = ["cargo", *arguments]
        outcome = subprocess.run(command, cwd=folder, env=environment, stdout=output, stderr=errors, check=False)
        elapsed, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
        output.seek(0)
        units = [unit for unit in map(unit_of, output) if unit]
    if outcome.returncode != 0:
        print(f"{' '.join(arguments)} failed: see {log} and {log}.err", file=sys.stderr)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, elapsed, units


def unit_of(line):
    """Package, kind, name and file of a compiled unit."""
    if not line.startswith('{"reason":"compiler-artifact"'):
        return None
    message = json.loads(line)
    if message["fresh"]:
        return None
    kind = "test" if message["profile"]["test"] else message["target"]["kind"][0]
    return message["package_id"], kind, message["target"]["name"], tuple(message["filenames"])


def size(folder):
    """The size of a folder in GB, with files of two names counted once."""
    kilobytes = subprocess.run(["du", "-sk", folder], capture_output=True, text=True, check=True).stdout.split()[0]
    return int(kilobytes) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--folder", default=os.path.join(ROOT, "target/first-run"))
    parser.add_argument("--tests", action="store_true", help="run the tests, too")
    options = parser.parse_args()
    revision = subprocess.run(
        ["git", "rev-parse", "--short", options.revision], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    clone(options.folder, revision)

    print(f"{revision}\n\n| | CPU | clock | crates | units | `target` |\n|---|--:|--:|--:|--:|--:|", flush=True)
    compiled = []
    for index, (name, arguments) in enumerate(COMMANDS + [TESTS] * options.tests):
        log = os.path.join(options.folder, f"first-run-{index}.log")
        cpu, elapsed, units = run(with_format(arguments), options.folder, log)
        known = {package for package, *_ in compiled}
        crates = {package for package, *_ in units} - known
        compiled += units
        gigabytes = size(os.path.join(options.folder, "target"))
        print(
            f"| `{name}` | {cpu:.0f} s | {elapsed:.0f} s | {len(crates)} | {len(units)} | {gigabytes:.1f} GB |", flush=True
        )

    libraries = Counter((package, name) for package, kind, name, _ in set(compiled) if kind not in ("test", "bin", "custom-build"))
    for (package, _), times in sorted(libraries.items()):
        if times > 1:
            print(f"compiled {times} times: {package.split('/')[-1]}")


if __name__ == "__main__":
    main()
