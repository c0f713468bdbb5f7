/* SPDX-License-Identifier: MIT */
#include "formats/legacy.h"

#include <math.h>
#include <string.h>

#include "formats/legacy_text.h"
#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/base/limits.h"

void prof_legacy_type(struct prof_legacy *legacy, struct prof_text type,
		      struct prof_text unit)
{
	struct prof_value_type *out = &legacy->types[legacy->type_count++];

	out->type = prof_strings_add(&legacy->strings, type);
	out->unit = prof_strings_add(&legacy->strings, unit);
}

void prof_legacy_period(struct prof_legacy *legacy, const char *type, const char *unit,
			int64_t period)
{
	struct prof_strings *strings = &legacy->strings;

	legacy->header.period_type.type = prof_strings_add(strings, prof_text(type));
	legacy->header.period_type.unit = prof_strings_add(strings, prof_text(unit));
	legacy->header.period = period;
}

/* --- stacks ------------------------------------------------------------------------ */

static uint64_t hash_address(uint64_t address)
{
	return prof_hash_mix(address ^ prof_hash_seed(), PROF_HASH_A);
}

static bool find_location(const struct prof_legacy *legacy, uint64_t address,
			  uint32_t *id)
{
	struct prof_map_walk walk =
		prof_map_walk(&legacy->location_map, hash_address(address));

	while (prof_map_next(&walk, id)) {
		if (legacy->locations[*id].address == address) {
			return true;
		}
	}
	return false;
}

static bool add_location(struct prof_legacy *legacy, uint64_t address, uint32_t *id,
			 struct prof_error *err)
{
	if (legacy->location_count == PROF_NONE - 1) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than 2^32 addresses");
	}
	if (!prof_reserve((void **)&legacy->locations, &legacy->location_cap,
			  legacy->location_count + (size_t)1,
			  sizeof(*legacy->locations)) ||
	    !prof_map_add(&legacy->location_map, hash_address(address),
			  legacy->location_count)) {
		return prof_fail_nomem(err);
	}
	legacy->locations[legacy->location_count] = (struct prof_legacy_location){
		.address = address,
		.mapping = PROF_NONE,
		.function = PROF_NONE,
	};
	*id = legacy->location_count++;
	return true;
}

bool prof_legacy_frame(struct prof_legacy *legacy, uint64_t address,
		       struct prof_error *err)
{
	uint32_t id = 0;

	if (legacy->frame_count - legacy->open == PROF_MAX_DEPTH) {
		return prof_fail(err, PROF_ERR_LIMIT, "a stack of more than %u frames",
				 PROF_MAX_DEPTH);
	}
	if (!find_location(legacy, address, &id) &&
	    !add_location(legacy, address, &id, err)) {
		return false;
	}
	if (!prof_reserve((void **)&legacy->frames, &legacy->frame_cap,
			  legacy->frame_count + 1, sizeof(*legacy->frames))) {
		return prof_fail_nomem(err);
	}
	legacy->frames[legacy->frame_count++] = id;
	return true;
}

/* The next 0x... of `at`; false, with err untouched, when there is none. */
static bool next_address(struct prof_cursor *at, struct prof_text *digits)
{
	while (prof_find(at, "0x")) {
		if (prof_take_set(at, "0123456789abcdef", digits)) {
			return true;
		}
		at->at--; /* the x is no digit, but what follows may begin anew */
	}
	return false;
}

static bool add_frames(struct prof_legacy *legacy, struct prof_text text,
		       uint64_t leaf_less, uint64_t caller_less, struct prof_error *err)
{
	struct prof_cursor at = prof_cursor(text);
	struct prof_text digits;

	while (next_address(&at, &digits)) {
		bool leaf = legacy->frame_count == legacy->open;
		uint64_t address = 0;

		if (!prof_legacy_hex(digits, &address)) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "address '0x%.*s' has more than 64 bits",
					 (int)(digits.len < 40 ? digits.len : 40),
					 digits.data);
		}
		address -= leaf ? leaf_less : caller_less;
		if (!prof_legacy_frame(legacy, address, err)) {
			return false;
		}
	}
	return true;
}

