#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make-bad.py - write the malformed and the odd inputs of testdata.

Usage: make-bad.py [TESTDATA]        (default: the folder above this script)

Deterministic: no clock, no random numbers. What must be refused goes to
FORMAT/bad/, what is unusual but valid to FORMAT/. Needs the zstd program for
one file, and the recorded pprof/go-heap-1.pb.gz and go-heap-2.pb.gz.
"""

import gzip
import os
import struct
import subprocess
import sys
import zlib

VARINT, FIXED64, BYTES, GROUP, END_GROUP, FIXED32 = range(6)

# Field numbers of profile.proto's Profile.
SAMPLE_TYPE, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING = 1, 2, 3, 4, 5, 6
TIME_NANOS, DURATION_NANOS, PERIOD_TYPE, PERIOD, COMMENT = 9, 10, 11, 12, 13

STRINGS = ["", "samples", "count", "cpu", "nanoseconds", "main", "work", "main.c"]

MAX_DEPTH = 1 << 20
BOMB_SIZE = 100_000_000


# ---- the wire format


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(number, wire):
    return varint(number << 3 | wire)


def integer(number, value):
    return tag(number, VARINT) + varint(value)


def block(number, data):
    return tag(number, BYTES) + varint(len(data)) + data


def packed(number, values):
    return block(number, b"".join(varint(value) for value in values))


def text(value):
    return value if isinstance(value, bytes) else value.encode()


# ---- the parts of a profile, each a field of Profile


def value_type(kind, unit, number=SAMPLE_TYPE):
    return block(number, integer(1, kind) + integer(2, unit))


def sample(locations, values, labels=b""):
    return block(SAMPLE, packed(1, locations) + packed(2, values) + labels)


def label(key, value):
    return block(3, integer(1, key) + integer(2, value))


def mapping(identity, filename):
    fields = (identity, 0x400000, 0x500000, 0, filename)
    return block(MAPPING, b"".join(integer(i + 1, v) for i, v in enumerate(fields)))


def location(identity, function, mapping_id=0, line=1):
    ids = integer(1, identity) + (integer(2, mapping_id) if mapping_id else b"")
    line_info = block(4, integer(1, function) + integer(2, line))
    return block(LOCATION, ids + integer(3, 0x400000 + 16 * identity) + line_info)


def function(identity, name, filename=7):
    fields = integer(1, identity) + integer(2, name) + integer(3, name)
    return block(FUNCTION, fields + integer(4, filename))


def strings(values):
    return b"".join(block(STRING, text(value)) for value in values)


def profile(**replaced):
    """A profile of two functions and two samples; any part may be replaced."""
    parts = {
        "types": value_type(1, 2) + value_type(3, 4),
        "samples": sample([2, 1], [3, 30_000_000]) + sample([1], [1, 10_000_000]),
        "mappings": b"",
        "locations": location(1, 1) + location(2, 2),
        "functions": function(1, 5) + function(2, 6),
        "strings": strings(STRINGS),
        "rest": value_type(3, 4, PERIOD_TYPE) + integer(PERIOD, 10_000_000),
    }
    unknown = set(replaced) - set(parts)
    assert not unknown, unknown
    parts.update(replaced)
    return b"".join(parts.values())


def gz(data, level=9):
    """One gzip member without a clock or a file name."""
    deflate = zlib.compressobj(level, zlib.DEFLATED, -15)
    body = deflate.compress(data) + deflate.flush()
    head = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    return head + body + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)


def zstd(data):
    command = ["zstd", "-19", "--long=27", "--no-progress", "-q", "-c"]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


# ---- what is in the files


def not_profiles():
    elf = bytes.fromhex("7f454c4602010100000000000000000003003e0001000000")
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR"
    png += struct.pack(">IIBBBBB", 16, 16, 8, 6, 0, 0, 0)
    png += struct.pack(">I", zlib.crc32(png[12:29]))
    page = "<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head>\n"
    page += "<body><h1>Not Found</h1></body></html>\n"
    return {
        "empty.pb": b"",
        "program.elf": (elf + struct.pack("<QQQ", 0x1040, 64, 0x3458)).ljust(200, b"\0"),
        "page.html": page.encode(),
        "notes.json": b'{"title": "notes", "items": [1, 2, 3]}\n',
        "picture.png": png,
    }


def broken_containers(whole):
    good = gz(profile())
    crc, size = struct.unpack("<II", good[-8:])
    return {
        "truncated.pb.gz": whole[: len(whole) * 2 // 3],
        "crc.pb.gz": good[:-8] + struct.pack("<II", crc ^ 1, size),
        "isize.pb.gz": good[:-8] + struct.pack("<II", crc, size + 1),
        "no-trailer.pb.gz": good[:-8],
        "truncated.pb.zst": zstd(gzip.decompress(whole))[:1000],
    }


def broken_references():
    return {
        "string-index.pb": profile(types=value_type(1, 2) + value_type(99, 4)),
        "function-name-index.pb": profile(functions=function(1, 5) + function(2, 77)),
        "label-key-index.pb": profile(
            samples=sample([1], [1, 1], label(500, 5)) + sample([2], [1, 1])
        ),
        "missing-location.pb": profile(samples=sample([2, 77], [1, 10_000_000])),
        "missing-function.pb": profile(locations=location(1, 1) + location(2, 66)),
        "duplicate-location-id.pb": profile(locations=location(1, 1) + location(1, 2)),
        "duplicate-function-id.pb": profile(functions=function(1, 5) + function(1, 6)),
        "zero-location-id.pb": profile(locations=location(0, 1) + location(2, 2)),
        "zero-function-id.pb": profile(functions=function(0, 5) + function(2, 6)),
    }


def broken_rules():
    half = (1 << 62) + 1
    return {
        "value-count.pb": profile(samples=sample([1], [1])),
        "no-sample-types.pb": profile(types=b""),
        "no-string-table.pb": profile(strings=b""),
        "first-string-not-empty.pb": profile(strings=strings(["x"] + STRINGS[1:])),
        "overflow.pb": profile(
            samples=sample([2, 1], [1, half]) + sample([2, 1], [1, half])
        ),
    }


def broken_wire():
    good = profile()
    return {
        "cut.pb": good[: len(good) - 30],
        "length-past-end.pb": good + tag(STRING, BYTES) + varint(1 << 20) + b"short",
        "length-huge.pb": good + tag(STRING, BYTES) + varint((1 << 64) - 1),
        "nested-length-past-end.pb": good + block(SAMPLE, tag(1, BYTES) + varint(50)),
        "long-varint.pb": good + tag(TIME_NANOS, VARINT) + b"\xff" * 10 + b"\x01",
        "wrong-wire-type.pb": good + tag(TIME_NANOS, BYTES) + varint(3) + b"abc",
        "sample-as-varint.pb": good + integer(SAMPLE, 7),
        "group.pb": good + tag(99, GROUP) + integer(1, 1) + tag(99, END_GROUP),
        "end-group.pb": good + tag(99, END_GROUP),
        "wire-type-seven.pb": good + b"\x67",
    }


def too_large():
    bomb = profile(strings=strings(STRINGS) + block(STRING, b"a" * BOMB_SIZE))
    deep = sample([1, 2] * (MAX_DEPTH // 2) + [1], [1, 10_000_000])
    return {
        "bomb.pb.gz": gz(bomb),
        "bomb.pb.zst": zstd(bomb),
        "deep.pb.gz": gz(profile(samples=deep)),
    }


HOSTILE_NAMES = [
    "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "c1 \u009b31m csi",
    "line\nbreak\r\nand return",
    "tab\there",
    "nul\0byte",
    b"invalid \xff\xfe utf-8 \xc3(",
    b"overlong \xc0\xaf and surrogate \xed\xa0\x80",
    "bidi \u202egpj.exe\u202c",
    "line separator \u2028 paragraph \u2029",
    "</script><script>alert(1)</script>",
    "]]><script>alert(2)</script><![CDATA[",
    "--><img src=x onerror=alert(3)>",
    "\"double\" 'single' `back` & &amp; &#x3c; <b>",
    "javascript:alert(4)",
    "${7*7} {{7*7}} %s%n%x",
    "$(touch pwned); `touch pwned` | cat",
    "=1+1",
    "semi;colon 42",
    " leading and trailing ",
    "",
    "-option",
    "../../../../etc/passwd",
    "wide \u6f22\u5b57 \U0001f525 combining e\u0301",
    "long " + "x" * 5000,
]


def hostile_names():
    """One sample per name; names also as label, file, mapping, unit, comment."""
    table = STRINGS + HOSTILE_NAMES + ["key \x1b[7m <i>"]
    first, key = len(STRINGS), len(STRINGS) + len(HOSTILE_NAMES)
    count = len(HOSTILE_NAMES)
    names = range(first, first + count)
    functions = [function(i + 1, name, name) for i, name in enumerate(names)]
    locations = [location(i + 1, i + 1, 1) for i in range(count)]
    samples = [
        sample([i + 1, 1], [1, 1000 + i], label(key, name))
        for i, name in enumerate(names)
    ]
    comments = integer(COMMENT, first) + integer(COMMENT, first + 9)
    return profile(
        types=value_type(1, 2) + value_type(3, 4),
        samples=b"".join(samples),
        mappings=mapping(1, first + 9),
        locations=b"".join(locations),
        functions=b"".join(functions),
        strings=strings(table),
        rest=value_type(3, 4, PERIOD_TYPE) + comments,
    )


def unpacked():
    """Repeated numbers as single fields, as old protobuf writers wrote them."""
    parts = integer(1, 2) + integer(1, 1) + integer(2, 3) + integer(2, 30_000_000)
    return profile(samples=block(SAMPLE, parts) + sample([1], [1, 10_000_000]))


def unknown_fields():
    """Fields that a later schema might add, of every wire type still in use."""
    extra = integer(90, 5) + tag(91, FIXED64) + bytes(8) + tag(92, FIXED32) + bytes(4)
    return profile() + extra + block(93, b"later")


def odd_profiles(first, second):
    raw = [gzip.decompress(first), gzip.decompress(second)]
    return {
        "tiny.pb": profile(),
        "negative.pb": profile(
            samples=sample([2, 1], [-3, -30_000_000]) + sample([1], [1, 10_000_000])
        ),
        "unpacked.pb": unpacked(),
        "unknown-fields.pb": unknown_fields(),
        "empty-profile.pb": strings([""]),
        "no-samples.pb": profile(samples=b""),
        "hostile-names.pb.gz": gz(hostile_names()),
        "missing-mapping.pb": profile(locations=location(1, 1, 9) + location(2, 2)),
        "field-zero.pb": profile() + b"\x02\x01x",
        "concat.pb.gz": first + second,
        "trailing-zeros.pb.gz": gz(profile()) + bytes(512),
        "trailing-garbage.pb.gz": gz(profile()) + b"this is not a gzip member\n",
        "two-members.pb.gz": gz(raw[0][:5000]) + gz(raw[0][5000:]),
        "delimited.pb": b"".join(varint(len(data)) + data for data in raw),
    }


def noise(size):
    """Bytes without a pattern: the high bytes of a linear congruence."""
    state, out = 1, bytearray()
    for _ in range(size):
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        out.append(state >> 56)
    return bytes(out)


def bad_folded():
    good = [f"main;work;step{i % 7} {i + 1}" for i in range(1000)]
    late = good[:500] + ["main;work;lost its count"] + good[500:]
    deep = ";".join(["a", "b"] * (MAX_DEPTH // 2) + ["c"]) + " 1\n"
    return {
        "empty.folded": b"",
        "bad-count.folded": b"main;work 10\nmain;idle x\n",
        "no-count.folded": b"main;work\nmain;idle\n",
        "late.folded": ("\n".join(late) + "\n").encode(),
        "no-frames.folded": b"main;work 10\n 5\n",
        "bad-fraction.folded": b"main;work 1.5\nmain;idle 1.2.3\n",
        "nan-count.folded": b"main;work 1\nmain;idle nan\n",
        "overflow-count.folded": b"main;work 9223372036854775808\n",
        "overflow-sum.folded": b"main;work 9223372036854775807\nmain;work 1\n",
        "nul-byte.folded": b"main;work 10\nmain;id\0le 5\n",
        "binary.folded": noise(400),
        "deep.folded.gz": gz(deep.encode()),
    }


def write_all(folder, files):
    os.makedirs(folder, exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as out:
            out.write(data)


def main():
    above = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    root = sys.argv[1] if len(sys.argv) > 1 else above
    recorded = []
    for name in ("go-heap-1.pb.gz", "go-heap-2.pb.gz"):
        with open(os.path.join(root, "pprof", name), "rb") as file:
            recorded.append(file.read())
    bad = os.path.join(root, "pprof", "bad")
    write_all(bad, not_profiles())
    write_all(bad, broken_containers(recorded[0]))
    write_all(bad, broken_references())
    write_all(bad, broken_rules())
    write_all(bad, broken_wire())
    write_all(bad, too_large())
    write_all(os.path.join(root, "pprof"), odd_profiles(*recorded))
    write_all(os.path.join(root, "folded", "bad"), bad_folded())


if __name__ == "__main__":
    main()
