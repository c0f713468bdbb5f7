/* SPDX-License-Identifier: MIT */
#include "libprof/base/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64 };

/* Fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

static void expand(const unsigned char *block, uint32_t words[ROUNDS])
{
	for (size_t i = 0; i < 16; i++) {
		words[i] = (uint32_t)block[4 * i] << 24 |
			   (uint32_t)block[4 * i + 1] << 16 |
			   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	}
	for (size_t i = 16; i < ROUNDS; i++) {
		uint32_t a = words[i - 15];
		uint32_t b = words[i - 2];

		words[i] = words[i - 16] + words[i - 7] +
			   (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
			   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

static void compress(uint32_t state[8], const unsigned char *block)
{
	uint32_t words[ROUNDS];
	uint32_t a = state[0];
	uint32_t b = state[1];
	uint32_t c = state[2];
	uint32_t d = state[3];
	uint32_t e = state[4];
	uint32_t f = state[5];
	uint32_t g = state[6];
	uint32_t h = state[7];

	expand(block, words);
	for (size_t i = 0; i < ROUNDS; i++) {
		uint32_t first = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
				 ((e & f) ^ (~e & g)) + constants[i] + words[i];
		uint32_t second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
				  ((a & b) ^ (a & c) ^ (b & c));

		h = g;
		g = f;
		f = e;
		e = d + first;
		d = c;
		c = b;
		b = a;
		a = first + second;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

/* The rest of the data, a one bit, zeros, and the length in bits. */
static void finish(uint32_t state[8], const unsigned char *rest, size_t len,
		   uint64_t total)
{
	unsigned char tail[2 * BLOCK] = { 0 };
	size_t size = len + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
	uint64_t bits = total * 8;

	if (len > 0) {
		memcpy(tail, rest, len);
	}
	tail[len] = 0x80;
	for (size_t i = 0; i < 8; i++) {
		tail[size - 1 - i] = (unsigned char)(bits >> 8 * i);
	}
	for (size_t at = 0; at < size; at += BLOCK) {
		compress(state, tail + at);
	}
}

void prof_sha256_hex(const void *data, size_t len, char out[PROF_SHA256_HEX + 1])
{
	static const char digits[] = "0123456789abcdef";
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const unsigned char *at = data;
	size_t left = len;

	for (; left >= BLOCK; left -= BLOCK, at += BLOCK) {
		compress(state, at);
	}
	finish(state, at, left, len);
	for (size_t i = 0; i < PROF_SHA256_HEX; i++) {
		out[i] = digits[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
	}
	out[PROF_SHA256_HEX] = '\0';
}
