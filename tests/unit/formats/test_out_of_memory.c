/* SPDX-License-Identifier: MIT */
/*
 * What is read, changed, drawn and written once comes to a clean end wherever memory
 * runs out. What is not freed then, the address sanitizer finds.
 */
#include <string.h>

#include "tests/pipeline.h"
#include "tests/slurp.h"
#include "tests/test.h"

/* Fail the n-th allocation, for every n or every `step`-th, until there is none. */
static void starve(const char *name, int64_t step)
{
	struct prof_buf file = slurp_file(name);
	int64_t n = 0;

	for (bool ok = false; !ok; n += step) {
		struct pipeline run = { 0 };
		struct prof_error err = { 0 };

		prof_alloc_fail_after(n);
		ok = pipeline_run((struct prof_text){ file.data, file.len }, NULL, &run,
				  &err);
		prof_alloc_fail_after(-1);
		if (!ok && err.code != PROF_ERR_NOMEM) {
			print_error("%s: allocation %lld: %s\n", name, (long long)n,
				    err.message);
		}
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		assert_true(!ok || run.svg.len > 0);
		pipeline_free(&run);
	}
	assert_true(n > 50);
	prof_buf_free(&file);
}

static void a_small_profile_survives_every_failed_allocation(void **state)
{
	starve("pprof/tiny.pb", 1);
}

static void a_compressed_profile_survives_failed_allocations(void **state)
{
	starve("pprof/go-mutex.pb.gz", 3);
	starve("pprof/hostile-names.pb.gz", 3);
	starve("pprof/go-heap-zstd.pb.zst", 17);
}

static void folded_stacks_survive_every_failed_allocation(void **state)
{
	starve("folded/annotations.folded", 1);
	starve("folded/unicode.folded", 1);
}

TEST_MAIN(cmocka_unit_test(a_small_profile_survives_every_failed_allocation),
	  cmocka_unit_test(a_compressed_profile_survives_failed_allocations),
	  cmocka_unit_test(folded_stacks_survive_every_failed_allocation))
