/* SPDX-License-Identifier: MIT */
#include "libprof/report/tags.h"

#include <assert.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"
#include "libprof/base/hash.h"
#include "libprof/base/map.h"
#include "libprof/base/strings.h"
#include "libprof/model/unit.h"

/* One value of one key. */
struct cell {
	uint32_t key;  /* string of the profile */
	uint32_t text; /* string of `texts` */
	int64_t value;
};

struct counting {
	const struct prof_profile *profile;
	const struct prof_tag_units *units;
	struct prof_text show;
	struct prof_strings texts;
	struct cell *cells;
	size_t cell_cap;
	uint32_t cell_count;
	struct prof_map map; /* (key, text) -> cell */
	struct prof_buf number;
	uint32_t *seen; /* by string: 1 + the last set that has it as a key */
	int64_t *with;  /* by string: of the samples that have it as a key */
	int64_t all;    /* of all samples */
	bool failed;
	bool overflow;
};

static uint32_t text_of(struct counting *counting, const struct prof_label *label)
{
	const struct prof_profile *profile = counting->profile;

	if (label->text != 0) {
		return prof_strings_add(&counting->texts,
					prof_string(profile, label->text));
	}
	prof_buf_clear(&counting->number);
	prof_unit_label(&counting->number, label->number,
			prof_tag_unit(counting->units, profile, label->key),
			counting->show);
	counting->failed = counting->failed || counting->number.failed;
	return prof_strings_add(
		&counting->texts,
		(struct prof_text){ counting->number.data, counting->number.len });
}

static void add(struct counting *counting, uint32_t key, uint32_t text, int64_t value)
{
	uint64_t hash = prof_hash_mix(key ^ PROF_HASH_A, text ^ PROF_HASH_B);
	struct prof_map_walk walk = prof_map_walk(&counting->map, hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		struct cell *cell = &counting->cells[id];

		if (cell->key == key && cell->text == text) {
			counting->overflow |= __builtin_add_overflow(cell->value, value,
								     &cell->value);
			return;
		}
	}
	id = counting->cell_count;
	if (id == UINT32_MAX - 1 ||
	    !prof_reserve((void **)&counting->cells, &counting->cell_cap,
			  (size_t)id + 1, sizeof(*counting->cells)) ||
	    !prof_map_add(&counting->map, hash, id)) {
		counting->failed = true;
		return;
	}
	counting->cells[counting->cell_count++] = (struct cell){ key, text, value };
}

/* A sample counts once for a key, however many values it has there. */
static void count_key(struct counting *counting, uint32_t key, uint32_t set,
		      int64_t value)
{
	if (counting->seen[key] != set + 1) {
		counting->seen[key] = set + 1;
		counting->overflow |= __builtin_add_overflow(counting->with[key], value,
							     &counting->with[key]);
	}
}

/* The sum of the samples of each label set; NULL when memory ran out. */
static int64_t *sum_sets(struct counting *counting, uint32_t column, bool *used)
{
	const struct prof_profile *profile = counting->profile;
	int64_t *sums = prof_alloc_array((size_t)profile->set_count + 1, sizeof(*sums));

	for (uint32_t i = 0; sums && i < profile->sample_count; i++) {
		uint32_t set = profile->sample_set[i];

		used[set] = true;
		counting->overflow |=
			__builtin_add_overflow(sums[set], profile->values[column][i],
					       &sums[set]) ||
			__builtin_add_overflow(counting->all,
					       profile->values[column][i],
					       &counting->all);
	}
	return sums;
}

static void count_sets(struct counting *counting, const int64_t *sums, const bool *used)
{
	const struct prof_profile *profile = counting->profile;

	for (uint32_t s = 0; !counting->failed && s < profile->set_count; s++) {
		struct prof_labels labels = prof_label_set(profile, s);

		for (size_t i = 0; used[s] && i < labels.count; i++) {
			const struct prof_label *label = &labels.data[i];

			add(counting, label->key, text_of(counting, label), sums[s]);
			count_key(counting, label->key, s, sums[s]);
		}
	}
	counting->failed = counting->failed || counting->texts.failed;
}

