/* SPDX-License-Identifier: MIT */
#include "libprof/base/strings.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

static uint32_t fail(struct prof_strings *strings)
{
	strings->failed = true;
	return 0;
}

static uint32_t append(struct prof_strings *strings, struct prof_text text,
		       uint64_t hash)
{
	uint32_t id = strings->count;
	const char *copy = NULL;

	if (id >= UINT32_MAX - 1 ||
	    !prof_reserve((void **)&strings->items, &strings->cap, (size_t)id + 1,
			  sizeof(*strings->items))) {
		return fail(strings);
	}
	copy = prof_arena_copy(&strings->bytes, text.data, text.len);
	if (!copy || !prof_map_add(&strings->map, hash, id)) {
		return fail(strings);
	}
	strings->items[id] = (struct prof_text){ copy, text.len };
	strings->count++;
	return id;
}

static uint64_t hash_of(struct prof_text text)
{
	return prof_hash(text.data, text.len, prof_hash_seed());
}

static bool lookup(const struct prof_strings *strings, struct prof_text text,
		   uint64_t hash, uint32_t *id)
{
	struct prof_map_walk walk = prof_map_walk(&strings->map, hash);
	uint32_t at = 0;

	while (prof_map_next(&walk, &at)) {
		if (prof_text_equal(strings->items[at], text)) {
			*id = at;
			return true;
		}
	}
	return false;
}

uint32_t prof_strings_add(struct prof_strings *strings, struct prof_text text)
{
	uint64_t hash = 0;
	uint32_t id = 0;

	if (strings->failed) {
		return 0;
	}
	if (strings->count == 0) {
		struct prof_text empty = { "", 0 };

		append(strings, empty, hash_of(empty));
	}
	if (text.len == 0) {
		return 0;
	}
	hash = hash_of(text);
	return lookup(strings, text, hash, &id) ? id : append(strings, text, hash);
}

bool prof_strings_find(const struct prof_strings *strings, struct prof_text text,
		       uint32_t *id)
{
	if (text.len == 0) {
		*id = 0;
		return true;
	}
	return lookup(strings, text, hash_of(text), id);
}

void prof_strings_free(struct prof_strings *strings)
{
	prof_free(strings->items);
	prof_map_free(&strings->map);
	prof_arena_free(&strings->bytes);
	*strings = (struct prof_strings){ 0 };
}
