/* SPDX-License-Identifier: MIT */
#include "libprof/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "libprof/base/alloc.h"

#if defined(__SANITIZE_ADDRESS__)
#	define BLOCK_MIN ((size_t)0)
#	define BLOCK_MAX ((size_t)0)
#elif defined(__has_feature)
#	if __has_feature(address_sanitizer)
#		define BLOCK_MIN ((size_t)0)
#		define BLOCK_MAX ((size_t)0)
#	endif
#endif
#ifndef BLOCK_MIN
#	define BLOCK_MIN ((size_t)4 << 10)
#	define BLOCK_MAX ((size_t)1 << 20)
#endif

struct prof_arena_block {
	struct prof_arena_block *next;
	void *adopted; /* foreign memory to free, or NULL */
	size_t size;   /* payload bytes */
	size_t used;
	alignas(max_align_t) char data[];
};

static struct prof_arena_block *block_new(struct prof_arena *arena, size_t size)
{
	struct prof_arena_block *block = NULL;

	if (!arena->failed && size <= SIZE_MAX - sizeof(*block)) {
		block = prof_alloc(sizeof(*block) + size);
	}
	if (!block) {
		arena->failed = true;
		return NULL;
	}
	*block = (struct prof_arena_block){ .next = arena->head, .size = size };
	return block;
}

/* Blocks double from BLOCK_MIN to BLOCK_MAX; a large object has one of its own. */
static struct prof_arena_block *block_for(struct prof_arena *arena, size_t size)
{
	struct prof_arena_block *head = arena->head;
	struct prof_arena_block *block = NULL;
	size_t next = head && head->size > 0 ? head->size * 2 : BLOCK_MIN;

	if (head && head->size - head->used >= size) {
		return head;
	}
	if (next > BLOCK_MAX) {
		next = BLOCK_MAX;
	}
	block = block_new(arena, size > next ? size : next);
	if (!block) {
		return NULL;
	}
	if (size > next && head) {
		/* Keep filling the open block: the large one goes behind it. */
		block->next = head->next;
		head->next = block;
	} else {
		arena->head = block;
	}
	return block;
}

static void *take(struct prof_arena *arena, size_t size)
{
	struct prof_arena_block *block = block_for(arena, size);
	void *data = NULL;

	if (!block) {
		return NULL;
	}
	data = block->data + block->used;
	block->used += size;
	arena->used += size;
	return data;
}

void *prof_arena_alloc(struct prof_arena *arena, size_t size)
{
	size_t align = alignof(max_align_t);
	struct prof_arena_block *head = arena->head;

	if (size > SIZE_MAX - align) {
		arena->failed = true;
		return NULL;
	}
	if (head && head->used % align != 0) {
		size_t pad = align - head->used % align;

		head->used =
			head->size - head->used < pad ? head->size : head->used + pad;
	}
	return take(arena, size);
}

void *prof_arena_array(struct prof_arena *arena, size_t count, size_t size)
{
	size_t bytes = 0;
	void *data = NULL;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		arena->failed = true;
		return NULL;
	}
	data = prof_arena_alloc(arena, bytes);
	if (data) {
		memset(data, 0, bytes);
	}
	return data;
}

char *prof_arena_copy(struct prof_arena *arena, const char *text, size_t len)
{
	char *copy = len < SIZE_MAX ? take(arena, len + 1) : NULL;

	if (copy) {
		if (len > 0) {
			memcpy(copy, text, len);
		}
		copy[len] = '\0';
	}
	return copy;
}

void *prof_arena_adopt(struct prof_arena *arena, void *data)
{
	struct prof_arena_block *block = NULL;

	if (!data) {
		return NULL;
	}
	block = block_new(arena, 0);
	if (!block) {
		prof_free(data);
		return NULL;
	}
	block->adopted = data;
	if (arena->head) {
		block->next = arena->head->next;
		arena->head->next = block;
	} else {
		arena->head = block;
	}
	return data;
}

void prof_arena_take(struct prof_arena *arena, struct prof_arena *from)
{
	struct prof_arena_block **last = &from->head;

	while (*last) {
		last = &(*last)->next;
	}
	if (arena->head) {
		/* Behind the open block, which keeps filling. */
		*last = arena->head->next;
		arena->head->next = from->head;
	} else {
		arena->head = from->head;
	}
	arena->used += from->used;
	arena->failed = arena->failed || from->failed;
	*from = (struct prof_arena){ 0 };
}

void prof_arena_free(struct prof_arena *arena)
{
	struct prof_arena_block *block = arena->head;

	while (block) {
		struct prof_arena_block *next = block->next;

		prof_free(block->adopted);
		prof_free(block);
		block = next;
	}
	*arena = (struct prof_arena){ 0 };
}
