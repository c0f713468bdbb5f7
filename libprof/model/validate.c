/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"
#include "libprof/model/profile.h"

static bool string_in(const struct prof_profile *profile, uint32_t id, const char *what,
		      struct prof_error *err)
{
	return id < profile->string_count ||
	       prof_fail(err, PROF_ERR_SYNTAX, "%s: string %u is not in the table",
			 what, (unsigned)id);
}

static int id_order(const void *left, const void *right)
{
	const uint64_t *a = left;
	const uint64_t *b = right;

	return (*a > *b) - (*a < *b);
}

/* No id is 0 or twice there; `ids` is ours to sort. */
static bool ids_unique(uint64_t *ids, uint32_t count, const char *what,
		       struct prof_error *err)
{
	bool sorted = true;

	for (uint32_t i = 1; i < count && sorted; i++) {
		sorted = ids[i - 1] < ids[i];
	}
	if (!sorted) {
		qsort(ids, count, sizeof(*ids), id_order);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (ids[i] == 0) {
			return prof_fail(err, PROF_ERR_SYNTAX, "a %s has id 0", what);
		}
		if (i > 0 && ids[i] == ids[i - 1]) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "%s id %llu is defined twice", what,
					 (unsigned long long)ids[i]);
		}
	}
	return true;
}

static bool check_mappings(const struct prof_profile *profile, uint64_t *ids,
			   struct prof_error *err)
{
	for (uint32_t i = 0; i < profile->mapping_count; i++) {
		const struct prof_mapping *mapping = &profile->mappings[i];

		ids[i] = mapping->id;
		if (!string_in(profile, mapping->file, "mapping", err) ||
		    !string_in(profile, mapping->build_id, "mapping", err)) {
			return false;
		}
	}
	return ids_unique(ids, profile->mapping_count, "mapping", err);
}

static bool check_functions(const struct prof_profile *profile, uint64_t *ids,
			    struct prof_error *err)
{
	for (uint32_t i = 0; i < profile->function_count; i++) {
		const struct prof_function *function = &profile->functions[i];

		ids[i] = function->id;
		if (!string_in(profile, function->name, "function", err) ||
		    !string_in(profile, function->system_name, "function", err) ||
		    !string_in(profile, function->file, "function", err)) {
			return false;
		}
	}
	return ids_unique(ids, profile->function_count, "function", err);
}

static bool check_locations(const struct prof_profile *profile, uint64_t *ids,
			    struct prof_error *err)
{
	const struct prof_location *locations = profile->locations;

	for (uint32_t i = 0; i < profile->location_count; i++) {
		ids[i] = locations[i].id;
		if (locations[i].mapping != PROF_NONE &&
		    locations[i].mapping >= profile->mapping_count) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "location %llu has no such mapping",
					 (unsigned long long)ids[i]);
		}
		if (locations[i].first_line > locations[i + 1].first_line) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "the lines of location %llu are out of order",
					 (unsigned long long)ids[i]);
		}
	}
	if (locations[profile->location_count].first_line != profile->line_count) {
		return prof_fail(err, PROF_ERR_SYNTAX, "lines without a location");
	}
	for (uint32_t i = 0; i < profile->line_count; i++) {
		if (profile->lines[i].function >= profile->function_count) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "a line has no such function");
		}
	}
	return ids_unique(ids, profile->location_count, "location", err);
}

static bool check_stacks(const struct prof_profile *profile, struct prof_error *err)
{
	for (uint32_t s = 0; s < profile->stack_count; s++) {
		uint64_t first = profile->stack_ends[s];
		uint64_t end = profile->stack_ends[s + 1];

		if (end < first || end - first > PROF_MAX_DEPTH) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "a stack has more than %u frames",
					 (unsigned)PROF_MAX_DEPTH);
		}
		for (uint64_t i = first; i < end; i++) {
			if (profile->frames[i] >= profile->location_count) {
				return prof_fail(err, PROF_ERR_SYNTAX,
						 "a stack has no such location");
			}
		}
	}
	return true;
}

static bool check_sets(const struct prof_profile *profile, struct prof_error *err)
{
	if (profile->set_count == 0 || profile->set_ends[1] != 0) {
		return prof_fail(err, PROF_ERR_SYNTAX, "label set 0 is not empty");
	}
	for (uint32_t i = 0; i < profile->set_ends[profile->set_count]; i++) {
		const struct prof_label *label = &profile->labels[i];

		if (!string_in(profile, label->key, "label", err) ||
		    !string_in(profile, label->text, "label", err) ||
		    !string_in(profile, label->unit, "label", err)) {
			return false;
		}
	}
	return true;
}

static bool check_samples(const struct prof_profile *profile, struct prof_error *err)
{
	if (profile->sample_count > 0 && profile->type_count == 0) {
		return prof_fail(err, PROF_ERR_SYNTAX, "samples without sample types");
	}
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		if (profile->sample_stack[i] >= profile->stack_count ||
		    profile->sample_set[i] >= profile->set_count) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "sample %u has no such stack or labels",
					 (unsigned)i);
		}
	}
	return true;
}

static bool check_header(const struct prof_profile *profile, struct prof_error *err)
{
	const struct prof_header *header = &profile->header;

	for (uint32_t i = 0; i < profile->type_count; i++) {
		if (!string_in(profile, profile->types[i].type, "sample type", err) ||
		    !string_in(profile, profile->types[i].unit, "sample type", err)) {
			return false;
		}
	}
	for (uint32_t i = 0; i < header->comment_count; i++) {
		if (!string_in(profile, header->comments[i], "comment", err)) {
			return false;
		}
	}
	return string_in(profile, header->period_type.type, "period type", err) &&
	       string_in(profile, header->period_type.unit, "period type", err) &&
	       string_in(profile, header->default_type, "default type", err) &&
	       string_in(profile, header->doc_url, "doc url", err) &&
	       string_in(profile, header->drop_frames, "drop frames", err) &&
	       string_in(profile, header->keep_frames, "keep frames", err);
}

bool prof_profile_validate(const struct prof_profile *profile, struct prof_error *err)
{
	uint32_t most = profile->mapping_count;
	uint64_t *ids = NULL;
	bool ok = false;

	most = profile->function_count > most ? profile->function_count : most;
	most = profile->location_count > most ? profile->location_count : most;
	if (profile->string_count == 0 || profile->strings[0].len != 0) {
		return prof_fail(err, PROF_ERR_SYNTAX, "string 0 is not empty");
	}
	ids = prof_alloc_array(most, sizeof(*ids));
	if (!ids) {
		return prof_fail_nomem(err);
	}
	ok = check_header(profile, err) && check_mappings(profile, ids, err) &&
	     check_functions(profile, ids, err) && check_locations(profile, ids, err) &&
	     check_stacks(profile, err) && check_sets(profile, err) &&
	     check_samples(profile, err);
	prof_free(ids);
	return ok;
}
