/* SPDX-License-Identifier: MIT */
/*
 * sink.h - records leaving a reader, or a profile, in one fixed order.
 *
 *	begin
 *	strings      refs count up from 0 in order of delivery; ref 0 is ""
 *	mapping*     each says its own ref
 *	function*    refs count up from 0; names are string refs
 *	location*    refs count up from 0; refer to mappings and functions
 *	types        once
 *	samples*     batches; refer to locations, and to strings in their labels
 *	end          what else the profile says of itself
 *	             ... and begin again, when an input holds several profiles
 *
 * A sink that sets `early` gets samples as soon as the locations and functions they
 * use are known: then strings, mappings and further functions, locations and samples
 * come in any order, but for this: types before the first samples, a function before
 * the locations that use it, a location before the samples that use it, everything
 * before end. So it sees the profile in one pass, in the memory of the tables.
 *
 * What a reader promises: refs exist (a mapping ref may, for an early sink, come
 * later or not at all), every sample has one value per type, stacks are at most
 * PROF_MAX_DEPTH deep, string ref 0 is "".
 *
 * Units:   values in the unit of their type; times and durations in nanoseconds.
 * Order:   frames of a stack leaf first, lines of a location innermost first, both as
 *          in profile.proto.
 * Owns:    everything passed is borrowed for the time of the call.
 * Errors:  a callback that is false ends the reading; the reader passes *err on.
 * Threads: one thread at a time uses a sink; see fork.
 */
#ifndef PROF_MODEL_SINK_H
#define PROF_MODEL_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/text.h"

#define PROF_NONE UINT32_MAX /* no mapping, no such id */

struct prof_value_type {
	uint32_t type; /* string: "cpu" */
	uint32_t unit; /* string: "nanoseconds" */
};

enum prof_mapping_flags {
	PROF_HAS_FUNCTIONS = 1 << 0,
	PROF_HAS_FILENAMES = 1 << 1,
	PROF_HAS_LINES = 1 << 2,
	PROF_HAS_INLINES = 1 << 3,
};

struct prof_mapping {
	uint64_t id; /* the input's own number, for people; 0 = none */
	uint64_t start;
	uint64_t limit;
	uint64_t offset;
	uint32_t file;     /* string */
	uint32_t build_id; /* string */
	uint32_t flags;    /* enum prof_mapping_flags */
	uint32_t ref;      /* sinks only */
};

struct prof_function {
	uint64_t id;
	uint32_t name;        /* string */
	uint32_t system_name; /* string */
	uint32_t file;        /* string */
	int64_t start_line;
};

struct prof_line {
	uint32_t function;
	int64_t line;
	int64_t column;
};

struct prof_sink_location {
	uint64_t id;
	uint64_t address;
	uint32_t mapping; /* ref or PROF_NONE */
	bool folded;
	const struct prof_line
		*lines;      /* innermost first; the last is the real function */
	uint32_t line_count; /* 0: only the address is known */
};

/* text != 0: a string; otherwise a number, with a unit or not. */
struct prof_label {
	uint32_t key;  /* string */
	uint32_t text; /* string, 0 for a numeric label */
	int64_t number;
	uint32_t unit; /* string, 0 for none */
};

struct prof_batch {
	uint32_t count;         /* samples */
	const uint32_t *frames; /* location refs, stack behind stack */
	const uint32_t *ends;   /* sample i has frames [i ? ends[i-1] : 0, ends[i]) */
	const int64_t *values;  /* sample i, column c: values[i * types + c] */
	const struct prof_label *labels; /* in input order, sample behind sample */
	const uint32_t *label_ends;      /* as ends; NULL: no sample has a label */
};

/* What a profile says of itself beside its types. */
struct prof_header {
	int64_t time_ns; /* since 1970 UTC, 0 = unknown */
	int64_t duration_ns;
	struct prof_value_type period_type;
	int64_t period;
	uint32_t default_type;    /* string: the name of a type, 0 = the last one */
	uint32_t doc_url;         /* string */
	uint32_t drop_frames;     /* string: a regular expression */
	uint32_t keep_frames;     /* string */
	const uint32_t *comments; /* strings */
	uint32_t comment_count;
};

struct prof_sink {
	bool early;     /* wants samples before the string table */
	bool no_labels; /* readers may leave labels out of batches */

	bool (*begin)(struct prof_sink *sink, struct prof_error *err);
	bool (*strings)(struct prof_sink *sink, const struct prof_text *texts,
			uint32_t count, struct prof_error *err);
	bool (*mapping)(struct prof_sink *sink, const struct prof_mapping *mapping,
			struct prof_error *err);
	bool (*function)(struct prof_sink *sink, const struct prof_function *function,
			 struct prof_error *err);
	bool (*location)(struct prof_sink *sink,
			 const struct prof_sink_location *location,
			 struct prof_error *err);
	bool (*types)(struct prof_sink *sink, const struct prof_value_type *types,
		      uint32_t count, struct prof_error *err);
	bool (*samples)(struct prof_sink *sink, const struct prof_batch *batch,
			struct prof_error *err);
	bool (*end)(struct prof_sink *sink, const struct prof_header *header,
		    struct prof_error *err);

	/*
	 * For sinks whose samples can be taken by two threads: fork gives a sink that
	 * accepts samples() only, refers to the tables delivered so far, and may be
	 * used by another thread while this one takes samples itself; join adds what it
	 * got and frees it, with `child` not used any more. NULL when not supported;
	 * fork gives NULL when memory ran out: go on with one thread.
	 */
	struct prof_sink *(*fork)(struct prof_sink *sink);
	bool (*join)(struct prof_sink *sink, struct prof_sink *child,
		     struct prof_error *err);
};

#endif
