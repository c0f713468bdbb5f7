/* SPDX-License-Identifier: MIT */
/*
 * walk.h - the program that generated profiles are profiles of.
 *
 * The program does not exist, but it has functions, call sites in them, and for each
 * site a few functions it calls, some much hotter than others. A stack is a walk
 * through that graph. What the walk aims at, from profiles of Go and JVM services:
 * about 25 frames a stack, p90 40; six call sites a function, a quarter of them with
 * an inlined function; recursion in two stacks of five; one frame in ten shared with
 * the stack before; names of 50 bytes; functions growing with the 0.42th power of the
 * samples; 2.3 to 1 under gzip.
 *
 * Integer arithmetic only, so that no libm decides a byte.
 */
#ifndef TESTS_BENCH_WALK_H
#define TESTS_BENCH_WALK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "libprof/base/buf.h"

#define MAX_DEPTH        128
#define MEAN_SITES       6
#define FUNCTIONS_A_FILE 22

/* Call sites are numbered through; those of function f begin at first_site[f]. */
struct program {
	uint64_t seed;
	uint32_t function_count;
	uint32_t site_count;
	uint32_t *first_site;
	uint32_t *function_of; /* by site */
};

struct stack {
	uint32_t depth;
	uint32_t site[MAX_DEPTH]; /* root first */
};

/* `count` zeroes, and one more. */
static inline uint32_t *new_table(size_t count)
{
	uint32_t *const table = calloc(count + 1, sizeof(*table));

	if (table == NULL) {
		fputs("gen: out of memory\n", stderr);
		exit(2);
	}
	return table;
}

/* splitmix64: https://prng.di.unimi.it/splitmix64.c */
static inline uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline uint64_t hash(uint64_t seed, uint64_t value)
{
	uint64_t state = seed ^ value * UINT64_C(0xd1342543de82ef95);

	return next(&state);
}

/* A number below `count`. */
static inline uint32_t even(uint64_t bits, uint32_t count)
{
	return (uint32_t)((bits >> 32) * count >> 32);
}

/* A number below `count`, small ones far more often. */
static inline uint32_t skewed(uint64_t bits, uint32_t count)
{
	const uint64_t u = bits >> 32;

	return (uint32_t)((u * u >> 32) * count >> 32);
}

/* 27 x samples^0.42, straight lines between the powers of four: 4^0.42 = 1.79. */
static inline uint32_t functions_for(uint64_t samples)
{
	uint64_t count = 27 * 256;
	uint64_t rest = samples * 256; /* 256 .. 1023 in the end */

	for (; rest >= 1024; rest /= 4) {
		count = count * 179 / 100;
	}
	return (uint32_t)(count * (768 + (rest - 256) * 79 / 100) / 768 / 256);
}

static inline void program_init(struct program *program, uint64_t seed,
				uint32_t functions)
{
	uint32_t sites = 0;

	program->seed = seed;
	program->function_count = functions;
	program->first_site = new_table(functions);
	for (uint32_t f = 0; f < functions; f++) {
		program->first_site[f] = sites;
		sites += 1 + even(hash(seed, f), 2 * MEAN_SITES - 1);
	}
	program->first_site[functions] = sites;
	program->site_count = sites;
	program->function_of = new_table(sites);
	for (uint32_t f = 0; f < functions; f++) {
		for (uint32_t s = program->first_site[f];
		     s < program->first_site[f + 1]; s++) {
			program->function_of[s] = f;
		}
	}
}

static inline void program_free(struct program *program)
{
	free(program->first_site);
	free(program->function_of);
}

/* Three functions of four do one thing: one site, one callee, nearly always. */
static inline bool is_straight(const struct program *program, uint32_t function)
{
	return hash(program->seed ^ 11, function) % 4 < 3;
}

static inline uint32_t pick_site(const struct program *program, uint32_t function,
				 uint64_t bits)
{
	const uint32_t first = program->first_site[function];

	if (bits % 16 != 0 && is_straight(program, function)) {
		return first;
	}
	return first + skewed(bits, program->first_site[function + 1] - first);
}

