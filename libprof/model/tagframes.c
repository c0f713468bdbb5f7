/* SPDX-License-Identifier: MIT */
#include "libprof/model/tagframes.h"

#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"
#include "libprof/base/strings.h"
#include "libprof/model/amend.h"
#include "libprof/model/stacks.h"
#include "libprof/model/unit.h"

enum { BATCH = 512 }; /* stacks interned at once */

struct key {
	uint32_t string; /* in the profile */
	bool met;        /* some sample has the label */
};

struct keys {
	struct key *items; /* in the order of frames in a stack: leaf first */
	uint32_t count;
};

struct adding {
	struct prof_profile *profile;
	struct prof_text unit;
	struct keys keys[2]; /* root, leaf: the order in which frames get ids */

	struct prof_strings frames; /* "key NUL name", [1] is the first new location */
	uint32_t *key_of;           /* by id in frames: string of the key */
	size_t key_cap;
	uint32_t *set_frames; /* by set: a location per key; 0 until a sample has it */
	struct prof_buf name;
	struct prof_arena scratch;

	struct prof_stacks stacks;
	uint32_t *pending; /* frames of the stacks not interned yet */
	size_t pending_cap;
	uint32_t ends[BATCH];
	uint32_t count;
	uint32_t done; /* samples with a new stack */
	bool failed;
};

/* --- keys ---------------------------------------------------------------------------- */

static bool split(struct adding *adding, struct prof_text text, struct keys *keys,
		  struct prof_error *err)
{
	size_t at = text.len;

	keys->items = prof_arena_array(&adding->scratch, text.len / 2 + 1,
				       sizeof(*keys->items));
	if (!keys->items) {
		return prof_fail_nomem(err);
	}
	while (at > 0) {
		size_t end = at;
		struct prof_text word = { 0 };

		while (at > 0 && text.data[at - 1] != ',') {
			at--;
		}
		word = (struct prof_text){ text.data + at, end - at };
		at -= at > 0;
		if (word.len > 0 &&
		    !prof_amend_string(adding->profile, word,
				       &keys->items[keys->count++].string, err)) {
			return false;
		}
	}
	return true;
}

/* --- frames of a label set ----------------------------------------------------------- */

static bool has_units(struct prof_labels labels, uint32_t key)
{
	for (size_t i = 0; i < labels.count; i++) {
		if (labels.data[i].key == key && labels.data[i].text == 0 &&
		    labels.data[i].unit != 0) {
			return true;
		}
	}
	return false;
}

static void add_value(struct adding *adding, const struct prof_label *label, bool units)
{
	const struct prof_profile *profile = adding->profile;
	struct prof_text text = prof_string(profile, label->text);

	if (label->text != 0) {
		prof_buf_add(&adding->name, text.data, text.len);
	} else if (units) {
		prof_unit_label(&adding->name, label->number,
				prof_string(profile, label->unit), adding->unit);
	} else {
		prof_buf_add_int(&adding->name, label->number);
	}
}

/* The new location of a key in a set, counted from 1. */
static uint32_t frame_of(struct adding *adding, struct key *key, uint32_t set)
{
	struct prof_labels labels = prof_label_set(adding->profile, set);
	struct prof_text text = prof_string(adding->profile, key->string);
	bool units = has_units(labels, key->string);
	bool first = true;
	uint32_t id = 0;

	prof_buf_clear(&adding->name);
	prof_buf_add(&adding->name, text.data, text.len);
	prof_buf_addc(&adding->name, '\0');
	for (size_t i = 0; i < labels.count; i++) {
		if (labels.data[i].key == key->string) {
			prof_buf_adds(&adding->name, first ? "" : ",");
			add_value(adding, &labels.data[i], units);
			first = false;
			key->met = true;
		}
	}
	id = prof_strings_add(&adding->frames, (struct prof_text){ adding->name.data,
								   adding->name.len });
	if (adding->name.failed || adding->frames.failed ||
	    !prof_reserve((void **)&adding->key_of, &adding->key_cap, (size_t)id + 1,
			  sizeof(*adding->key_of))) {
		adding->failed = true;
		return 0;
	}
	adding->key_of[id] = key->string;
	return id;
}

