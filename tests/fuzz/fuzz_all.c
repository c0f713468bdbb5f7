/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a command sees them, through everything the library does: what is read
 * must be valid, read the same once written, and make text that keeps its promises.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { INPUT_MAX = 1 << 20, OUTPUT_MAX = 64 << 20 };

static void expect(bool kept)
{
	if (!kept) {
		abort();
	}
}

/* What was written must read; `again`, if wanted, is what is then written. */
static void expect_readable(const struct prof_buf *bytes, const struct prof_format *as,
			    struct prof_buf *again)
{
	struct prof_text text = { bytes->data, bytes->len };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };

	expect(pipeline_read(text, NULL, as, &profile, &err));
	expect(!again || prof_format_pprof.write(profile, NULL, again, &err));
	prof_profile_free(profile);
}

/* Not at once: labels of other formats that are 0 go on the way to pprof and back. */
static void expect_fixpoint(const struct prof_buf *written)
{
	struct prof_buf once = { 0 };
	struct prof_buf twice = { 0 };

	expect_readable(written, &prof_format_pprof, &once);
	expect_readable(&once, &prof_format_pprof, &twice);
	expect(once.len == twice.len && memcmp(once.data, twice.data, once.len) == 0);
	prof_buf_free(&once);
	prof_buf_free(&twice);
}

/* Nothing in a picture can end its line early or is no character of XML. */
static void expect_shown(const struct prof_buf *svg)
{
	for (size_t at = 0; at < svg->len;) {
		size_t n = prof_text_printable(svg->data + at, svg->len - at);

		expect(n > 0 || svg->data[at] == '\n' || svg->data[at] == '\t');
		at += n > 0 ? n : 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct prof_limits limits = { .max_input = INPUT_MAX };
	struct pipeline run = { .folded = { .max = OUTPUT_MAX },
				.svg = { .max = OUTPUT_MAX } };
	struct prof_error err = { 0 };
	struct prof_text bytes = { (const char *)data, size };
	bool done = pipeline_run(bytes, &limits, &run, &err);

	expect(done == (err.code == PROF_OK));
	if (run.written.len > 0) {
		expect_fixpoint(&run.written);
	}
	if (done) {
		expect_shown(&run.svg);
	}
	if (run.packed.len > 0) {
		expect_readable(&run.packed, &prof_format_pprof, NULL);
	}
	if (run.folded.len > 0) {
		expect_readable(&run.folded, &prof_format_folded, NULL);
	}
	pipeline_free(&run);
	return 0;
}
