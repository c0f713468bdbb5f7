/* SPDX-License-Identifier: MIT */
/* Comparisons of the samples with one value of a label. */
#include <stdlib.h>
#include <string.h>

#include "cmd/diff.h"
#include "libprof/base/alloc.h"
#include "libprof/model/copy.h"
#include "libprof/report/key.h"

enum { PARTS_MAX = 500 /* values of a label */ };

/* The list while it grows; the texts are in the result's memory. */
struct part_list {
	struct diff_part *items;
	size_t count;
	size_t cap;
};

bool diff_parts_wanted(const struct diff_options *diff,
		       const struct diff_result *result)
{
	for (uint32_t i = 0; i < result->gate_count; i++) {
		if (result->gates[i].gate.label_key.len > 0) {
			return true;
		}
	}
	return diff->by_label != NULL;
}

static struct diff_part *find_part(struct part_list *list, struct prof_text key,
				   struct prof_text value)
{
	for (size_t i = 0; i < list->count; i++) {
		if (prof_text_equal(list->items[i].key, key) &&
		    prof_text_equal(list->items[i].value, value)) {
			return &list->items[i];
		}
	}
	return NULL;
}

/* `value` is copied. */
static bool add_part(struct part_list *list, struct diff_result *result,
		     struct prof_text key, struct prof_text value, bool asked,
		     struct prof_error *err)
{
	struct diff_part *known = find_part(list, key, value);
	char *copy = NULL;

	if (known) {
		known->asked |= asked;
		return true;
	}
	if (list->count == PARTS_MAX) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "label '%.*s' has more than %d values", (int)key.len,
				 key.data, PARTS_MAX);
	}
	copy = prof_arena_copy(&result->memory, value.data ? value.data : "",
			       value.len);
	if (!copy || !prof_reserve((void **)&list->items, &list->cap, list->count + 1,
				   sizeof(*list->items))) {
		return prof_fail_nomem(err);
	}
	list->items[list->count++] = (struct diff_part){
		.key = key,
		.value = { copy, value.len },
		.asked = asked,
	};
	return true;
}

static void value_of_set(const struct prof_profile *profile, uint32_t set,
			 struct prof_text key, struct prof_buf *out)
{
	prof_buf_clear(out);
	prof_key_add_label(out, key, profile->strings, prof_label_set(profile, set));
}

/* The values that samples have: a set may be there without any. */
static bool list_profile(struct part_list *list, struct diff_result *result,
			 const struct prof_profile *profile, struct prof_text key,
			 struct prof_error *err)
{
	struct prof_buf value = { 0 };
	bool *used = prof_alloc_array(profile->set_count, sizeof(*used));
	bool ok = used ? true : prof_fail_nomem(err);

	for (uint32_t i = 0; i < profile->sample_count && ok; i++) {
		uint32_t set = profile->sample_set[i];

		if (!used[set]) {
			used[set] = true;
			value_of_set(profile, set, key, &value);
			ok = value.failed ? prof_fail_nomem(err)
					  : add_part(list, result, key,
						     (struct prof_text){ value.data,
									 value.len },
						     true, err);
		}
	}
	prof_buf_free(&value);
	prof_free(used);
	return ok;
}

/* Some profile has the label, or the command line has a mistake. */
static bool check_label(const struct diff_sides *sides, const struct diff_kept *kept,
			struct prof_text label, struct prof_error *err)
{
	const struct prof_key_options key = { .by = PROF_BY_LABEL, .label = label };
	struct prof_error why = { 0 };

	for (int side = PROF_BEFORE; side <= PROF_AFTER; side++) {
		for (uint32_t i = 0; i < sides->side[side].count; i++) {
			if (report_has_label(kept->profiles[side][i], &key, &why)) {
				return true;
			}
		}
	}
	*err = why;
	return false;
}

static int compare_parts(const void *a, const void *b)
{
	const struct diff_part *x = a;
	const struct diff_part *y = b;
	int order = prof_text_compare(x->key, y->key);

	return order != 0 ? order : prof_text_compare(x->value, y->value);
}

static bool list_parts(const struct diff_options *diff, const struct diff_sides *sides,
		       const struct diff_kept *kept, struct diff_result *result,
		       struct part_list *list, struct prof_error *err)
{
	struct prof_text key = { 0 };

	for (uint32_t i = 0; i < result->gate_count; i++) {
		const struct gate *gate = &result->gates[i].gate;

		if (gate->label_key.len > 0 &&
		    !add_part(list, result, gate->label_key, gate->label_value, false,
			      err)) {
			return false;
		}
	}
	if (!diff->by_label) {
		return true;
	}
	key = prof_text(diff->by_label);
	if (!check_label(sides, kept, key, err)) {
		return false;
	}
	for (int side = PROF_BEFORE; side <= PROF_AFTER; side++) {
		for (uint32_t i = 0; i < sides->side[side].count; i++) {
			if (!list_profile(list, result, kept->profiles[side][i], key,
					  err)) {
				return false;
			}
		}
	}
	return true;
}

/* The samples of `profile` that belong to `part`. */
static bool cut_part(const struct prof_profile *profile, const struct diff_part *part,
		     struct prof_profile **out, struct prof_error *err)
{
	struct prof_buf value = { 0 };
	bool *in_set = prof_alloc_array(profile->set_count, sizeof(*in_set));
	bool *keep = prof_alloc_array(profile->sample_count, sizeof(*keep));
	bool ok = in_set && keep ? true : prof_fail_nomem(err);

