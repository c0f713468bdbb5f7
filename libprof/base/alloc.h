/* SPDX-License-Identifier: MIT */
/*
 * alloc.h - the only door to malloc in libprof and formats.
 *
 * Plain malloc, realloc and free, but for two things: sizes of arrays are multiplied
 * with a check, and a test can make the n-th allocation fail, for every n.
 *
 * Threads: safe. prof_alloc_fail_after() is for single-threaded tests.
 */
#ifndef PROF_BASE_ALLOC_H
#define PROF_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `size` bytes, not zeroed, or NULL. */
void *prof_alloc(size_t size);

/* An array of `count` zeroed elements of `size` bytes, or NULL. */
void *prof_alloc_array(size_t count, size_t size);

/* Resize `old` (NULL is fine) to `count` elements; NULL leaves `old` as it was. */
void *prof_realloc_array(void *old, size_t count, size_t size);

void prof_free(void *data);

/*
 * The capacity an array of capacity `cap` grows to so that `need` elements fit: at
 * least 16, otherwise half as much again. SIZE_MAX when that is no size.
 */
size_t prof_grow(size_t cap, size_t need);

/*
 * Make room for `need` elements in `*items` with capacity `*cap`. False when memory
 * ran out: nothing changed then.
 *
 *	if (!prof_reserve((void **)&list, &cap, count + 1, sizeof(*list)))
 */
bool prof_reserve(void **items, size_t *cap, size_t need, size_t size);

/* For tests: let `n` more allocations succeed and fail the next; -1 never fails. */
void prof_alloc_fail_after(int64_t n);

#endif
