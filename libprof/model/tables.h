/* SPDX-License-Identifier: MIT */
/*
 * tables.h - the growing tables behind a builder, and the input being read into them.
 *
 * Private to libprof/model. An input's records wait in `struct prof_input_tables`
 * under their refs. When something uses one, prof_tables_locations() and its kin
 * give it an index in the profile to be: a new one, or, when merging, that of its equal.
 *
 * When merging, a location with a mapping keeps its address relative to the mapping's
 * start, because the start may still change; prof_tables_yield() adds it back.
 */
#ifndef PROF_MODEL_TABLES_H
#define PROF_MODEL_TABLES_H

#include "libprof/base/map.h"
#include "libprof/base/strings.h"
#include "libprof/model/builder.h"
#include "libprof/model/profile.h"
#include "libprof/model/stacks.h"

struct prof_input_tables {
	uint32_t *strings; /* ref -> string id */
	size_t string_cap;
	uint32_t string_count;

	struct prof_mapping *mappings; /* by ref; .ref is PROF_NONE in a gap */
	size_t mapping_cap;
	uint32_t *mapping_index; /* by ref; PROF_NONE until used */
	size_t mapping_index_cap;
	uint32_t mapping_count;

	struct prof_function *functions;
	size_t function_cap;
	uint32_t *function_index;
	size_t function_index_cap;
	uint32_t function_count;

	struct prof_location *locations; /* mapping is a ref */
	size_t location_cap;
	uint32_t *location_index;
	size_t location_index_cap;
	uint32_t location_count;

	struct prof_line *lines; /* function is a ref */
	size_t line_cap;
	uint32_t line_count;
};

struct prof_tables {
	enum prof_build how;
	bool failed; /* sticky: out of memory or past 2^32 entries */

	struct prof_strings strings;

	struct prof_mapping *mappings;
	size_t mapping_cap;
	uint32_t mapping_count;
	struct prof_map mapping_map;
	struct prof_mapping main; /* the one to come first, as inputs' mapping 0 say */
	bool has_main;

	struct prof_function *functions;
	size_t function_cap;
	uint32_t function_count;
	struct prof_map function_map;

	struct prof_location *locations;
	size_t location_cap;
	uint32_t location_count;
	struct prof_map location_map;
	struct prof_line *lines;
	size_t line_cap;
	uint32_t line_count;

	struct prof_stacks stacks;
	struct prof_sets sets;

	struct prof_input_tables in;
};

/* Forget the input's records, keep the memory for the next. */
void prof_tables_next_input(struct prof_tables *tables);

/* Take the input's records, as the sink's callbacks of these names. */
void prof_tables_add_strings(struct prof_tables *tables, const struct prof_text *texts,
			     uint32_t count);
void prof_tables_add_mapping(struct prof_tables *tables,
			     const struct prof_mapping *mapping);
void prof_tables_add_function(struct prof_tables *tables,
			      const struct prof_function *function);
void prof_tables_add_location(struct prof_tables *tables,
			      const struct prof_sink_location *location);

/* The string id of a ref; 0 for a ref that never came. */
static inline uint32_t prof_tables_string(const struct prof_tables *tables,
					  uint32_t ref)
{
	return ref < tables->in.string_count ? tables->in.strings[ref] : 0;
}

/* The index of a mapping's ref, which is in use from now on. */
uint32_t prof_tables_mapping(struct prof_tables *tables, uint32_t ref);

/*
 * Turn refs[first] to refs[end - 1], of locations which are in use from now on, into
 * indices[0] and so on.
 */
void prof_tables_locations(struct prof_tables *tables, const uint32_t *refs,
			   size_t first, size_t end, uint32_t *indices);

/* The input is complete: let its first mapping compete for the first place. */
void prof_tables_main_mapping(struct prof_tables *tables);

/* Exchange mapping 0 and the main one, in the table and in the locations. */
void prof_tables_main_first(struct prof_tables *tables);

/* Move the tables into `profile`, whose arena owns them then. */
void prof_tables_yield(struct prof_tables *tables, struct prof_profile *profile);

void prof_tables_free(struct prof_tables *tables);

/*
 * Order of mapping identities that does not change when mappings merge: mappings with
 * a build id or the name of a program first, libraries and the kernel's own next,
 * nameless ones last; then bytewise.
 */
int prof_mapping_order(const struct prof_text *strings, const struct prof_mapping *a,
		       const struct prof_mapping *b);

/* A raw merged profile made canonical: see merge.h, "numbering". */
bool prof_canonical(const struct prof_profile *raw, struct prof_profile **out,
		    struct prof_error *err) PROF_NODISCARD;

#endif
