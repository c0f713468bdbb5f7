/* SPDX-License-Identifier: MIT */
/*
 * hash.h - one hash for names, stacks and keys.
 *
 * Multiplies 64 x 64 -> 128 bits and folds, 16 bytes a step. Seeded with bits the
 * kernel gave this process, so that nobody can prepare an input whose keys collide;
 * therefore no output may ever depend on a hash.
 *
 * Both factors of every product must hold bits of the seed: a factor that an input can
 * make zero wipes out all that was hashed before it. Who builds a hash of numbers with
 * prof_hash_mix() gives each number of 64 bits a call of its own, behind the seed.
 *
 * Cost:   about 0.15 ns per byte of long keys, 2-3 ns for 24 bytes.
 * Source: the folded multiply is Wang Yi's wyhash.
 */
#ifndef PROF_BASE_HASH_H
#define PROF_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The process's seed: the same for every call. */
uint64_t prof_hash_seed(void);

__extension__ typedef unsigned __int128 prof_u128;

/* Fold two words into one. */
static inline uint64_t prof_hash_mix(uint64_t a, uint64_t b)
{
	prof_u128 product = (prof_u128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

#define PROF_HASH_A UINT64_C(0xa0761d6478bd642f)
#define PROF_HASH_B UINT64_C(0xe7037ed1a0b428db)

static inline uint64_t prof_hash_load(const unsigned char *data, size_t len)
{
	uint64_t word = 0;

	memcpy(&word, data, len);
	return word;
}

/* The hash of `len` bytes at `key`. */
static inline uint64_t prof_hash(const void *key, size_t len, uint64_t seed)
{
	const unsigned char *p = key;
	uint64_t hash = seed ^ prof_hash_mix(len ^ PROF_HASH_A, PROF_HASH_B);
	uint64_t secret = (seed << 32 | seed >> 32) ^ PROF_HASH_A;
	uint64_t a = 0;
	uint64_t b = 0;

	for (; len > 16; len -= 16, p += 16) {
		hash = prof_hash_mix(prof_hash_load(p, 8) ^ secret,
				     prof_hash_load(p + 8, 8) ^ hash);
	}
	if (len >= 8) {
		a = prof_hash_load(p, 8);
		b = prof_hash_load(p + len - 8, 8);
	} else if (len >= 4) {
		a = prof_hash_load(p, 4);
		b = prof_hash_load(p + len - 4, 4);
	} else if (len > 0) {
		a = (uint64_t)p[0] << 16 | (uint64_t)p[len / 2] << 8 | p[len - 1];
	}
	return prof_hash_mix(PROF_HASH_B ^ hash, prof_hash_mix(a ^ secret, b ^ hash));
}

#endif
