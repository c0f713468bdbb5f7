/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"
#include "libprof/model/filter.h"
#include "tests/unit/libprof/random_profile.h"

/* --- profiles as text ------------------------------------------------------------------- */

/*
 * "main;parse<lex;read@libc 3": stacks root first. parse is inlined into lex, both in
 * one location; read is in the mapping libc. Locations of equal text are one.
 */
struct maker {
	struct prof_builder *builder;
	struct prof_sink *sink;
	struct prof_text strings[64];
	uint32_t string_count;
	struct prof_text frames[32];
	uint32_t frame_count;
};

static uint32_t string(struct maker *maker, struct prof_text text)
{
	for (uint32_t i = 0; i < maker->string_count; i++) {
		if (prof_text_equal(maker->strings[i], text)) {
			return i;
		}
	}
	assert_true(maker->string_count < 64);
	maker->strings[maker->string_count] = text;
	return maker->string_count++;
}

static struct prof_text cut(struct prof_text *rest, char at)
{
	const char *end = rest->len ? memchr(rest->data, at, rest->len) : NULL;
	struct prof_text head = { rest->data,
				  end ? (size_t)(end - rest->data) : rest->len };
	size_t used = head.len + (end != NULL);

	*rest = (struct prof_text){ rest->data + used, rest->len - used };
	return head;
}

static uint32_t frame(struct maker *maker, struct prof_text text)
{
	for (uint32_t i = 0; i < maker->frame_count; i++) {
		if (prof_text_equal(maker->frames[i], text)) {
			return i;
		}
	}
	assert_true(maker->frame_count < 32);
	maker->frames[maker->frame_count] = text;
	return maker->frame_count++;
}

/* Everything but samples: strings, one function per name, mappings and locations. */
static void send_tables(struct maker *maker, struct prof_error *err)
{
	uint32_t functions = 0;

	string(maker, prof_text(""));
	string(maker, prof_text("n"));
	string(maker, prof_text("file.c"));
	for (uint32_t i = 0; i < maker->frame_count; i++) {
		struct prof_text file = maker->frames[i];
		struct prof_text names = cut(&file, '@');

		string(maker, file);
		while (names.len > 0) {
			string(maker, cut(&names, '<'));
		}
	}
	assert_true(maker->sink->strings(maker->sink, maker->strings,
					 maker->string_count, err));
	for (uint32_t i = 0; i < maker->string_count; i++) {
		struct prof_mapping mapping = { .id = i + 1, .file = i, .ref = i };

		assert_true(maker->sink->mapping(maker->sink, &mapping, err));
	}
	for (; functions < maker->string_count; functions++) {
		struct prof_function function = { .id = functions + 1,
						  .name = functions,
						  .file = 2 };

		assert_true(maker->sink->function(maker->sink, &function, err));
	}
	for (uint32_t i = 0; i < maker->frame_count; i++) {
		struct prof_text file = maker->frames[i];
		struct prof_text names = cut(&file, '@');
		struct prof_line lines[8];
		struct prof_sink_location location = {
			.id = i + 1,
			.mapping = file.len ? string(maker, file) : PROF_NONE,
			.lines = lines,
		};

		while (names.len > 0) {
			lines[location.line_count++] = (struct prof_line){
				.function = string(maker, cut(&names, '<'))
			};
		}
		assert_true(maker->sink->location(maker->sink, &location, err));
	}
}

static void send_sample(struct maker *maker, struct prof_text line,
			struct prof_error *err)
{
	uint32_t frames[16];
	struct prof_text stack = cut(&line, ' ');
	uint32_t depth = 0;
	int64_t value = strtol(line.data, NULL, 10);
	struct prof_batch batch = {
		.count = 1, .frames = frames, .ends = &depth, .values = &value
	};

	while (stack.len > 0) {
		memmove(frames + 1, frames, depth++ * sizeof(*frames));
		frames[0] = frame(maker, cut(&stack, ';'));
	}
	assert_true(maker->sink->samples(maker->sink, &batch, err));
}

static struct prof_profile *make(const char *text)
{
	struct maker maker = { .builder = prof_builder_new(PROF_BUILD_AS_IS) };
	struct prof_value_type type = { 1, 0 };
	struct prof_header header = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	struct prof_text rest = prof_text(text);

	while (rest.len > 0) {
		struct prof_text line = cut(&rest, '\n');
		struct prof_text stack = cut(&line, ' ');

		while (stack.len > 0) {
			frame(&maker, cut(&stack, ';'));
		}
	}
	maker.sink = prof_builder_sink(maker.builder);
	assert_true(maker.sink->begin(maker.sink, &err));
	send_tables(&maker, &err);
	assert_true(maker.sink->types(maker.sink, &type, 1, &err));
	for (rest = prof_text(text); rest.len > 0;) {
		send_sample(&maker, cut(&rest, '\n'), &err);
	}
	assert_true(maker.sink->end(maker.sink, &header, &err));
	assert_true(prof_builder_finish(maker.builder, &profile, &err));
	prof_builder_free(maker.builder);
	return profile;
}

