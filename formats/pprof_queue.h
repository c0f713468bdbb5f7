/* SPDX-License-Identifier: MIT */
/*
 * pprof_queue.h - records that must wait for others, kept as they are in the input.
 *
 *	block, 1 MiB
 *	[offset, len | record record record][offset, len | record] ...
 *	 `----------- span ---------------'
 *
 * Records that follow each other in the input share a span, so waiting costs their own
 * bytes and little else. No record crosses a block: blocks can be given to two threads.
 *
 * Order:   first in, first out.
 * Memory:  a block is freed when all of it was taken and more is asked for.
 * Threads: a queue belongs to one thread at a time.
 */
#ifndef PROF_FORMATS_PPROF_QUEUE_H
#define PROF_FORMATS_PPROF_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/wire.h"
#include "libprof/base/error.h"

/* One record: a field of the Profile message. */
struct prof_pprof_record {
	struct prof_wire_field field;
	const uint8_t *start; /* its tag ... */
	uint64_t offset;      /* ... and that place in the decompressed input */
};

/* Records one behind the other, as in the input. */
struct prof_pprof_run {
	struct prof_wire wire; /* what is left of them */
	const uint8_t *start;  /* where they began ... */
	uint64_t offset;       /* ... and that place in the decompressed input */
};

/* The next record. False at the end and at a fault, as prof_wire_next(). */
static inline bool prof_pprof_run_next(struct prof_pprof_run *run,
				       struct prof_pprof_record *record)
{
	record->start = run->wire.at;
	record->offset = run->offset + (uint64_t)(run->wire.at - run->start);
	return prof_wire_next(&run->wire, &record->field);
}

struct prof_pprof_block;

struct prof_pprof_queue {
	struct prof_pprof_block *first;
	struct prof_pprof_block *last;
	size_t open; /* where in `last` the span is that may grow; SIZE_MAX for none */
	uint64_t next_offset; /* what follows that span in the input */
	uint64_t bytes;       /* of the records added */

	size_t at; /* in `first`: the next span to take */
};

/* Append a record of bytes, tag and all. False: no memory. */
bool prof_pprof_queue_add(struct prof_pprof_queue *queue,
			  const struct prof_pprof_record *record) PROF_NODISCARD;

/*
 * Take the oldest span, which stays valid until the next call. False when there is
 * none.
 */
bool prof_pprof_queue_take(struct prof_pprof_queue *queue,
			   struct prof_pprof_run *run) PROF_NODISCARD;

/*
 * Move the younger half of the blocks to `*half`, a zeroed queue. Only for a queue that
 * nothing has been taken from.
 */
void prof_pprof_queue_split(struct prof_pprof_queue *queue,
			    struct prof_pprof_queue *half);

void prof_pprof_queue_free(struct prof_pprof_queue *queue);

#endif
