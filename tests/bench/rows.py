#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rows.py - compare all rows of `fgtool top` with those of `pprof -top`.

Usage: rows.py FGTOOL PPROF FILE

Compares the samples column, whose numbers pprof prints without a unit. Says how
many rows are equal, or shows the first that differ; exits 0 if all are.
"""

import json
import re
import subprocess
import sys

PPROF_ROW = re.compile(r"^ *(-?\d+) +\S+ +\S+ +(-?\d+) +\S+  (.*)$")
INLINE = re.compile(r" \((?:partial-)?inline\)$")


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        lines = done.stderr.decode(errors="replace").splitlines() or ["no output"]
        sys.exit(f"rows: {command[0].rsplit('/', 1)[-1]} failed: {lines[0]}")
    return done.stdout.decode()


def rows_of_fgtool(program, path):
    command = [program, "top", "--format", "json", "--sample-type", "samples"]
    report = json.loads(output_of(command + ["-n", "0", path]))
    return {r["name"]: (int(r["flat"]), int(r["cum"])) for r in report["rows"]}


def rows_of_pprof(program, path):
    options = ["-top", "-sample_index=samples", "-nodecount=100000000"]
    options += ["-nodefraction=0", "-edgefraction=0", "-symbolize=none"]
    rows = {}
    for line in output_of([program, *options, path]).splitlines():
        match = PPROF_ROW.match(line)
        if match:
            name = INLINE.sub("", match.group(3))
            rows[name] = (int(match.group(1)), int(match.group(2)))
    return rows


def main():
    fgtool, pprof, path = sys.argv[1:]
    ours, theirs = rows_of_fgtool(fgtool, path), rows_of_pprof(pprof, path)
    names = sorted(set(ours) | set(theirs))
    wrong = [name for name in names if ours.get(name) != theirs.get(name)]
    for name in wrong[:5]:
        print(f"rows: {name}: fgtool {ours.get(name)}, pprof {theirs.get(name)}")
    print(f"rows: {len(names) - len(wrong)} of {len(names)} equal those of pprof -top")
    sys.exit(1 if wrong or not names else 0)


if __name__ == "__main__":
    main()
