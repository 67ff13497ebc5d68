"""CPU time: of commands that end, and of processes that go on. It varies little with what else a machine does."""

import os
import resource
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TICKS = os.sysconf("SC_CLK_TCK")


class Cost:
    """What a command took: CPU time (user and system, of all its processes) and time on the clock, in seconds."""

    def __init__(self, cpu=0.0, clock=0.0):
        self.cpu, self.clock = cpu, clock

    def __add__(self, other):
        return Cost(self.cpu + other.cpu, self.clock + other.clock)


def run(command, folder=None, **environment):
    """Runs a command to its end; what it wrote is the fault of one that fails."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    outcome = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    clock, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if outcome.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{outcome.stdout[-3000:]}{outcome.stderr[-3000:]}")
    return Cost(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, clock)


def cpu_of(process):
    """CPU seconds of a process and of its children that have ended."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / TICKS


def memory_of(process, kind="VmRSS"):
    """The resident memory of a process in megabytes, or its peak (`VmHWM`)."""
    with open(f"/proc/{process}/status", encoding="utf-8") as status:
        line = next(line for line in status if line.startswith(kind + ":"))
    return int(line.split()[1]) / 1000


def children_of(process):
    """The running children of a process."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="utf-8") as children:
            return children.read().split()
    except FileNotFoundError:
        return []


def table(heads, rows):
    """A table in markdown: the first column is text, the others are numbers."""
    lines = ["| " + " | ".join(heads) + " |", "|---" + "|--:" * (len(heads) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])
