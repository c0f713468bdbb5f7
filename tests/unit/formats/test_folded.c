/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#include "formats/folded.h"
#include "formats/format.h"
#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"
#include "libprof/model/builder.h"

/* --- helpers ----------------------------------------------------------------------- */

/* A source that hands out `step` bytes at a time, so that lines are cut anywhere. */
struct drip {
	struct prof_source source;
	uint8_t *bytes; /* a copy of exactly the right size */
	size_t len;
	size_t at;
	size_t step;
};

static bool drip_next(struct prof_source *source, struct prof_chunk *chunk,
		      struct prof_error *err)
{
	struct drip *drip = (struct drip *)source;
	size_t left = drip->len - drip->at;
	size_t len = left < drip->step ? left : drip->step;

	*chunk = (struct prof_chunk){ .data = drip->bytes + drip->at, .len = len };
	drip->at += len;
	return true;
}

static bool read_text(struct prof_text text, size_t step, struct prof_sink *sink,
		      struct prof_error *err)
{
	struct drip drip = {
		.source = { .next = drip_next },
		.bytes = malloc(text.len + 1),
		.len = text.len,
		.step = step,
	};
	struct prof_window window = prof_window(&drip.source);
	bool ok;

	assert_non_null(drip.bytes);
	memcpy(drip.bytes, text.data, text.len);
	ok = prof_format_folded.read(&window, sink, err);
	prof_window_free(&window);
	free(drip.bytes);
	return ok;
}

static bool build(struct prof_text text, size_t step, struct prof_profile **out,
		  struct prof_error *err)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	bool ok = false;

	if (!builder) {
		return prof_fail_nomem(err);
	}
	ok = read_text(text, step, prof_builder_sink(builder), err) &&
	     prof_builder_finish(builder, out, err);
	prof_builder_free(builder);
	return ok;
}

static struct prof_profile *parse(const char *text)
{
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };

	if (!build(prof_text(text), SIZE_MAX, &profile, &err)) {
		fail_msg("%s", err.message);
	}
	if (!prof_profile_validate(profile, &err)) {
		fail_msg("%s", err.message);
	}
	return profile;
}

static void assert_string(const struct prof_profile *profile, uint32_t id,
			  const char *want)
{
	struct prof_text text = prof_string(profile, id);

	assert_int_equal(text.len, strlen(want));
	assert_memory_equal(text.data, want, text.len);
}

static void assert_type(const struct prof_profile *profile, uint32_t column,
			const char *type, const char *unit)
{
	assert_string(profile, profile->types[column].type, type);
	assert_string(profile, profile->types[column].unit, unit);
}

/* The names of the stack of a sample, root first, joined by '|'. */
static void assert_stack(const struct prof_profile *profile, uint32_t sample,
			 const char *want)
{
	struct prof_frames frames = prof_stack(profile, profile->sample_stack[sample]);
	struct prof_buf names = { 0 };

	for (size_t i = frames.count; i-- > 0;) {
		struct prof_lines lines = prof_location_lines(profile, frames.data[i]);
		const struct prof_function *function =
			&profile->functions[lines.data[0].function];
		struct prof_text name = prof_string(profile, function->name);

		prof_buf_add(&names, name.data, name.len);
		prof_buf_addc(&names, i ? '|' : '\0');
	}
	assert_string_equal(names.data, want);
	prof_buf_free(&names);
}

static void assert_values(const struct prof_profile *profile, uint32_t column,
			  const int64_t *want, uint32_t count)
{
	assert_int_equal(profile->sample_count, count);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(profile->values[column][i], want[i]);
	}
}

static void assert_error(const char *text, enum prof_code code, uint32_t line,
			 const char *message)
{
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };

	assert_false(build(prof_text(text), SIZE_MAX, &profile, &err));
	assert_null(profile);
	assert_int_equal(err.code, code);
	assert_int_equal(err.line, line);
	assert_string_equal(err.message, message);
}