/* The function that `site` calls: the same one in most walks, else another two. */
static inline uint32_t pick_callee(const struct program *program, uint32_t site,
				   uint64_t bits)
{
	const uint32_t roll = even(bits, 16);
	const uint64_t choice = roll < 14 ? 0 : roll - 13;
	const uint64_t key = (uint64_t)site << 2 | choice;

	return skewed(hash(program->seed, ~key), program->function_count);
}

static inline uint32_t pick_depth(uint64_t *rng)
{
	const uint32_t body = 6 + even(next(rng), 20) + even(next(rng), 16);

	return body + (even(next(rng), 4) == 0 ? even(next(rng), 30) : 0);
}

/* Replace `stack` from frame `kept` on by a new walk. */
static inline void walk(const struct program *program, struct stack *stack,
			uint32_t kept, uint64_t *rng)
{
	const uint32_t depth = pick_depth(rng);
	uint32_t at = kept < depth ? kept : depth;

	for (; at < depth; at++) {
		const uint64_t bits = next(rng);
		uint32_t function;

		if (at == 0) {
			function = even(bits, 8);
		} else if (at > 6 && bits % 50 == 0) {
			stack->site[at] = stack->site[at - 1 - even(bits, 6)];
			continue;
		} else {
			function = pick_callee(program, stack->site[at - 1], bits);
		}
		stack->site[at] = pick_site(program, function, next(rng));
	}
	stack->depth = depth;
}

/* Frames that the next stack shares with this one: one in ten, over many stacks. */
static inline uint32_t pick_kept(const struct stack *stack, uint64_t *rng)
{
	const uint64_t bits = next(rng);

	return bits % 5 < 3 ? skewed(bits, stack->depth + 1) / 2 : 0;
}

static const char *const words[32] = {
	"account", "batch",   "buffer",  "cache",   "catalog", "channel", "client",
	"codec",   "column",  "config",  "cursor",  "decoder", "event",   "filter",
	"index",   "invoice", "journal", "ledger",  "market",  "message", "order",
	"packet",  "parser",  "planner", "pricing", "query",   "record",  "router",
	"session", "storage", "stream",  "worker",
};

static const char *const verbs[16] = {
	"Append", "Apply", "Close", "Commit", "Decode", "Encode", "Fetch",   "Flush",
	"Lookup", "Match", "Merge", "Open",   "Parse",  "Render", "Resolve", "Write",
};

static inline void add_capitalised(struct prof_buf *out, const char *word)
{
	prof_buf_addc(out, (char)(word[0] - 'a' + 'A'));
	prof_buf_adds(out, word + 1);
}

/* Three words that no other function below 32768 has: a permutation, base 32. */
static inline void name_words(uint32_t function, const char *name[3])
{
	const uint32_t mixed = function * 20021 & 0x7fff;

	name[0] = words[mixed & 31];
	name[1] = words[mixed >> 5 & 31];
	name[2] = words[mixed >> 10];
}

static inline void add_path(struct prof_buf *out, uint32_t file)
{
	prof_buf_addf(out, "example.com/shop/internal/%s/%s", words[file & 31],
		      words[file >> 5 & 31]);
}

static inline void add_name(struct prof_buf *out, uint32_t function)
{
	const char *name[3];

	name_words(function, name);
	add_path(out, function / FUNCTIONS_A_FILE);
	prof_buf_adds(out, ".(*");
	add_capitalised(out, name[0]);
	prof_buf_adds(out, ").");
	prof_buf_adds(out, verbs[function & 15]);
	add_capitalised(out, name[1]);
	add_capitalised(out, name[2]);
	if (function > 0x7fff) {
		prof_buf_add_uint(out, function >> 15);
	}
}

static inline void add_short_name(struct prof_buf *out, uint32_t function)
{
	const char *name[3];

	name_words(function, name);
	prof_buf_adds(out, name[0]);
	prof_buf_adds(out, "::");
	prof_buf_adds(out, name[1]);
	prof_buf_addc(out, '_');
	prof_buf_adds(out, name[2]);
	if (function > 0x7fff) {
		prof_buf_add_uint(out, function >> 15);
	}
}

#endif
