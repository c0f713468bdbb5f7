/* SPDX-License-Identifier: MIT */
/*
 * zstd data is decompressed as a whole and one byte at a time, which must come to the
 * same end; what is no zstd data is compressed and must come back.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "formats/zstd.h"
#include "tests/fuzz/unpack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct prof_source *decompress(struct prof_window *in)
{
	static const struct prof_limits limits = { .max_input = UNPACK_MAX };

	return prof_zstd_source(in, &limits);
}

static void round_trip(const uint8_t *data, size_t size)
{
	struct prof_text text = { (const char *)data, size };
	struct prof_buf packed = { 0 };
	struct prof_error err = { 0 };

	assert(prof_zstd_write(text, (int)(size % 10), &packed, &err));
	unpack_expect((uint8_t *)packed.data, packed.len, text, decompress);
	prof_buf_free(&packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0) {
		unpack_both_ways(data, size, decompress);
	} else if (size <= UNPACK_MAX) {
		round_trip(data, size);
	}
	return 0;
}
