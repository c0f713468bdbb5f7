/* SPDX-License-Identifier: MIT */
#include "libprof/model/tables.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

enum { GROUP = 32 }; /* locations whose cache misses overlap */

#define SOUGHT (PROF_NONE - 1) /* the index of a location in such a group */

/* Room for one more in an array that belongs to the tables. */
#define ROOM(tables, array, cap, count) \
	room((tables), (void **)&(array), &(cap), (count), sizeof(*(array)))

static bool room(struct prof_tables *tables, void **array, size_t *cap, uint32_t count,
		 size_t size)
{
	if (tables->failed || count >= UINT32_MAX - 1 ||
	    !prof_reserve(array, cap, (size_t)count + 1, size)) {
		tables->failed = true;
		return false;
	}
	return true;
}

static bool merging(const struct prof_tables *tables)
{
	return tables->how != PROF_BUILD_AS_IS;
}

void prof_tables_next_input(struct prof_tables *tables)
{
	tables->in.string_count = 0;
	tables->in.mapping_count = 0;
	tables->in.function_count = 0;
	tables->in.location_count = 0;
	tables->in.line_count = 0;
}

void prof_tables_add_strings(struct prof_tables *tables, const struct prof_text *texts,
			     uint32_t count)
{
	struct prof_input_tables *in = &tables->in;

	for (uint32_t i = 0; i < count; i++) {
		if (!ROOM(tables, in->strings, in->string_cap, in->string_count)) {
			return;
		}
		in->strings[in->string_count++] =
			prof_strings_add(&tables->strings, texts[i]);
	}
}

/* Refs may come in any order: what lies between is no mapping. */
void prof_tables_add_mapping(struct prof_tables *tables,
			     const struct prof_mapping *mapping)
{
	struct prof_input_tables *in = &tables->in;
	struct prof_mapping own = *mapping;

	while (in->mapping_count <= mapping->ref) {
		if (!ROOM(tables, in->mappings, in->mapping_cap, in->mapping_count) ||
		    !ROOM(tables, in->mapping_index, in->mapping_index_cap,
			  in->mapping_count)) {
			return;
		}
		in->mappings[in->mapping_count].ref = PROF_NONE;
		in->mapping_index[in->mapping_count++] = PROF_NONE;
	}
	own.file = prof_tables_string(tables, mapping->file);
	own.build_id = prof_tables_string(tables, mapping->build_id);
	in->mappings[mapping->ref] = own;
	/* Unmerged all stay; merged in order of use, but the first one comes first. */
	if (!merging(tables) || (tables->how == PROF_BUILD_FIRST_USE &&
				 tables->mapping_count == 0 && mapping->ref == 0)) {
		prof_tables_mapping(tables, mapping->ref);
	}
}

static uint32_t use_function(struct prof_tables *tables, uint32_t ref);

void prof_tables_add_function(struct prof_tables *tables,
			      const struct prof_function *function)
{
	struct prof_input_tables *in = &tables->in;
	struct prof_function own = *function;

	if (!ROOM(tables, in->functions, in->function_cap, in->function_count) ||
	    !ROOM(tables, in->function_index, in->function_index_cap,
		  in->function_count)) {
		return;
	}
	own.name = prof_tables_string(tables, function->name);
	own.system_name = prof_tables_string(tables, function->system_name);
	own.file = prof_tables_string(tables, function->file);
	in->functions[in->function_count] = own;
	in->function_index[in->function_count++] = PROF_NONE;
	if (!merging(tables)) {
		use_function(tables, in->function_count - 1);
	}
}

static void take_location(struct prof_tables *tables, uint32_t ref);

void prof_tables_add_location(struct prof_tables *tables,
			      const struct prof_sink_location *location)
{
	struct prof_input_tables *in = &tables->in;

	if (!ROOM(tables, in->locations, in->location_cap, in->location_count) ||
	    !ROOM(tables, in->location_index, in->location_index_cap,
		  in->location_count) ||
	    location->line_count > UINT32_MAX - 1 - in->line_count ||
	    !prof_reserve((void **)&in->lines, &in->line_cap,
			  (size_t)in->line_count + location->line_count + 1,
			  sizeof(*in->lines))) {
		tables->failed = true;
		return;
	}
	in->locations[in->location_count] = (struct prof_location){
		.id = location->id,
		.address = location->address,
		.mapping = location->mapping,
		.first_line = in->line_count,
		.folded = location->folded,
	};
	if (location->line_count > 0) {
		memcpy(in->lines + in->line_count, location->lines,
		       location->line_count * sizeof(*in->lines));
	}
	in->line_count += location->line_count;
	in->location_index[in->location_count++] = PROF_NONE;
	if (!merging(tables)) {
		take_location(tables, in->location_count - 1);
	}
}

