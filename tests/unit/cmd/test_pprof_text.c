/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "cmd/pprof_text.h"
#include "libprof/base/alloc.h"
#include "tests/unit/libprof/line_profile.h"

static const char text[] = "main;run>fast 1 1500\n"
			   "main;run 1 500\n"
			   "main;read 1 2000\n";

static struct pprof_graph_report report_of(enum pprof_graph_kind kind,
					   const struct prof_profile *profile)
{
	return (struct pprof_graph_report){
		.kind = kind,
		.profile = profile,
		.graph = { .column = 1 },
		.style = { .unit = prof_text("ns"),
			   .show = prof_text("minimum"),
			   .ratio = 1,
			   .total = 4000 },
	};
}

static void check(const struct pprof_graph_report *report, const char *expected)
{
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(pprof_graph_report(report, &out, &err));
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, expected);
	prof_buf_free(&out);
}

static void add_label(const void *context, const struct prof_value_style *style,
		      struct prof_buf *out)
{
	prof_buf_adds(out, context);
}

static void top_lists_functions_by_flat(void **state)
{
	struct prof_profile *profile = line_profile(text);
	struct pprof_graph_report report = report_of(PPROF_TOP, profile);

	report.labels = (struct pprof_labels){ add_label, "Type: time\n" };
	check(&report, "Type: time\n"
		       "Showing nodes accounting for 4000ns, 100% of 4000ns total\n"
		       "      flat  flat%   sum%        cum   cum%\n"
		       "    2000ns 50.00% 50.00%     2000ns 50.00%  read\n"
		       "    1500ns 37.50% 87.50%     1500ns 37.50%  fast (inline)\n"
		       "     500ns 12.50%   100%     2000ns 50.00%  run\n"
		       "         0     0%   100%     4000ns   100%  main\n");
	prof_profile_free(profile);
}

static void the_head_says_what_was_left_out(void **state)
{
	struct prof_profile *profile = line_profile(text);
	struct pprof_graph_report report = report_of(PPROF_TOP, profile);

	report.graph.node_fraction = 0.45;
	report.graph.node_limit = 1;
	check(&report, "Showing nodes accounting for 2us, 50.00% of 4us total\n"
		       "Dropped 1 node (cum <= 1.80us)\n"
		       "Showing top 1 nodes out of 3\n"
		       "      flat  flat%   sum%        cum   cum%\n"
		       "       2us 50.00% 50.00%        2us 50.00%  read\n");
	prof_profile_free(profile);
}

static bool is_run(void *context, struct prof_text name)
{
	return prof_text_equal(name, prof_text("run"));
}

static bool is_nothing(void *context, struct prof_text name)
{
	return false;
}

static void peek_shows_callers_and_callees(void **state)
{
	struct prof_profile *profile = line_profile(text);
	struct pprof_graph_report report = report_of(PPROF_PEEK, profile);

	report.symbols.match = is_run;
	report.graph.node_limit = 1;
	check(&report,
	      "Showing nodes accounting for 4000ns, 100% of 4000ns total\n"
	      "----------------------------------------------------------+-------------\n"
	      "      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t \n"
	      "----------------------------------------------------------+-------------\n"
	      "                                            2000ns   100% |   main\n"
	      "     500ns 12.50% 12.50%     2000ns 50.00%                | run\n"
	      "                                            1500ns 75.00% |   fast (inline)\n"
	      "----------------------------------------------------------+-------------\n");
	prof_profile_free(profile);
}

static void peek_at_nothing_is_an_error(void **state)
{
	struct prof_profile *profile = line_profile(text);
	struct pprof_graph_report report = report_of(PPROF_PEEK, profile);
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	report.symbols.match = is_nothing;
	report.regex = prof_text("x");
	assert_false(pprof_graph_report(&report, &out, &err));
	assert_string_equal(err.message, "no matches found for regexp: x");
	prof_buf_free(&out);
	prof_profile_free(profile);
}

static void an_empty_report_has_no_unit_to_choose(void **state)
{
	struct prof_profile *profile = line_profile("");
	struct pprof_graph_report report = report_of(PPROF_TOP, profile);

	report.style.total = 0;
	check(&report, "Showing nodes accounting for 0, 0% of 0 total\n"
		       "      flat  flat%   sum%        cum   cum%\n");
	prof_profile_free(profile);
}

static void running_out_of_memory_is_an_error(void **state)
{
	struct prof_profile *profile = line_profile(text);

	for (int kind = PPROF_TOP; kind <= PPROF_CALLGRIND; kind++) {
		struct pprof_graph_report report =
			report_of((enum pprof_graph_kind)kind, profile);
		bool ok = false;

		for (int64_t n = 0; !ok; n++) {
			struct prof_buf out = { 0 };
			struct prof_error err = { 0 };

			prof_alloc_fail_after(n);
			ok = pprof_graph_report(&report, &out, &err);
			prof_alloc_fail_after(-1);
			assert_true(ok || err.code == PROF_ERR_NOMEM);
			prof_buf_free(&out);
		}
	}
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(top_lists_functions_by_flat),
	  cmocka_unit_test(the_head_says_what_was_left_out),
	  cmocka_unit_test(peek_shows_callers_and_callees),
	  cmocka_unit_test(peek_at_nothing_is_an_error),
	  cmocka_unit_test(an_empty_report_has_no_unit_to_choose),
	  cmocka_unit_test(running_out_of_memory_is_an_error))
