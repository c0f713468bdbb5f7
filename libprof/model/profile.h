/* SPDX-License-Identifier: MIT */
/*
 * profile.h - a profile: immutable tables that refer to one another by index.
 *
 *	samples            stacks            locations        lines         functions
 *	stack --------->   frames[] ----->   address          function -->  name, file
 *	label set          leaf first        mapping          line          start line
 *	values[column]                       lines            column
 *
 * Names are ids into `strings`; 0 is "". Stacks and label sets are interned: equal
 * ones have one id. Two samples may share both; merging adds such samples up.
 *
 * Units:   a column's values are int64 in the unit of its type. Negative values are
 *          legal: the difference of two profiles has them.
 * Order:   frames leaf first, lines innermost first; labels of a set: text labels by
 *          key, then numeric ones by key, values of one key in input order.
 * Owns:    everything reachable; dies whole in prof_profile_free().
 * Threads: immutable once built; may be read by many.
 * Source:  the model is profile.proto of google/pprof.
 */
#ifndef PROF_MODEL_PROFILE_H
#define PROF_MODEL_PROFILE_H

#include "libprof/base/arena.h"
#include "libprof/base/error.h"
#include "libprof/base/text.h"
#include "libprof/model/sink.h"

struct prof_location {
	uint64_t id;
	uint64_t address;
	uint32_t mapping;    /* index or PROF_NONE */
	uint32_t first_line; /* its lines end where the next location's begin */
	bool folded;
};

struct prof_profile {
	struct prof_arena arena;

	struct prof_text *strings; /* distinct; [0] is "" */
	uint32_t string_count;

	struct prof_value_type *types;
	uint32_t type_count;

	struct prof_mapping *mappings; /* [0] is the main binary, by convention */
	uint32_t mapping_count;

	struct prof_function *functions;
	uint32_t function_count;

	struct prof_location *locations; /* one more at the end, for first_line */
	uint32_t location_count;
	struct prof_line *lines;
	uint32_t line_count;

	uint64_t *stack_ends; /* [0] is 0; stack s has frames [ends[s], ends[s+1]) */
	uint32_t stack_count;
	uint32_t *frames; /* location indices, leaf first */

	uint32_t *set_ends; /* [0] is 0; as stack_ends; set 0 is empty */
	uint32_t set_count;
	struct prof_label *labels;

	uint32_t *sample_stack;
	uint32_t *sample_set;
	int64_t **values; /* values[column][sample] */
	uint32_t sample_count;

	struct prof_header header; /* comments live in the arena */
};

/* NULL is fine. */
void prof_profile_free(struct prof_profile *profile);

/* The string of an id; "" for 0. */
static inline struct prof_text prof_string(const struct prof_profile *profile,
					   uint32_t id)
{
	return profile->strings[id];
}

struct prof_frames {
	const uint32_t *data; /* location indices, leaf first */
	size_t count;
};

static inline struct prof_frames prof_stack(const struct prof_profile *profile,
					    uint32_t stack)
{
	const uint64_t *ends = profile->stack_ends + stack;

	return (struct prof_frames){ profile->frames + ends[0],
				     (size_t)(ends[1] - ends[0]) };
}

struct prof_lines {
	const struct prof_line *data; /* innermost first */
	size_t count;
};

static inline struct prof_lines prof_location_lines(const struct prof_profile *profile,
						    uint32_t location)
{
	const struct prof_location *at = profile->locations + location;

	return (struct prof_lines){ profile->lines + at[0].first_line,
				    at[1].first_line - at[0].first_line };
}

struct prof_labels {
	const struct prof_label *data;
	size_t count;
};

static inline struct prof_labels prof_label_set(const struct prof_profile *profile,
						uint32_t set)
{
	const uint32_t *ends = profile->set_ends + set;

	return (struct prof_labels){ profile->labels + ends[0], ends[1] - ends[0] };
}

/*
 * The column a report shows when nobody chose one: the default type if it names a
 * column, otherwise the last. 0 when there is no column.
 */
uint32_t prof_default_column(const struct prof_profile *profile);

/*
 * The column `name` means: a type, "type/unit", or a number counted from 0. False when
 * there is none or `name` is ambiguous.
 */
bool prof_find_column(const struct prof_profile *profile, struct prof_text name,
		      uint32_t *column) PROF_NODISCARD;

/*
 * Sum of the absolute values of a column: what percentages are of. LIMIT when the
 * sum does not fit int64.
 */
bool prof_column_total(const struct prof_profile *profile, uint32_t column,
		       int64_t *total, struct prof_error *err) PROF_NODISCARD;

/* Signed sum of a column. LIMIT when it does not fit int64. */
bool prof_column_sum(const struct prof_profile *profile, uint32_t column, int64_t *sum,
		     struct prof_error *err) PROF_NODISCARD;

/*
 * Deliver the profile to `sink`: strings, tables, samples, as sink.h orders them.
 * Refs are the profile's indices.
 */
bool prof_profile_send(const struct prof_profile *profile, struct prof_sink *sink,
		       struct prof_error *err) PROF_NODISCARD;

/*
 * The one validator: every index in its table, ids unique and not 0, stacks and sets
 * in bounds, string 0 empty. SYNTAX names the first fault. What a builder yields
 * always passes.
 */
bool prof_profile_validate(const struct prof_profile *profile,
			   struct prof_error *err) PROF_NODISCARD;

#endif