static uint64_t hash_function(const struct prof_function *function)
{
	uint64_t names = (uint64_t)function->name << 32 | function->system_name;
	uint64_t place = (uint64_t)function->file << 32;

	return prof_hash_mix(names ^ prof_hash_seed(),
			     (place ^ (uint64_t)function->start_line) ^ PROF_HASH_A);
}

static uint32_t append_function(struct prof_tables *tables,
				const struct prof_function *function)
{
	if (!ROOM(tables, tables->functions, tables->function_cap,
		  tables->function_count)) {
		return 0;
	}
	tables->functions[tables->function_count] = *function;
	return tables->function_count++;
}

static uint32_t find_function(struct prof_tables *tables,
			      const struct prof_function *function)
{
	uint64_t hash = hash_function(function);
	struct prof_map_walk walk = prof_map_walk(&tables->function_map, hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		const struct prof_function *known = &tables->functions[id];

		if (known->name == function->name &&
		    known->system_name == function->system_name &&
		    known->file == function->file &&
		    known->start_line == function->start_line) {
			return id;
		}
	}
	id = append_function(tables, function);
	if (!tables->failed && !prof_map_add(&tables->function_map, hash, id)) {
		tables->failed = true;
	}
	return id;
}

static uint32_t use_function(struct prof_tables *tables, uint32_t ref)
{
	struct prof_input_tables *in = &tables->in;

	if (in->function_index[ref] == PROF_NONE) {
		in->function_index[ref] =
			merging(tables) ? find_function(tables, &in->functions[ref])
					: append_function(tables, &in->functions[ref]);
	}
	return in->function_index[ref];
}

static uint64_t hash_location(const struct prof_location *location,
			      const struct prof_line *lines, uint32_t count)
{
	uint64_t hash = prof_hash_mix(location->address ^ prof_hash_seed(),
				      location->mapping ^ PROF_HASH_A ^
					      (uint64_t)location->folded << 32);

	for (uint32_t i = 0; i < count; i++) {
		hash = prof_hash_mix(hash ^ (uint64_t)lines[i].line,
				     PROF_HASH_B ^ lines[i].function ^
					     (uint64_t)lines[i].column << 32);
	}
	return hash;
}

static bool same_location(const struct prof_tables *tables, uint32_t id,
			  const struct prof_location *location,
			  const struct prof_line *lines, uint32_t count)
{
	const struct prof_location *known = &tables->locations[id];
	uint32_t end = id + 1 < tables->location_count
			       ? tables->locations[id + 1].first_line
			       : tables->line_count;

	if (known->address != location->address ||
	    known->mapping != location->mapping || known->folded != location->folded ||
	    end - known->first_line != count) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct prof_line *line = &tables->lines[known->first_line + i];

		if (line->function != lines[i].function ||
		    line->line != lines[i].line || line->column != lines[i].column) {
			return false;
		}
	}
	return true;
}

static bool append_lines(struct prof_tables *tables, const struct prof_line *lines,
			 uint32_t count)
{
	if (count > UINT32_MAX - 1 - tables->line_count ||
	    !prof_reserve((void **)&tables->lines, &tables->line_cap,
			  (size_t)tables->line_count + count + 1,
			  sizeof(*tables->lines))) {
		tables->failed = true;
		return false;
	}
	if (count > 0) {
		memcpy(tables->lines + tables->line_count, lines,
		       count * sizeof(*lines));
	}
	tables->line_count += count;
	return true;
}

static uint32_t append_location(struct prof_tables *tables,
				const struct prof_location *location,
				const struct prof_line *lines, uint32_t count)
{
	struct prof_location own = *location;

	own.first_line = tables->line_count;
	if (!ROOM(tables, tables->locations, tables->location_cap,
		  tables->location_count) ||
	    !append_lines(tables, lines, count)) {
		return 0;
	}
	tables->locations[tables->location_count] = own;
	return tables->location_count++;
}

static uint32_t find_location(struct prof_tables *tables,
			      const struct prof_location *location,
			      const struct prof_line *lines, uint32_t count,
			      uint64_t hash)
{
	struct prof_map_walk walk = prof_map_walk(&tables->location_map, hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (same_location(tables, id, location, lines, count)) {
			return id;
		}
	}
	id = append_location(tables, location, lines, count);
	if (!tables->failed && !prof_map_add(&tables->location_map, hash, id)) {
		tables->failed = true;
	}
	return id;
}

/* The lines of an input's location. */
static struct prof_line *input_lines(const struct prof_input_tables *in, uint32_t ref,
				     uint32_t *count)
{
	uint32_t first = in->locations[ref].first_line;
	uint32_t end = ref + 1 < in->location_count ? in->locations[ref + 1].first_line
						    : in->line_count;

	*count = end - first;
	return in->lines + first;
}