static struct prof_buf write_profile(const struct prof_profile *profile,
				     struct prof_buf *loss)
{
	struct prof_write_options options = { .loss = loss };
	struct prof_error err = { 0 };
	struct prof_buf out = { 0 };

	assert_true(prof_format_folded.write(profile, &options, &out, &err));
	return out;
}

static void assert_rewritten(const char *text, const char *want)
{
	struct prof_profile *profile = parse(text);
	struct prof_buf out = write_profile(profile, NULL);

	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, want);
	prof_buf_free(&out);
	prof_profile_free(profile);
}

static int bid(const char *text)
{
	struct prof_head head = { (const uint8_t *)text, strlen(text), true };

	return prof_format_folded.bid(head);
}

/* --- reading ----------------------------------------------------------------------- */

static void stacks_are_read_root_first(void **state)
{
	struct prof_profile *profile = parse("main;parse;strtol 3\nmain;write 4\n");

	assert_int_equal(profile->function_count, 4);
	assert_int_equal(profile->type_count, 1);
	assert_type(profile, 0, "samples", "count");
	assert_stack(profile, 0, "main|parse|strtol");
	assert_stack(profile, 1, "main|write");
	assert_values(profile, 0, (int64_t[]){ 3, 4 }, 2);
	prof_profile_free(profile);
}

static void blanks_belong_to_names_and_only_the_last_token_counts(void **state)
{
	struct prof_profile *profile = parse("a;op new(long) 2\n  b;c 42 in \t7\n"
					     "x;tab\tin\t-3\r\n\r\n y 1");

	assert_stack(profile, 0, "a|op new(long)");
	assert_stack(profile, 1, "  b|c 42 in");
	assert_stack(profile, 2, "x|tab\tin");
	assert_stack(profile, 3, " y");
	assert_values(profile, 0, (int64_t[]){ 2, 7, -3, 1 }, 4);
	prof_profile_free(profile);
}

static void empty_frames_go_at_the_ends_and_are_unknown_inside(void **state)
{
	struct prof_profile *profile = parse(";;a;b;; 1\na;;b 2\n;a;;b; 3\na;b 4\n");

	assert_stack(profile, 0, "a|b");
	assert_stack(profile, 1, "a|[unknown]|b");
	assert_stack(profile, 2, "a|[unknown]|b");
	assert_stack(profile, 3, "a|b");
	prof_profile_free(profile);
}

static void comments_are_kept_up_to_a_number(void **state)
{
	struct prof_buf text = { 0 };
	struct prof_profile *profile;

	for (int i = 0; i < 70; i++) {
		prof_buf_addf(&text, "# note %d\n", i);
	}
	prof_buf_adds(&text, "\n#\nmain 1\n");
	prof_buf_addc(&text, '\0');
	profile = parse(text.data);
	assert_int_equal(profile->header.comment_count, 65);
	assert_string(profile, profile->header.comments[1], "note 1");
	assert_string(profile, profile->header.comments[64],
		      "6 more comments were left out");
	prof_profile_free(profile);
	prof_buf_free(&text);
}

static void fractions_are_exact(void **state)
{
	struct prof_profile *profile =
		parse("a 3\nb 12.000000\nc 1.5\nd -0.25\ne 1e2\nf 25e-1\ng 0.0\n");

	assert_type(profile, 0, "samples", "count/100");
	assert_values(profile, 0, (int64_t[]){ 300, 1200, 150, -25, 10000, 250, 0 }, 7);
	prof_profile_free(profile);
}

static void decimals_beyond_the_sixth_are_rounded_and_that_is_said(void **state)
{
	struct prof_profile *profile = parse("a 14.2343983248722834234\nb 0.0000005\n");

	assert_type(profile, 0, "samples", "count/1000000");
	assert_values(profile, 0, (int64_t[]){ 14234398, 1 }, 2);
	assert_int_equal(profile->header.comment_count, 1);
	assert_string(profile, profile->header.comments[0],
		      "counts are rounded to 6 decimals");
	prof_profile_free(profile);
}

