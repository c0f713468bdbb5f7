#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""corpus-expect.py - what tests/corpus.sh must find in a collection of profiles.

Usage: corpus-expect.py PPROF COLLECTION >tests/corpus.tsv

For a profile.proto file the numbers are those of google/pprof (`PPROF -raw`), for folded
stacks those of the reader below, which shares nothing with fgtool but the rules of the
dialects. What is refused is listed here with the reason, and must be refused by the
peer as well.
"""

import fnmatch
import gzip
import os
import re
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal

FOLDERS = ("folded", "pprof-delimited", "pprof-proto")
MOST_DECIMALS = 6

# pattern: (how the message begins behind the name of the file, why that is right)
REFUSED = {
    "folded/grafana+jfr-parser__*": (
        "text without counts",
        "counts in brackets, as a Go test prints a slice: nobody's dialect",
    ),
    "folded/*__no-events-collapsed.txt": ("empty", "no byte, so no profile"),
    "folded/*__bad-lines.txt": (
        ":3: bad sample count 'LINE'",
        "a line without a count: others skip it, and its samples are lost",
    ),
    "folded/*__nameattr*.txt": (
        "text without counts",
        "attributes for the boxes of a picture, not stacks",
    ),
    "pprof-delimited/*": (
        "sample types differ: (",
        "profiles of different kinds in one stream have no sum",
    ),
    "pprof-proto/*.xz": ("xz data; decompress it first", "compression not supported"),
    "pprof-proto/*__dotnet-pprof-73.pb.gz": (
        "at byte 255526: the function has the id 0",
        "0 says that there is no function",
    ),
}

COUNT = re.compile(r"-?\d+(\.\d*)?([eE][+-]?\d+)?")
HEADER = re.compile(r"[^\s;/][^\s;]*/[^\s;]*([ \t]+[^\s;/][^\s;]*/[^\s;]*)*")
AUSTIN = {
    "wall": "wall/microseconds",
    "cpu": "cpu/microseconds",
    "memory": "memory/bytes",
}


class Refused(Exception):
    pass


def show(types, totals, samples, merged):
    values = [f"{name}={total}" for name, total in zip(types, totals)]
    return " ".join(values + [f"samples={samples} merged={merged}"])


# ---- profile.proto, as google/pprof sees it


def pprof_raw(pprof, paths):
    """Types, totals, samples. One file is shown as it is, several are merged."""
    command = [pprof, "-raw", "-symbolize=none", *paths]
    got = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if got.returncode != 0:
        raise Refused(got.stderr.splitlines()[0])
    lines = iter(got.stdout.split("\n"))
    for line in lines:
        if line == "Samples:":
            break
    types = [name.removesuffix("[dflt]") for name in next(lines).split()]
    totals = [0] * len(types)
    samples = 0
    for line in lines:
        if line == "Locations":
            return types, totals, samples
        if re.fullmatch(r"( *-?\d+)+:( \d+)* ?", line):
            values = [abs(int(value)) for value in line.split(":")[0].split()]
            totals = [a + b for a, b in zip(totals, values, strict=True)]
            samples += 1
    raise Refused("no list of samples")


def pprof_expect(pprof, path):
    types, totals, samples = pprof_raw(pprof, [path])
    _, twice, merged = pprof_raw(pprof, [path, path])
    assert twice == [2 * total for total in totals], path
    return show(types, totals, samples, merged)


# ---- folded stacks


def folded_text(path):
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    if data[:2] in (b"\xfe\xff", b"\xff\xfe"):
        data = data.decode("utf-16").encode()
    return data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")


def split_count(line):
    """The stack and the number at the end of `line`, or None."""
    parts = re.fullmatch(r"(.*?)[ \t]+([^ \t]+)", line, re.DOTALL)
    if parts and parts[1] and COUNT.fullmatch(parts[2]):
        return parts[1].rstrip(" \t\r"), Decimal(parts[2])
    return None


def split_counts(line, wanted):
    values = []
    while len(values) < wanted:
        parts = split_count(line)
        if not parts:
            raise Refused(line)
        line = parts[0]
        values.insert(0, parts[1])
    return line, values


def frames_of(stack):
    frames = stack.strip(";").split(";")
    return tuple(frame or "[unknown]" for frame in frames)


def decimals_of(value):
    step = Decimal(1).scaleb(-MOST_DECIMALS)
    exponent = value.quantize(step, ROUND_HALF_UP).normalize().as_tuple().exponent
    return max(0, -exponent)


def folded_lines(text):
    """The lines with counts, and the types if a header or austin says them."""
    types, lines = None, []
    for line in text.split("\n"):
        line = line.rstrip(" \t\r")
        mode = re.fullmatch(r"# mode: (\w+)", line)
        if mode and text.startswith("# austin: ") and not lines:
            types = [AUSTIN[mode[1]]]
        elif not line or line.startswith("#"):
            continue
        elif not lines and not types and HEADER.fullmatch(line):
            types = line.split()
        else:
            lines.append(line)
    return types, lines


def is_differential(lines):
    for line in lines:
        first = split_count(line)
        if not first or not split_count(first[0]):
            return False
    return bool(lines)


def folded_expect(path):
    types, lines = folded_lines(folded_text(path))
    if not lines:
        raise Refused("no lines")
    if not types:
        differential = is_differential(lines)
        types = ["before/count", "after/count"] if differential else ["samples/count"]
    rows = [split_counts(line, len(types)) for line in lines]
    decimals = max(decimals_of(value) for _, values in rows for value in values)
    stacks = {}
    for stack, values in rows:
        scaled = [v.scaleb(decimals).quantize(1, ROUND_HALF_UP) for v in values]
        known = stacks.setdefault(frames_of(stack), [0] * len(types))
        known[:] = [a + int(b) for a, b in zip(known, scaled)]
    totals = [sum(abs(v[i]) for v in stacks.values()) for i in range(len(types))]
    scale = f"/{10 ** decimals}" if decimals else ""
    return show(
        [name + scale for name in types],
        totals,
        len(rows),
        sum(any(values) for values in stacks.values()),
    )


# ---- the table


def refusal(name):
    for pattern, decision in REFUSED.items():
        if fnmatch.fnmatchcase(name, pattern):
            return decision
    return None


def row(pprof, root, name):
    decision = refusal(name)
    path = os.path.join(root, name)
    try:
        if name.startswith("folded/"):
            expected = folded_expect(path)
        else:
            expected = pprof_expect(pprof, path)
    except Refused as reason:
        if decision:
            return f"{name}\trefused: {decision[0]}\t{decision[1]}"
        sys.exit(f"{name}: the peer refuses it: {reason}")
    if decision:
        sys.exit(f"{name}: the peer reads it: {expected}")
    return f"{name}\t{expected}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pprof, root = sys.argv[1], os.path.join(sys.argv[2], "corpus")
    print("# made by tests/corpus-expect.py; read by tests/corpus.sh")
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(root, folder))):
            print(row(pprof, root, f"{folder}/{name}"))


if __name__ == "__main__":
    main()