/* The profile as such text again, mappings left out. */
static void assert_profile(const struct prof_profile *profile, const char *want)
{
	struct prof_buf out = { 0 };

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		struct prof_frames frames =
			prof_stack(profile, profile->sample_stack[i]);

		for (size_t k = frames.count; k-- > 0;) {
			struct prof_lines lines =
				prof_location_lines(profile, frames.data[k]);

			for (size_t l = 0; l < lines.count; l++) {
				uint32_t function = lines.data[l].function;
				struct prof_text name = prof_string(
					profile, profile->functions[function].name);

				prof_buf_addc(&out, l ? '<' : ';');
				prof_buf_add(&out, name.data, name.len);
			}
		}
		prof_buf_addf(&out, " %d\n", (int)profile->values[0][i]);
	}
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
}

/* --- matchers: any of the words, separated by '|', is in the name -------------------- */

static bool contains(void *context, struct prof_text text)
{
	struct prof_text words = prof_text(context);

	while (words.len > 0) {
		struct prof_text word = cut(&words, '|');

		if (memmem(text.data, text.len, word.data, word.len)) {
			return true;
		}
	}
	return false;
}

static struct prof_matcher words(const char *list)
{
	static char copies[16][64];
	static size_t next;
	char *copy = copies[next++ % 16];

	snprintf(copy, sizeof(copies[0]), "%s", list);
	return (struct prof_matcher){ contains, copy };
}

static struct prof_filter_report filtered(const char *text,
					  const struct prof_filter *filter,
					  const char *want)
{
	struct prof_profile *profile = make(text);
	struct prof_profile *out = NULL;
	struct prof_filter_report report;
	struct prof_error err = { 0 };

	assert_true(prof_filter(profile, filter, &out, &report, &err));
	assert_true(prof_profile_validate(out, &err));
	assert_profile(out, want);
	prof_profile_free(profile);
	prof_profile_free(out);
	return report;
}

static void assert_filtered(const char *text, const struct prof_filter *filter,
			    const char *want)
{
	struct prof_filter_report report = filtered(text, filter, want);

	prof_filter_report_free(&report);
}

static const char program[] = "main;parse;strtol 3\n"
			      "main;parse 4\n"
			      "main;write;flush 5\n"
			      "idle 6";

/* --- steps ------------------------------------------------------------------------------ */

static void focus_keeps_samples_with_a_match(void **state)
{
	struct prof_filter filter = { .focus = words("parse|idle") };

	assert_filtered(program, &filter,
			";main;parse;strtol 3\n;main;parse 4\n;idle 6\n");
}

static void ignore_drops_samples_with_a_match(void **state)
{
	struct prof_filter filter = { .ignore = words("strtol|idle") };

	assert_filtered(program, &filter, ";main;parse 4\n;main;write;flush 5\n");
}

static void ignore_wins_over_focus(void **state)
{
	struct prof_filter filter = { .focus = words("main"),
				      .ignore = words("parse") };

	assert_filtered(program, &filter, ";main;write;flush 5\n");
}

static void hide_cuts_frames_and_drops_what_is_empty(void **state)
{
	struct prof_filter filter = { .hide = words("main|idle") };
	struct prof_filter_report report = filtered(
		program, &filter, ";parse;strtol 3\n;parse 4\n;write;flush 5\n");

	assert_int_equal(report.steps[PROF_FILTER_HIDE].samples, 1);
	assert_int_equal(report.steps[PROF_FILTER_HIDE].values[0], 6);
	prof_filter_report_free(&report);
}

static void show_keeps_frames_that_match(void **state)
{
	struct prof_filter filter = { .show = words("main|strtol") };

	assert_filtered(program, &filter, ";main;strtol 3\n;main 4\n;main 5\n");
}

static void inlined_lines_are_cut_one_by_one(void **state)
{
	struct prof_filter hide = { .hide = words("b") };
	struct prof_filter show = { .show = words("b") };
	struct prof_filter from = { .show_from = words("b") };

	assert_filtered("main;a<b<c 1", &hide, ";main;a<c 1\n");
	assert_filtered("main;a<b<c 1", &show, ";b 1\n");
	assert_filtered("main;a<b<c;leaf 1", &from, ";a<b;leaf 1\n");
}

static void focus_looks_at_lines_before_they_are_hidden(void **state)
{
	struct prof_filter filter = { .focus = words("strtol"),
				      .hide = words("strtol") };

	assert_filtered(program, &filter, ";main;parse 3\n");
}

