/* SPDX-License-Identifier: MIT */
/*
 * gzip data is inflated as a whole and one byte at a time, which must come to the same
 * end; what is no gzip data is deflated and must come back.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gzip.h"
#include "tests/fuzz/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct prof_source *inflate(struct prof_window *in)
{
	static const struct prof_limits limits = { .max_input = UNPACK_MAX };

	return prof_gzip_source(in, &limits, NULL);
}

static void round_trip(const uint8_t *data, size_t size)
{
	struct prof_text text = { (const char *)data, size };
	struct prof_buf packed = { 0 };
	struct prof_error err = { 0 };

	assert(prof_gzip_write(text, (int)(size % 10), &packed, &err));
	unpack_expect((uint8_t *)packed.data, packed.len, text, inflate);
	prof_buf_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b) {
		unpack_both_ways(data, size, inflate);
	} else if (size <= UNPACK_MAX) {
		round_trip(data, size);
	}
	return 0;
}
