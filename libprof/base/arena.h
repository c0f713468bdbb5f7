/* SPDX-License-Identifier: MIT */
/*
 * arena.h - memory that is freed all at once.
 *
 * A profile owns one arena; everything reachable from the profile lives in it and
 * dies with it. Nothing in an arena is freed, moved or grown on its own.
 *
 *	struct prof_arena arena = { 0 };
 *	struct point *p = prof_arena_alloc(&arena, sizeof(*p));
 *	...
 *	prof_arena_free(&arena);
 *
 * Allocation failure is sticky: the arena then returns NULL for ever and `failed` is
 * true, so a builder checks once, at its end.
 *
 * Threads: an arena belongs to one thread at a time.
 * Cost:    blocks of 4 KiB to 1 MiB; under ASan one malloc per object, so that
 *          overruns are seen.
 */
#ifndef PROF_BASE_ARENA_H
#define PROF_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct prof_arena_block;

struct prof_arena {
	struct prof_arena_block *head; /* newest block; NULL when empty */
	size_t used;                   /* bytes handed out, for limits and `info` */
	bool failed;
};

/* `size` bytes aligned for any type, not zeroed, or NULL. */
void *prof_arena_alloc(struct prof_arena *arena, size_t size);

/* `count` zeroed elements of `size` bytes, or NULL. */
void *prof_arena_array(struct prof_arena *arena, size_t count, size_t size);

/* A NUL-terminated copy of `len` bytes at `text` (not aligned), or NULL. */
char *prof_arena_copy(struct prof_arena *arena, const char *text, size_t len);

/*
 * Let the arena own `data`, which prof_alloc() or its kin returned: it is freed with
 * the arena, and at once if the arena has failed. Returns `data`, or NULL.
 */
void *prof_arena_adopt(struct prof_arena *arena, void *data);

/* Move everything `from` owns into `arena`; `from` is empty afterwards. */
void prof_arena_take(struct prof_arena *arena, struct prof_arena *from);

/* Free every block. The arena is empty and usable afterwards. */
void prof_arena_free(struct prof_arena *arena);

#endif