static void mappings_match_by_their_file(void **state)
{
	struct prof_filter focus = { .focus = words("libc") };
	struct prof_filter hide = { .hide = words("libc") };
	struct prof_filter show = { .show = words("libc|main") };
	static const char text[] = "main;read<wrap@libc.so 1\nmain;work 2";

	assert_filtered(text, &focus, ";main;read<wrap 1\n");
	assert_filtered(text, &hide, ";main 1\n;main;work 2\n");
	assert_filtered(text, &show, ";main;read<wrap 1\n;main 2\n");
}

static void files_match_too(void **state)
{
	struct prof_filter filter = { .focus = words("file.c") };

	assert_filtered("main 1", &filter, ";main 1\n");
}

static void show_from_cuts_the_callers(void **state)
{
	struct prof_filter filter = { .show_from = words("r") };
	struct prof_filter_report report = filtered(
		program, &filter, ";parse;strtol 3\n;parse 4\n;write;flush 5\n");

	assert_int_equal(report.steps[PROF_FILTER_SHOW_FROM].samples, 1);
	prof_filter_report_free(&report);
}

static void prune_from_cuts_the_callees(void **state)
{
	struct prof_filter filter = { .prune_from = words("parse|inner") };

	assert_filtered(program, &filter,
			";main;parse 3\n;main;parse 4\n;main;write;flush 5\n;idle 6\n");
	assert_filtered("main;leaf<inner<outer;more 1", &filter,
			";main;inner<outer 1\n");
}

static void drop_gives_values_to_the_caller(void **state)
{
	struct prof_filter filter = { .drop = words("malloc|new"),
				      .keep = words("keep") };

	assert_filtered("main;work;malloc;sbrk 1\nmain;work<new<outer;x 2\n"
			"malloc;main;malloc;y 3\nmalloc;new 4\nmain;keep_malloc 5",
			&filter,
			";main;work 1\n;main;outer 2\n;malloc;main 3\n;malloc;new 4\n"
			";main;keep_malloc 5\n");
}

static void names_are_simplified(void **state)
{
	static const char *const names[][2] = {
		{ "main", "main" },
		{ ".main", "main" },
		{ "f(int)", "f" },
		{ "A::operator()(int)", "A::operator()" },
		{ "(anonymous namespace)::g(char)", "(anonymous namespace)::g" },
		{ "..x()", ".x" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct prof_text got = prof_simplified_name(prof_text(names[i][0]));

		assert_true(prof_text_equal(got, prof_text(names[i][1])));
	}
}

static void zero_samples_can_be_dropped(void **state)
{
	struct prof_filter filter = { .drop_zero = true };

	assert_filtered("a 0\nb 1", &filter, ";b 1\n");
}

/* --- columns, labels, the report -------------------------------------------------------- */

static void columns_are_chosen_and_ordered(void **state)
{
	struct prof_error err = { 0 };
	struct prof_profile *profile = random_profile(7, false, PROF_BUILD_AS_IS, &err);
	struct prof_profile *out = NULL;
	uint32_t columns[] = { 1, 0 };
	struct prof_filter filter = { .columns = columns, .column_count = 2 };

	assert_non_null(profile);
	assert_true(prof_filter(profile, &filter, &out, NULL, &err));
	assert_int_equal(out->type_count, 2);
	assert_int_equal(out->sample_count, profile->sample_count);
	for (uint32_t i = 0; i < out->sample_count; i++) {
		assert_int_equal(out->values[0][i], profile->values[1][i]);
		assert_int_equal(out->values[1][i], profile->values[0][i]);
	}
	prof_profile_free(out);
	filter.column_count = 1;
	filter.drop_zero = true;
	assert_true(prof_filter(profile, &filter, &out, NULL, &err));
	assert_int_equal(out->type_count, 1);
	for (uint32_t i = 0; i < out->sample_count; i++) {
		assert_true(out->values[0][i] != 0);
	}
	prof_profile_free(out);
	prof_profile_free(profile);
}

static void label_keys_are_shown_and_hidden(void **state)
{
	struct prof_error err = { 0 };
	struct prof_profile *profile =
		random_profile(11, false, PROF_BUILD_AS_IS, &err);
	struct prof_profile *out = NULL;
	struct prof_filter_report report;
	struct prof_filter filter = { .tag_hide = words("name") };

	assert_non_null(profile);
	assert_true(profile->set_count > 2);
	assert_true(prof_filter(profile, &filter, &out, &report, &err));
	assert_int_equal(out->set_count, 1);
	assert_int_equal(out->sample_count, profile->sample_count);
	assert_int_equal(report.steps[PROF_FILTER_TAG_HIDE].matched, 2);
	prof_filter_report_free(&report);
	prof_profile_free(out);
	prof_profile_free(profile);
}

static void the_report_counts_what_matched_and_what_went(void **state)
{
	struct prof_filter filter = { .focus = words("parse|flush"),
				      .ignore = words("flush"),
				      .show = words("nothing") };
	struct prof_filter_report report = filtered(program, &filter, "");
	const struct prof_filter_count *focus = &report.steps[PROF_FILTER_FOCUS];
	const struct prof_filter_count *ignore = &report.steps[PROF_FILTER_IGNORE];
	const struct prof_filter_count *show = &report.steps[PROF_FILTER_SHOW];

	assert_true(focus->used);
	assert_int_equal(focus->functions, 2);
	assert_int_equal(focus->matched, 1);
	assert_int_equal(focus->samples, 1);
	assert_int_equal(focus->values[0], 6);
	assert_int_equal(ignore->samples, 1);
	assert_int_equal(ignore->values[0], 5);
	assert_int_equal(show->matched, 0);
	assert_int_equal(show->samples, 2);
	assert_int_equal(show->values[0], 7);
	assert_false(report.steps[PROF_FILTER_HIDE].used);
	prof_filter_report_free(&report);
}

static void what_no_sample_uses_is_left_behind(void **state)
{
	struct prof_profile *profile = make(program);
	struct prof_filter filter = { .focus = words("flush") };
	struct prof_profile *out = NULL;
	struct prof_error err = { 0 };

	assert_true(prof_filter(profile, &filter, &out, NULL, &err));
	assert_int_equal(out->location_count, 3);
	assert_int_equal(out->function_count, 3);
	assert_int_equal(out->stack_count, 1);
	prof_profile_free(out);
	prof_profile_free(profile);
}

static void a_filter_that_matches_everything_changes_nothing(void **state)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct prof_error err = { 0 };
		struct prof_profile *profile =
			random_profile(seed, true, PROF_BUILD_AS_IS, &err);
		struct prof_filter filter = { .show_from = words("none"),
					      .tag_show = words("name") };
		struct prof_profile *out = NULL;

		assert_non_null(profile);
		filter.show_from.match = NULL;
		assert_true(prof_filter(profile, &filter, &out, NULL, &err));
		assert_true(prof_profile_validate(out, &err));
		assert_int_equal(out->sample_count, profile->sample_count);
		assert_int_equal(out->set_count, profile->set_count);
		assert_memory_equal(out->values[0], profile->values[0],
				    out->sample_count * sizeof(int64_t));
		prof_profile_free(out);
		prof_profile_free(profile);
	}
}

