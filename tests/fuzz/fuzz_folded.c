/* SPDX-License-Identifier: MIT */
/*
 * fuzz_folded.c - any bytes as folded stacks.
 *
 * What is read must be a valid profile, and what is written of it must read again and
 * write the same bytes.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "libprof/model/builder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct prof_profile *read_bytes(const void *data, size_t len)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_source *source = prof_source_memory(data, len);
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };

	if (builder && source) {
		struct prof_window window = prof_window(source);
		struct prof_sink *sink = prof_builder_sink(builder);

		if (!prof_format_folded.read(&window, sink, &err) ||
		    !prof_builder_finish(builder, &profile, &err)) {
			profile = NULL;
		} else if (!prof_profile_validate(profile, &err)) {
			abort();
		}
		prof_window_free(&window);
	}
	prof_source_free(source);
	prof_builder_free(builder);
	return profile;
}

static bool write_bytes(const struct prof_profile *profile, struct prof_buf *out)
{
	struct prof_write_options options = { 0 };
	struct prof_error err = { 0 };

	return prof_format_folded.write(profile, &options, out, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prof_head head = { data, size, true };
	struct prof_profile *first = read_bytes(data, size);
	struct prof_profile *second = NULL;
	struct prof_buf once = { 0 };
	struct prof_buf twice = { 0 };

	if (prof_format_folded.bid(head) < 0) {
		abort();
	}
	if (first && write_bytes(first, &once) && once.len > 0) {
		second = read_bytes(once.data, once.len);
		if (!second || !write_bytes(second, &twice) || once.len != twice.len ||
		    memcmp(once.data, twice.data, once.len) != 0) {
			abort();
		}
	}
	prof_buf_free(&once);
	prof_buf_free(&twice);
	prof_profile_free(first);
	prof_profile_free(second);
	return 0;
}
