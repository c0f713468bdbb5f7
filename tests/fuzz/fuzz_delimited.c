/* SPDX-License-Identifier: MIT */
/* Any bytes as a stream of profiles: the chunks do not matter. */
#include "tests/fuzz/count.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prof_head head = { data, size, size < 4096 };
	struct count whole = count_read(&prof_format_delimited, true, data, size, size);
	struct count pieces = count_read(&prof_format_delimited, true, data, size, 7);

	(void)prof_format_delimited.bid(head);
	count_check(whole.done == pieces.done && whole.profiles == pieces.profiles);
	count_check(!whole.done ||
		    (whole.samples == pieces.samples && whole.sum == pieces.sum));
	return 0;
}