static void whole_numbers_written_with_zeros_stay_whole(void **state)
{
	struct prof_profile *profile = parse("a 3.00\nb 20.\n");

	assert_type(profile, 0, "samples", "count");
	assert_values(profile, 0, (int64_t[]){ 3, 20 }, 2);
	prof_profile_free(profile);
}

static void two_counts_in_every_line_are_before_and_after(void **state)
{
	struct prof_profile *profile = parse("main;a 30 3\nmain;b 0 18\n");

	assert_int_equal(profile->type_count, 2);
	assert_type(profile, 0, "before", "count");
	assert_type(profile, 1, "after", "count");
	assert_stack(profile, 0, "main|a");
	assert_values(profile, 0, (int64_t[]){ 30, 0 }, 2);
	assert_values(profile, 1, (int64_t[]){ 3, 18 }, 2);
	prof_profile_free(profile);
}

static void one_line_with_one_count_makes_all_have_one(void **state)
{
	struct prof_profile *profile = parse(
		"main;thread 1.5 2\nmain;a  7\t 3\nmain;thread 1.5;x 4 5\nmain 6\n");

	assert_int_equal(profile->type_count, 1);
	assert_type(profile, 0, "samples", "count");
	assert_int_equal(profile->function_count, 4);
	assert_stack(profile, 0, "main|thread 1.5");
	assert_stack(profile, 1, "main|a  7");
	assert_stack(profile, 2, "main|thread 1.5|x 4");
	assert_stack(profile, 3, "main");
	assert_values(profile, 0, (int64_t[]){ 2, 3, 5, 6 }, 4);
	prof_profile_free(profile);
}

static void a_first_line_of_types_declares_the_columns(void **state)
{
	struct prof_profile *profile = parse(
		"contentions/count delay/nanoseconds\nmain;lock 3 700\nmain 1 2\n");

	assert_type(profile, 0, "contentions", "count");
	assert_type(profile, 1, "delay", "nanoseconds");
	assert_stack(profile, 0, "main|lock");
	assert_values(profile, 1, (int64_t[]){ 700, 2 }, 2);
	prof_profile_free(profile);
}

static void annotations_move_to_the_system_name(void **state)
{
	struct prof_profile *profile =
		parse("java;run_[j];sys_read_[k] 1\njava;a_[x] 1\n");
	const struct prof_function *run = &profile->functions[1];
	const struct prof_function *read = &profile->functions[2];

	assert_string(profile, run->name, "run");
	assert_string(profile, run->system_name, "run_[j]");
	assert_string(profile, read->name, "sys_read");
	assert_string(profile, profile->functions[3].name, "a_[x]");
	assert_int_equal(profile->functions[0].system_name, 0);
	assert_int_equal(profile->mapping_count, 2);
	assert_string(profile, profile->mappings[0].file, "");
	assert_string(profile, profile->mappings[1].file, "[kernel]");
	assert_int_equal(profile->locations[2].mapping, 1);
	assert_int_equal(profile->locations[1].mapping, PROF_NONE);
	prof_profile_free(profile);
}

static void austin_says_what_its_counts_are(void **state)
{
	struct prof_profile *profile = parse(
		"# austin: 3.7.0\n# mode: wall\n\nP1;T1;a:b:3 1745\n# duration: 30\n");

	assert_type(profile, 0, "wall", "microseconds");
	assert_int_equal(profile->header.duration_ns, 30000);
	prof_profile_free(profile);
}

