/* SPDX-License-Identifier: MIT */
#include "libprof/base/seqsort.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

enum {
	SMALL = 12,      /* ranges that insertion sort does faster */
	MAX_RANGES = 96, /* 2 log3(2^64) and some: see sort_ranges() */
};

/* The depth of a range of equal sequences, whose keys are ids: the last comparison. */
#define BY_ID UINT32_MAX

struct item {
	uint64_t key;          /* numbers at depth and depth + 1 of its range */
	const uint32_t *first; /* where reading begins */
	uint32_t len;
	uint32_t id;
};

struct range {
	struct item *items;
	size_t count;
	uint32_t depth; /* numbers all of them have in common */
	bool loaded;    /* keys are those of depth */
};

struct sorter {
	ptrdiff_t step; /* 1, or -1 to read backwards */
	uint64_t random;
	struct range stack[MAX_RANGES];
	size_t stacked;
};

/* Two numbers, each plus one so that the end, 0, comes before every number. */
static uint64_t load_key(const struct item *item, uint32_t depth, ptrdiff_t step)
{
	uint32_t left = item->len - depth;
	const uint32_t *at = NULL;
	uint64_t first = 0;

	if (left == 0) {
		return 0;
	}
	at = item->first + (ptrdiff_t)depth * step;
	first = ((uint64_t)at[0] + 1) << 32;
	return left == 1 ? first : first | ((uint64_t)at[step] + 1);
}

static bool ended(uint64_t key)
{
	return (uint32_t)key == 0;
}

static uint32_t common_from(const struct item *a, const struct item *b, uint32_t at,
			    ptrdiff_t step)
{
	uint32_t end = a->len < b->len ? a->len : b->len;

	while (at < end &&
	       a->first[(ptrdiff_t)at * step] == b->first[(ptrdiff_t)at * step]) {
		at++;
	}
	return at;
}

/* Whether `a` comes after `b`, both being equal before `depth`. */
static bool after(const struct item *a, const struct item *b, uint32_t depth,
		  ptrdiff_t step)
{
	uint32_t at = common_from(a, b, depth, step);

	if (at < a->len && at < b->len) {
		return a->first[(ptrdiff_t)at * step] > b->first[(ptrdiff_t)at * step];
	}
	return a->len != b->len ? a->len > b->len : a->id > b->id;
}

static bool key_after(const struct item *a, const struct item *b, uint32_t depth,
		      ptrdiff_t step)
{
	if (a->key != b->key) {
		return a->key > b->key;
	}
	if (ended(a->key)) {
		return a->id > b->id;
	}
	return after(a, b, depth + 2, step);
}

static void sort_small(const struct range *range, ptrdiff_t step)
{
	for (size_t i = 1; i < range->count; i++) {
		struct item item = range->items[i];
		size_t to = i;

		while (to > 0 &&
		       key_after(&range->items[to - 1], &item, range->depth, step)) {
			range->items[to] = range->items[to - 1];
			to--;
		}
		range->items[to] = item;
	}
}

static void swap(struct item *a, struct item *b)
{
	struct item old = *a;

	*a = *b;
	*b = old;
}

static uint64_t median(uint64_t a, uint64_t b, uint64_t c)
{
	if (a < b) {
		return b < c ? b : a < c ? c : a;
	}
	return a < c ? a : b < c ? c : b;
}

/* Random, so that no input can be made for which partitions are always lopsided. */
static uint64_t random_key(struct sorter *sorter, const struct range *range)
{
	sorter->random ^= sorter->random << 13;
	sorter->random ^= sorter->random >> 7;
	sorter->random ^= sorter->random << 17;
	return range->items[sorter->random % range->count].key;
}

static uint64_t random_median(struct sorter *sorter, const struct range *range)
{
	uint64_t a = random_key(sorter, range);
	uint64_t b = random_key(sorter, range);

	return median(a, b, random_key(sorter, range));
}

static uint64_t choose_pivot(struct sorter *sorter, const struct range *range)
{
	uint64_t a = random_median(sorter, range);
	uint64_t b = 0;

	if (range->count < 64) {
		return a;
	}
	b = random_median(sorter, range);
	return median(a, b, random_median(sorter, range));
}