static void nothing_set_is_nothing_to_do(void **state)
{
	struct prof_filter filter = { 0 };

	assert_false(prof_filter_is_set(&filter));
	filter.drop_zero = true;
	assert_true(prof_filter_is_set(&filter));
	assert_filtered(program, &(struct prof_filter){ 0 },
			";main;parse;strtol 3\n;main;parse 4\n;main;write;flush 5\n"
			";idle 6\n");
}

static void every_failed_allocation_is_reported(void **state)
{
	struct prof_filter filter = { .focus = words("main"), .hide = words("parse") };
	struct prof_profile *profile = make(program);
	struct prof_profile *out = NULL;
	struct prof_error err = { 0 };
	int64_t n = 0;

	for (bool ok = false; !ok; n++) {
		prof_alloc_fail_after(n);
		ok = prof_filter(profile, &filter, &out, NULL, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
	}
	assert_true(n > 10);
	prof_profile_free(out);
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(focus_keeps_samples_with_a_match),
	  cmocka_unit_test(ignore_drops_samples_with_a_match),
	  cmocka_unit_test(ignore_wins_over_focus),
	  cmocka_unit_test(hide_cuts_frames_and_drops_what_is_empty),
	  cmocka_unit_test(show_keeps_frames_that_match),
	  cmocka_unit_test(inlined_lines_are_cut_one_by_one),
	  cmocka_unit_test(focus_looks_at_lines_before_they_are_hidden),
	  cmocka_unit_test(mappings_match_by_their_file),
	  cmocka_unit_test(files_match_too),
	  cmocka_unit_test(show_from_cuts_the_callers),
	  cmocka_unit_test(prune_from_cuts_the_callees),
	  cmocka_unit_test(drop_gives_values_to_the_caller),
	  cmocka_unit_test(names_are_simplified),
	  cmocka_unit_test(zero_samples_can_be_dropped),
	  cmocka_unit_test(columns_are_chosen_and_ordered),
	  cmocka_unit_test(label_keys_are_shown_and_hidden),
	  cmocka_unit_test(the_report_counts_what_matched_and_what_went),
	  cmocka_unit_test(what_no_sample_uses_is_left_behind),
	  cmocka_unit_test(a_filter_that_matches_everything_changes_nothing),
	  cmocka_unit_test(nothing_set_is_nothing_to_do),
	  cmocka_unit_test(every_failed_allocation_is_reported))
