/* SPDX-License-Identifier: MIT */
#include "libprof/report/top.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/report/tally.h"
#include "tests/test.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

/*
 * One profile, told in any order. Frames are named by the address of their location;
 * "parse" is inlined into "main" at 30; the location at 40 has no lines.
 */
enum text {
	NONE,
	CPU,
	NS,
	MAIN,
	PARSE,
	STRTOL,
	MAIN_C,
	PARSE_C,
	LIBC,
	THREAD,
	WORKER,
	BYTES,
	TEXTS
};

static const char *const texts[TEXTS] = {
	"",       "cpu",         "nanoseconds",  "main",           "parse",
	"strtol", "/src/main.c", "/src/parse.c", "/lib/libc.so.6", "thread",
	"worker", "bytes",
};

struct story {
	const char *const *texts;
	bool strings_last;
	int64_t scale;
	struct prof_header header;
};

static const struct story plain = { .texts = texts, .scale = 1 };
static const struct story late = { .texts = texts, .scale = 1, .strings_last = true };

static bool tell_strings(struct prof_sink *sink, const struct story *story,
			 struct prof_error *err)
{
	struct prof_text list[TEXTS];

	for (int i = 0; i < TEXTS; i++) {
		list[i] = prof_text(story->texts[i]);
	}
	return sink->strings(sink, list, 3, err) &&
	       sink->strings(sink, list + 3, TEXTS - 3, err);
}

static bool tell_functions(struct prof_sink *sink, struct prof_error *err)
{
	const struct prof_function functions[] = {
		{ .id = 1, .name = MAIN, .file = MAIN_C },
		{ .id = 2, .name = PARSE, .file = PARSE_C },
		{ .id = 3, .name = STRTOL, .file = NONE },
		{ .id = 4, .name = NONE, .file = NONE },
	};

	for (uint32_t i = 0; i < COUNT(functions); i++) {
		if (!sink->function(sink, &functions[i], err)) {
			return false;
		}
	}
	return true;
}

static bool tell_locations(struct prof_sink *sink, struct prof_error *err)
{
	const struct prof_line main_line[] = { { .function = 0, .line = 7 } };
	const struct prof_line parse[] = { { .function = 1, .line = 70 } };
	const struct prof_line inlined[] = { { .function = 1, .line = 71 },
					     { .function = 0, .line = 8 } };
	const struct prof_line strtol_line[] = { { .function = 2 } };
	const struct prof_line nameless[] = { { .function = 3 } };
	const struct prof_sink_location locations[] = {
		{ .id = 1,
		  .address = 0x10,
		  .mapping = 0,
		  .lines = main_line,
		  .line_count = 1 },
		{ .id = 2,
		  .address = 0x20,
		  .mapping = 0,
		  .lines = parse,
		  .line_count = 1 },
		{ .id = 3,
		  .address = 0x30,
		  .mapping = 0,
		  .lines = inlined,
		  .line_count = 2 },
		{ .id = 4, .address = 0x40, .mapping = 7 },
		{ .id = 5,
		  .address = 0x50,
		  .mapping = 7,
		  .lines = strtol_line,
		  .line_count = 1 },
		{ .id = 6,
		  .address = 0x60,
		  .mapping = PROF_NONE,
		  .lines = nameless,
		  .line_count = 1 },
	};

	for (uint32_t i = 0; i < COUNT(locations); i++) {
		if (!sink->location(sink, &locations[i], err)) {
			return false;
		}
	}
	return true;
}

static const uint32_t frames[] = { 4, 1, 0,    /* strtol parse main */
				   1, 1, 2, 0, /* parse parse [parse main] main */
				   3, 0,       /* [libc.so.6] main */
				   5 };        /* <unknown> */
static const uint32_t ends[] = { 3, 7, 9, 10, 10 };

static bool tell_samples(struct prof_sink *sink, const struct story *story,
			 struct prof_error *err)
{
	const struct prof_label labels[] = {
		{ .key = THREAD, .text = WORKER },
		{ .key = BYTES, .number = 512, .unit = BYTES },
		{ .key = BYTES, .number = 64 },
	};
	const uint32_t label_ends[] = { 1, 1, 3, 3, 3 };
	int64_t values[] = { 1, 10, 2, 20, 4, 40, 8, 80, 16, 160 };
	struct prof_batch batch = {
		.count = 5, .frames = frames, .ends = ends, .values = values
	};