/* Split into keys below, equal to and above the pivot; returns the first two sizes. */
static void partition(const struct range *range, uint64_t pivot, size_t *below,
		      size_t *equal)
{
	struct item *items = range->items;
	size_t low = 0;
	size_t high = range->count;
	size_t i = 0;

	while (i < high && items[i].key == pivot) {
		i++;
	}
	while (i < high) {
		if (items[i].key < pivot) {
			swap(&items[low++], &items[i++]);
		} else if (items[i].key > pivot) {
			swap(&items[--high], &items[i]);
		} else {
			i++;
		}
	}
	*below = low;
	*equal = high - low;
}

static void push(struct sorter *sorter, struct range range)
{
	if (range.count > 1) {
		sorter->stack[sorter->stacked++] = range;
	}
}

static void push_by_size(struct sorter *sorter, struct range parts[3])
{
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < 2; i++) {
			if (parts[i].count < parts[i + 1].count) {
				struct range old = parts[i];

				parts[i] = parts[i + 1];
				parts[i + 1] = old;
			}
		}
	}
	for (int i = 0; i < 3; i++) {
		push(sorter, parts[i]);
	}
}

static void split(struct sorter *sorter, struct range range)
{
	uint64_t pivot = choose_pivot(sorter, &range);
	size_t below = 0;
	size_t equal = 0;
	struct range parts[3] = { range, range, range };

	partition(&range, pivot, &below, &equal);
	parts[0].count = below;
	parts[1].items += below;
	parts[1].count = equal;
	parts[2].items += below + equal;
	parts[2].count -= below + equal;
	parts[1].loaded = false;
	if (!ended(pivot)) {
		parts[1].depth += 2;
	} else if (range.depth != BY_ID) {
		parts[1].depth = BY_ID;
	} else {
		parts[1].count = 0;
	}
	push_by_size(sorter, parts);
}

static void load_keys(struct range *range, ptrdiff_t step)
{
	for (size_t i = 0; i < range->count; i++) {
		struct item *item = &range->items[i];

		item->key = range->depth == BY_ID ? (uint64_t)item->id << 32
						  : load_key(item, range->depth, step);
	}
	range->loaded = true;
}

/*
 * The largest part of a split lies lowest on the stack, so that what is above any
 * range is less than half, and every second a third, of it: MAX_RANGES suffice.
 */
static void sort_ranges(struct sorter *sorter, struct range all)
{
	push(sorter, all);
	while (sorter->stacked > 0) {
		struct range range = sorter->stack[--sorter->stacked];

		if (!range.loaded) {
			load_keys(&range, sorter->step);
		}
		if (range.count <= SMALL) {
			sort_small(&range, sorter->step);
		} else {
			split(sorter, range);
		}
	}
}

static struct item item_of(const struct prof_seq *seq, bool backwards)
{
	return (struct item){
		.first = backwards && seq->len > 0 ? seq->data + seq->len - 1
						   : seq->data,
		.len = seq->len,
		.id = seq->id,
	};
}

static bool sorted(const struct prof_seq *seqs, size_t count, bool backwards)
{
	ptrdiff_t step = backwards ? -1 : 1;

	for (size_t i = 1; i < count; i++) {
		struct item a = item_of(&seqs[i - 1], backwards);
		struct item b = item_of(&seqs[i], backwards);

		if (after(&a, &b, 0, step)) {
			return false;
		}
	}
	return true;
}

bool prof_seqsort(struct prof_seq *seqs, size_t count, bool backwards,
		  struct prof_error *err)
{
	struct sorter sorter = { .step = backwards ? -1 : 1,
				 .random = prof_hash_seed() | 1 };
	struct item *items = NULL;

	if (sorted(seqs, count, backwards)) {
		return true;
	}
	items = prof_realloc_array(NULL, count, sizeof(*items));
	if (!items) {
		return prof_fail_nomem(err);
	}
	for (size_t i = 0; i < count; i++) {
		items[i] = item_of(&seqs[i], backwards);
	}
	sort_ranges(&sorter, (struct range){ .items = items, .count = count });
	for (size_t i = 0; i < count; i++) {
		const struct item *item = &items[i];
		size_t back = backwards && item->len > 0 ? item->len - 1 : 0;

		seqs[i] = (struct prof_seq){ item->first - back, item->len, item->id };
	}
	prof_free(items);
	return true;
}

uint32_t prof_seq_common(const struct prof_seq *a, const struct prof_seq *b,
			 bool backwards)
{
	struct item first = item_of(a, backwards);
	struct item second = item_of(b, backwards);

	return common_from(&first, &second, 0, backwards ? -1 : 1);
}
