#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Write the files of testdata/legacy that no program wrote: make-legacy.py legacy"""
import os
import struct
import sys

folder = sys.argv[1]
TRAILER = [0, 1, 0]
MAP = ("00400000-00420000 r-xp 00000000 fe:01 7   /opt/server\n"
       "00420000-00430000 rw-p 00020000 fe:01 7   /opt/server\n"
       "7f0000000000-7f0000100000 r-xp 00000000 fe:01 8   /lib/libc.so.6\n")


def cpu(records, text="", words="<Q", kind=0, trailer=TRAILER):
    numbers = [0, 3, kind, 10000, 0]
    for count, stack in records:
        numbers += [count, len(stack)] + stack
    return b"".join(struct.pack(words, n) for n in numbers + trailer) + text.encode()


STACKS = [(3, [0x400100, 0x400201, 0x400301]), (2, [0x400180, 0x400201, 0x400301]),
          (1, [0x410000, 0x410001, 0x400301])]
HEAP = "heap profile: 3: 300 [5: 900] @ %s\n"
THREAD = "--- Thread 7f01 (name: main/1) stack: ---\n"
JAVA = "format = java\nresolution = %s\n"
SYMBOLS = ("\n 0x3 com.example.Cart.add (Cart.java:31)\n 0x4 com.example.Main.run (Main.java:0)\n"
           " 0x5 libjvm (/usr/lib/libjvm.so)\n 0x6 a generated stub/JIT\n")

FILES = {
    "words-32le.cpu": cpu(STACKS, MAP, "<I"),
    "words-32be.cpu": cpu(STACKS, MAP, ">I"),
    "words-64be.cpu": cpu(STACKS, MAP, ">Q"),
    "java.cpu": cpu([(3, [3, 4]), (1, [5, 4, 6])], SYMBOLS, "<I", kind=1),
    "no-trailer.cpu": cpu(STACKS, trailer=[]),
    "contentionz.txt": "--- contentionz 1 ---\ncycles/second = 3201000000\nsampling period = 100\n"
        "ms since reset = 16502830\ndiscarded samples = 0\n"
        "  19490304       27 @ 0x400101 0x400202 0x7f0000000100\n"
        "       768        1 @ 0x400101 0x400302\n--- Memory map: ---\n" + MAP,
    "threadz.txt": "--- threadz 1 ---\n\n" + THREAD +
        "  PC:  0x00400100: helper(arg*)\n  0x00400202: main\n" +
        THREAD.replace("main/1", "worker a/2") + "  [same as previous thread]\n" +
        THREAD.replace("main/1", "io/3") + "  PC: 0x400300 0x400300\n      creator: 0x400402\n"
        "--- Memory map: ---\n" + MAP,
    "heapz.txt": "--- heapz 1 ---\n" + JAVA % "bytes" +
        "          7048     1 @ 0x3 0x4\n          4752     9 @ 0x5 0x4 0x6\n" + SYMBOLS,
    "java-contentionz.txt": "--- contentionz 1 ---\n" + JAVA % "microseconds" +
        "sampling period = 100\nms since reset = 6019923\n           14     2 @ 0x3 0x4\n" + SYMBOLS,
    "growthz.heap": HEAP % "growthz" + "3: 300 [3: 300] @ 0x400101 0x400202\n",
    "variables.txt": "goroutine profile: total 2\n1 @ 0x400101\n1 @\n--- Memory map: ---\n"
        "build=/srv/app\nI0101 00:00:00.0 1 maps.cc:12] 00400000-00420000: $build/server (@0) abc123\n"
        "7f0000000000-7f0000100000: $build/lib.so\n",

    "bad/cut-record.cpu": cpu(STACKS, trailer=[5, 3, 0x400100]),
    "bad/cut-word.cpu": cpu(STACKS, trailer=[])[:-3],
    "bad/deep-stack.cpu": cpu(STACKS, trailer=[5, 1 << 40]),
    "bad/long-time.cpu": cpu([(1 << 62, [0x400100])]),
    "bad/unknown-kind.heap": HEAP % "heapq/5" + "1: 2 [1: 2] @ 0x400101\n",
    "bad/no-sample.heap": HEAP % "heapprofile" + "1: 2 [1: 2] @ 0x400101\n1: 2 1: 2 @ 0x400101\n",
    "bad/no-objects.heap": HEAP % "heap/8192" + "0: 5 [1: 2] @ 0x400101\n",
    "bad/wide-address.heap": HEAP % "heap/8192" + "1: 2 [1: 2] @ 0x400101 0x10000000000000000\n",
    "bad/large-number.heap": HEAP % "heap/8192" + "9223372036854775807: 9223372036854775807 [1: 2] @\n",
    "bad/no-count.txt": "goroutine profile: total 2\n1 @ 0x400101\nmany @ 0x400101\n",
    "bad/cut-threads.txt": "--- threadz 1 ---\n" + THREAD + "0x400101\n",
    "bad/no-thread.txt": "--- threadz 1 ---\n" + THREAD + "0x400101\n--- Fiber 7f02 ---\n",
    "bad/unknown-attribute.txt": "--- mutex:\ncycles/second=1000\ncolour=blue\n",
    "bad/bad-number.txt": "--- mutex:\ncycles/second=fast\n5 1 @ 0x400101\n",
    "bad/no-delay.txt": "--- mutex:\ncycles/second=1000\n5 @ 0x400101\n",
    "bad/no-resolution.txt": "--- heapz 1 ---\nformat = java\n 5 1 @ 0x3\n",
    "bad/java-no-objects.txt": "--- heapz 1 ---\n" + JAVA % "bytes" + " 5 0 @ 0x3\n",
    "bad/wide-symbol.txt": "--- heapz 1 ---\n" + JAVA % "bytes" + " 5 1 @ 0x3\n0x10000000000000000 f (a:1)\n",
}

os.makedirs(os.path.join(folder, "bad"), exist_ok=True)
for name, content in FILES.items():
    with open(os.path.join(folder, name), "wb") as out:
        out.write(content if isinstance(content, bytes) else content.encode())
