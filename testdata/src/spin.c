/* SPDX-License-Identifier: MIT */

/*
 * A program of a few bytes that testdata/elf has as spin: a loop, a call that is
 * inlined, and a function with two names.
 */

typedef unsigned long word;

static inline __attribute__((always_inline)) word mix(word x)
{
	x ^= x >> 13;
	return x * 0x9e3779b97f4a7c15u;
}

__attribute__((noinline)) word spin(word n)
{
	word x = n;

	for (word i = 0; i < n; i++) {
		x = mix(x + i);
	}
	return x;
}

__attribute__((noinline)) word twice(word n)
{
	return spin(n) + spin(n + 1); /* <b>not bold</b> */
}

word two(word n) __attribute__((alias("twice")));

void _start(void)
{
	volatile word sum = 0;

	for (;;) {
		sum += twice(1000);
	}
}
