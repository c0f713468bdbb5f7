/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "formats/callgrind.h"
#include "libprof/base/alloc.h"
#include "libprof/model/aggregate.h"
#include "tests/unit/libprof/line_profile.h"

static bool write(struct prof_profile *profile, bool call_tree, struct prof_buf *out,
		  struct prof_error *err)
{
	struct prof_graph_options options = {
		.column = 1,
		.edges = PROF_GRAPH_ALL_EDGES,
		.objects = true,
		.call_tree = call_tree,
	};
	struct prof_callgrind_options how = {
		.type = prof_text("time"),
		.style = { .unit = prof_text("ns"), .show = prof_text("us") },
	};
	struct prof_graph *graph = NULL;
	bool ok = prof_graph_build(profile, &options, &graph, err) &&
		  prof_callgrind_write(graph, &how, out, err);

	prof_graph_free(graph);
	return ok;
}

static void check(const char *text, bool call_tree, const char *expected)
{
	struct prof_profile *profile = line_profile(text);
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(write(profile, call_tree, &out, &err));
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, expected);
	prof_buf_free(&out);
	prof_profile_free(profile);
}

static void names_are_numbered_and_addresses_relative(void **state)
{
	check("main;run 1 5999\nmain;?libc 1 1000\n", false,
	      "positions: instr line\nevents: time(us)\n"
	      "\nob=(1) /bin/prog\nfl=(1) src/run.c\nfn=(1) run\n0x2000 2 5\n"
	      "\nob=(2) /lib/libc\nfl=\nfn=\n+4096 0 1\n"
	      "\nob=(1)\nfl=(2) src/main.c\nfn=(2) main\n-8192 1 0\n"
	      "cfl=(1)\ncfn=(1)\ncalls=0 -4096 2\n* * 5\n"
	      "cfl=\ncfn=\ncalls=0 * 0\n* * 1\n");
}

static void callees_of_one_name_are_told_apart_in_a_tree(void **state)
{
	check("a;c 1 5000\nb;c 1 4000\n", true,
	      "positions: instr line\nevents: time(us)\n"
	      "\nob=(1) /bin/prog\nfl=(1) src/c.c\nfn=(1) c\n0x2000 2 5\n* 2 4\n"
	      "\nob=(1)\nfl=(2) src/a.c\nfn=(2) a\n-4096 1 0\n"
	      "cfl=(1)\ncfn=(3) c [1/2]\ncalls=0 * 2\n* * 5\n"
	      "\nob=(1)\nfl=(3) src/b.c\nfn=(4) b\n+8192 3 0\n"
	      "cfl=(1)\ncfn=(5) c [2/2]\ncalls=0 +4096 2\n* * 4\n");
}

static void running_out_of_memory_is_an_error(void **state)
{
	struct prof_profile *profile = line_profile("a;c 1 5000\nb;c 1 4000\n");
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };

		prof_alloc_fail_after(n);
		ok = write(profile, true, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
	}
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(names_are_numbered_and_addresses_relative),
	  cmocka_unit_test(callees_of_one_name_are_told_apart_in_a_tree),
	  cmocka_unit_test(running_out_of_memory_is_an_error))