/* Pull in what use_function() will touch for the lines of all these locations. */
static void prefetch_functions(const struct prof_tables *tables, const uint32_t *refs,
			       size_t count)
{
	const struct prof_input_tables *in = &tables->in;

	for (size_t i = 0; i < count; i++) {
		uint32_t line_count = 0;
		const struct prof_line *lines = input_lines(in, refs[i], &line_count);

		for (uint32_t l = 0; l < line_count; l++) {
			uint32_t ref = lines[l].function;

			if (in->function_index[ref] == PROF_NONE) {
				prof_map_prefetch(&tables->function_map,
						  hash_function(&in->functions[ref]));
			}
		}
	}
}

/* An input's location, used for the first time: its refs become indices, in place. */
static void settle_refs(struct prof_tables *tables, uint32_t ref)
{
	struct prof_input_tables *in = &tables->in;
	struct prof_location *location = &in->locations[ref];
	uint32_t mapping_ref = location->mapping;
	uint32_t count = 0;
	struct prof_line *lines = input_lines(in, ref, &count);

	location->mapping = prof_tables_mapping(tables, mapping_ref);
	if (merging(tables) && location->mapping != PROF_NONE) {
		location->address -= in->mappings[mapping_ref].start;
	}
	for (uint32_t i = 0; i < count; i++) {
		lines[i].function = use_function(tables, lines[i].function);
	}
}

/* Pull in what find_location() will touch: the slots are already on their way. */
static void prefetch_locations(const struct prof_tables *tables, const uint64_t *hashes,
			       size_t count)
{
	uint32_t ids[GROUP];
	uint32_t found = 0;

	for (size_t i = 0; i < count; i++) {
		struct prof_map_walk walk =
			prof_map_walk(&tables->location_map, hashes[i]);

		if (prof_map_next(&walk, &ids[found])) {
			__builtin_prefetch(&tables->locations[ids[found]]);
			__builtin_prefetch(&tables->locations[ids[found] + 1]);
			found++;
		}
	}
	for (uint32_t i = 0; i < found; i++) {
		uint32_t first = tables->locations[ids[i]].first_line;

		__builtin_prefetch(&tables->lines[first]);
	}
}

/* Give the locations `refs` their indices, in this order, with the misses overlapping. */
static void find_locations(struct prof_tables *tables, const uint32_t *refs,
			   size_t count)
{
	struct prof_input_tables *in = &tables->in;
	uint64_t hashes[GROUP];
	uint32_t line_count = 0;

	prefetch_functions(tables, refs, count);
	for (size_t i = 0; i < count; i++) {
		const struct prof_line *lines = input_lines(in, refs[i], &line_count);

		settle_refs(tables, refs[i]);
		hashes[i] = hash_location(&in->locations[refs[i]], lines, line_count);
		prof_map_prefetch(&tables->location_map, hashes[i]);
	}
	prefetch_locations(tables, hashes, count);
	for (size_t i = 0; i < count && !tables->failed; i++) {
		const struct prof_line *lines = input_lines(in, refs[i], &line_count);

		in->location_index[refs[i]] = find_location(
			tables, &in->locations[refs[i]], lines, line_count, hashes[i]);
	}
}

/* As it is, every location is used, and there is no equal to look for. */
static void take_location(struct prof_tables *tables, uint32_t ref)
{
	struct prof_input_tables *in = &tables->in;
	uint32_t count = 0;
	const struct prof_line *lines = input_lines(in, ref, &count);

	settle_refs(tables, ref);
	in->location_index[ref] =
		append_location(tables, &in->locations[ref], lines, count);
}

/* Frames whose location is being looked for: those behind it wait for the others. */
struct waiting {
	uint32_t refs[GROUP]; /* each once */
	size_t ref_count;
	size_t frames[GROUP]; /* behind `first` */
	size_t frame_count;
	size_t first;
};

static void settle_waiting(struct prof_tables *tables, struct waiting *waiting,
			   const uint32_t *refs, uint32_t *indices)
{
	find_locations(tables, waiting->refs, waiting->ref_count);
	for (size_t i = 0; i < waiting->frame_count; i++) {
		size_t frame = waiting->frames[i];

		indices[frame] =
			tables->in.location_index[refs[waiting->first + frame]];
	}
	waiting->ref_count = 0;
	waiting->frame_count = 0;
}

