/* SPDX-License-Identifier: MIT */
/*
 * sha256.h - the hash of a profile's canonical form. Source: FIPS 180-4.
 */
#ifndef PROF_BASE_SHA256_H
#define PROF_BASE_SHA256_H

#include <stddef.h>

enum { PROF_SHA256_HEX = 64 };

/* The hash of `len` bytes at `data` in lower-case hex, NUL-terminated, into `out`. */
void prof_sha256_hex(const void *data, size_t len, char out[PROF_SHA256_HEX + 1]);

#endif