/* The frames of a set: those for the root, then those for the leaf. */
static const uint32_t *frames_of(struct adding *adding, uint32_t set)
{
	uint32_t width = adding->keys[0].count + adding->keys[1].count;
	uint32_t *frames = adding->set_frames + (size_t)set * width;
	uint32_t at = 0;

	if (frames[0] != 0) {
		return frames;
	}
	for (int side = 0; side < 2; side++) {
		for (uint32_t k = 0; k < adding->keys[side].count; k++) {
			frames[at++] =
				frame_of(adding, &adding->keys[side].items[k], set);
		}
	}
	return frames;
}

/* --- stacks -------------------------------------------------------------------------- */

static void intern(struct adding *adding)
{
	uint32_t *stacks = adding->profile->sample_stack + adding->done;

	prof_stacks_add(&adding->stacks, adding->pending, adding->ends, adding->count,
			stacks);
	adding->done += adding->count;
	adding->count = 0;
	adding->failed = adding->failed || adding->stacks.failed;
}

static void extend(struct adding *adding, uint32_t sample)
{
	const struct prof_profile *profile = adding->profile;
	struct prof_frames old = prof_stack(profile, profile->sample_stack[sample]);
	const uint32_t *frames = frames_of(adding, profile->sample_set[sample]);
	uint32_t roots = adding->keys[0].count;
	uint32_t leaves = adding->keys[1].count;
	size_t at = adding->count > 0 ? adding->ends[adding->count - 1] : 0;
	size_t need = at + old.count + roots + leaves;
	uint32_t base = profile->location_count - 1; /* new ones count from 1 */

	if (adding->failed ||
	    !prof_reserve((void **)&adding->pending, &adding->pending_cap, need,
			  sizeof(*adding->pending))) {
		adding->failed = true;
		return;
	}
	for (uint32_t k = 0; k < leaves; k++) {
		adding->pending[at++] = base + frames[roots + k];
	}
	for (size_t k = 0; k < old.count; k++) {
		adding->pending[at++] = old.data[k];
	}
	for (uint32_t k = 0; k < roots; k++) {
		adding->pending[at++] = base + frames[k];
	}
	adding->ends[adding->count++] = (uint32_t)at;
	/* deep stacks are interned early: ends are 32 bits */
	if (adding->count == BATCH || at > UINT32_MAX / 4) {
		intern(adding);
	}
}

/* --- tables -------------------------------------------------------------------------- */

static uint64_t next_location_id(const struct prof_profile *profile)
{
	uint64_t id = 0;

	for (uint32_t i = 0; i < profile->location_count; i++) {
		id = profile->locations[i].id > id ? profile->locations[i].id : id;
	}
	return id + 1;
}

static uint64_t next_function_id(const struct prof_profile *profile)
{
	uint64_t id = 0;

	for (uint32_t i = 0; i < profile->function_count; i++) {
		id = profile->functions[i].id > id ? profile->functions[i].id : id;
	}
	return id + 1;
}

/* An array in the arena with the old items and room for the new frames' ones. */
static void *longer(struct adding *adding, const void *items, uint32_t count,
		    size_t size)
{
	char *copy = prof_arena_array(&adding->profile->arena,
				      (size_t)count + adding->frames.count, size);

	if (copy && count > 0) {
		memcpy(copy, items, count * size);
	}
	return copy;
}

