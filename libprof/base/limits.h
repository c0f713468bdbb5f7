/* SPDX-License-Identifier: MIT */
/*
 * limits.h - what an input may ask for, in one place.
 *
 * A profile is untrusted: whatever grows with it has an end here. Zero in a field of
 * struct prof_limits means its default.
 */
#ifndef PROF_BASE_LIMITS_H
#define PROF_BASE_LIMITS_H

#include <stdint.h>

#define PROF_MAX_INPUT       (UINT64_C(8) << 30)  /* decompressed bytes, by default */
#define PROF_MAX_RATIO       UINT64_C(250)        /* decompressed : compressed ... */
#define PROF_MAX_RATIO_FROM  (UINT64_C(64) << 20) /* ... beyond this many bytes */
#define PROF_MAX_STRING      (UINT64_C(64) << 20) /* bytes of one string */
#define PROF_MAX_DEPTH       (UINT32_C(1) << 20)  /* frames of one stack */
#define PROF_MAX_SAMPLE_TYPE UINT32_C(256)        /* value columns */
#define PROF_MAX_LAYERS      3                    /* of compression */

struct prof_limits {
	uint64_t max_input; /* raised by an option; lifts the ratio limit as well */
};

#endif
