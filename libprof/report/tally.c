/* SPDX-License-Identifier: MIT */
#include "libprof/report/tally.h"

#include <string.h>

#include "libprof/base/alloc.h"

enum {
	SHORT = 4,      /* nodes that are copied at once; an entry says 1 to 4 */
	COUNT_BITS = 4, /* of an entry; 0 there: the pool begins with the number */
	COUNT_MASK = 15,
	CHUNK_FRAMES = 128 /* of a stack that are looked up together */
};

#define POOL_END ((size_t)1 << (32 - COUNT_BITS))

/* Room for `more` numbers, and for a copy of SHORT that begins at the last one. */
static bool reserve_pool(struct prof_tally *tally, size_t more, struct prof_error *err)
{
	size_t need = 0;

	if (more >= POOL_END || tally->pool_len + more >= POOL_END) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "more than %zu frames in the location table",
				 POOL_END);
	}
	need = tally->pool_len + more + SHORT;
	if (!prof_reserve((void **)&tally->pool, &tally->pool_cap, need,
			  sizeof(*tally->pool))) {
		return prof_fail_nomem(err);
	}
	return true;
}

static bool append_entry(struct prof_tally *tally, uint32_t entry,
			 struct prof_error *err)
{
	if (!prof_reserve((void **)&tally->entries, &tally->location_cap,
			  tally->location_count + 1, sizeof(*tally->entries))) {
		return prof_fail_nomem(err);
	}
	tally->entries[tally->location_count++] = entry;
	return true;
}

bool prof_tally_location(struct prof_tally *tally, const uint32_t *nodes, size_t count,
			 struct prof_error *err)
{
	bool is_short = count <= SHORT;
	uint32_t entry = (uint32_t)(tally->pool_len << COUNT_BITS);

	if (!reserve_pool(tally, count + 1, err)) {
		return false;
	}
	if (is_short) {
		entry |= (uint32_t)count;
	} else {
		tally->pool[tally->pool_len++] = (uint32_t)count;
	}
	memcpy(tally->pool + tally->pool_len, nodes, count * sizeof(*nodes));
	tally->pool_len += count;
	return append_entry(tally, entry, err);
}

bool prof_tally_same(struct prof_tally *tally, uint32_t like, struct prof_error *err)
{
	return append_entry(tally, tally->entries[like], err);
}

static bool grow_sums(uint64_t **sums, size_t old, size_t count)
{
	uint64_t *more = prof_realloc_array(*sums, count, sizeof(*more));

	if (!more) {
		return false;
	}
	memset(more + old, 0, (count - old) * sizeof(*more));
	*sums = more;
	return true;
}

/* Sums for all nodes there are by now. */
static bool have_sums(struct prof_tally *tally, struct prof_error *err)
{
	size_t columns = tally->columns;
	size_t old = tally->summed;
	size_t count = prof_grow(old, tally->node_count);

	if (tally->node_count <= old) {
		return true;
	}
	if (!grow_sums(&tally->flat, old * columns, count * columns) ||
	    !grow_sums(&tally->cum, old * (columns + 1), count * (columns + 1))) {
		return prof_fail_nomem(err);
	}
	tally->summed = count;
	return true;
}

static void add_total(struct prof_tally *tally, const int64_t *values)
{
	for (uint32_t c = 0; c < tally->columns; c++) {
		uint64_t size = (uint64_t)values[c];

		if (values[c] < 0) {
			size = 0 - size;
			tally->negative = true;
		}
		tally->total[c] += size;
		if (size > INT64_MAX || tally->total[c] > INT64_MAX) {
			tally->overflow[c] = true;
			tally->total[c] = 0;
		}
	}
}

static bool all_zero(const int64_t *values, uint32_t columns)
{
	for (uint32_t c = 0; c < columns; c++) {
		if (values[c] != 0) {
			return false;
		}
	}
	return true;
}

/* Inlined with a constant number of columns: see tally_samples(). */
static inline __attribute__((always_inline)) void add_cum(
	uint64_t *cum, const uint32_t *nodes, size_t count, const int64_t *values,
	uint64_t stamp, uint32_t columns)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t *node = cum + (size_t)nodes[i] * (columns + 1);

		if (node[0] != stamp) {
			node[0] = stamp;
			for (uint32_t c = 0; c < columns; c++) {
				node[1 + c] += (uint64_t)values[c];
			}
		}
	}
}

