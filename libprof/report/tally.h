/* SPDX-License-Identifier: MIT */
/*
 * tally.h - the inner loop of top: values added up per node, once per sample.
 *
 *	location --> entry --> pool[offset ...]     nodes of its frames, innermost first
 *	                       |
 *	                       v
 *	node     --> stamp, cum per column          stamp: the last sample that added
 *	         --> flat per column
 *
 * A node is whatever the caller calls one: the frames with one key. Up to four nodes
 * of a location are copied as 16 bytes whatever their number, without a branch;
 * locations with the same single node share one place in the pool, so that tables
 * stay in the cache.
 *
 * Sums:    when the sum of all |value| fits int64, no other sum can leave it. So only
 *          that one is checked, per sample instead of per frame.
 * Threads: prof_tally_fork() gives a second thread sums of its own.
 * Cost:    about 3 ns per frame.
 */
#ifndef PROF_REPORT_TALLY_H
#define PROF_REPORT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/limits.h"
#include "libprof/model/sink.h"

struct prof_tally {
	uint32_t *entries; /* per location: offset into the pool << 4 | how many */
	size_t location_count;
	size_t location_cap;
	uint32_t *pool;
	size_t pool_len;
	size_t pool_cap;
	bool borrowed; /* a fork: the tables above are its parent's */

	uint32_t node_count;
	uint32_t columns;
	uint64_t
		*cum; /* per node: stamp (0: no sample has it), then a sum per column */
	uint64_t *flat; /* per node: a sum per column */
	size_t summed;  /* nodes that these two have room for */
	uint64_t stamp;

	uint32_t *nodes; /* of the frames at work ... */
	size_t node_cap;
	uint32_t *starts; /* ... and where those of each begin */
	size_t start_cap;

	uint64_t total[PROF_MAX_SAMPLE_TYPE]; /* sums of |value| */
	bool overflow[PROF_MAX_SAMPLE_TYPE];  /* ... that passed int64 */
	bool negative;
	uint64_t sample_count;
};

/*
 * Append a location with the frames `nodes`, innermost first, at least one; its ref
 * is the number of those before. LIMIT when there are more than 2^28 frames in all.
 */
bool prof_tally_location(struct prof_tally *tally, const uint32_t *nodes, size_t count,
			 struct prof_error *err) PROF_NODISCARD;

/* Append a location with the same frames as location `like`, which is there. */
bool prof_tally_same(struct prof_tally *tally, uint32_t like,
		     struct prof_error *err) PROF_NODISCARD;

/* Add a batch. `columns` and `node_count` are set and every frame's location known. */
bool prof_tally_samples(struct prof_tally *tally, const struct prof_batch *batch,
			struct prof_error *err) PROF_NODISCARD;

/* Add one sample's values to one node, flat and cum. */
bool prof_tally_add(struct prof_tally *tally, uint32_t node, const int64_t *values,
		    struct prof_error *err) PROF_NODISCARD;

/* A tally with sums of its own over the same locations and nodes. */
struct prof_tally prof_tally_fork(const struct prof_tally *tally);

/* Add the sums of a fork. */
bool prof_tally_join(struct prof_tally *tally, const struct prof_tally *child,
		     struct prof_error *err) PROF_NODISCARD;

/* Forget locations, nodes and sums, keep the memory. */
void prof_tally_clear(struct prof_tally *tally);

void prof_tally_free(struct prof_tally *tally);

#endif