static void a_line_may_be_cut_anywhere(void **state)
{
	const char *text =
		"main;parse;strtol 3\nmain;parse 4\r\n# x\nmain;parse;x 1\n"
		"main;a rather long name, longer than sixty-four bytes to be "
		"sure;and more of them behind it;"
		"main;parse;strtol;main;parse;strtol 12";
	struct prof_profile *whole = parse(text);

	for (size_t step = 1; step < 70; step++) {
		struct prof_profile *profile = NULL;
		struct prof_error err = { 0 };

		assert_true(build(prof_text(text), step, &profile, &err));
		assert_int_equal(profile->function_count, whole->function_count);
		for (uint32_t i = 0; i < profile->sample_count; i++) {
			assert_int_equal(profile->values[0][i], whole->values[0][i]);
			assert_int_equal(profile->sample_stack[i],
					 whole->sample_stack[i]);
		}
		prof_profile_free(profile);
	}
	prof_profile_free(whole);
}

static void a_shared_prefix_does_not_confuse_names(void **state)
{
	struct prof_profile *profile =
		parse("a;bc;d 1\na;b 2\na;bc 3\na;bc;d;e 4\na;bcd;e 5\na 6\nab 7\n");

	assert_stack(profile, 1, "a|b");
	assert_stack(profile, 2, "a|bc");
	assert_stack(profile, 3, "a|bc|d|e");
	assert_stack(profile, 4, "a|bcd|e");
	assert_stack(profile, 5, "a");
	assert_stack(profile, 6, "ab");
	prof_profile_free(profile);
}

/* --- errors ------------------------------------------------------------------------- */

static void a_bad_count_is_located(void **state)
{
	assert_error("main 10\nmain;idle x\n", PROF_ERR_SYNTAX, 2,
		     "bad sample count 'x'");
	assert_error("main 10\n\nmain;idle 1.2.3\n", PROF_ERR_SYNTAX, 3,
		     "bad sample count '1.2.3'");
	assert_error("main nan\n", PROF_ERR_SYNTAX, 1, "bad sample count 'nan'");
	assert_error("main 1e\n", PROF_ERR_SYNTAX, 1, "bad sample count '1e'");
}

static void a_missing_half_of_a_line_is_named(void **state)
{
	assert_error("main;work\n", PROF_ERR_SYNTAX, 1,
		     "no sample count after the stack");
	assert_error("main 1\n 5\n", PROF_ERR_SYNTAX, 2,
		     "no stack before the sample count");
	assert_error("main 1\n5\n", PROF_ERR_SYNTAX, 2,
		     "no stack before the sample count");
	assert_error(";; 5\n", PROF_ERR_SYNTAX, 1, "no stack before the sample count");
	assert_error("", PROF_ERR_SYNTAX, 0, "no bytes, so no stacks");
	assert_error("a/b c/d\nmain 1\n", PROF_ERR_SYNTAX, 2,
		     "no sample count after the stack");
}

static void counts_beyond_64_bits_are_refused(void **state)
{
	struct prof_profile *profile = parse("a -9223372036854775808\n");

	assert_values(profile, 0, (int64_t[]){ INT64_MIN }, 1);
	prof_profile_free(profile);
	assert_error("a 9223372036854775808\n", PROF_ERR_LIMIT, 1,
		     "sample count '9223372036854775808' does not fit 64 bits");
	assert_error("a 1e30\n", PROF_ERR_LIMIT, 1,
		     "sample count '1e30' does not fit 64 bits");
	assert_error("a 9223372036854775807\nb 0.5\n", PROF_ERR_LIMIT, 0,
		     "counts with 1 decimals do not fit 64 bits");
}

static void a_nul_byte_is_no_text(void **state)
{
	static const char text[] = "main 10\nid\0le 5\n";
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };

	assert_false(build((struct prof_text){ text, sizeof(text) - 1 }, SIZE_MAX,
			   &profile, &err));
	assert_int_equal(err.line, 2);
	assert_string_equal(err.message, "a NUL byte in a name: this is not text");
}