bool prof_legacy_frames(struct prof_legacy *legacy, struct prof_text text,
			bool exact_leaf, struct prof_error *err)
{
	return add_frames(legacy, text, exact_leaf ? 0 : 1, 1, err);
}

bool prof_legacy_frames_as_is(struct prof_legacy *legacy, struct prof_text text,
			      struct prof_error *err)
{
	return add_frames(legacy, text, 0, 0, err);
}

bool prof_legacy_sample(struct prof_legacy *legacy, const int64_t *values,
			int64_t block, struct prof_error *err)
{
	struct prof_legacy_sample *sample = NULL;

	if (!prof_reserve((void **)&legacy->samples, &legacy->sample_cap,
			  legacy->sample_count + 1, sizeof(*legacy->samples))) {
		return prof_fail_nomem(err);
	}
	sample = &legacy->samples[legacy->sample_count++];
	*sample = (struct prof_legacy_sample){ .end = legacy->frame_count,
					       .block = block };
	memcpy(sample->values, values, legacy->type_count * sizeof(*values));
	legacy->open = legacy->frame_count;
	return true;
}

void prof_legacy_reopen(struct prof_legacy *legacy)
{
	legacy->frame_count = legacy->open;
}

/* --- symbols ----------------------------------------------------------------------- */

static bool intern_function(struct prof_legacy *legacy, uint32_t name, uint32_t file,
			    uint32_t *id, struct prof_error *err)
{
	uint64_t hash = hash_address(name);
	struct prof_map_walk walk = prof_map_walk(&legacy->function_map, hash);

	while (prof_map_next(&walk, id)) {
		if (legacy->functions[*id].name == name) {
			return true;
		}
	}
	if (!prof_reserve((void **)&legacy->functions, &legacy->function_cap,
			  legacy->function_count + (size_t)1,
			  sizeof(*legacy->functions)) ||
	    !prof_map_add(&legacy->function_map, hash, legacy->function_count)) {
		return prof_fail_nomem(err);
	}
	legacy->functions[legacy->function_count] =
		(struct prof_legacy_function){ name, file, PROF_NONE };
	*id = legacy->function_count++;
	return true;
}

/* Functions are told apart by name alone: the first file given for it stays. */
bool prof_legacy_symbol(struct prof_legacy *legacy, uint64_t address,
			struct prof_text name, struct prof_text file, int64_t line,
			struct prof_error *err)
{
	uint32_t location = 0;
	uint32_t function = 0;
	uint32_t name_id = 0;
	uint32_t file_id = 0;

	if (!find_location(legacy, address, &location)) {
		return true;
	}
	name_id = prof_strings_add(&legacy->strings, name);
	file_id = prof_strings_add(&legacy->strings, file);
	if (!intern_function(legacy, name_id, file_id, &function, err)) {
		return false;
	}
	legacy->locations[location].function = function;
	legacy->locations[location].line = line;
	return true;
}

/* --- numbers ----------------------------------------------------------------------- */

bool prof_legacy_truncate(double value, int64_t *out)
{
	static const double limit = 0x1p63;

	if (!(value >= -limit && value < limit)) {
		return false;
	}
	*out = (int64_t)value;
	return true;
}

bool prof_legacy_unsample(int64_t *count, int64_t *size, int64_t rate)
{
	int64_t count_out = 0;
	int64_t size_out = 0;
	double scale = 0;

	if (*count != 0 && *size != 0 && rate <= 1) {
		return true;
	}
	if (*count != 0 && *size != 0) {
		double average = (double)*size / (double)*count;

		scale = 1 / (1 - exp(-average / (double)rate));
	}
	if (!prof_legacy_truncate((double)*count * scale, &count_out) ||
	    !prof_legacy_truncate((double)*size * scale, &size_out)) {
		return false;
	}
	*count = count_out;
	*size = size_out;
	return true;
}

void prof_legacy_free(struct prof_legacy *legacy)
{
	prof_strings_free(&legacy->strings);
	prof_free(legacy->locations);
	prof_map_free(&legacy->location_map);
	prof_free(legacy->functions);
	prof_map_free(&legacy->function_map);
	prof_free(legacy->frames);
	prof_free(legacy->samples);
	prof_memmap_free(&legacy->map);
	*legacy = (struct prof_legacy){ 0 };
}
