# SPDX-License-Identifier: MIT
"""orders.py - the program that testdata's Python profiles were recorded from.

Two threads parse, price and compress made-up orders for the given number of
seconds (default 3); prices are computed by a recursive evaluator.
"""

import hashlib
import json
import re
import sys
import threading
import time
import zlib

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|(.))")


class Evaluator:
    """Evaluate + - * / and parentheses by recursive descent."""

    def __init__(self, text):
        self.tokens = [n or op for n, op in TOKEN.findall(text)]
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self):
        token = self.peek()
        self.at += 1
        return token

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            if self.take() == "+":
                value += self.product()
            else:
                value -= self.product()
        return value

    def product(self):
        value = self.atom()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                value *= self.atom()
            else:
                value /= self.atom()
        return value

    def atom(self):
        token = self.take()
        if token != "(":
            return float(token)
        value = self.sum()
        self.take()
        return value


def make_order(number):
    items = [
        {
            "sku": f"AB-{(number * 31 + i * 7) % 5000}-blue",
            "price": f"(({i} + 3) * (2.5 + {number % 13})) / (1 + {i % 4})",
        }
        for i in range(20)
    ]
    return json.dumps({"id": number, "items": items})


def price(order):
    return sum(Evaluator(item["price"]).sum() for item in order["items"])


def pack(text):
    data = zlib.compress(text.encode() * 4, 9)
    return hashlib.sha256(data).hexdigest()


def serve(name, until):
    number = 0
    while time.monotonic() < until:
        number += 1
        text = make_order(number)
        total = price(json.loads(text))
        pack(f"{name} {total} {text}")


def main():
    until = time.monotonic() + float(sys.argv[1] if len(sys.argv) > 1 else 3)
    threads = [
        threading.Thread(target=serve, args=(name, until), name=name)
        for name in ("north", "south")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
