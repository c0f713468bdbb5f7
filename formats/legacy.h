/* SPDX-License-Identifier: MIT */
/*
 * legacy.h - what the readers of pprof's old formats share: samples of addresses, with
 * a memory map or a table of symbols behind them, made into records.
 *
 *	struct prof_legacy legacy = { 0 };
 *
 *	prof_legacy_type(&legacy, prof_text("objects"), prof_text("count"));
 *	prof_legacy_frame(&legacy, address, err), ...         leaf first
 *	prof_legacy_sample(&legacy, values, block, err)       closes the stack
 *	...
 *	prof_legacy_finish(&legacy, &lines, err)              reads the memory map
 *	prof_legacy_send(&legacy, sink, err)
 *	prof_legacy_free(&legacy);
 *
 * The result is that of google/pprof, entry by entry: locations in order of first use,
 * without lines; mappings as in memmap.h; frames of allocators, profilers and locks to be
 * dropped as `drop_frames` says. Samples stay apart even when their stacks are equal.
 *
 * Units:   as the types say. Addresses of callers are those of the call, not of the
 *          instruction behind it: one less than what a profiler finds on the stack.
 * Owns:    everything, until prof_legacy_free().
 * Errors:  LIMIT for stacks above PROF_MAX_DEPTH and tables above 2^32 entries.
 * Cost:    4 bytes a frame, and 16 to 48 a sample.
 */
#ifndef PROF_FORMATS_LEGACY_H
#define PROF_FORMATS_LEGACY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/memmap.h"
#include "formats/text_lines.h"
#include "libprof/base/error.h"
#include "libprof/base/map.h"
#include "libprof/base/strings.h"
#include "libprof/model/sink.h"

enum { PROF_LEGACY_TYPES = 4 };

struct prof_legacy_location {
	uint64_t address;
	uint32_t mapping;  /* or PROF_NONE */
	uint32_t function; /* or PROF_NONE */
	int64_t line;
};

struct prof_legacy_function {
	uint32_t name; /* string */
	uint32_t file; /* string */
	uint32_t ref;  /* when sent, or PROF_NONE */
};

struct prof_legacy_sample {
	size_t end; /* of its frames */
	int64_t values[PROF_LEGACY_TYPES];
	int64_t block; /* bytes of an object of a heap profile */
};

struct prof_legacy {
	struct prof_strings strings;
	struct prof_value_type types[PROF_LEGACY_TYPES];
	uint32_t type_count;
	struct prof_header header;
	bool has_blocks; /* samples have a label "bytes" */
	bool symbolized; /* addresses were but ids of symbols: they are not sent */

	struct prof_legacy_location *locations;
	uint32_t location_count;
	size_t location_cap;
	struct prof_map location_map; /* by address */

	struct prof_legacy_function *functions;
	uint32_t function_count;
	size_t function_cap;
	struct prof_map function_map; /* by name */

	uint32_t *frames; /* locations, of all samples and the open stack */
	size_t frame_count;
	size_t frame_cap;
	size_t open; /* where the open stack begins */

	struct prof_legacy_sample *samples;
	size_t sample_count;
	size_t sample_cap;

	struct prof_memmap map;
};

/* Declare the next column. At most PROF_LEGACY_TYPES. */
void prof_legacy_type(struct prof_legacy *legacy, struct prof_text type,
		      struct prof_text unit);

/* Say what the period counts. */
void prof_legacy_period(struct prof_legacy *legacy, const char *type, const char *unit,
			int64_t period);

/* Add a frame to the open stack. */
bool prof_legacy_frame(struct prof_legacy *legacy, uint64_t address,
		       struct prof_error *err) PROF_NODISCARD;

/*
 * Add a frame for every 0x... in `text`, with lower case digits only. Frames have one
 * less than the address, but for the leaf when `exact_leaf`.
 */
bool prof_legacy_frames(struct prof_legacy *legacy, struct prof_text text,
			bool exact_leaf, struct prof_error *err) PROF_NODISCARD;

/* The same with addresses as they are. */
bool prof_legacy_frames_as_is(struct prof_legacy *legacy, struct prof_text text,
			      struct prof_error *err) PROF_NODISCARD;

/* Close the open stack: one value per type; `block` where there are blocks. */
bool prof_legacy_sample(struct prof_legacy *legacy, const int64_t *values,
			int64_t block, struct prof_error *err) PROF_NODISCARD;

/* Forget the open stack. */
void prof_legacy_reopen(struct prof_legacy *legacy);

/* Name the location with this address, if there is one. */
bool prof_legacy_symbol(struct prof_legacy *legacy, uint64_t address,
			struct prof_text name, struct prof_text file, int64_t line,
			struct prof_error *err) PROF_NODISCARD;

/*
 * Read all further lines as symbols of the addresses seen, and do not send those:
 *
 *	0xADDRESS FUNCTION (FILE:LINE)
 *	0xADDRESS FUNCTION (PATH)		the file is the path's last part
 *	0xADDRESS anything			STUB if it has "generated stub/JIT"
 *
 * Other lines say nothing.
 */
bool prof_legacy_read_symbols(struct prof_legacy *legacy, struct prof_text_lines *lines,
			      struct prof_error *err) PROF_NODISCARD;

/*
 * Remove the frame behind the leaf from all stacks where it is the same in 31 of 32, and
 * do so twice: the signal handler and who called it.
 */
void prof_legacy_cut_handler(struct prof_legacy *legacy);

/* Remove the frame behind the leaf where it is the leaf's own address, less one. */
void prof_legacy_cut_leaf_twice(struct prof_legacy *legacy);

/*
 * After the last sample: read what is left as a memory map if `lines` is not NULL, put
 * locations in order of first use and into their mappings.
 */
bool prof_legacy_finish(struct prof_legacy *legacy, struct prof_text_lines *lines,
			struct prof_error *err) PROF_NODISCARD;

/* Deliver the profile to `sink`. After prof_legacy_finish(). */
bool prof_legacy_send(struct prof_legacy *legacy, struct prof_sink *sink,
		      struct prof_error *err) PROF_NODISCARD;

/* A zeroed one is fine. */
void prof_legacy_free(struct prof_legacy *legacy);

/*
 * The count and size that a sampled pair stands for, when an object of s bytes is seen
 * with probability 1 - exp(-s / rate): both divided by that. Unchanged for a rate up to
 * 1; zero if either is. False when they do not fit int64.
 */
bool prof_legacy_unsample(int64_t *count, int64_t *size, int64_t rate) PROF_NODISCARD;

/* `value` without its fraction; false when it does not fit. */
bool prof_legacy_truncate(double value, int64_t *out) PROF_NODISCARD;

#endif
