/* SPDX-License-Identifier: MIT */
#include "libprof/base/hash.h"

#include <stdatomic.h>
#include <sys/auxv.h>

/* Every thread would store the same: 0 only means nobody asked yet. */
static _Atomic uint64_t process_seed;

uint64_t prof_hash_seed(void)
{
	uint64_t seed = atomic_load_explicit(&process_seed, memory_order_relaxed);
	const void *bits = NULL;

	if (seed != 0) {
		return seed;
	}
	seed = PROF_HASH_A;
	bits = (const void *)getauxval(AT_RANDOM);
	if (bits) {
		memcpy(&seed, bits, sizeof(seed));
	}
	seed |= 1;
	atomic_store_explicit(&process_seed, seed, memory_order_relaxed);
	return seed;
}
