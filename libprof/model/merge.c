/* SPDX-License-Identifier: MIT */
#include "libprof/model/merge.h"

#include <assert.h>

#include "libprof/base/buf.h"

bool prof_profile_empty(const struct prof_profile *profile)
{
	return profile->type_count == 0 && profile->sample_count == 0;
}

static void list_types(const struct prof_profile *profile, struct prof_buf *out)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text type = prof_string(profile, profile->types[c].type);
		struct prof_text unit = prof_string(profile, profile->types[c].unit);

		prof_buf_adds(out, c > 0 ? ", " : "");
		prof_buf_add(out, type.data, type.len);
		prof_buf_addc(out, '/');
		prof_buf_add(out, unit.data, unit.len);
	}
}

static bool types_differ(const struct prof_profile *a, const struct prof_profile *b,
			 struct prof_error *err)
{
	struct prof_buf first = { .max = 4096 };
	struct prof_buf second = { .max = 4096 };

	list_types(a, &first);
	list_types(b, &second);
	prof_error_set(err, PROF_ERR_MISMATCH, "sample types differ: (%.*s) and (%.*s)",
		       (int)first.len, first.data, (int)second.len, second.data);
	prof_buf_free(&first);
	prof_buf_free(&second);
	return false;
}

static bool same_type(const struct prof_profile *a, struct prof_value_type x,
		      const struct prof_profile *b, struct prof_value_type y)
{
	return prof_text_equal(prof_string(a, x.type), prof_string(b, y.type)) &&
	       prof_text_equal(prof_string(a, x.unit), prof_string(b, y.unit));
}

bool prof_merge_compatible(const struct prof_profile *a, const struct prof_profile *b,
			   struct prof_error *err)
{
	if (prof_profile_empty(a) || prof_profile_empty(b)) {
		return true;
	}
	if (a->type_count != b->type_count) {
		return types_differ(a, b, err);
	}
	for (uint32_t c = 0; c < a->type_count; c++) {
		if (!same_type(a, a->types[c], b, b->types[c])) {
			return types_differ(a, b, err);
		}
	}
	return same_type(a, a->header.period_type, b, b->header.period_type) ||
	       prof_fail(err, PROF_ERR_MISMATCH, "period types differ");
}

bool prof_merge(struct prof_profile *const *inputs, size_t count, enum prof_build how,
		struct prof_profile **out, struct prof_error *err)
{
	struct prof_builder *builder = NULL;
	bool ok = false;

	assert(how != PROF_BUILD_AS_IS);
	builder = prof_builder_new(how);
	if (!builder) {
		return prof_fail_nomem(err);
	}
	ok = true;
	for (size_t i = 0; ok && i < count; i++) {
		ok = prof_profile_send(inputs[i], prof_builder_sink(builder), err);
	}
	ok = ok && prof_builder_finish(builder, out, err);
	prof_builder_free(builder);
	return ok;
}
