/* SPDX-License-Identifier: MIT */
/*
 * Mappings of a builder: which are equal, what a merged one says, which comes first. The
 * rules stand in merge.h.
 */
#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/model/tables.h"

static uint64_t mapping_size(const struct prof_mapping *mapping)
{
	return (mapping->limit - mapping->start + 4095) & ~UINT64_C(4095);
}

/* What tells mappings apart: the build id, or else the file. */
static uint32_t mapping_name(const struct prof_mapping *mapping)
{
	return mapping->build_id != 0 ? mapping->build_id : mapping->file;
}

static bool same_mapping(const struct prof_mapping *a, const struct prof_mapping *b)
{
	return mapping_size(a) == mapping_size(b) && a->offset == b->offset &&
	       (a->build_id != 0) == (b->build_id != 0) &&
	       mapping_name(a) == mapping_name(b);
}

/* 0: a program; 1: a library or something of the kernel's; 2: nameless. */
static int mapping_rank(const struct prof_text *strings,
			const struct prof_mapping *mapping)
{
	struct prof_text file = strings[mapping->file];

	if (mapping->build_id != 0) {
		return 0;
	}
	if (file.len == 0) {
		return 2;
	}
	return file.data[0] == '[' || memmem(file.data, file.len, ".so", 3) ||
	       (file.len >= 6 && memcmp(file.data, "//anon", 6) == 0);
}

int prof_mapping_order(const struct prof_text *strings, const struct prof_mapping *a,
		       const struct prof_mapping *b)
{
	int by_rank = mapping_rank(strings, a) - mapping_rank(strings, b);
	int by_kind = (a->build_id == 0) - (b->build_id == 0);
	int by_name =
		prof_text_compare(strings[mapping_name(a)], strings[mapping_name(b)]);
	uint64_t sizes[2] = { mapping_size(a), mapping_size(b) };

	if (by_rank != 0 || by_kind != 0 || by_name != 0) {
		return by_rank != 0 ? by_rank : by_kind != 0 ? by_kind : by_name;
	}
	if (sizes[0] != sizes[1]) {
		return sizes[0] < sizes[1] ? -1 : 1;
	}
	return (a->offset > b->offset) - (a->offset < b->offset);
}

static uint32_t smaller_name(const struct prof_strings *strings, uint32_t a, uint32_t b)
{
	if (a == 0 || b == 0) {
		return a != 0 ? a : b;
	}
	return prof_text_compare(strings->items[a], strings->items[b]) <= 0 ? a : b;
}

/* One mapping stands for all with its identity: see merge.h, "mapping". */
static void merge_mapping(const struct prof_tables *tables, struct prof_mapping *known,
			  const struct prof_mapping *other)
{
	uint64_t size = known->limit - known->start;
	uint64_t other_size = other->limit - other->start;

	if (tables->how != PROF_BUILD_CANONICAL) {
		return;
	}
	if (other->start < known->start) {
		known->start = other->start;
	}
	known->limit = known->start + (size > other_size ? size : other_size);
	known->file = smaller_name(&tables->strings, known->file, other->file);
	known->build_id =
		smaller_name(&tables->strings, known->build_id, other->build_id);
	known->flags &= other->flags;
}

static uint32_t append_mapping(struct prof_tables *tables,
			       const struct prof_mapping *mapping)
{
	if (tables->failed || tables->mapping_count >= UINT32_MAX - 1 ||
	    !prof_reserve((void **)&tables->mappings, &tables->mapping_cap,
			  (size_t)tables->mapping_count + 1,
			  sizeof(*tables->mappings))) {
		tables->failed = true;
		return 0;
	}
	tables->mappings[tables->mapping_count] = *mapping;
	return tables->mapping_count++;
}

/* The index of the mapping's equal, which learns from it if `join`, or a new one. */
static uint32_t find_mapping(struct prof_tables *tables,
			     const struct prof_mapping *mapping, bool join)
{
	uint64_t hash = prof_hash_mix(mapping_size(mapping) ^ prof_hash_seed(),
				      mapping->offset ^ PROF_HASH_A ^
					      (uint64_t)mapping_name(mapping) << 24);
	struct prof_map_walk walk = prof_map_walk(&tables->mapping_map, hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (same_mapping(&tables->mappings[id], mapping)) {
			if (join) {
				merge_mapping(tables, &tables->mappings[id], mapping);
			}
			return id;
		}
	}
	id = append_mapping(tables, mapping);
	if (!tables->failed && !prof_map_add(&tables->mapping_map, hash, id)) {
		tables->failed = true;
	}
	return id;
}

uint32_t prof_tables_mapping(struct prof_tables *tables, uint32_t ref)
{
	struct prof_input_tables *in = &tables->in;

	if (ref >= in->mapping_count || in->mappings[ref].ref == PROF_NONE) {
		return PROF_NONE;
	}
	if (in->mapping_index[ref] == PROF_NONE) {
		in->mapping_index[ref] =
			tables->how != PROF_BUILD_AS_IS
				? find_mapping(tables, &in->mappings[ref], true)
				: append_mapping(tables, &in->mappings[ref]);
	}
	return in->mapping_index[ref];
}

/*
 * What a first mapping says of itself counts only if it wins and no sample uses it:
 * otherwise it would be lost in one grouping of partial merges and not in another.
 */
void prof_tables_main_mapping(struct prof_tables *tables)
{
	const struct prof_mapping *first = tables->in.mappings;
	int order = -1;

	if (tables->how != PROF_BUILD_CANONICAL || tables->in.mapping_count == 0 ||
	    first->ref == PROF_NONE) {
		return;
	}
	if (tables->has_main) {
		order = prof_mapping_order(tables->strings.items, first, &tables->main);
	}
	if (order < 0) {
		tables->main = *first;
		tables->has_main = true;
	} else if (order == 0) {
		merge_mapping(tables, &tables->main, first);
	}
}

void prof_tables_main_first(struct prof_tables *tables)
{
	struct prof_mapping first = { 0 };
	uint32_t main = 0;

	if (!tables->has_main) {
		return;
	}
	main = find_mapping(tables, &tables->main, false);
	if (tables->failed) {
		return;
	}
	first = tables->mappings[0];
	tables->mappings[0] = tables->mappings[main];
	tables->mappings[main] = first;
	for (uint32_t i = 0; i < tables->location_count; i++) {
		uint32_t *mapping = &tables->locations[i].mapping;

		if (*mapping == 0 || *mapping == main) {
			*mapping = main - *mapping;
		}
	}
}