static inline __attribute__((always_inline)) void add_stack(struct prof_tally *tally,
							    const uint32_t *frames,
							    size_t count,
							    const int64_t *values,
							    uint32_t columns)
{
	const uint32_t *entries = tally->entries;
	const uint32_t *pool = tally->pool;
	uint64_t *cum = tally->cum;
	uint64_t stamp = tally->stamp;
	uint32_t nodes[(CHUNK_FRAMES + 1) * SHORT];

	for (size_t start = 0; start < count; start += CHUNK_FRAMES) {
		size_t end =
			count - start < CHUNK_FRAMES ? count : start + CHUNK_FRAMES;
		size_t n = 0;

		for (size_t i = start; i < end; i++) {
			uint32_t entry = entries[frames[i]];
			const uint32_t *from = pool + (entry >> COUNT_BITS);

			memcpy(nodes + n, from, SHORT * sizeof(*nodes));
			n += entry & COUNT_MASK;
			if (__builtin_expect((entry & COUNT_MASK) == 0, 0)) {
				add_cum(cum, from + 1, from[0], values, stamp, columns);
			}
		}
		add_cum(cum, nodes, n, values, stamp, columns);
	}
}

static inline __attribute__((always_inline)) void add_flat(struct prof_tally *tally,
							   uint32_t leaf,
							   const int64_t *values,
							   uint32_t columns)
{
	uint32_t entry = tally->entries[leaf];
	const uint32_t *from = tally->pool + (entry >> COUNT_BITS);
	uint32_t node = (entry & COUNT_MASK) == 0 ? from[1] : from[0];
	uint64_t *flat = tally->flat + (size_t)node * columns;

	for (uint32_t c = 0; c < columns; c++) {
		flat[c] += (uint64_t)values[c];
	}
}

static inline __attribute__((always_inline)) void add_samples(
	struct prof_tally *tally, const struct prof_batch *batch, uint32_t columns)
{
	uint32_t start = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		const int64_t *values = batch->values + (size_t)i * columns;
		const uint32_t *frames = batch->frames + start;
		uint32_t count = batch->ends[i] - start;

		start = batch->ends[i];
		add_total(tally, values);
		if (count == 0 || all_zero(values, columns)) {
			continue;
		}
		tally->stamp++;
		add_flat(tally, frames[0], values, columns);
		add_stack(tally, frames, count, values, columns);
	}
}

bool prof_tally_samples(struct prof_tally *tally, const struct prof_batch *batch,
			struct prof_error *err)
{
	if (!have_sums(tally, err)) {
		return false;
	}
	switch (tally->columns) {
	case 1:
		add_samples(tally, batch, 1);
		break;
	case 2:
		add_samples(tally, batch, 2);
		break;
	case 4:
		add_samples(tally, batch, 4);
		break;
	default:
		add_samples(tally, batch, tally->columns);
		break;
	}
	tally->sample_count += batch->count;
	return true;
}

bool prof_tally_add(struct prof_tally *tally, uint32_t node, const int64_t *values,
		    struct prof_error *err)
{
	uint32_t columns = tally->columns;

	if (!have_sums(tally, err)) {
		return false;
	}
	add_total(tally, values);
	tally->stamp++;
	add_cum(tally->cum, &node, 1, values, tally->stamp, columns);
	for (uint32_t c = 0; c < columns; c++) {
		tally->flat[(size_t)node * columns + c] += (uint64_t)values[c];
	}
	tally->sample_count++;
	return true;
}

struct prof_tally prof_tally_fork(const struct prof_tally *tally)
{
	return (struct prof_tally){
		.entries = tally->entries,
		.location_count = tally->location_count,
		.pool = tally->pool,
		.borrowed = true,
		.node_count = tally->node_count,
		.columns = tally->columns,
	};
}

bool prof_tally_join(struct prof_tally *tally, const struct prof_tally *child,
		     struct prof_error *err)
{
	size_t columns = tally->columns;

	tally->sample_count += child->sample_count;
	tally->negative = tally->negative || child->negative;
	for (size_t c = 0; c < columns; c++) {
		tally->total[c] += child->total[c];
		if (child->overflow[c] || tally->total[c] > INT64_MAX) {
			tally->overflow[c] = true;
			tally->total[c] = 0;
		}
	}
	if (child->summed == 0) {
		return true;
	}
	if (!have_sums(tally, err)) {
		return false;
	}
	tally->stamp++;
	for (size_t node = 0; node < child->node_count; node++) {
		uint64_t *cum = tally->cum + node * (columns + 1);
		const uint64_t *more = child->cum + node * (columns + 1);

		cum[0] = more[0] != 0 ? tally->stamp : cum[0];
		for (size_t c = 0; c < columns; c++) {
			cum[1 + c] += more[1 + c];
			tally->flat[node * columns + c] +=
				child->flat[node * columns + c];
		}
	}
	return true;
}

void prof_tally_clear(struct prof_tally *tally)
{
	struct prof_tally kept = {
		.entries = tally->entries,
		.location_cap = tally->location_cap,
		.pool = tally->pool,
		.pool_cap = tally->pool_cap,
	};

	prof_free(tally->cum);
	prof_free(tally->flat);
	*tally = kept;
}

void prof_tally_free(struct prof_tally *tally)
{
	if (!tally->borrowed) {
		prof_free(tally->entries);
		prof_free(tally->pool);
	}
	prof_free(tally->cum);
	prof_free(tally->flat);
	*tally = (struct prof_tally){ 0 };
}
