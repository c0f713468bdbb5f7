#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""measure.py - run a plan of measurements, programs side by side, and print a table.

Usage: measure.py TIMED ROUNDS < PLAN

Each line of the plan has fields that tabs separate:

    run    CASE NAME ROUNDS COMMAND   measure COMMAND; the first of a case is ours
    goal   CASE NAME RATIO            ours may take RATIO times as long as NAME
    rate   CASE BYTES GB_PER_S        ours should do so many bytes in a second
    memory CASE MB                    ours may have so many resident

ROUNDS is a number, or '-' for that of the command line. All programs of a case run
in turn, round after round, so that a slow moment of the machine hits all of them;
medians are printed. TIMED is the program that runs and measures one, see timed.c.
A command that fails is said to, and has no time.
"""

import statistics
import subprocess
import sys


class Run:
    """One command of a case and what was measured of it."""

    def __init__(self, name, rounds, command):
        self.name = name
        self.rounds = rounds
        self.command = command
        self.wall = []
        self.cpu = []
        self.rss = 0
        self.failed = False

    def once(self, timed):
        done = subprocess.run([timed, self.command], stdout=subprocess.PIPE, check=True)
        wall, cpu, rss, status = done.stdout.split()
        self.failed = self.failed or int(status) != 0
        self.wall.append(float(wall))
        self.cpu.append(float(cpu))
        self.rss = max(self.rss, float(rss))

    def time(self):
        return None if self.failed else statistics.median(self.wall)


class Case:
    def __init__(self, name):
        self.name = name
        self.runs = []
        self.goals = {}
        self.rate = None
        self.memory = None

    def measure(self, timed):
        for i in range(max((run.rounds for run in self.runs), default=0)):
            for run in self.runs:
                if i < run.rounds and not run.failed:
                    run.once(timed)


def read_plan(lines, rounds):
    cases = {}
    for line in lines:
        kind, name, *rest = line.rstrip("\n").split("\t")
        case = cases.setdefault(name, Case(name))
        if kind == "run":
            times = rounds if rest[1] == "-" else min(rounds, int(rest[1]))
            case.runs.append(Run(rest[0], times, rest[2]))
        elif kind == "goal":
            case.goals[rest[0]] = float(rest[1])
        elif kind == "rate":
            case.rate = (float(rest[0]), float(rest[1]))
        elif kind == "memory":
            case.memory = float(rest[0])
        else:
            sys.exit(f"measure.py: unknown line '{kind}'")
    return list(cases.values())


def show_ratio(ratio):
    return f"1/{1 / ratio:.0f}" if ratio < 0.1 else f"{ratio:.2f}"


def verdict(value, goal):
    return "met" if value <= goal else "missed"


def row(*cells):
    print(
        f"{cells[0]:<22} {cells[1]:<20} {cells[2]:>9} {cells[3]:>9} {cells[4]:>8} "
        f"{cells[5]:>7} {cells[6]:>8}  {cells[7]}".rstrip()
    )


def show_run(case, run, ours):
    if run.failed:
        row(case.name, run.name, "failed", "", "", "", "", "")
        return
    cells = [f"{run.time():.1f}", f"{statistics.median(run.cpu):.1f}"]
    cells.append(f"{run.rss:.1f}")
    ratio, goal, met = "", "", ""
    if run is not ours and ours.time() is not None:
        value = ours.time() / run.time()
        ratio = show_ratio(value)
        if run.name in case.goals:
            goal = show_ratio(case.goals[run.name])
            met = verdict(value, case.goals[run.name])
    row(case.name, run.name, *cells, ratio, goal, met)


def show_case(case):
    ours = case.runs[0]
    for run in case.runs:
        show_run(case, run, ours)
    if case.rate and ours.time() is not None:
        size, goal = case.rate
        speed = size / ours.time() / 1e6
        met = verdict(goal, speed)
        row(case.name, "  GB/s, at least", "", "", "", f"{speed:.2f}", f"{goal:.2f}", met)
    if case.memory and not ours.failed:
        used = ours.rss
        met = verdict(used, case.memory)
        row(case.name, "  MB, at most", "", "", "", f"{used:.1f}", f"{case.memory:.1f}", met)


def main():
    timed, rounds = sys.argv[1], int(sys.argv[2])
    row("case", "program", "wall ms", "CPU ms", "RSS MB", "ratio", "goal", "")
    for case in read_plan(sys.stdin, rounds):
        case.measure(timed)
        show_case(case)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