	for (uint32_t i = 0; i < COUNT(values); i++) {
		values[i] *= story->scale;
	}
	if (!sink->no_labels) {
		batch.labels = labels;
		batch.label_ends = label_ends;
	}
	return sink->samples(sink, &batch, err);
}

static bool tell(struct prof_sink *sink, const struct story *story,
		 struct prof_error *err)
{
	const struct prof_value_type types[] = { { BYTES, BYTES }, { CPU, NS } };
	const struct prof_mapping program = { .id = 1, .ref = 0 };
	const struct prof_mapping libc = { .id = 2, .ref = 7, .file = LIBC };

	return sink->begin(sink, err) &&
	       (story->strings_last || tell_strings(sink, story, err)) &&
	       (story->strings_last || sink->mapping(sink, &libc, err)) &&
	       sink->mapping(sink, &program, err) && tell_functions(sink, err) &&
	       tell_locations(sink, err) && sink->types(sink, types, 2, err) &&
	       tell_samples(sink, story, err) &&
	       (!story->strings_last ||
		(sink->mapping(sink, &libc, err) && tell_strings(sink, story, err))) &&
	       sink->end(sink, &story->header, err);
}

static struct prof_top_result *top_of(const struct prof_key_options *options,
				      const struct story *stories, uint32_t count)
{
	struct prof_top *top = prof_top_new(options);
	struct prof_top_result *result = NULL;
	struct prof_error err = { 0 };

	assert_non_null(top);
	for (uint32_t i = 0; i < count; i++) {
		assert_true(tell(prof_top_sink(top), &stories[i], &err));
	}
	assert_true(prof_top_finish(top, &result, &err));
	prof_top_free(top);
	return result;
}

struct expected {
	const char *name;
	int64_t flat; /* of column 0; column 1 has ten times as much */
	int64_t cum;
};

static void assert_rows(struct prof_top_result *result, const struct expected *expected,
			uint32_t count)
{
	assert_int_equal(result->row_count, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct prof_top_row *row = &result->rows[i];

		assert_int_equal(row->name.len, strlen(expected[i].name));
		assert_memory_equal(row->name.data, expected[i].name, row->name.len);
		assert_int_equal(row->flat[0], expected[i].flat);
		assert_int_equal(row->cum[0], expected[i].cum);
		assert_int_equal(row->flat[1], expected[i].flat * 10);
		assert_int_equal(row->cum[1], expected[i].cum * 10);
	}
	prof_top_result_free(result);
}

static void assert_fails(const struct prof_key_options *options,
			 const struct story *stories, uint32_t count,
			 enum prof_code code, const char *message)
{
	struct prof_top *top = prof_top_new(options);
	struct prof_error err = { 0 };

	for (uint32_t i = 0; i + 1 < count; i++) {
		assert_true(tell(prof_top_sink(top), &stories[i], &err));
	}
	assert_false(tell(prof_top_sink(top), &stories[count - 1], &err));
	assert_int_equal(err.code, code);
	if (message) {
		assert_string_equal(err.message, message);
	}
	prof_top_free(top);
}

static const struct prof_key_options by_function = { .by = PROF_BY_FUNCTION };

static const struct expected functions[] = {
	{ "<unknown>", 8, 8 }, { "[libc.so.6]", 4, 4 }, { "main", 0, 7 },
	{ "parse", 2, 3 },     { "strtol", 1, 1 },
};

static void recursion_counts_once(void **state)
{
	assert_rows(top_of(&by_function, &plain, 1), functions, COUNT(functions));
}

static void strings_may_come_last(void **state)
{
	assert_rows(top_of(&by_function, &late, 1), functions, COUNT(functions));
}

