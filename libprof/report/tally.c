/* SPDX-License-Identifier: MIT */
#include "libprof/report/tally.h"

#include <string.h>

#include "libprof/base/alloc.h"

enum {
	SHORT = 4,      /* nodes that are copied at once; an entry says 1 to 4 */
	COUNT_BITS = 4, /* of an entry; 0 there: the pool begins with the number */
	COUNT_MASK = 15,
	PART_FRAMES = 1024 /* that are looked up together */
};

#define POOL_END ((size_t)1 << (32 - COUNT_BITS))

/* Samples [first, end) of a batch, whose frames begin at `frame`. */
struct part {
	uint32_t first;
	uint32_t end;
	uint32_t frame;
	bool whole; /* all their nodes are expanded */
};

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

/* Inlined with a constant number of columns: see prof_tally_samples(). */
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

/*
 * The nodes of the frames, one behind the other, and where those of each frame begin:
 * without a branch, so that the cache misses of many frames overlap. A location with
 * more than SHORT is left out; the part is not whole then.
 */
static bool expand(struct prof_tally *tally, const struct prof_batch *batch,
		   struct part *part)
{
	const size_t first = part->frame;
	const size_t frame_count = batch->ends[part->end - 1] - first;
	const uint32_t *frames = batch->frames;
	const uint32_t *entries = tally->entries;
	const uint32_t *pool = tally->pool;
	uint32_t *out = NULL;
	uint32_t *starts = NULL;
	uint32_t shortest = COUNT_MASK;
	size_t count = 0;

	if (!prof_reserve((void **)&tally->nodes, &tally->node_cap,
			  (frame_count + 1) * SHORT, sizeof(*tally->nodes)) ||
	    !prof_reserve((void **)&tally->starts, &tally->start_cap, frame_count + 1,
			  sizeof(*tally->starts))) {
		return false;
	}
	out = tally->nodes;
	starts = tally->starts;
	for (size_t i = 0; i < frame_count; i++) {
		uint32_t entry = entries[frames[first + i]];
		uint32_t nodes = entry & COUNT_MASK;

		starts[i] = (uint32_t)count;
		memcpy(out + count, pool + (entry >> COUNT_BITS),
		       SHORT * sizeof(*pool));
		count += nodes;
		shortest = nodes < shortest ? nodes : shortest;
	}
	starts[frame_count] = (uint32_t)count;
	part->whole = shortest > 0;
	return true;
}

/* What expand() left out of a sample; the innermost node of its leaf. */
static uint32_t add_long(struct prof_tally *tally, const uint32_t *frames, size_t count,
			 const int64_t *values)
{
	uint32_t leaf = 0;

	for (size_t i = count; i > 0; i--) {
		uint32_t entry = tally->entries[frames[i - 1]];
		const uint32_t *from = tally->pool + (entry >> COUNT_BITS);

		leaf = from[0];
		if ((entry & COUNT_MASK) == 0) {
			add_cum(tally->cum, from + 1, from[0], values, tally->stamp,
				tally->columns);
			leaf = from[1];
		}
	}
	return leaf;
}

/* Samples [first, end) of the batch, whose frames are expanded. */
static inline __attribute__((always_inline)) void add_samples(
	struct prof_tally *tally, const struct prof_batch *batch, struct part part,
	uint32_t columns)
{
	uint32_t start = 0; /* of a sample's frames, behind those of earlier parts */

	for (uint32_t i = part.first; i < part.end; i++) {
		const int64_t *values = batch->values + (size_t)i * columns;
		uint32_t depth = batch->ends[i] - part.frame - start;
		const uint32_t *nodes = tally->nodes + tally->starts[start];
		size_t count = tally->starts[start + depth] - tally->starts[start];
		uint64_t *flat = NULL;
		uint32_t leaf = 0;

		start += depth;
		add_total(tally, values);
		if (depth == 0 || all_zero(values, columns)) {
			continue;
		}
		tally->stamp++;
		leaf = part.whole ? nodes[0]
				  : add_long(tally,
					     batch->frames + part.frame + start - depth,
					     depth, values);
		flat = tally->flat + (size_t)leaf * columns;
		for (uint32_t c = 0; c < columns; c++) {
			flat[c] += (uint64_t)values[c];
		}
		add_cum(tally->cum, nodes, count, values, tally->stamp, columns);
	}
}

static void add_part(struct prof_tally *tally, const struct prof_batch *batch,
		     struct part part)
{
	switch (tally->columns) {
	case 1:
		add_samples(tally, batch, part, 1);
		break;
	case 2:
		add_samples(tally, batch, part, 2);
		break;
	case 4:
		add_samples(tally, batch, part, 4);
		break;
	default:
		add_samples(tally, batch, part, tally->columns);
		break;
	}
}

bool prof_tally_samples(struct prof_tally *tally, const struct prof_batch *batch,
			struct prof_error *err)
{
	struct part part = { 0 };

	if (!have_sums(tally, err)) {
		return false;
	}
	while (part.first < batch->count) {
		part.end = part.first + 1;
		while (part.end < batch->count &&
		       batch->ends[part.end] - part.frame <= PART_FRAMES) {
			part.end++;
		}
		if (!expand(tally, batch, &part)) {
			return prof_fail_nomem(err);
		}
		add_part(tally, batch, part);
		part.frame = batch->ends[part.end - 1];
		part.first = part.end;
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
		.nodes = tally->nodes,
		.node_cap = tally->node_cap,
		.starts = tally->starts,
		.start_cap = tally->start_cap,
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
	prof_free(tally->nodes);
	prof_free(tally->starts);
	*tally = (struct prof_tally){ 0 };
}
