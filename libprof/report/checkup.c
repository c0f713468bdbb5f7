/* SPDX-License-Identifier: MIT */
#include "libprof/report/checkup.h"

#include "libprof/base/alloc.h"

enum {
	FEW_SAMPLES = 100,
	MANY_PERCENT = 20,
	CUT_PERCENT = 5,
	CUT_MIN_DEPTH = 32, /* the smallest limit a known sampler has */
	CUT_MIN_STACKS = 5, /* fewer are as deep by chance */
};

static void add(struct prof_checkup *out, struct prof_finding finding)
{
	if (out->count < PROF_FINDINGS_MAX) {
		out->findings[out->count++] = finding;
		out->faults += finding.kind == PROF_FAULT;
	}
}

static void add_fault(struct prof_checkup *out, const char *id, uint64_t count,
		      uint64_t of, const char *what, const char *remedy)
{
	if (count > 0) {
		add(out,
		    (struct prof_finding){ id, PROF_FAULT, count, of, what, remedy });
	}
}

/* A doubt above `percent` of all. */
static void add_doubt(struct prof_checkup *out, const char *id, uint64_t count,
		      uint64_t of, unsigned percent, const char *what,
		      const char *remedy)
{
	if (count > 0 && count >= of * percent / 100) {
		add(out,
		    (struct prof_finding){ id, PROF_DOUBT, count, of, what, remedy });
	}
}

static bool outside(const struct prof_profile *profile,
		    const struct prof_location *location)
{
	const struct prof_mapping *mapping = NULL;

	if (location->mapping == PROF_NONE || location->address == 0) {
		return false;
	}
	mapping = &profile->mappings[location->mapping];
	return mapping->limit > mapping->start && (location->address < mapping->start ||
						   location->address >= mapping->limit);
}

static void check_locations(const struct prof_profile *profile,
			    struct prof_checkup *out)
{
	uint64_t count = profile->location_count;
	uint64_t stray = 0;
	uint64_t nameless = 0;
	uint64_t negative = 0;

	for (uint32_t i = 0; i < profile->location_count; i++) {
		struct prof_lines lines = prof_location_lines(profile, i);

		stray += outside(profile, &profile->locations[i]);
		nameless += lines.count == 0;
		for (size_t l = 0; l < lines.count; l++) {
			negative += lines.data[l].line < 0;
		}
	}
	add_fault(out, "C01", stray, count, "locations outside their mapping",
		  "the addresses or the mappings are wrong: record again");
	add_fault(out, "C02", negative, 0, "negative line numbers", "");
	add_doubt(out, "C20", nameless, count, MANY_PERCENT,
		  "locations without a function name",
		  "keep symbols in the binary, or symbolize where it was built");
}

static void check_mappings(const struct prof_profile *profile, struct prof_checkup *out)
{
	uint64_t inverted = 0;

	for (uint32_t i = 0; i < profile->mapping_count; i++) {
		inverted += profile->mappings[i].limit < profile->mappings[i].start;
	}
	add_fault(out, "C03", inverted, profile->mapping_count,
		  "mappings that end before they start", "");
}

/* Types with equal names, and a default that is no type. */
static void check_types(const struct prof_profile *profile, struct prof_checkup *out)
{
	uint64_t twice = 0;
	bool known = profile->header.default_type == 0;

	for (uint32_t c = 0; c < profile->type_count; c++) {
		known = known || profile->types[c].type == profile->header.default_type;
		for (uint32_t d = 0; d < c; d++) {
			twice += profile->types[c].type == profile->types[d].type;
		}
	}
	add_fault(out, "C04", twice, profile->type_count,
		  "sample types with equal names",
		  "choose one by its number, or as TYPE/UNIT");
	add_fault(out, "C05", !known, 0, "default sample type that is not there", "");
}

/* Percentages are of a total; there is none when it does not fit. */
static void check_totals(const struct prof_profile *profile, struct prof_checkup *out)
{
	uint64_t too_large = 0;

	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_error ignored = { 0 };
		int64_t total = 0;

		too_large += !prof_column_total(profile, c, &total, &ignored);
	}
	add_fault(out, "C06", too_large, profile->type_count,
		  "sample types whose total does not fit 64 bits",
		  "the values are wrong: record again");
}