static void every_granularity_has_its_keys(void **state)
{
	static const struct expected files[] = {
		{ "/src/main.c", 0, 7 },
		{ "/src/parse.c", 2, 3 },
		{ "<unknown>", 8, 8 },
		{ "[libc.so.6]", 5, 5 },
	};
	static const struct expected lines[] = {
		{ "<unknown>", 8, 8 },
		{ "[libc.so.6]", 4, 4 },
		{ "main /src/main.c:7", 0, 7 },
		{ "main /src/main.c:8", 0, 2 },
		{ "parse /src/parse.c:70", 2, 3 },
		{ "parse /src/parse.c:71", 0, 2 },
		{ "strtol", 1, 1 },
	};
	static const struct expected addresses[] = {
		{ "0000000000000010 main /src/main.c:7", 0, 7 },
		{ "0000000000000020 parse /src/parse.c:70", 2, 3 },
		{ "0000000000000030 main /src/main.c:8", 0, 2 },
		{ "0000000000000030 parse /src/parse.c:71", 0, 2 },
		{ "0000000000000040 [libc.so.6]", 4, 4 },
		{ "0000000000000050 strtol", 1, 1 },
		{ "0000000000000060 <unknown>", 8, 8 },
	};
	static const struct expected modules[] = {
		{ "<unknown>", 10, 15 },
		{ "libc.so.6", 5, 5 },
	};
	const struct story *const stories[] = { &plain, &late };

	for (int i = 0; i < 2; i++) {
		struct prof_key_options by = { .by = PROF_BY_FILE };

		assert_rows(top_of(&by, stories[i], 1), files, COUNT(files));
		by.by = PROF_BY_LINE;
		assert_rows(top_of(&by, stories[i], 1), lines, COUNT(lines));
		by.by = PROF_BY_ADDRESS;
		assert_rows(top_of(&by, stories[i], 1), addresses, COUNT(addresses));
		by.by = PROF_BY_MODULE;
		assert_rows(top_of(&by, stories[i], 1), modules, COUNT(modules));
	}
}

static void label_values_are_rows_that_add_up(void **state)
{
	const struct prof_key_options thread = { PROF_BY_LABEL, prof_text("thread") };
	const struct prof_key_options bytes = { PROF_BY_LABEL, prof_text("bytes") };
	static const struct expected threads[] = {
		{ "(no thread)", 30, 30 },
		{ "worker", 1, 1 },
	};
	static const struct expected sizes[] = {
		{ "(no bytes)", 27, 27 },
		{ "512 bytes,64", 4, 4 },
	};

	assert_rows(top_of(&thread, &plain, 1), threads, COUNT(threads));
	assert_rows(top_of(&bytes, &plain, 1), sizes, COUNT(sizes));
}

static void labels_without_strings_are_read_again(void **state)
{
	const struct prof_key_options thread = { PROF_BY_LABEL, prof_text("thread") };

	assert_fails(&thread, &late, 1, PROF_ERR_AGAIN, NULL);
}

static void what_is_said_once_is_kept(void **state)
{
	const struct story said = {
		.texts = texts,
		.scale = 1,
		.strings_last = true,
		.header = { .time_ns = 5, .duration_ns = 6, .default_type = BYTES },
	};
	struct prof_top_result *result = top_of(&by_function, &said, 1);

	assert_int_equal(result->sample_count, 5);
	assert_int_equal(result->total[0], 31);
	assert_int_equal(result->total[1], 310);
	assert_int_equal(result->time_ns, 5);
	assert_int_equal(result->duration_ns, 6);
	assert_int_equal(result->default_column, 0);
	assert_false(result->negative);
	assert_int_equal(result->type_count, 2);
	assert_memory_equal(result->types[1].type.data, "cpu", 3);
	assert_memory_equal(result->types[1].unit.data, "nanoseconds", 11);
	prof_top_result_free(result);
}

static void inputs_add_up_by_name(void **state)
{
	const struct story stories[] = {
		{ .texts = texts,
		  .scale = 1,
		  .header = { .time_ns = 9, .duration_ns = 1 } },
		{ .texts = texts,
		  .scale = 100,
		  .strings_last = true,
		  .header = { .time_ns = 4, .duration_ns = 2 } },
		{ .texts = texts, .scale = 10 },
	};
	static const struct expected sums[] = {
		{ "<unknown>", 888, 888 }, { "[libc.so.6]", 444, 444 },
		{ "main", 0, 777 },        { "parse", 222, 333 },
		{ "strtol", 111, 111 },
	};
	struct prof_top_result *result = top_of(&by_function, stories, 3);

	assert_int_equal(result->time_ns, 4);
	assert_int_equal(result->duration_ns, 3);
	assert_int_equal(result->sample_count, 15);
	assert_int_equal(result->total[0], 31 * 111);
	assert_rows(result, sums, COUNT(sums));
}

static void equal_names_under_two_refs_are_read_again(void **state)
{
	const char *doubled[TEXTS];

	memcpy(doubled, texts, sizeof(doubled));
	doubled[STRTOL] = "main";
	assert_fails(&by_function, &(struct story){ doubled, true, 1, { 0 } }, 1,
		     PROF_ERR_AGAIN, NULL);
	doubled[STRTOL] = "";
	assert_fails(&by_function, &(struct story){ doubled, true, 1, { 0 } }, 1,
		     PROF_ERR_AGAIN, NULL);
}

