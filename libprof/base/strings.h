/* SPDX-License-Identifier: MIT */
/*
 * strings.h - every distinct string once, under a small id.
 *
 *	struct prof_strings names = { 0 };
 *	uint32_t id = prof_strings_add(&names, text);    0 is always ""
 *	struct prof_text name = prof_strings_get(&names, id);
 *
 * Order:   ids count up in order of first addition.
 * Owns:    copies of the bytes, which never move, each followed by a NUL.
 * Errors:  sticky: after an allocation failed, `failed` is true and every addition
 *          gives 0; check it once, at the end. LIMIT does not exist here: the count
 *          ends at 2^32 - 2, where `failed` is set too.
 * Threads: one writer, or many readers.
 * Cost:    24 bytes a string beside its bytes.
 */
#ifndef PROF_BASE_STRINGS_H
#define PROF_BASE_STRINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/base/map.h"
#include "libprof/base/text.h"

struct prof_strings {
	struct prof_text *items;
	uint32_t count; /* 0 before the first use, afterwards at least 1 */
	size_t cap;
	struct prof_map map;
	struct prof_arena bytes;
	bool failed;
};

/* The id of `text`, new or known. */
uint32_t prof_strings_add(struct prof_strings *strings, struct prof_text text);

/* The id of `text` if it is known; false otherwise. */
bool prof_strings_find(const struct prof_strings *strings, struct prof_text text,
		       uint32_t *id) PROF_NODISCARD;

void prof_strings_free(struct prof_strings *strings);

/* The string of an id this table gave out; "" for 0 even before the first addition. */
static inline struct prof_text prof_strings_get(const struct prof_strings *strings,
						uint32_t id)
{
	return id < strings->count ? strings->items[id] : (struct prof_text){ "", 0 };
}

#endif