/* One string, function, line and location per new frame. */
static void add_frames(struct adding *adding, struct prof_profile *profile)
{
	uint64_t location_id = next_location_id(profile);
	uint64_t function_id = next_function_id(profile);

	for (uint32_t id = 1; id < adding->frames.count; id++) {
		uint32_t key = adding->key_of[id];
		size_t skip = prof_string(profile, key).len + 1;
		struct prof_text both = prof_strings_get(&adding->frames, id);
		uint32_t function = profile->function_count++;
		uint32_t line = profile->line_count++;

		if (both.len > skip) {
			profile->strings[profile->string_count] =
				(struct prof_text){ both.data + skip, both.len - skip };
			profile->functions[function].name = profile->string_count++;
		}
		profile->functions[function].id = function_id++;
		profile->functions[function].file = key;
		profile->lines[line].function = function;
		profile->locations[profile->location_count++] = (struct prof_location){
			.id = location_id++,
			.mapping = PROF_NONE,
			.first_line = line,
		};
	}
	profile->locations[profile->location_count] =
		(struct prof_location){ .first_line = profile->line_count };
}

static bool extend_tables(struct adding *adding, struct prof_error *err)
{
	struct prof_profile *profile = adding->profile;
	struct prof_profile next = *profile;
	uint32_t more = adding->frames.count;

	if (more >= UINT32_MAX - profile->string_count ||
	    more >= UINT32_MAX - profile->function_count ||
	    more >= UINT32_MAX - profile->line_count ||
	    more >= UINT32_MAX - profile->location_count) {
		return prof_fail(err, PROF_ERR_LIMIT, "too many label values");
	}
	next.strings = longer(adding, profile->strings, profile->string_count,
			      sizeof(*next.strings));
	next.functions = longer(adding, profile->functions, profile->function_count,
				sizeof(*next.functions));
	next.lines = longer(adding, profile->lines, profile->line_count,
			    sizeof(*next.lines));
	next.locations = longer(adding, profile->locations, profile->location_count,
				sizeof(*next.locations));
	if (profile->arena.failed) {
		return prof_fail_nomem(err);
	}
	next.arena = profile->arena;
	add_frames(adding, &next);
	next.frames = prof_arena_adopt(&next.arena, adding->stacks.frames);
	next.stack_ends = prof_arena_adopt(&next.arena, adding->stacks.ends);
	next.stack_count = adding->stacks.count;
	adding->stacks.frames = NULL;
	adding->stacks.ends = NULL;
	prof_arena_take(&next.arena, &adding->frames.bytes);
	*profile = next;
	return !profile->arena.failed || prof_fail_nomem(err);
}

/* --- the whole ----------------------------------------------------------------------- */

static bool any_met(const struct keys *keys)
{
	for (uint32_t k = 0; k < keys->count; k++) {
		if (keys->items[k].met) {
			return true;
		}
	}
	return false;
}

static bool add_all(struct adding *adding, struct prof_error *err)
{
	const struct prof_profile *profile = adding->profile;
	size_t width = (size_t)adding->keys[0].count + adding->keys[1].count;

	if (width == 0 || profile->sample_count == 0) {
		return true;
	}
	adding->set_frames = prof_arena_array(
		&adding->scratch, profile->set_count * width, sizeof(uint32_t));
	if (!adding->set_frames) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		extend(adding, i);
	}
	intern(adding);
	return adding->failed ? prof_fail_nomem(err) : extend_tables(adding, err);
}

bool prof_tag_frames_add(struct prof_profile *profile,
			 const struct prof_tag_frames *options, bool *rooted,
			 bool *leafed, struct prof_error *err)
{
	struct adding adding = { .profile = profile, .unit = options->unit };
	bool ok = split(&adding, options->root_keys, &adding.keys[0], err) &&
		  split(&adding, options->leaf_keys, &adding.keys[1], err) &&
		  add_all(&adding, err);

	if (ok) {
		*rooted = any_met(&adding.keys[0]);
		*leafed = any_met(&adding.keys[1]);
	}
	prof_strings_free(&adding.frames);
	prof_stacks_free(&adding.stacks);
	prof_free(adding.pending);
	prof_free(adding.key_of);
	prof_buf_free(&adding.name);
	prof_arena_free(&adding.scratch);
	return ok;
}
