/* SPDX-License-Identifier: MIT */
/*
 * Any bytes: both kinds of sink agree on whether they are a profile, whatever the chunks
 * are, and what a builder made of them is written and read again the same.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/pprof.h"
#include "libprof/model/builder.h"
#include "tests/dribble.h"
#include "tests/fuzz/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool build(const void *data, size_t size, struct prof_buf *out)
{
	struct dribble in = dribble(data, size, size);
	struct prof_window window = prof_window(&in.base);
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	bool done = prof_format_pprof.read(&window, prof_builder_sink(builder), &err) &&
		    prof_builder_finish(builder, &profile, &err);

	if (done && (!prof_profile_validate(profile, &err) ||
		     !prof_format_pprof.write(profile, NULL, out, &err))) {
		abort();
	}
	prof_profile_free(profile);
	prof_builder_free(builder);
	prof_window_free(&window);
	prof_source_free(&in.base);
	return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prof_head head = { data, size, size < 4096 };
	struct count late = count_read(&prof_format_pprof, false, data, size, size);
	struct count early = count_read(&prof_format_pprof, true, data, size, 13);
	struct prof_buf once = { 0 };
	struct prof_buf twice = { 0 };

	(void)prof_format_pprof.bid(head);
	if (late.done != early.done) {
		abort();
	}
	if (late.done && (late.samples != early.samples || late.sum != early.sum ||
			  late.frames != early.frames || late.labels != early.labels)) {
		abort();
	}
	if (build(data, size, &once)) {
		if (!build(once.data, once.len, &twice) || twice.len != once.len ||
		    memcmp(once.data, twice.data, once.len) != 0) {
			abort();
		}
	}
	prof_buf_free(&once);
	prof_buf_free(&twice);
	return 0;
}
