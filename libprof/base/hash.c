/* SPDX-License-Identifier: MIT */
#include "libprof/base/hash.h"

#include <sys/auxv.h>

uint64_t prof_hash_seed(void)
{
	const void *bits = (const void *)getauxval(AT_RANDOM);
	uint64_t seed = PROF_HASH_A;

	if (bits) {
		memcpy(&seed, bits, sizeof(seed));
	}
	return seed;
}
