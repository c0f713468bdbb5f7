/* SPDX-License-Identifier: MIT */
#include "libprof/model/columns.h"

#include "libprof/base/alloc.h"

static uint32_t find_type(const struct prof_profile *in,
			  const struct prof_profile *profile, uint32_t column)
{
	struct prof_text type = prof_string(profile, profile->types[column].type);
	struct prof_text unit = prof_string(profile, profile->types[column].unit);

	for (uint32_t c = 0; c < in->type_count; c++) {
		if (prof_text_equal(prof_string(in, in->types[c].type), type) &&
		    prof_text_equal(prof_string(in, in->types[c].unit), unit)) {
			return c;
		}
	}
	return PROF_NONE;
}

static bool in_all(struct prof_profile *const *inputs, size_t count,
		   const struct prof_profile *first, uint32_t column)
{
	for (size_t i = 0; i < count; i++) {
		if (inputs[i]->type_count > 0 &&
		    find_type(inputs[i], first, column) == PROF_NONE) {
			return false;
		}
	}
	return true;
}

static bool default_survives(const struct prof_profile *profile,
			     const struct prof_value_type *types, uint32_t count)
{
	for (uint32_t c = 0; c < count; c++) {
		if (types[c].type == profile->header.default_type) {
			return true;
		}
	}
	return false;
}

/* Send `profile` with the columns of `first` that `chosen` lists. */
static bool send_columns(const struct prof_profile *profile,
			 const struct prof_profile *first, const uint32_t *chosen,
			 uint32_t count, struct prof_sink *sink, struct prof_error *err)
{
	struct prof_profile view = *profile;
	bool ok = true;

	if (profile->type_count == 0) {
		return prof_profile_send(profile, sink, err);
	}
	view.types = prof_alloc_array(count, sizeof(*view.types));
	view.values = prof_alloc_array(count, sizeof(*view.values));
	view.type_count = count;
	if (!view.types || !view.values) {
		ok = prof_fail_nomem(err);
	}
	for (uint32_t c = 0; ok && c < count; c++) {
		uint32_t own = find_type(profile, first, chosen[c]);

		view.types[c] = profile->types[own];
		view.values[c] = profile->values[own];
	}
	if (ok && !default_survives(profile, view.types, count)) {
		view.header.default_type = 0;
	}
	ok = ok && prof_profile_send(&view, sink, err);
	prof_free(view.types);
	prof_free(view.values);
	return ok;
}

static bool merge_chosen(struct prof_profile *const *inputs, size_t count,
			 const struct prof_profile *first, const uint32_t *chosen,
			 uint32_t chosen_count, struct prof_builder *builder,
			 struct prof_error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!send_columns(inputs[i], first, chosen, chosen_count,
				  prof_builder_sink(builder), err)) {
			return false;
		}
	}
	return true;
}

static int types_order(const struct prof_profile *a, const struct prof_profile *b)
{
	for (uint32_t c = 0; c < a->type_count && c < b->type_count; c++) {
		int order = prof_text_compare(prof_string(a, a->types[c].type),
					      prof_string(b, b->types[c].type));

		if (order == 0) {
			order = prof_text_compare(prof_string(a, a->types[c].unit),
						  prof_string(b, b->types[c].unit));
		}
		if (order != 0) {
			return order;
		}
	}
	return (a->type_count > b->type_count) - (a->type_count < b->type_count);
}

/*
 * The profile whose order of types counts: the first, or, for a result that does not
 * depend on the order of inputs, the one with the smallest list.
 */
static const struct prof_profile *leading(struct prof_profile *const *inputs,
					  size_t count, enum prof_build how)
{
	const struct prof_profile *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (inputs[i]->type_count > 0 &&
		    (!found || (how == PROF_BUILD_CANONICAL &&
				types_order(inputs[i], found) < 0))) {
			found = inputs[i];
		}
	}
	return found;
}

bool prof_merge_common(struct prof_profile *const *inputs, size_t count,
		       enum prof_build how, struct prof_profile **out,
		       struct prof_error *err)
{
	const struct prof_profile *first = leading(inputs, count, how);
	uint32_t types = first ? first->type_count : 0;
	struct prof_builder *builder = prof_builder_new(how);
	uint32_t *chosen = prof_alloc_array(types, sizeof(*chosen));
	uint32_t chosen_count = 0;
	bool ok = builder && chosen;

	for (uint32_t c = 0; ok && c < types; c++) {
		if (in_all(inputs, count, first, c)) {
			chosen[chosen_count++] = c;
		}
	}
	if (!ok) {
		ok = prof_fail_nomem(err);
	} else if (types > 0 && chosen_count == 0) {
		ok = prof_fail(err, PROF_ERR_MISMATCH,
			       "the profiles have no sample type in common");
	}
	ok = ok &&
	     merge_chosen(inputs, count, first, chosen, chosen_count, builder, err) &&
	     prof_builder_finish(builder, out, err);
	prof_builder_free(builder);
	prof_free(chosen);
	return ok;
}
