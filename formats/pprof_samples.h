/* SPDX-License-Identifier: MIT */
/*
 * pprof_samples.h - Sample messages to batches.
 *
 *	Sample   0a len id id id   12 len value value   1a len label  1a len label
 *	batch    frames[] ends[]   values[]             labels[] label_ends[]
 *
 * A decoder has its own buffers, so that two may decode two halves of the samples. Ids
 * become refs on the way, 8192 frames or so at a time, which stay in the first-level
 * cache until the sink has seen them.
 */
#ifndef PROF_FORMATS_PPROF_SAMPLES_H
#define PROF_FORMATS_PPROF_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/pprof_ids.h"
#include "formats/pprof_queue.h"
#include "formats/pprof_varint.h"
#include "libprof/base/error.h"
#include "libprof/base/limits.h"
#include "libprof/model/sink.h"

/* The largest string index used so far, and by whom: checked when the table is known. */
struct prof_pprof_reach {
	uint64_t index;
	uint64_t offset;
};

/* A batch is full with so many; the last sample may go past the count of frames. */
enum {
	PROF_PPROF_BATCH = 2048,
	PROF_PPROF_BATCH_FRAMES = 8192,
	PROF_PPROF_BATCH_LABELS = 4096,
	PROF_PPROF_BATCH_VALUES = 8192,
};

struct prof_pprof_rows {
	uint32_t ends[PROF_PPROF_BATCH];
	uint32_t label_ends[PROF_PPROF_BATCH];
	int64_t values[PROF_PPROF_BATCH_VALUES + PROF_MAX_SAMPLE_TYPE];
};

struct prof_pprof_decoder {
	struct prof_sink *sink;                 /* borrowed */
	const struct prof_pprof_ids *locations; /* borrowed: those delivered */
	prof_pprof_kernel *kernel;
	uint32_t type_count;
	bool final;            /* nothing more will be defined: do not wait, fail */
	uint32_t string_count; /* when final */
	struct prof_pprof_reach reach;
	uint64_t taken; /* samples decoded in all */

	uint32_t sample_count; /* in the batch */
	size_t frame_count;
	size_t label_count;
	struct prof_pprof_rows *rows; /* NULL before the first sample */
	uint32_t *frames;
	size_t frame_cap;
	struct prof_label *labels;
	size_t label_cap;
};

enum prof_pprof_verdict {
	PROF_PPROF_TAKEN,  /* it is in the batch */
	PROF_PPROF_WAITS,  /* it uses what may still come; the batch is as before */
	PROF_PPROF_BROKEN, /* *err says how */
};

enum prof_pprof_verdict prof_pprof_decode(struct prof_pprof_decoder *decoder,
					  const struct prof_pprof_record *record,
					  struct prof_error *err) PROF_NODISCARD;

/* Is it time to flush? */
static inline bool prof_pprof_full(const struct prof_pprof_decoder *decoder)
{
	return decoder->sample_count >= PROF_PPROF_BATCH ||
	       decoder->frame_count >= PROF_PPROF_BATCH_FRAMES ||
	       decoder->label_count >= PROF_PPROF_BATCH_LABELS ||
	       (uint64_t)decoder->sample_count * decoder->type_count >=
		       PROF_PPROF_BATCH_VALUES;
}

/* Deliver the batch, if there is one. */
bool prof_pprof_flush(struct prof_pprof_decoder *decoder,
		      struct prof_error *err) PROF_NODISCARD;

/* Decode and deliver all that waits in `queue`; the decoder is final. */
bool prof_pprof_decode_queue(struct prof_pprof_decoder *decoder,
			     struct prof_pprof_queue *queue,
			     struct prof_error *err) PROF_NODISCARD;

/*
 * The index of a string. False with SYNTAX when it cannot be one; whether the table has
 * it is checked at once when it is known, otherwise left to prof_pprof_check_reach().
 */
bool prof_pprof_string(uint64_t index, uint32_t count, uint64_t offset,
		       struct prof_pprof_reach *reach,
		       struct prof_error *err) PROF_NODISCARD;

/* Check what prof_pprof_string() put off, now that there are `count` strings. */
bool prof_pprof_check_reach(const struct prof_pprof_reach *reach, uint32_t count,
			    struct prof_error *err) PROF_NODISCARD;

/* Free the buffers; sink and locations stay. */
void prof_pprof_decoder_free(struct prof_pprof_decoder *decoder);

#endif