static void check_numbers(const struct prof_profile *profile, struct prof_checkup *out)
{
	uint64_t negative = 0;
	uint64_t zero = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		bool below = false;
		bool any = false;

		for (uint32_t c = 0; c < profile->type_count; c++) {
			below |= profile->values[c][i] < 0;
			any |= profile->values[c][i] != 0;
		}
		negative += below;
		zero += !any;
	}
	add_doubt(out, "C21", negative, profile->sample_count, 0,
		  "samples with negative values",
		  "it is a difference: percentages are of the sum of absolute values");
	add_doubt(out, "C22", zero, profile->sample_count, 0,
		  "samples that are zero in every column",
		  "'fgtool filter --drop-zero' drops them");
}

/* How many samples stand at the greatest depth: many, when a sampler cut stacks. */
static void check_depth(const struct prof_profile *profile, struct prof_checkup *out)
{
	uint64_t samples = profile->sample_count;
	uint64_t deepest = 0;
	uint64_t shallow = 0;
	uint64_t empty = 0;
	size_t most = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		size_t depth = prof_stack(profile, profile->sample_stack[i]).count;

		empty += depth == 0;
		shallow += depth == 1;
		if (depth > most) {
			most = depth;
			deepest = 0;
		}
		deepest += depth == most;
	}
	add_doubt(out, "C23", empty, samples, 0, "samples without a stack", "");
	if (most >= CUT_MIN_DEPTH && deepest >= CUT_MIN_STACKS) {
		add_doubt(out, "C24", deepest, samples, CUT_PERCENT,
			  "stacks of the greatest depth: probably cut there",
			  "raise the sampler's depth limit");
	}
	if (samples >= FEW_SAMPLES) {
		add_doubt(out, "C25", shallow, samples, 100 - MANY_PERCENT,
			  "stacks of one frame: probably not unwound",
			  "record with frame pointers or call graphs");
	}
}

static bool is_called(const struct prof_profile *profile, uint32_t string,
		      const char *name)
{
	return prof_text_equal(prof_string(profile, string), prof_text(name));
}

/*
 * How often the sampler looked: what the column of samples adds up to. Other counts are
 * exact (goroutines) or estimated (objects), and say nothing of that.
 */
static bool count_observations(const struct prof_profile *profile, int64_t *count)
{
	bool counts = false;

	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_value_type type = profile->types[c];
		struct prof_error ignored = { 0 };

		if (!is_called(profile, type.unit, "count")) {
			continue;
		}
		counts = true;
		if (is_called(profile, type.type, "samples") ||
		    is_called(profile, type.type, "sample")) {
			return prof_column_total(profile, c, count, &ignored);
		}
	}
	*count = profile->sample_count;
	return !counts;
}

static void check_size(const struct prof_profile *profile, struct prof_checkup *out)
{
	int64_t observations = 0;

	if (profile->sample_count > 0 && count_observations(profile, &observations) &&
	    observations < FEW_SAMPLES) {
		add(out, (struct prof_finding){
				 "C26", PROF_DOUBT, (uint64_t)observations, 0,
				 "samples only: percentages are coarse",
				 "record longer, or merge several profiles" });
	}
	if (profile->sample_count == 0) {
		add(out, (struct prof_finding){ "C27", PROF_DOUBT, 0, 0,
						"samples: the profile is empty", "" });
	}
}

bool prof_check(const struct prof_profile *profile, struct prof_checkup *out,
		struct prof_error *err)
{
	struct prof_checkup checkup = { 0 };
	struct prof_error fault = { 0 };

	/* What validation guarantees, once more: a check trusts nobody. */
	if (!prof_profile_validate(profile, &fault)) {
		*err = fault;
		return false;
	}
	check_locations(profile, &checkup);
	check_mappings(profile, &checkup);
	check_types(profile, &checkup);
	check_totals(profile, &checkup);
	check_numbers(profile, &checkup);
	check_depth(profile, &checkup);
	check_size(profile, &checkup);
	for (uint32_t i = 1; i < checkup.count; i++) {
		struct prof_finding finding = checkup.findings[i];
		uint32_t at = i;

		for (; at > 0 && checkup.findings[at - 1].kind > finding.kind; at--) {
			checkup.findings[at] = checkup.findings[at - 1];
		}
		checkup.findings[at] = finding;
	}
	*out = checkup;
	return true;
}

bool prof_check_types(const struct prof_profile *profile, const struct prof_text *types,
		      size_t count)
{
	if (count != profile->type_count) {
		return false;
	}
	for (uint32_t c = 0; c < profile->type_count; c++) {
		if (!prof_text_equal(prof_string(profile, profile->types[c].type),
				     types[c])) {
			return false;
		}
	}
	return true;
}
