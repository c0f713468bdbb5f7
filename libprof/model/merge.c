/* SPDX-License-Identifier: MIT */
#include "libprof/model/merge.h"

#include <assert.h>

bool prof_profile_empty(const struct prof_profile *profile)
{
	return profile->type_count == 0 && profile->sample_count == 0;
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
