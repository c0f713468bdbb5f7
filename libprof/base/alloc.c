/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Changes only in tests: -1 never fails, otherwise how many may still succeed. */
static _Atomic int64_t fail_after = -1;

static bool must_fail(void)
{
	int64_t left = atomic_load_explicit(&fail_after, memory_order_relaxed);

	if (left < 0) {
		return false;
	}
	if (left > 0) {
		atomic_store_explicit(&fail_after, left - 1, memory_order_relaxed);
	}
	return left == 0;
}

void prof_alloc_fail_after(int64_t n)
{
	atomic_store(&fail_after, n);
}

/* No object is larger than PTRDIFF_MAX; allocators of sanitizers abort if asked for one. */
static bool is_size(size_t count, size_t size, size_t *bytes)
{
	return !__builtin_mul_overflow(count, size, bytes) && *bytes <= PTRDIFF_MAX;
}

void *prof_alloc(size_t size)
{
	return must_fail() || size > PTRDIFF_MAX ? NULL : malloc(size > 0 ? size : 1);
}

void *prof_alloc_array(size_t count, size_t size)
{
	size_t bytes = 0;

	if (must_fail() || !is_size(count, size, &bytes)) {
		return NULL;
	}
	return calloc(1, bytes > 0 ? bytes : 1);
}

void *prof_realloc_array(void *old, size_t count, size_t size)
{
	size_t bytes = 0;

	if (must_fail() || !is_size(count, size, &bytes)) {
		return NULL;
	}
	return realloc(old, bytes > 0 ? bytes : 1);
}

void prof_free(void *data)
{
	free(data);
}

size_t prof_grow(size_t cap, size_t need)
{
	size_t more = 0;

	if (__builtin_add_overflow(cap, cap / 2, &more)) {
		return SIZE_MAX;
	}
	if (more < 16) {
		more = 16;
	}
	return more > need ? more : need;
}

bool prof_reserve(void **items, size_t *cap, size_t need, size_t size)
{
	size_t more = 0;
	void *moved = NULL;

	if (need <= *cap) {
		return true;
	}
	more = prof_grow(*cap, need);
	moved = prof_realloc_array(*items, more, size);
	if (!moved) {
		return false;
	}
	*items = moved;
	*cap = more;
	return true;
}