static void equal_names_are_one_row_when_strings_come_first(void **state)
{
	const char *doubled[TEXTS];
	static const struct expected rows[] = {
		{ "<unknown>", 8, 8 },
		{ "[libc.so.6]", 4, 4 },
		{ "main", 1, 7 },
		{ "parse", 2, 3 },
	};

	memcpy(doubled, texts, sizeof(doubled));
	doubled[STRTOL] = "main";
	assert_rows(
		top_of(&by_function, &(struct story){ doubled, false, 1, { 0 } }, 1),
		rows, COUNT(rows));
}

static void different_types_do_not_mix(void **state)
{
	const char *other[TEXTS];

	memcpy(other, texts, sizeof(other));
	other[CPU] = "wall";
	const struct story stories[] = { plain, { other, true, 1, { 0 } } };

	assert_fails(&by_function, stories, 2, PROF_ERR_MISMATCH,
		     "sample types differ: (bytes/bytes, cpu/nanoseconds) and "
		     "(bytes/bytes, wall/nanoseconds)");
}

static void negative_values_of_several_inputs_are_read_again(void **state)
{
	const struct story stories[] = { plain, { texts, true, -1, { 0 } } };
	static const struct expected rows[] = {
		{ "<unknown>", -8, -8 }, { "[libc.so.6]", -4, -4 }, { "main", 0, -7 },
		{ "parse", -2, -3 },     { "strtol", -1, -1 },
	};
	struct prof_top_result *result = top_of(&by_function, &stories[1], 1);

	assert_true(result->negative);
	assert_int_equal(result->total[0], 31);
	assert_rows(result, rows, COUNT(rows));
	assert_fails(&by_function, stories, 2, PROF_ERR_AGAIN, NULL);
}

static void a_sum_past_int64_is_refused_by_name(void **state)
{
	const struct story huge = { texts, true, INT64_MAX / 300, { 0 } };

	assert_fails(&by_function, &huge, 1, PROF_ERR_LIMIT,
		     "a sum of 'cpu' values does not fit 64 bits");
	const struct story large[] = {
		{ texts, true, INT64_MAX / 400, { 0 } },
		{ texts, true, INT64_MAX / 400, { 0 } },
	};

	assert_fails(&by_function, large, 2, PROF_ERR_LIMIT,
		     "a sum of 'cpu' values does not fit 64 bits");
}

static void an_empty_profile_is_neutral(void **state)
{
	struct prof_top *top = prof_top_new(&by_function);
	struct prof_sink *sink = prof_top_sink(top);
	struct prof_top_result *result = NULL;
	const struct prof_header header = { .time_ns = 1, .duration_ns = 1 };
	struct prof_error err = { 0 };

	assert_true(sink->begin(sink, &err));
	assert_true(sink->end(sink, &header, &err));
	assert_true(tell(sink, &late, &err));
	assert_true(sink->begin(sink, &err));
	assert_true(sink->end(sink, &header, &err));
	assert_true(prof_top_finish(top, &result, &err));
	prof_top_free(top);
	assert_int_equal(result->duration_ns, 0);
	assert_rows(result, functions, COUNT(functions));
}

static void nothing_gives_no_rows(void **state)
{
	struct prof_top_result *result = top_of(&by_function, NULL, 0);

	assert_int_equal(result->type_count, 0);
	assert_rows(result, NULL, 0);
}

static void two_threads_give_the_same_sums(void **state)
{
	const struct prof_value_type types[] = { { BYTES, BYTES }, { CPU, NS } };
	struct prof_top *top = prof_top_new(&by_function);
	struct prof_sink *sink = prof_top_sink(top);
	struct prof_top_result *result = NULL;
	struct prof_sink *child = NULL;
	struct prof_error err = { 0 };
	const uint32_t stack[] = { 2, 0 };
	const uint32_t end_of_stack = 2;
	const int64_t values[] = { 5, 50 };
	const struct prof_batch batch = {
		.count = 1, .frames = stack, .ends = &end_of_stack, .values = values
	};
	static const struct expected sums[] = {
		{ "<unknown>", 8, 8 }, { "[libc.so.6]", 4, 4 }, { "main", 0, 12 },
		{ "parse", 7, 8 },     { "strtol", 1, 1 },
	};

	assert_true(sink->begin(sink, &err));
	assert_null(sink->fork(sink));
	assert_true(tell_functions(sink, &err) && tell_locations(sink, &err));
	assert_true(sink->types(sink, types, 2, &err));
	child = sink->fork(sink);
	assert_non_null(child);
	assert_true(tell_samples(child, &plain, &err));
	assert_true(sink->samples(sink, &batch, &err));
	assert_true(sink->join(sink, child, &err));
	assert_true(sink->mapping(
		sink, &(struct prof_mapping){ .ref = 7, .file = LIBC }, &err));
	assert_true(tell_strings(sink, &plain, &err));
	assert_true(sink->end(sink, &plain.header, &err));
	assert_true(prof_top_finish(top, &result, &err));
	prof_top_free(top);
	assert_int_equal(result->sample_count, 6);
	assert_rows(result, sums, COUNT(sums));
}