static void a_stack_may_be_as_deep_as_the_limit_and_no_deeper(void **state)
{
	struct prof_buf text = { 0 };
	struct prof_profile *profile;

	for (uint32_t i = 0; i < PROF_MAX_DEPTH; i++) {
		prof_buf_adds(&text, i ? ";a" : "a");
	}
	prof_buf_add(&text, " 1\n", 4);
	profile = parse(text.data);
	assert_int_equal(prof_stack(profile, profile->sample_stack[0]).count,
			 PROF_MAX_DEPTH);
	prof_profile_free(profile);
	memcpy(text.data + text.len - 4, ";a 1", 4);
	prof_buf_addc(&text, '\0');
	assert_error(text.data, PROF_ERR_LIMIT, 1,
		     "a stack of 1048577 frames, more than 1048576");
	prof_buf_free(&text);
}

static void every_failed_allocation_is_reported(void **state)
{
	const char *text =
		"x/count y/ns\n# c\nmain;parse_[k];;strtol 3 1.5\nmain 1 2\n";
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	int64_t n = 0;

	for (bool ok = false; !ok; n++) {
		prof_alloc_fail_after(n);
		ok = build(prof_text(text), 7, &profile, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
	}
	assert_true(n > 10);
	prof_profile_free(profile);
}

/* --- early sinks ---------------------------------------------------------------------- */

/* A sink that checks the promises of sink.h to one that wants samples early. */
struct early {
	struct prof_sink sink;
	uint32_t strings;
	uint32_t functions;
	uint32_t locations;
	uint32_t types;
	uint32_t batches;
	uint64_t samples;
	int64_t sum;
};

static bool early_begin(struct prof_sink *sink, struct prof_error *err)
{
	return true;
}

static bool early_strings(struct prof_sink *sink, const struct prof_text *texts,
			  uint32_t count, struct prof_error *err)
{
	struct early *early = (struct early *)sink;

	assert_true(early->strings > 0 || texts[0].len == 0);
	early->strings += count;
	return true;
}

static bool early_mapping(struct prof_sink *sink, const struct prof_mapping *mapping,
			  struct prof_error *err)
{
	return true;
}

static bool early_function(struct prof_sink *sink, const struct prof_function *function,
			   struct prof_error *err)
{
	struct early *early = (struct early *)sink;

	assert_true(function->name < early->strings);
	assert_true(function->system_name < early->strings);
	early->functions++;
	return true;
}

static bool early_location(struct prof_sink *sink,
			   const struct prof_sink_location *location,
			   struct prof_error *err)
{
	struct early *early = (struct early *)sink;

	assert_int_equal(location->line_count, 1);
	assert_true(location->lines[0].function < early->functions);
	early->locations++;
	return true;
}

static bool early_types(struct prof_sink *sink, const struct prof_value_type *types,
			uint32_t count, struct prof_error *err)
{
	struct early *early = (struct early *)sink;

	assert_int_equal(early->types, 0);
	early->types = count;
	return true;
}

static bool early_samples(struct prof_sink *sink, const struct prof_batch *batch,
			  struct prof_error *err)
{
	struct early *early = (struct early *)sink;

	assert_true(early->types > 0);
	for (uint32_t i = 0; i < batch->ends[batch->count - 1]; i++) {
		assert_true(batch->frames[i] < early->locations);
	}
	for (uint32_t i = 0; i < batch->count; i++) {
		early->sum += batch->values[i * early->types];
	}
	early->samples += batch->count;
	early->batches++;
	return true;
}

static bool early_end(struct prof_sink *sink, const struct prof_header *header,
		      struct prof_error *err)
{
	return true;
}

static struct early early_sink(void)
{
	return (struct early){
		.sink = {
			.early = true,
			.begin = early_begin,
			.strings = early_strings,
			.mapping = early_mapping,
			.function = early_function,
			.location = early_location,
			.types = early_types,
			.samples = early_samples,
			.end = early_end,
		},
	};
}

/* Ten thousand lines, so that blocks are sent before the last one is read. */
static struct prof_buf many_lines(const char *format)
{
	struct prof_buf text = { 0 };

	for (int i = 0; i < 10000; i++) {
		prof_buf_addf(&text, "main;f%d;g%d_[k] ", i % 300, i);
		prof_buf_adds(&text, format);
		prof_buf_addc(&text, '\n');
	}
	return text;
}

static void early_sinks_get_blocks_while_reading(void **state)
{
	struct prof_buf text = many_lines("2");
	struct early early = early_sink();
	struct prof_error err = { 0 };

	assert_true(read_text((struct prof_text){ text.data, text.len }, 1000,
			      &early.sink, &err));
	assert_int_equal(early.samples, 10000);
	assert_int_equal(early.sum, 20000);
	assert_true(early.batches > 1);
	prof_buf_free(&text);
}

static void early_sinks_start_over_when_the_kind_of_counts_changes(void **state)
{
	static const char *const cases[][2] = { { "2", "a 0.5\n" },
						{ "2 3", "a 4\n" } };

	for (size_t i = 0; i < 2; i++) {
		struct prof_buf text = many_lines(cases[i][0]);
		struct early early = early_sink();
		struct prof_profile *profile = NULL;
		struct prof_error err = { 0 };
		struct prof_text all;

		prof_buf_adds(&text, cases[i][1]);
		all = (struct prof_text){ text.data, text.len };
		assert_false(read_text(all, 1000, &early.sink, &err));
		assert_int_equal(err.code, PROF_ERR_AGAIN);
		assert_true(build(all, 1000, &profile, &err));
		assert_int_equal(profile->sample_count, 10001);
		assert_int_equal(profile->values[0][0], i == 0 ? 20 : 3);
		assert_int_equal(profile->values[0][10000], i == 0 ? 5 : 4);
		prof_profile_free(profile);
		prof_buf_free(&text);
	}
}

/* --- writing -------------------------------------------------------------------------- */

static void lines_are_sorted_and_equal_stacks_added_up(void **state)
{
	assert_rewritten("main;b 1\nmain 2\nmain;a;c 3\nmain;b 4\nmain;a!b 5\nz 0\n",
			 "main 2\nmain;a!b 5\nmain;a;c 3\nmain;b 5\n");
}

static void fractions_and_annotations_are_restored(void **state)
{
	assert_rewritten("a 1.5\nb_[k] -0.25\nc_[j] 3\n",
			 "a 1.5\nb_[k] -0.25\nc_[j] 3\n");
}

static void names_that_look_like_syntax_are_guarded(void **state)
{
	static const char text[] = ";#a;b 1\n;#a;thread 12; 3\nmain;thread 7; 2\n";

	assert_rewritten(text, ";#a;b 1\n;#a;thread 12; 3\nmain;thread 7; 2\n");
}

static void what_is_written_reads_the_same(void **state)
{
	struct prof_profile *profile =
		parse("x;y 1\nx;;y_[i] 2.75\n a b\t;c 5 ; 1\n;#;z 1\n[unknown];q 9\n");
	struct prof_buf once = write_profile(profile, NULL);
	struct prof_profile *again = NULL;
	struct prof_error err = { 0 };
	struct prof_buf twice;

	assert_true(build((struct prof_text){ once.data, once.len }, SIZE_MAX, &again,
			  &err));
	assert_int_equal(again->sample_count, profile->sample_count);
	twice = write_profile(again, NULL);
	assert_int_equal(once.len, twice.len);
	assert_memory_equal(once.data, twice.data, once.len);
	prof_buf_free(&once);
	prof_buf_free(&twice);
	prof_profile_free(profile);
	prof_profile_free(again);
}

static void what_has_no_place_is_said(void **state)
{
	struct prof_profile *profile = parse("# note\na/x b/y\nmain 1 2\n");
	struct prof_buf loss = { 0 };
	struct prof_buf out = write_profile(profile, &loss);

	prof_buf_addc(&loss, '\0');
	assert_string_equal(loss.data, "the sample type a/x has no place in folded\n"
				       "1 more sample type (b) has no place in folded\n"
				       "1 comment has no place in folded\n");
	prof_buf_free(&loss);
	prof_buf_free(&out);
	prof_profile_free(profile);
}

static void writing_survives_every_failed_allocation(void **state)
{
	struct prof_profile *profile = parse("main;parse 3\nmain;write_[k] 2\n");
	struct prof_write_options options = { 0 };
	struct prof_error err = { 0 };
	struct prof_buf out = { 0 };
	int64_t n = 0;

	for (bool ok = false; !ok; n++) {
		prof_buf_free(&out);
		prof_alloc_fail_after(n);
		ok = prof_format_folded.write(profile, &options, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
	}
	assert_true(n > 5);
	prof_buf_free(&out);
	prof_profile_free(profile);
}

/* --- detection ------------------------------------------------------------------------ */

static void stacks_bid_more_than_lone_frames_and_other_text_nothing(void **state)
{
	assert_true(bid("main;parse 3\n") > bid("main 3\n"));
	assert_int_equal(bid("main 3\n"), 1);
	assert_true(bid("# note\n\n[libc.so.6];<module> 7\r\n") > 1);
	assert_true(bid("cpu/nanoseconds x/count\nmain 3 4\n") > 1);
	assert_int_equal(bid("# austin: 3.7.0\n"), 16);
	assert_int_equal(bid(""), 0);
	assert_int_equal(bid("{\"a\": 3}\n"), 0);
	assert_int_equal(bid("<html>\n<p>x; y</p>\n"), 0);
	assert_int_equal(bid("int main;\nint x = 3;\n"), 0);
}

TEST_MAIN(cmocka_unit_test(stacks_are_read_root_first),
	  cmocka_unit_test(blanks_belong_to_names_and_only_the_last_token_counts),
	  cmocka_unit_test(empty_frames_go_at_the_ends_and_are_unknown_inside),
	  cmocka_unit_test(comments_are_kept_up_to_a_number),
	  cmocka_unit_test(fractions_are_exact),
	  cmocka_unit_test(decimals_beyond_the_sixth_are_rounded_and_that_is_said),
	  cmocka_unit_test(whole_numbers_written_with_zeros_stay_whole),
	  cmocka_unit_test(two_counts_in_every_line_are_before_and_after),
	  cmocka_unit_test(one_line_with_one_count_makes_all_have_one),
	  cmocka_unit_test(a_first_line_of_types_declares_the_columns),
	  cmocka_unit_test(annotations_move_to_the_system_name),
	  cmocka_unit_test(austin_says_what_its_counts_are),
	  cmocka_unit_test(a_line_may_be_cut_anywhere),
	  cmocka_unit_test(a_shared_prefix_does_not_confuse_names),
	  cmocka_unit_test(a_bad_count_is_located),
	  cmocka_unit_test(a_missing_half_of_a_line_is_named),
	  cmocka_unit_test(counts_beyond_64_bits_are_refused),
	  cmocka_unit_test(a_nul_byte_is_no_text),
	  cmocka_unit_test(a_stack_may_be_as_deep_as_the_limit_and_no_deeper),
	  cmocka_unit_test(every_failed_allocation_is_reported),
	  cmocka_unit_test(early_sinks_get_blocks_while_reading),
	  cmocka_unit_test(early_sinks_start_over_when_the_kind_of_counts_changes),
	  cmocka_unit_test(lines_are_sorted_and_equal_stacks_added_up),
	  cmocka_unit_test(fractions_and_annotations_are_restored),
	  cmocka_unit_test(names_that_look_like_syntax_are_guarded),
	  cmocka_unit_test(what_is_written_reads_the_same),
	  cmocka_unit_test(what_has_no_place_is_said),
	  cmocka_unit_test(writing_survives_every_failed_allocation),
	  cmocka_unit_test(stacks_bid_more_than_lone_frames_and_other_text_nothing))