	for (uint32_t set = 0; set < profile->set_count && ok; set++) {
		value_of_set(profile, set, part->key, &value);
		in_set[set] = prof_text_equal(
			(struct prof_text){ value.data, value.len }, part->value);
		ok = value.failed ? prof_fail_nomem(err) : true;
	}
	for (uint32_t i = 0; i < profile->sample_count && ok; i++) {
		keep[i] = in_set[profile->sample_set[i]];
	}
	ok = ok && prof_profile_copy(profile, keep, out, err);
	prof_buf_free(&value);
	prof_free(in_set);
	prof_free(keep);
	return ok;
}

/*
 * A part is compared by the work that the whole did: what most functions of the part
 * did would hide a part that became slower as one.
 */
static double work_of(const struct diff_run *run, enum prof_side side,
		      const struct prof_comparison *whole)
{
	const struct prof_scales *scales = &whole->scales;

	switch (whole->options.normalize) {
	case PROF_NORMALIZE_TOTAL:
	case PROF_NORMALIZE_STABLE:
	case PROF_NORMALIZE_REFERENCE:
		break;
	case PROF_NORMALIZE_NONE:
	case PROF_NORMALIZE_DURATION:
	case PROF_NORMALIZE_WORK:
	case PROF_NORMALIZE_FACTOR:
		return run->work;
	}
	if (side == PROF_AFTER && scales->total > 0) {
		return (double)run->value * scales->used / scales->total;
	}
	return (double)run->value;
}

static bool add_part_run(const struct diff_options *diff, const struct diff_part *part,
			 struct prof_compare *compare, enum prof_side side,
			 const struct prof_profile *profile,
			 struct prof_compare_run *how, struct prof_error *err)
{
	struct prof_profile *cut = NULL;
	bool ok = cut_part(profile, part, &cut, err);

	how->count_column = PROF_NONE;
	how->period = diff->period;
	if (ok && diff->count_type &&
	    !prof_find_column(cut, prof_text(diff->count_type), &how->count_column)) {
		how->count_column = PROF_NONE;
	}
	ok = ok && prof_compare_add(compare, side, cut, how, err);
	prof_profile_free(cut);
	return ok;
}

static bool compare_part(const struct diff_options *diff,
			 const struct diff_sides *sides, const struct diff_kept *kept,
			 const struct prof_comparison *whole, struct diff_part *part,
			 struct prof_error *err)
{
	struct prof_compare_options options = *kept->options;
	struct prof_compare *compare = NULL;
	bool ok = true;

	if (options.normalize == PROF_NORMALIZE_TOTAL ||
	    options.normalize == PROF_NORMALIZE_STABLE ||
	    options.normalize == PROF_NORMALIZE_REFERENCE) {
		options.normalize = PROF_NORMALIZE_WORK;
	}
	compare = prof_compare_new(&options);
	ok = compare ? true : prof_fail_nomem(err);
	for (int side = 0; side <= PROF_SAME_CODE && ok; side++) {
		const struct diff_side *runs = &sides->side[side];

		for (uint32_t i = 0; i < runs->count && ok; i++) {
			const struct prof_profile *profile = kept->profiles[side][i];
			struct prof_compare_run how = {
				.work = work_of(&runs->runs[i], (enum prof_side)side,
						whole),
			};

			ok = prof_find_column(profile, kept->type, &how.column) &&
			     add_part_run(diff, part, compare, (enum prof_side)side,
					  profile, &how, err);
		}
	}
	ok = ok && prof_compare_finish(compare, &part->comparison, err);
	prof_compare_free(compare);
	return ok;
}

/* A part that cannot be compared says why; the others go on. */
static bool explain(struct diff_result *result, struct diff_part *part,
		    const struct prof_error *why, struct prof_error *err)
{
	char *copy = NULL;

	if (why->code != PROF_ERR_MISMATCH) {
		*err = *why;
		return false;
	}
	copy = prof_arena_copy(&result->memory, why->message, strlen(why->message));
	if (!copy) {
		return prof_fail_nomem(err);
	}
	part->why_not = prof_text(copy);
	return true;
}

static bool move_parts(struct part_list *list, struct diff_result *result,
		       struct prof_error *err)
{
	result->parts =
		prof_arena_array(&result->memory, list->count, sizeof(*result->parts));
	if (!result->parts) {
		return prof_fail_nomem(err);
	}
	if (list->count > 0) {
		memcpy(result->parts, list->items,
		       list->count * sizeof(*result->parts));
		qsort(result->parts, list->count, sizeof(*result->parts),
		      compare_parts);
	}
	result->part_count = (uint32_t)list->count;
	return true;
}

bool diff_parts_make(const struct diff_options *diff, const struct diff_sides *sides,
		     const struct diff_kept *kept, struct diff_result *result,
		     struct prof_error *err)
{
	struct part_list list = { 0 };
	bool ok = list_parts(diff, sides, kept, result, &list, err) &&
		  move_parts(&list, result, err);

	prof_free(list.items);
	for (uint32_t i = 0; i < result->part_count && ok; i++) {
		struct prof_error why = { 0 };

		ok = compare_part(diff, sides, kept, result->whole, &result->parts[i],
				  &why) ||
		     explain(result, &result->parts[i], &why, err);
	}
	return ok;
}