static void rows_sort_by_size_then_by_name(void **state)
{
	struct prof_top_result *result = top_of(&by_function, &plain, 1);

	prof_top_sort(result, 1, true);
	assert_memory_equal(result->rows[0].name.data, "<unknown>", 9);
	assert_memory_equal(result->rows[1].name.data, "main", 4);
	assert_memory_equal(result->rows[2].name.data, "[libc.so.6]", 11);
	prof_top_sort(result, 0, false);
	assert_memory_equal(result->rows[4].name.data, "main", 4);
	prof_top_result_free(result);
}

/* Stacks longer than a chunk, locations with more frames than are copied at once. */
static void long_stacks_and_many_inlined_calls_count_once(void **state)
{
	enum { DEPTH = 1000, NODES = 9 };
	static uint32_t stack[DEPTH];
	uint32_t nodes[NODES];
	struct prof_tally tally = { .columns = 3, .node_count = NODES };
	const int64_t values[] = { 1, 2, 3 };
	const uint32_t end_of_stack = DEPTH;
	const struct prof_batch batch = {
		.count = 1, .frames = stack, .ends = &end_of_stack, .values = values
	};
	struct prof_error err = { 0 };

	for (uint32_t i = 0; i < NODES; i++) {
		nodes[i] = NODES - 1 - i;
		assert_true(prof_tally_location(&tally, nodes, i + 1, &err));
	}
	for (uint32_t i = 0; i < DEPTH; i++) {
		stack[i] = (DEPTH - 1 - i) % NODES;
	}
	assert_true(prof_tally_samples(&tally, &batch, &err));
	for (uint32_t i = 0; i < NODES; i++) {
		assert_int_equal(tally.cum[i * 4 + 1], 1);
		assert_int_equal(tally.cum[i * 4 + 3], 3);
		assert_int_equal(tally.flat[i * 3 + 1], i == NODES - 1 ? 2 : 0);
	}
	prof_tally_free(&tally);
}

static void running_out_of_memory_is_reported(void **state)
{
	const struct story *const stories[] = { &plain, &late };

	for (int s = 0; s < 2; s++) {
		bool done = false;

		for (int64_t n = 0; !done; n++) {
			struct prof_error err = { 0 };
			struct prof_top_result *result = NULL;
			struct prof_top *top = NULL;

			prof_alloc_fail_after(n);
			top = prof_top_new(&by_function);
			done = top && tell(prof_top_sink(top), stories[s], &err) &&
			       prof_top_finish(top, &result, &err);
			prof_alloc_fail_after(-1);
			if (top && !done) {
				assert_int_equal(err.code, PROF_ERR_NOMEM);
			}
			prof_top_free(top);
			prof_top_result_free(result);
		}
	}
}

TEST_MAIN(cmocka_unit_test(recursion_counts_once),
	  cmocka_unit_test(strings_may_come_last),
	  cmocka_unit_test(every_granularity_has_its_keys),
	  cmocka_unit_test(label_values_are_rows_that_add_up),
	  cmocka_unit_test(labels_without_strings_are_read_again),
	  cmocka_unit_test(what_is_said_once_is_kept),
	  cmocka_unit_test(inputs_add_up_by_name),
	  cmocka_unit_test(equal_names_under_two_refs_are_read_again),
	  cmocka_unit_test(equal_names_are_one_row_when_strings_come_first),
	  cmocka_unit_test(different_types_do_not_mix),
	  cmocka_unit_test(negative_values_of_several_inputs_are_read_again),
	  cmocka_unit_test(a_sum_past_int64_is_refused_by_name),
	  cmocka_unit_test(an_empty_profile_is_neutral),
	  cmocka_unit_test(nothing_gives_no_rows),
	  cmocka_unit_test(two_threads_give_the_same_sums),
	  cmocka_unit_test(rows_sort_by_size_then_by_name),
	  cmocka_unit_test(long_stacks_and_many_inlined_calls_count_once),
	  cmocka_unit_test(running_out_of_memory_is_reported))
