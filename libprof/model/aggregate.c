/* SPDX-License-Identifier: MIT */
#include "libprof/model/aggregate.h"

/* What stays of a frame. */
struct grain {
	bool name;
	bool file;
	bool line;
	bool column;
	bool address;
	bool inlines;
};

static struct grain grain_of(const struct prof_aggregate_options *options)
{
	enum prof_granularity by = options->granularity;
	bool addresses = by == PROF_GRANULARITY_ADDRESSES;
	bool lines = by == PROF_GRANULARITY_LINES || addresses;

	return (struct grain){
		.name = by != PROF_GRANULARITY_FILES,
		.file = by != PROF_GRANULARITY_FUNCTIONS,
		.line = lines,
		.column = lines &&
			  (options->columns || (addresses && !options->no_inlines)),
		.address = addresses,
		.inlines = !options->no_inlines,
	};
}

static void change_mappings(struct prof_mapping *mappings,
			    const struct prof_profile *profile,
			    const struct grain *grain)
{
	uint32_t flags = (grain->inlines ? PROF_HAS_INLINES : 0U) |
			 (grain->name ? PROF_HAS_FUNCTIONS : 0U) |
			 (grain->file ? PROF_HAS_FILENAMES : 0U) |
			 (grain->line ? PROF_HAS_LINES : 0U);

	for (uint32_t i = 0; i < profile->mapping_count; i++) {
		mappings[i] = profile->mappings[i];
		mappings[i].flags &= flags;
	}
}

static void change_functions(struct prof_function *functions,
			     const struct prof_profile *profile,
			     const struct grain *grain)
{
	for (uint32_t i = 0; i < profile->function_count; i++) {
		functions[i] = profile->functions[i];
		if (!grain->name) {
			functions[i].name = 0;
			functions[i].system_name = 0;
		}
		if (!grain->file) {
			functions[i].file = 0;
		}
	}
}

/* Fill both tables; returns how many lines there are. */
static uint32_t change_locations(struct prof_location *locations,
				 struct prof_line *lines,
				 const struct prof_profile *profile,
				 const struct grain *grain)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < profile->location_count; i++) {
		struct prof_lines old = prof_location_lines(profile, i);
		size_t first = grain->inlines || old.count == 0 ? 0 : old.count - 1;

		locations[i] = profile->locations[i];
		locations[i].address = grain->address ? locations[i].address : 0;
		locations[i].first_line = count;
		for (size_t k = first; k < old.count; k++) {
			lines[count++] = (struct prof_line){
				.function = old.data[k].function,
				.line = grain->line ? old.data[k].line : 0,
				.column = grain->column ? old.data[k].column : 0,
			};
		}
	}
	locations[profile->location_count] = (struct prof_location){
		.first_line = count,
		.mapping = PROF_NONE,
	};
	return count;
}

bool prof_aggregate_init(struct prof_aggregate *out, const struct prof_profile *profile,
			 const struct prof_aggregate_options *options,
			 struct prof_error *err)
{
	struct grain grain = grain_of(options);
	struct prof_arena arena = { 0 };
	struct prof_mapping *mappings;
	struct prof_function *functions;
	struct prof_location *locations;
	struct prof_line *lines;

	mappings = prof_arena_array(&arena, profile->mapping_count, sizeof(*mappings));
	functions =
		prof_arena_array(&arena, profile->function_count, sizeof(*functions));
	locations = prof_arena_array(&arena, (size_t)profile->location_count + 1,
				     sizeof(*locations));
	lines = prof_arena_array(&arena, profile->line_count, sizeof(*lines));
	if (arena.failed) {
		prof_arena_free(&arena);
		return prof_fail_nomem(err);
	}
	change_mappings(mappings, profile, &grain);
	change_functions(functions, profile, &grain);
	*out = (struct prof_aggregate){ .view = *profile };
	out->view.arena = (struct prof_arena){ 0 };
	out->view.line_count = change_locations(locations, lines, profile, &grain);
	out->view.mappings = mappings;
	out->view.functions = functions;
	out->view.locations = locations;
	out->view.lines = lines;
	out->arena = arena;
	return true;
}

void prof_aggregate_free(struct prof_aggregate *aggregate)
{
	if (aggregate) {
		prof_arena_free(&aggregate->arena);
		*aggregate = (struct prof_aggregate){ 0 };
	}
}
