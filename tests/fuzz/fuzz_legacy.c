/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as each of pprof's old formats: the chunks do not matter, what is read is a
 * valid profile, and at most one format claims the bytes with its highest bid.
 */
#include "libprof/model/builder.h"
#include "tests/fuzz/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct prof_format *const formats[] = {
	&prof_format_cpuprof, &prof_format_heaptext,   &prof_format_countprofile,
	&prof_format_threadz, &prof_format_contention, &prof_format_javatext,
};

static void build(const struct prof_format *format, const uint8_t *data, size_t size)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_source *source = prof_source_memory(data, size);
	struct prof_profile *profile = NULL;
	struct prof_window window;
	struct prof_error err = { 0 };

	count_check(builder && source);
	window = prof_window(source);
	count_check(format->read(&window, prof_builder_sink(builder), &err));
	count_check(prof_builder_finish(builder, &profile, &err));
	count_check(prof_profile_validate(profile, &err));
	prof_window_free(&window);
	prof_source_free(source);
	prof_builder_free(builder);
	prof_profile_free(profile);
}

static void read_twice(const struct prof_format *format, const uint8_t *data,
		       size_t size)
{
	struct count whole = count_read(format, false, data, size, size);
	struct count pieces = count_read(format, false, data, size, 7);

	count_check(whole.done == pieces.done && whole.samples == pieces.samples &&
		    whole.frames == pieces.frames && whole.sum == pieces.sum);
	if (whole.done) {
		build(format, data, size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prof_head head = { data, size, true };
	int highest = 0;
	int bidders = 0;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		int bid = formats[i]->bid(head);

		bidders = bid > highest ? 1 : bidders + (bid > 0 && bid == highest);
		highest = bid > highest ? bid : highest;
		read_twice(formats[i], data, size);
	}
	count_check(bidders <= 1);
	return 0;
}
