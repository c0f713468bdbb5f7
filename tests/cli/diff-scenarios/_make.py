#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""_make.py SCENARIO - write profiles before and after something happened to a program.

The program is a made-up shop: five routes, libraries below them. A run draws its samples
from the shares that the program has, with the scatter of a quiet machine: counts are
Poisson, and each stack's share differs by 1 % from run to run. The same bytes every time.
Files: before-1.pb ... after-5.pb in the current folder; see each scenario for others.
"""

import math
import random
import sys
from collections import namedtuple

RUNS = 5
SAMPLES = 3000  # of a run, on average
PERIOD = 10_000_000  # nanoseconds
RUN_NOISE = 0.01
HEAP_RATE = 524288

VARINT, BYTES = 0, 2
SAMPLE_TYPE, SAMPLE, LOCATION, FUNCTION, STRING = 1, 2, 4, 5, 6
DURATION_NANOS, PERIOD_TYPE, PERIOD_FIELD, COMMENT = 10, 11, 12, 13


# ---- the wire format


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(number, value):
    return varint(number << 3 | VARINT) + varint(value)


def block(number, data):
    return varint(number << 3 | BYTES) + varint(len(data)) + data


def packed(number, values):
    return block(number, b"".join(varint(value) for value in values))


class Profile:
    """A profile.proto in the making; every function is its own location."""

    def __init__(self, types, period_type, period, duration_ns=0, comment=None):
        self.strings = {"": 0}
        self.functions = {}
        self.body = b"".join(block(SAMPLE_TYPE, self.type(*t)) for t in types)
        self.tail = block(PERIOD_TYPE, self.type(*period_type))
        self.tail += integer(PERIOD_FIELD, period)
        self.tail += integer(DURATION_NANOS, duration_ns)
        if comment:
            self.tail += integer(COMMENT, self.string(comment))

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def type(self, name, unit):
        return integer(1, self.string(name)) + integer(2, self.string(unit))

    def location(self, name):
        return self.functions.setdefault(name, len(self.functions) + 1)

    def add(self, stack, values, labels=()):
        """`stack` root first, as people write them."""
        data = packed(1, [self.location(name) for name in reversed(stack)])
        data += packed(2, values)
        for key, value in labels:
            data += block(3, integer(1, self.string(key)) + integer(2, self.string(value)))
        self.body += block(SAMPLE, data)

    def bytes(self):
        tables = b""
        for name, number in self.functions.items():
            file = self.string(name.split(".")[0] + ".go")
            line = integer(1, number)
            tables += block(LOCATION, integer(1, number) + block(4, line))
            tables += block(
                FUNCTION,
                integer(1, number)
                + integer(2, self.string(name))
                + integer(3, self.string(name))
                + integer(4, file),
            )
        texts = b"".join(block(STRING, text.encode()) for text in self.strings)
        return self.body + tables + self.tail + texts


# ---- the program


def calls(path, share, callees):
    """The stacks of `path` and its callees: (name, part, callees) with parts of share."""
    inside = sum(part for _, part, _ in callees)
    stacks = {path: share * (1 - inside)}
    for name, part, below in callees:
        stacks.update(calls(path + (name,), share * part, below))
    return stacks


JSON = [("json.encode", 0.5, [("json.quote", 0.6, [])]), ("json.decode", 0.4, [])]
QUERY = [
    ("db.lookup", 0.45, [("btree.find", 0.6, [("btree.compare", 0.5, [])])]),
    ("db.read", 0.25, [("page.load", 0.5, []), ("page.check", 0.3, [])]),
    ("db.plan", 0.2, []),
]
RENDER = [("html.escape", 0.35, []), ("html.write", 0.35, [("buffer.grow", 0.4, [])])]
ROUTES = {
    "search": (
        0.36,
        [
            ("query.run", 0.4, QUERY),
            ("rank.score", 0.3, [("rank.distance", 0.5, []), ("rank.sort", 0.3, [])]),
            ("render.page", 0.2, RENDER),
        ],
    ),
    "cart": (0.20, [("query.run", 0.35, QUERY), ("codec.run", 0.4, JSON)]),
    "checkout": (
        0.18,
        [
            ("pay.sign", 0.45, [("sha.block", 0.7, [])]),
            ("query.run", 0.3, QUERY),
            ("codec.run", 0.15, JSON),
        ],
    ),
    "login": (0.08, [("pay.sign", 0.3, [("sha.block", 0.7, [])]), ("session.get", 0.4, [])]),
    "static": (0.10, [("file.send", 0.7, [("file.read", 0.5, [])])]),
}
BACKGROUND = 30  # functions of the runtime, from frequent to rare


def program():
    """Every stack, root first, and its share of the time."""
    stacks = {}
    for route, (share, callees) in ROUTES.items():
        stacks.update(calls(("main", "serve", route), share, callees))
    weights = [1 / (i + 2) for i in range(BACKGROUND)]
    for i, weight in enumerate(weights):
        stacks[("main", "gc", f"runtime.part{i + 1}")] = 0.08 * weight / sum(weights)
    return stacks


def changed(stacks, change):
    """`change` maps a stack and its share to a list of such."""
    out = {}
    for stack, share in stacks.items():
        for other, part in change(stack, share):
            out[other] = out.get(other, 0) + part
    return out


def times(leaf, factor, where=None):
    def change(stack, share):
        hit = stack[-1] == leaf and (where is None or where in stack)
        return [(stack, share * factor if hit else share)]

    return change


# ---- runs

How = namedtuple("How", "samples period duration_ns comment", defaults=(PERIOD, 0, None))


def poisson(rnd, mean):
    if mean > 60:
        return max(0, round(rnd.gauss(mean, math.sqrt(mean))))
    limit, count, product = math.exp(-mean), 0, rnd.random()
    while product > limit:
        count += 1
        product *= rnd.random()
    return count


def run(stacks, how, seed):
    rnd = random.Random(seed)
    types = [("samples", "count"), ("cpu", "nanoseconds")]
    profile = Profile(types, types[1], how.period, how.duration_ns, how.comment)
    for stack, share in stacks.items():
        mean = how.samples * share * math.exp(rnd.gauss(0, RUN_NOISE))
        count = poisson(rnd, mean)
        if count > 0:
            labels = [("route", stack[2])] if stack[1] == "serve" else []
            profile.add(stack, [count, count * how.period], labels)
    return profile.bytes()


def write(name, data):
    with open(name, "wb") as file:
        file.write(data)


def sides(before, after, how_before=How(SAMPLES), how_after=How(SAMPLES), runs=RUNS):
    for i in range(runs):
        write(f"before-{i + 1}.pb", run(before, how_before, 1000 + i))
        write(f"after-{i + 1}.pb", run(after, how_after, 2000 + i))


# ---- what happened


def same():
    """Nothing: both sides are the same program."""
    sides(program(), program())


def pair():
    """Nothing, and only one run of each."""
    sides(program(), program(), runs=1)


def slower():
    """sha.block takes 60 % longer."""
    sides(program(), changed(program(), times("sha.block", 1.6)))


def rename():
    """rank.score has become rank.scoreAll."""

    def change(stack, share):
        names = {"rank.score": "rank.scoreAll"}
        return [(tuple(names.get(name, name) for name in stack), share)]

    sides(program(), changed(program(), change))


def inlined():
    """sha.block is inlined into pay.sign."""

    def change(stack, share):
        return [(tuple(name for name in stack if name != "sha.block"), share)]

    sides(program(), changed(program(), change))


def moved():
    """Of the time that query.run spends, most of db.read's own now is db.plan's."""

    def change(stack, share):
        if stack[-1] == "db.read":
            return [(stack, share * 0.1), (stack[:-1] + ("db.plan",), share * 0.9)]
        return [(stack, share)]

    sides(program(), changed(program(), change))


def volume():
    """Twice the requests, in twice the time, and not slower."""
    sides(
        program(),
        program(),
        How(SAMPLES, PERIOD, 60_000_000_000, "fgtool.work: requests=50000"),
        How(2 * SAMPLES, PERIOD, 60_000_000_000, "fgtool.work: requests=100000"),
    )


def label():
    """db.plan takes 2.2 times as long, but only where checkout calls it."""
    sides(program(), changed(program(), times("db.plan", 2.2, "checkout")))


def periods():
    """The same program at 100 Hz and at 1000 Hz."""
    sides(program(), program(), How(SAMPLES), How(10 * SAMPLES, PERIOD // 10))


def durations():
    """The same load, recorded for 30 s and for 90 s."""
    sides(
        program(),
        program(),
        How(SAMPLES, PERIOD, 30_000_000_000),
        How(3 * SAMPLES, PERIOD, 90_000_000_000),
    )


def heap_profile(state):
    space, objects = ("alloc_space", "bytes"), ("alloc_objects", "count")
    profile = Profile([objects, space], ("space", "bytes"), HEAP_RATE)
    for (stack, size), sampled in state.items():
        count = round(sampled / (1 - math.exp(-size / HEAP_RATE)))
        if count > 0:
            profile.add(stack, [count, count * size])
    return profile.bytes()


def heap():
    """Allocations of a process at two times, before-base.pb and before-1.pb; the same
    after cache.put allocates three times as much."""
    sizes = (64, 512, 4096, 32768, 262144)
    sites = [(stack, sizes[i % 5]) for i, stack in enumerate(program())]
    sites.append((("main", "serve", "cart", "cache.put"), 8192))
    for side, factor, seed in (("before", 1, 1), ("after", 3, 2)):
        rnd = random.Random(seed)
        state = {site: poisson(rnd, 25) for site in sites}
        write(f"{side}-base.pb", heap_profile(state))
        for site in sites:
            more = 60 * (factor if site[0][-1] == "cache.put" else 1)
            state[site] += poisson(rnd, more)
        write(f"{side}-1.pb", heap_profile(state))


def negative():
    """after-1.pb is a difference already."""
    sides(program(), program(), runs=1)
    types = [("samples", "count"), ("cpu", "nanoseconds")]
    profile = Profile(types, types[1], PERIOD)
    profile.add(("main", "up"), [5, 5 * PERIOD])
    profile.add(("main", "down"), [-7, -7 * PERIOD])
    write("after-1.pb", profile.bytes())


def types():
    """after-1.pb is of wall time."""
    sides(program(), program(), runs=1)
    profile = Profile([("wall", "nanoseconds")], ("wall", "nanoseconds"), PERIOD)
    profile.add(("main", "up"), [5 * PERIOD])
    write("after-1.pb", profile.bytes())


def hostile():
    """Names that try to be markup, and are long."""

    def change(stack, share):
        if stack[-1] == "sha.block":
            return [(stack[:-1] + ("`</details>|@all\n```\n" + "x" * 5000,), share)]
        return [(stack, share)]

    sides(program(), changed(program(), change))


if __name__ == "__main__":
    {f.__name__: f for f in (same, pair, slower, rename, inlined, moved, volume, label,
                             periods, durations, heap, negative, types, hostile)}[sys.argv[1]]()