/* --- result -------------------------------------------------------------------------- */

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static int compare_cells(const void *a, const void *b, void *context)
{
	const struct counting *counting = context;
	const struct cell *x = a;
	const struct cell *y = b;

	if (x->key != y->key) {
		return prof_text_compare(prof_string(counting->profile, x->key),
					 prof_string(counting->profile, y->key));
	}
	if (magnitude(x->value) != magnitude(y->value)) {
		return magnitude(x->value) > magnitude(y->value) ? -1 : 1;
	}
	return prof_text_compare(prof_strings_get(&counting->texts, x->text),
				 prof_strings_get(&counting->texts, y->text));
}

static void fill(struct counting *counting, struct prof_tags *tags)
{
	struct prof_text key = { 0 };
	struct prof_tag_value *values =
		prof_arena_array(&tags->arena, counting->cell_count, sizeof(*values));

	tags->keys = prof_arena_array(&tags->arena, counting->cell_count,
				      sizeof(*tags->keys));
	for (uint32_t i = 0; !tags->arena.failed && i < counting->cell_count; i++) {
		const struct cell *cell = &counting->cells[i];
		struct prof_tag_key *row = NULL;

		if (i == 0 || cell->key != cell[-1].key) {
			key = prof_string(counting->profile, cell->key);
			tags->keys[tags->key_count++] = (struct prof_tag_key){
				.key = { prof_arena_copy(&tags->arena, key.data,
							 key.len),
					 key.len },
				.values = values + i,
			};
		}
		row = &tags->keys[tags->key_count - 1];
		counting->overflow |= __builtin_sub_overflow(
			counting->all, counting->with[cell->key], &row->without);
		row->value_count++;
		counting->overflow |=
			__builtin_add_overflow(row->total, cell->value, &row->total);
		values[i].text = prof_strings_get(&counting->texts, cell->text);
		values[i].value = cell->value;
	}
	prof_arena_take(&tags->arena, &counting->texts.bytes);
}

static bool build(struct counting *counting, uint32_t column, struct prof_tags *tags,
		  struct prof_error *err)
{
	bool *used = prof_alloc_array((size_t)counting->profile->set_count + 1,
				      sizeof(*used));
	int64_t *sums = used ? sum_sets(counting, column, used) : NULL;
	size_t strings = (size_t)counting->profile->string_count + 1;

	counting->seen = prof_alloc_array(strings, sizeof(*counting->seen));
	counting->with = prof_alloc_array(strings, sizeof(*counting->with));
	if (!counting->seen || !counting->with) {
		counting->failed = true;
	} else if (sums) {
		count_sets(counting, sums, used);
		if (counting->cell_count > 1) {
			qsort_r(counting->cells, counting->cell_count,
				sizeof(struct cell), compare_cells, counting);
		}
		fill(counting, tags);
	}
	counting->failed |= !sums || tags->arena.failed;
	prof_free(used);
	prof_free(sums);
	prof_free(counting->seen);
	prof_free(counting->with);
	if (counting->failed) {
		return prof_fail_nomem(err);
	}
	return !counting->overflow ||
	       prof_fail(err, PROF_ERR_LIMIT,
			 "the sum of a label's values does not fit 64 bits");
}

bool prof_tags_build(const struct prof_profile *profile, uint32_t column,
		     const struct prof_tag_units *units, struct prof_text show,
		     struct prof_tags **out, struct prof_error *err)
{
	struct counting counting = { .profile = profile, .units = units, .show = show };
	struct prof_tags *tags = prof_alloc_array(1, sizeof(*tags));
	bool ok = tags ? build(&counting, column, tags, err) : prof_fail_nomem(err);

	prof_strings_free(&counting.texts);
	prof_map_free(&counting.map);
	prof_buf_free(&counting.number);
	prof_free(counting.cells);
	if (!ok) {
		prof_tags_free(tags);
		return false;
	}
	*out = tags;
	return true;
}

void prof_tags_free(struct prof_tags *tags)
{
	if (tags) {
		prof_arena_free(&tags->arena);
		prof_free(tags);
	}
}
