# SPDX-License-Identifier: MIT
"""
Profiles to draw, pictures of them, and what may be measured in a picture.
"""

import atexit
import math
import os
import random
import re
import shutil
import struct
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
import zlib

SVG = "{http://www.w3.org/2000/svg}"
SCRATCH = tempfile.mkdtemp(prefix="flame-", dir=os.environ.get("SCRATCH"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)


def draw(name, folded, *options, suffix=".svg"):
    """The address of the flame graph of folded text."""
    source = os.path.join(SCRATCH, name + ".folded")
    with open(source, "wb") as out:
        out.write(folded if isinstance(folded, bytes) else folded.encode())
    path = os.path.join(SCRATCH, name + suffix)
    subprocess.run(["fgtool", "flame", *options, "-o", path, source], check=True,
                   stderr=subprocess.DEVNULL)
    return "file://" + path


def parse(url):
    return ElementTree.parse(url[len("file://"):]).getroot()


def server(count, seed=1):
    """A folded profile: `count` stacks of a made-up server, values 1 to 50."""
    words = ["main", "net::poll", "std::map<int, std::vector<a::b> >::find", "read",
             "json.(*Decoder).Decode", "parse", "write", "java/util/HashMap.get",
             "operator new(unsigned long)", "lock", "sort<T>", "handle(int, char)"]
    rng = random.Random(seed)
    stacks = {}
    for _ in range(count):
        frames = ["main"]
        while len(frames) < 30 and rng.random() < 0.85:
            frames.append(rng.choice(words) + rng.choice(["", "", "_%d" % rng.randrange(9)]))
        key = ";".join(frames)
        stacks[key] = stacks.get(key, 0) + rng.randrange(1, 50)
    return "".join("%s %d\n" % item for item in sorted(stacks.items()))


def stacks_of(folded):
    for line in folded.splitlines():
        stack, value = line.rsplit(" ", 1)
        yield stack.split(";"), int(value)


FOLDED = server(3000)
SMALL = "main;parse;strtol 3\nmain;parse 4\nmain;write 3\nmain 1\n"


HOSTILE = ["</title><script>window.pwned=1</script>", "]]></script><script>pwned=1//",
           "\" onload=\"pwned=1", "'+(window.pwned=1)+'", "\\x3e\\u{41}\\\\",
           "<img src=x onerror=pwned=1>", "\u202ertl", "javascript:pwned=1",
           "<!--<script>", "\\x2f\\x21</", "vector</", "vector</b>", "vector</c",
           "0123456789012345678901234567", "0123456789012345678901234567/script><b>"]


def luminance(color):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (int(v) / 255 for v in re.findall(r"\d+", color)[:3])]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    """CIE L*a*b* of an sRGB color, 0 to 255 a channel; white is D65."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
               for c in (v / 255 for v in rgb))
    x, y, z = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


# How colors look without one kind of cone: Machado, Oliveira and Fernandes 2009, on
# linear light.
BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
               (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
               (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
               (0.004733, 0.691367, 0.303900)),
}


def seen_by(kind, rgb):
    """What is left of an sRGB color for someone of BLIND."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (v / 255 for v in rgb)]
    out = []
    for row in BLIND[kind]:
        v = min(1, max(0, sum(a * b for a, b in zip(row, linear))))
        out.append(255 * (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055))
    return out


def ciede2000(one, two):
    """The difference of two L*a*b* colors: Sharma, Wu and Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for b, a in ((b1, a1), (b2, a2)))
    turn = h2 - h1 if c1 * c2 else 0
    turn += 360 if turn < -180 else -360 if turn > 180 else 0
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    c, lightness, h = (c1 + c2) / 2, (l1 + l2) / 2, h1 + h2
    if c1 * c2:
        h = h / 2 if abs(h1 - h2) <= 180 else (h + 360) / 2 if h < 360 else (h - 360) / 2
    t = (1 - 0.17 * math.cos(math.radians(h - 30)) + 0.24 * math.cos(math.radians(2 * h)) +
         0.32 * math.cos(math.radians(3 * h + 6)) - 0.2 * math.cos(math.radians(4 * h - 63)))
    sl = 1 + 0.015 * (lightness - 50) ** 2 / math.sqrt(20 + (lightness - 50) ** 2)
    sc, sh = 1 + 0.045 * c, 1 + 0.015 * c * t
    rt = (-2 * math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)) *
          math.sin(math.radians(60 * math.exp(-((h - 275) / 25) ** 2))))
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, dh / sh
    return math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rt * dc * dh)


def pixels(png):
    """Width, height and rows of (r, g, b) of a PNG with 8 bits a channel."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and color in (2, 6), (depth, color)
        elif kind == b"IDAT":
            data += body
        at += 12 + size
    step = 3 if color == 2 else 4
    data, length = zlib.decompress(data), width * step
    before, rows = bytearray(length), []
    for y in range(height):
        begin = y * (length + 1)
        row = unfilter(data[begin], data[begin + 1:begin + 1 + length], before, step)
        rows.append([tuple(row[i:i + 3]) for i in range(0, length, step)])
        before = row
    return width, height, rows


def unfilter(kind, raw, above, step):
    row = bytearray(raw)
    for i in range(len(row)):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + above[i]) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            guess = left + above[i] - corner
            near = min((abs(guess - left), 0, left), (abs(guess - above[i]), 1, above[i]),
                       (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + near) & 255
    return row