void prof_tables_locations(struct prof_tables *tables, const uint32_t *refs,
			   size_t first, size_t end, uint32_t *indices)
{
	uint32_t *known = tables->in.location_index;
	struct waiting waiting = { .first = first };

	for (size_t i = first; i < end; i++) {
		uint32_t index = known[refs[i]];

		indices[i - first] = index;
		if (__builtin_expect(index < SOUGHT, 1)) {
			continue;
		}
		if (index == PROF_NONE) {
			known[refs[i]] = SOUGHT;
			waiting.refs[waiting.ref_count++] = refs[i];
		}
		waiting.frames[waiting.frame_count++] = i - first;
		if (waiting.frame_count == GROUP) {
			settle_waiting(tables, &waiting, refs, indices);
		}
	}
	settle_waiting(tables, &waiting, refs, indices);
}

/* Merged addresses are relative to their mapping so far; ids count up. */
static void settle(struct prof_tables *tables)
{
	for (uint32_t i = 0; i < tables->mapping_count; i++) {
		tables->mappings[i].id = i + UINT64_C(1);
	}
	for (uint32_t i = 0; i < tables->function_count; i++) {
		tables->functions[i].id = i + UINT64_C(1);
	}
	for (uint32_t i = 0; i < tables->location_count; i++) {
		struct prof_location *location = &tables->locations[i];

		location->id = i + UINT64_C(1);
		if (location->mapping != PROF_NONE) {
			location->address += tables->mappings[location->mapping].start;
		}
	}
}

static void give(struct prof_profile *profile, void *array)
{
	prof_arena_adopt(&profile->arena, array);
}

static void yield_stacks(struct prof_tables *tables, struct prof_profile *profile)
{
	struct prof_stacks *stacks = &tables->stacks;
	struct prof_sets *sets = &tables->sets;

	prof_sets_add(sets, NULL, 0);
	if (stacks->count == 0) {
		stacks->ends = prof_alloc_array(1, sizeof(*stacks->ends));
	}
	if (!stacks->ends || sets->failed || stacks->failed) {
		tables->failed = true;
	}
	profile->stack_ends = stacks->ends;
	profile->stack_count = stacks->count;
	profile->frames = stacks->frames;
	profile->set_ends = sets->ends;
	profile->set_count = sets->count;
	profile->labels = sets->labels;
	give(profile, stacks->ends);
	give(profile, stacks->frames);
	give(profile, sets->ends);
	give(profile, sets->labels);
	stacks->ends = NULL;
	stacks->frames = NULL;
	sets->ends = NULL;
	sets->labels = NULL;
}

void prof_tables_yield(struct prof_tables *tables, struct prof_profile *profile)
{
	prof_strings_add(&tables->strings, (struct prof_text){ "", 0 });
	if (!ROOM(tables, tables->locations, tables->location_cap,
		  tables->location_count) ||
	    tables->strings.failed) {
		tables->failed = true;
		return;
	}
	tables->locations[tables->location_count] =
		(struct prof_location){ .mapping = PROF_NONE,
					.first_line = tables->line_count };
	if (merging(tables)) {
		prof_tables_main_first(tables);
		settle(tables);
	}
	profile->strings = tables->strings.items;
	profile->string_count = tables->strings.count;
	profile->mappings = tables->mappings;
	profile->mapping_count = tables->mapping_count;
	profile->functions = tables->functions;
	profile->function_count = tables->function_count;
	profile->locations = tables->locations;
	profile->location_count = tables->location_count;
	profile->lines = tables->lines;
	profile->line_count = tables->line_count;
	prof_arena_take(&profile->arena, &tables->strings.bytes);
	give(profile, tables->strings.items);
	give(profile, tables->mappings);
	give(profile, tables->functions);
	give(profile, tables->locations);
	give(profile, tables->lines);
	tables->strings.items = NULL;
	tables->mappings = NULL;
	tables->functions = NULL;
	tables->locations = NULL;
	tables->lines = NULL;
	yield_stacks(tables, profile);
}

static void free_input(struct prof_input_tables *in)
{
	prof_free(in->strings);
	prof_free(in->mappings);
	prof_free(in->mapping_index);
	prof_free(in->functions);
	prof_free(in->function_index);
	prof_free(in->locations);
	prof_free(in->location_index);
	prof_free(in->lines);
}

void prof_tables_free(struct prof_tables *tables)
{
	free_input(&tables->in);
	prof_strings_free(&tables->strings);
	prof_free(tables->mappings);
	prof_free(tables->functions);
	prof_free(tables->locations);
	prof_free(tables->lines);
	prof_map_free(&tables->mapping_map);
	prof_map_free(&tables->function_map);
	prof_map_free(&tables->location_map);
	prof_stacks_free(&tables->stacks);
	prof_sets_free(&tables->sets);
	*tables = (struct prof_tables){ 0 };
}
