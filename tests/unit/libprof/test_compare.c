/* SPDX-License-Identifier: MIT */
#include "libprof/report/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"
#include "libprof/base/strings.h"
#include "libprof/model/builder.h"
#include "tests/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_FRAMES = 128, MAX_DEPTH = 16, MAX_COLUMNS = 2 };

/* What a test profile says beside its stacks. */
struct kind {
	const char *types[MAX_COLUMNS * 2]; /* type, unit, type, unit */
	const char *period_type;            /* the type of a period, in the last unit */
	int64_t period;
	int64_t duration_ns;
	const char *comment;
};

static const struct kind cpu = {
	{ "samples", "count", "cpu", "nanoseconds" }, "cpu", 10000000, 0, NULL
};
static const struct kind samples = { { "samples", "count" }, NULL, 0, 0, NULL };

struct maker {
	struct prof_strings strings;
	struct prof_strings frames; /* "name@file" */
	uint32_t stacks[4096];
	uint32_t ends[1024];
	int64_t values[1024 * MAX_COLUMNS];
	uint32_t frame_count;
	uint32_t count;
	uint32_t columns;
};

static uint32_t string(struct maker *maker, const char *text)
{
	return text ? prof_strings_add(&maker->strings, prof_text(text)) : 0;
}

/* "main;run@run.c 7 70": a stack root first, then a value per column. */
static void add_line(struct maker *maker, const char *line, const char *end)
{
	uint32_t stack[MAX_DEPTH];
	uint32_t depth = 0;
	const char *at = line;

	for (;;) {
		size_t len = strcspn(at, "; ");

		stack[depth++] =
			prof_strings_add(&maker->frames, (struct prof_text){ at, len });
		at += len + 1;
		if (at[-1] == ' ') {
			break;
		}
	}
	while (depth > 0) {
		maker->stacks[maker->frame_count++] = stack[--depth] - 1;
	}
	for (uint32_t i = 0; i < maker->columns; i++) {
		char *next = NULL;

		assert_true(at < end);
		maker->values[maker->count * maker->columns + i] =
			strtoll(at, &next, 10);
		at = next + 1;
	}
	maker->ends[maker->count++] = maker->frame_count;
}

static void send_frames(struct maker *maker, struct prof_sink *sink,
			struct prof_error *err)
{
	for (uint32_t i = 1; i < maker->frames.count; i++) {
		struct prof_text frame = prof_strings_get(&maker->frames, i);
		const char *at = memchr(frame.data, '@', frame.len);
		size_t len = at ? (size_t)(at - frame.data) : frame.len;
		struct prof_text file = { frame.data + len + 1,
					  at ? frame.len - len - 1 : 0 };
		struct prof_text name = { frame.data, len };
		struct prof_function function = {
			.id = i,
			.name = prof_strings_add(&maker->strings, name),
			.file = prof_strings_add(&maker->strings, file),
		};

		assert_true(i < MAX_FRAMES);
		assert_true(sink->function(sink, &function, err));
	}
}

static void send_locations(const struct maker *maker, struct prof_sink *sink,
			   struct prof_error *err)
{
	for (uint32_t i = 0; i + 1 < maker->frames.count; i++) {
		struct prof_line line = { .function = i };
		struct prof_sink_location location = { .id = i + 1,
						       .mapping = PROF_NONE,
						       .lines = &line,
						       .line_count = 1 };

		assert_true(sink->location(sink, &location, err));
	}
}

static void send_rest(struct maker *maker, const struct kind *kind,
		      struct prof_sink *sink, struct prof_error *err)
{
	struct prof_value_type types[MAX_COLUMNS];
	uint32_t comment = string(maker, kind->comment);
	struct prof_header header = { .period = kind->period,
				      .duration_ns = kind->duration_ns,
				      .comments = &comment,
				      .comment_count = kind->comment ? 1 : 0 };
	struct prof_batch batch = { .count = maker->count,
				    .frames = maker->stacks,
				    .ends = maker->ends,
				    .values = maker->values };

	for (uint32_t i = 0; i < maker->columns; i++) {
		types[i] = (struct prof_value_type){ string(maker, kind->types[i * 2]),
						     string(maker,
							    kind->types[i * 2 + 1]) };
	}
	header.period_type = (struct prof_value_type){
		string(maker, kind->period_type),
		kind->period_type ? types[maker->columns - 1].unit : 0
	};
	assert_true(sink->types(sink, types, maker->columns, err));
	assert_true(sink->samples(sink, &batch, err));
	assert_true(sink->end(sink, &header, err));
}

/* A profile of lines; strings are all known before the sink gets them. */
static struct prof_profile *profile_of(const struct kind *kind, const char *lines)
{
	static struct maker maker;
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_sink *sink = prof_builder_sink(builder);
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };

	maker = (struct maker){ .columns = kind->types[2] ? 2 : 1 };
	for (const char *at = lines; *at; at = strchr(at, '\n') + 1) {
		add_line(&maker, at, strchr(at, '\n'));
	}
	string(&maker, kind->comment);
	string(&maker, kind->period_type);
	for (uint32_t i = 0; i < maker.columns * 2; i++) {
		string(&maker, kind->types[i]);
	}
	for (uint32_t i = 1; i < maker.frames.count; i++) {
		struct prof_text frame = prof_strings_get(&maker.frames, i);
		const char *at = memchr(frame.data, '@', frame.len);
		size_t len = at ? (size_t)(at - frame.data) : frame.len;

		(void)prof_strings_add(&maker.strings,
				       (struct prof_text){ frame.data, len });
		(void)prof_strings_add(
			&maker.strings,
			(struct prof_text){ frame.data + len + 1,
					    at ? frame.len - len - 1 : 0 });
	}
	assert_true(sink->begin(sink, &err));
	assert_true(
		sink->strings(sink, maker.strings.items, maker.strings.count, &err));
	send_frames(&maker, sink, &err);
	send_locations(&maker, sink, &err);
	send_rest(&maker, kind, sink, &err);
	if (!prof_builder_finish(builder, &profile, &err)) {
		fail_msg("%s", err.message);
	}
	prof_builder_free(builder);
	prof_strings_free(&maker.strings);
	prof_strings_free(&maker.frames);
	return profile;
}

/* comparing */

struct run {
	enum prof_side side;
	const struct kind *kind;
	const char *lines;
	double work;
};

static bool try_compare(const struct prof_compare_options *options,
			const struct run *runs, size_t count,
			struct prof_comparison **out, struct prof_error *err)
{
	struct prof_compare *compare = prof_compare_new(options);
	bool ok = compare != NULL;

	for (size_t i = 0; ok && i < count; i++) {
		struct prof_profile *profile = profile_of(runs[i].kind, runs[i].lines);
		struct prof_compare_run run = { .column = prof_default_column(profile),
						.count_column = PROF_NONE,
						.work = runs[i].work };

		ok = prof_compare_add(compare, runs[i].side, profile, &run, err);
		prof_profile_free(profile);
	}
	ok = ok && prof_compare_finish(compare, out, err);
	prof_compare_free(compare);
	return ok;
}

static struct prof_comparison *compare(const struct prof_compare_options *options,
				       const struct run *runs, size_t count)
{
	struct prof_comparison *out = NULL;
	struct prof_error err = { 0 };

	if (!try_compare(options, runs, count, &out, &err)) {
		fail_msg("%s", err.message);
	}
	return out;
}

static struct prof_comparison *compare_pair(enum prof_normalize normalize,
					    const struct kind *kind, const char *before,
					    const char *after)
{
	struct prof_compare_options options = prof_compare_defaults();
	const struct run runs[] = { { PROF_BEFORE, kind, before, 0 },
				    { PROF_AFTER, kind, after, 0 } };

	options.normalize = normalize;
	return compare(&options, runs, COUNT(runs));
}

static const struct prof_compare_row *row_of(const struct prof_comparison *comparison,
					     const char *name)
{
	for (uint32_t i = 0; i < comparison->row_count; i++) {
		if (prof_text_equal(comparison->rows[i].name, prof_text(name))) {
			return &comparison->rows[i];
		}
	}
	fail_msg("no row %s", name);
	return NULL;
}

static void expect_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance)) {
		printf("# got %g, want %g\n", got, want);
		fail();
	}
}

/* raw samples */

static void a_column_of_samples_counts(void **state)
{
	struct prof_comparison *c =
		compare_pair(PROF_NORMALIZE_NONE, &cpu, "main;f 50 500000000\n",
			     "main;f 100 1000000000\n");
	const struct prof_estimate *e = &row_of(c, "f")->flat;

	assert_int_equal(c->sides[0].source, PROF_COUNT_COLUMN);
	expect_near(e->count[0], 50, 1e-9);
	expect_near(e->count[1], 100, 1e-9);
	expect_near(e->ratio, 2, 1e-12);
	assert_int_equal(e->value[1], 1000000000);
	expect_near(e->delta, 5e8, 1e-3);
	assert_true(e->ratio_low < 2 && e->ratio_high > 2);
	assert_true(e->delta_low < 5e8 && e->delta_high > 5e8);
	prof_comparison_free(c);
}

static void values_are_divided_by_their_own_period(void **state)
{
	const struct kind slow = { { "cpu", "ns" }, "cpu", 1000, 0, NULL };
	const struct kind fast = { { "cpu", "ns" }, "cpu", 100, 0, NULL };
	struct prof_compare_options options = prof_compare_defaults();
	const struct run runs[] = {
		{ PROF_BEFORE, &slow, "main;f 40000\nmain;g 60000\n", 0 },
		{ PROF_AFTER, &fast, "main;f 41000\nmain;g 59500\n", 0 },
	};
	struct prof_comparison *c = NULL;

	options.normalize = PROF_NORMALIZE_NONE;
	c = compare(&options, runs, COUNT(runs));
	assert_int_equal(c->sides[0].source, PROF_COUNT_PERIOD);
	expect_near(c->sides[0].samples, 100, 1e-9);
	expect_near(c->sides[1].samples, 1005, 1e-9);
	expect_near(row_of(c, "f")->flat.ratio, 1.025, 1e-12);
	assert_int_not_equal(row_of(c, "f")->flat.verdict, PROF_VERDICT_REAL);
	assert_true(c->notes & PROF_NOTE_PERIODS_DIFFER);
	prof_comparison_free(c);
}

static void a_comment_about_scaling_is_believed(void **state)
{
	struct kind scaled = samples;
	struct prof_comparison *c = NULL;

	scaled.comment = "fgtool: scaled 10";
	c = compare_pair(PROF_NORMALIZE_NONE, &scaled, "f 300\n", "f 700\n");
	expect_near(c->sides[0].samples, 30, 1e-9);
	assert_true(c->notes & PROF_NOTE_SCALED);
	prof_comparison_free(c);
}

static void common_divisors_are_guessed_to_be_the_period(void **state)
{
	const struct kind delay = { { "wait", "ns" }, NULL, 0, 0, NULL };
	const char *lines = "a 21\nb 14\nc 35\nd 70\ne 7\nf 77\ng 49\nh 14\ni 63\n";
	struct prof_comparison *c =
		compare_pair(PROF_NORMALIZE_NONE, &delay, lines, lines);

	assert_int_equal(c->sides[0].source, PROF_COUNT_DIVISOR);
	expect_near(c->sides[0].samples, 50, 1e-9);
	assert_true(c->notes & PROF_NOTE_GUESSED_COUNTS);
	prof_comparison_free(c);
}

static void without_any_hint_the_effective_number_is_used(void **state)
{
	const struct kind delay = { { "wait", "ns" }, NULL, 0, 0, NULL };
	struct prof_comparison *c = compare_pair(PROF_NORMALIZE_NONE, &delay,
						 "a 3\na;b 4\n", "a 3\na;b 4\n");
	const struct prof_estimate *e = &row_of(c, "a")->cum;

	assert_int_equal(c->sides[0].source, PROF_COUNT_KISH);
	expect_near(e->ratio, 1, 1e-12);
	assert_int_equal(e->verdict, PROF_VERDICT_UNTESTED);
	prof_comparison_free(c);
}

/*
 * 1000 objects of 1 KiB seen at one in 512 KiB are 1.95 samples, 100 of 4 MiB are 100;
 * those of 4 MiB are known nearly exactly.
 */
static void heap_rows_are_made_biased_again(void **state)
{
	const struct kind heap = { { "inuse_objects", "count", "inuse_space", "bytes" },
				   "space",
				   524288,
				   0,
				   NULL };
	struct prof_comparison *c =
		compare_pair(PROF_NORMALIZE_NONE, &heap,
			     "main;small 10000 10240000\nmain;big 100 419430400\n",
			     "main;small 20000 20480000\nmain;big 100 419430400\n");
	const struct prof_estimate *small = &row_of(c, "small")->flat;

	assert_int_equal(c->sides[0].source, PROF_COUNT_HEAP);
	expect_near(small->count[0], 19.5, 0.1);
	expect_near(small->count[1], 39.0, 0.1);
	expect_near(row_of(c, "big")->flat.count[0], 99.97, 0.1);
	assert_int_not_equal(small->verdict, PROF_VERDICT_REAL);
	assert_true(small->ratio_low > 0.8 && small->ratio_low < 1.5);
	prof_comparison_free(c);
}

/* refusals */

static void expect_refusal(const struct prof_compare_options *options,
			   const struct run *runs, size_t count, const char *message)
{
	struct prof_comparison *out = NULL;
	struct prof_error err = { 0 };

	assert_false(try_compare(options, runs, count, &out, &err));
	assert_int_equal(err.code, PROF_ERR_MISMATCH);
	assert_string_equal(err.message, message);
	assert_null(out);
}

static void what_cannot_be_compared_is_refused(void **state)
{
	const struct kind alloc = { { "alloc", "bytes" }, NULL, 0, 0, NULL };
	struct prof_compare_options options = prof_compare_defaults();
	struct run runs[] = { { PROF_BEFORE, &samples, "f 10\n", 0 },
			      { PROF_AFTER, &alloc, "f 10\n", 0 } };

	expect_refusal(&options, runs, 2,
		       "sample types differ: samples/count and alloc/bytes");
	expect_refusal(&options, runs, 1, "there is no run of after");
	runs[1] = (struct run){ PROF_AFTER, &samples, "f 10\ng -1\n", 0 };
	expect_refusal(&options, runs, 2,
		       "sample 1 has the negative value -1: this is a difference "
		       "already");
	runs[1].lines = "f 0\n";
	expect_refusal(&options, runs, 2, "after is empty: all its values are 0");
	runs[1].lines = "f 1\n";
	options.normalize = PROF_NORMALIZE_DURATION;
	expect_refusal(&options, runs, 2, "a run does not say how long it took");
	options.normalize = PROF_NORMALIZE_WORK;
	expect_refusal(&options, runs, 2, "the work of a run must be above 0");
	options.normalize = PROF_NORMALIZE_NONE;
	options.paired = true;
	expect_refusal(&options, runs, 2,
		       "pairs need as many runs before as after, at least 2: 1 and 1");
}

/* normalisation */

static void work_divides_what_was_measured(void **state)
{
	struct prof_compare_options options = prof_compare_defaults();
	const struct run runs[] = { { PROF_BEFORE, &samples, "f 1000\n", 10 },
				    { PROF_AFTER, &samples, "f 3000\n", 30 } };
	struct prof_comparison *c = NULL;

	options.normalize = PROF_NORMALIZE_WORK;
	options.run_noise = 0;
	c = compare(&options, runs, COUNT(runs));
	expect_near(c->total.ratio, 1, 1e-12);
	expect_near(c->total.expected, 3000, 1e-6);
	expect_near(c->scales.used, 3, 1e-12);
	prof_comparison_free(c);
	options.normalize = PROF_NORMALIZE_FACTOR;
	options.factor = 2;
	c = compare(&options, runs, COUNT(runs));
	expect_near(c->total.ratio, 1.5, 1e-12);
	prof_comparison_free(c);
}

static bool is_in_group(void *context, uint32_t group, struct prof_text name)
{
	const char *const *prefixes = context;

	return name.len > 0 && name.data[0] == prefixes[group][0];
}

static void groups_are_rows_and_may_be_the_reference(void **state)
{
	static const char *prefixes[] = { "s", "d" };
	struct prof_compare_options options = prof_compare_defaults();
	const struct run runs[] = {
		{ PROF_BEFORE, &samples,
		  "main;spin 1000\nmain;db.get 200\nmain;db.get;db.put 100\n", 0 },
		{ PROF_AFTER, &samples,
		  "main;spin 2000\nmain;db.get 400\nmain;db.get;db.put 800\n", 0 },
	};
	struct prof_comparison *c = NULL;

	options.normalize = PROF_NORMALIZE_REFERENCE;
	options.group_count = 2;
	options.in_group = is_in_group;
	options.context = prefixes;
	c = compare(&options, runs, COUNT(runs));
	expect_near(c->scales.used, 2, 1e-12);
	assert_int_equal(c->groups[1].cum.value[0], 300);
	assert_int_equal(c->groups[1].cum.value[1], 1200);
	assert_int_equal(c->groups[1].flat.value[0], 300);
	expect_near(c->groups[1].cum.ratio, 2, 1e-12);
	expect_near(row_of(c, "db.get")->flat.ratio, 1, 1e-12);
	prof_comparison_free(c);
}

/* rows */

static void rows_of_the_same_samples_are_one_test(void **state)
{
	const char *lines = "main;run;work 500\nmain;run;work;leaf 300\n";
	struct prof_comparison *c =
		compare_pair(PROF_NORMALIZE_NONE, &samples, lines, lines);
	const struct prof_compare_row *main_row = row_of(c, "main");
	const struct prof_compare_row *run = row_of(c, "run");

	assert_false(main_row->cum.has_twin);
	assert_true(run->cum.has_twin && row_of(c, "work")->cum.has_twin);
	assert_ptr_equal(prof_compare_deciding(c, &run->cum), &main_row->cum);
	assert_true(row_of(c, "leaf")->cum.twin_flat);
	assert_int_equal(c->test_count, 3);
	prof_comparison_free(c);
}

static void recursion_counts_once_and_ends(void **state)
{
	const char *lines = "a;b;a;b;a;b 500\na;b;a 300\n";
	struct prof_comparison *c =
		compare_pair(PROF_NORMALIZE_NONE, &samples, lines, lines);

	assert_int_equal(row_of(c, "a")->cum.value[0], 800);
	assert_int_equal(row_of(c, "b")->cum.value[0], 800);
	assert_true(row_of(c, "b")->cum.has_twin);
	prof_comparison_free(c);
}

static void new_and_gone_rows_have_no_nan(void **state)
{
	struct prof_comparison *c = compare_pair(PROF_NORMALIZE_NONE, &samples,
						 "old 500\nrare 1\n", "young 500\n");
	const struct prof_estimate *young = &row_of(c, "young")->flat;
	const struct prof_estimate *old = &row_of(c, "old")->flat;

	assert_true(young->is_new && isinf(young->ratio) && young->ratio_low > 1);
	assert_true(old->is_gone && old->ratio == 0 && old->ratio_high < 1);
	assert_int_equal(young->verdict, PROF_VERDICT_REAL);
	assert_int_equal(old->verdict, PROF_VERDICT_REAL);
	assert_int_equal(row_of(c, "rare")->flat.verdict, PROF_VERDICT_UNTESTED);
	for (uint32_t i = 0; i < c->row_count; i++) {
		const struct prof_estimate *e = &c->rows[i].flat;
		const double all[] = { e->ratio,     e->ratio_low,  e->ratio_high,
				       e->delta_low, e->delta,      e->delta_high,
				       e->p,         e->q,          e->phi,
				       e->log_error, e->detectable, e->certified };

		for (size_t k = 0; k < COUNT(all); k++) {
			assert_true(!isnan(all[k]));
		}
	}
	prof_comparison_free(c);
}

static void names_are_folded_as_builds_change_them(void **state)
{
	static const char *const cases[][2] = {
		{ "parse", "parse" },
		{ "core::fmt::h0123456789abcdef", "core::fmt" },
		{ "core::h0123456789abcde", "core::h0123456789abcde" },
		{ "foo.isra.0", "foo" },
		{ "foo.constprop.12.cold", "foo" },
		{ "foo.llvm.15837", "foo" },
		{ "foo.part.x", "foo.part.x" },
		{ "A$$Lambda$14/0x00007f.run", "A$$Lambda$.run" },
		{ "GeneratedMethodAccessor33.invoke",
		  "GeneratedMethodAccessor.invoke" },
		{ "jit 0x7fff12345678 stub", "jit 0x stub" },
		{ "v0x1", "v0x1" },
		{ "", "" },
	};
	struct prof_buf out = { 0 };

	for (size_t i = 0; i < COUNT(cases); i++) {
		prof_buf_clear(&out);
		prof_compare_fold(&out, prof_text(cases[i][0]));
		prof_buf_addc(&out, '\0');
		assert_string_equal(out.data, cases[i][1]);
	}
	prof_buf_free(&out);
}

/* explanations */

static const char base_lines[] = "main@m.c;io@io.c;read@io.c 3000\n"
				 "main@m.c;io@io.c;copy@io.c 2000\n"
				 "main@m.c;net@net.c;send@net.c 2500\n"
				 "main@m.c;net@net.c;recv@net.c 2200\n"
				 "main@m.c;cpu@cpu.c;hash@cpu.c 2400\n"
				 "main@m.c;cpu@cpu.c;sum@cpu.c 2100\n";

static struct prof_comparison *compare_quiet(const char *before, const char *after,
					     bool accept)
{
	struct prof_compare_options options = prof_compare_defaults();
	char left[4096];
	char right[4096];
	const struct run runs[] = { { PROF_BEFORE, &samples, left, 0 },
				    { PROF_AFTER, &samples, right, 0 } };

	snprintf(left, sizeof(left), "%s%s", base_lines, before);
	snprintf(right, sizeof(right), "%s%s", base_lines, after);
	options.normalize = PROF_NORMALIZE_NONE;
	options.run_noise = 0.02;
	options.accept_renames = accept;
	return compare(&options, runs, COUNT(runs));
}

static void a_rename_is_recognised_and_may_be_accepted(void **state)
{
	const char *before = "main@m.c;decode@d.c;decodeMaps@d.c;copy@io.c 900\n"
			     "main@m.c;decode@d.c;decodeMaps@d.c 800\n";
	const char *after = "main@m.c;decode@d.c;decodeStruct@d.c;copy@io.c 910\n"
			    "main@m.c;decode@d.c;decodeStruct@d.c 790\n";
	struct prof_comparison *c = compare_quiet(before, after, false);

	assert_int_equal(c->renamed_count, 1);
	assert_ptr_equal(&c->rows[c->renames[0].gone], row_of(c, "decodeMaps"));
	assert_ptr_equal(&c->rows[c->renames[0].came], row_of(c, "decodeStruct"));
	assert_true(c->renames[0].score > 0.6);
	expect_near(c->renames[0].both.ratio, 790.0 / 800, 1e-12);
	assert_int_equal(row_of(c, "decodeMaps")->rename, 0);
	prof_comparison_free(c);
	c = compare_quiet(before, after, true);
	assert_true(c->renames[0].accepted);
	assert_int_equal(row_of(c, "decodeStruct")->flat.value[0], 800);
	assert_int_not_equal(row_of(c, "decodeStruct")->flat.verdict,
			     PROF_VERDICT_REAL);
	assert_int_equal(row_of(c, "decodeMaps")->flat.verdict, PROF_VERDICT_UNTESTED);
	prof_comparison_free(c);
}

static void unlike_names_are_no_rename(void **state)
{
	struct prof_comparison *c =
		compare_quiet("main@m.c;net@net.c;zlibInflate@z.c 900\n",
			      "main@m.c;cpu@cpu.c;quicksort@q.c 900\n", false);

	assert_int_equal(c->renamed_count, 0);
	prof_comparison_free(c);
}

static void a_rename_by_hand_joins_rows(void **state)
{
	const struct prof_rename rename = { prof_text("old"), prof_text("young") };
	struct prof_compare_options options = prof_compare_defaults();
	const struct run runs[] = { { PROF_BEFORE, &samples, "old 500\n", 0 },
				    { PROF_AFTER, &samples, "young 510\n", 0 } };
	struct prof_comparison *c = NULL;

	options.normalize = PROF_NORMALIZE_NONE;
	options.renames = &rename;
	options.rename_count = 1;
	c = compare(&options, runs, COUNT(runs));
	assert_int_equal(c->row_count, 1);
	expect_near(c->rows[0].flat.ratio, 1.02, 1e-12);
	prof_comparison_free(c);
}

static void cost_that_moved_within_a_caller_is_said_so(void **state)
{
	struct prof_comparison *c = compare_quiet("main@m.c;app@a.c;left@l.c 4000\n"
						  "main@m.c;app@a.c;right@r.c 1000\n",
						  "main@m.c;app@a.c;left@l.c 1000\n"
						  "main@m.c;app@a.c;right@r.c 4000\n",
						  false);
	const struct prof_compare_row *row = row_of(c, "right");

	assert_int_equal(row->flat.verdict, PROF_VERDICT_REAL);
	assert_int_not_equal(row->move, PROF_NO_MOVE);
	assert_int_equal(c->moves[row->move].kind, PROF_MOVE_CALLER);
	assert_ptr_equal(&c->rows[c->moves[row->move].other], row_of(c, "app"));
	expect_near(c->moves[row->move].net, 0, 1e-9);
	prof_comparison_free(c);
}

static void inlining_is_a_move_from_the_callee(void **state)
{
	struct prof_comparison *c = compare_quiet("main@m.c;outer@o.c 200\n"
						  "main@m.c;outer@o.c;tiny@o.c 4000\n",
						  "main@m.c;outer@o.c 4200\n", false);
	const struct prof_compare_row *row = row_of(c, "outer");

	assert_int_not_equal(row->move, PROF_NO_MOVE);
	assert_int_equal(c->moves[row->move].other,
			 (uint32_t)(row_of(c, "tiny") - c->rows));
	prof_comparison_free(c);
}

static void what_got_slower_did_not_move(void **state)
{
	struct prof_comparison *c = compare_quiet("main@m.c;app@a.c;left@l.c 4000\n"
						  "main@m.c;app@a.c;right@r.c 1000\n",
						  "main@m.c;app@a.c;left@l.c 4000\n"
						  "main@m.c;app@a.c;right@r.c 4000\n",
						  false);

	assert_int_equal(row_of(c, "right")->flat.verdict, PROF_VERDICT_REAL);
	assert_int_equal(c->move_count, 0);
	prof_comparison_free(c);
}

/* several runs */

/* Runs whose scatter is that of the machine: 5 % up and down, together. */
static void make_lines(char *out, size_t size, double scale, double slower)
{
	int len = snprintf(out, size, "hot %d\n", (int)(1000 * scale * slower));

	for (int i = 0; i < 15; i++) {
		len += snprintf(out + len, size - (size_t)len, "f%d %d\n", i,
				(int)((300 + 10 * i) * scale));
	}
}

static struct prof_comparison *compare_drifting(bool paired)
{
	static const double drift[] = { 1, 1.3, 0.8, 1.15 };
	static char lines[8][1024];
	struct prof_compare_options options = prof_compare_defaults();
	struct run runs[8];

	for (size_t i = 0; i < COUNT(runs); i++) {
		make_lines(lines[i], sizeof(lines[i]), drift[i / 2], i % 2 ? 1.3 : 1);
		runs[i] = (struct run){ i % 2 ? PROF_AFTER : PROF_BEFORE, &samples,
					lines[i], 0 };
	}
	options.normalize = PROF_NORMALIZE_NONE;
	options.paired = paired;
	return compare(&options, runs, COUNT(runs));
}

static void pairs_take_out_what_both_of_them_have(void **state)
{
	struct prof_comparison *apart = compare_drifting(false);
	struct prof_comparison *paired = compare_drifting(true);
	const struct prof_estimate *a = &row_of(apart, "hot")->flat;
	const struct prof_estimate *b = &row_of(paired, "hot")->flat;

	assert_int_not_equal(a->verdict, PROF_VERDICT_REAL);
	assert_int_equal(b->verdict, PROF_VERDICT_REAL);
	expect_near(b->ratio, 1.3, 1e-3);
	assert_true(b->ratio_high - b->ratio_low < a->ratio_high - a->ratio_low);
	assert_int_equal(apart->noise.source, PROF_NOISE_MEASURED);
	prof_comparison_free(apart);
	prof_comparison_free(paired);
}

/* A root that has everything scatters in no run: that is no knowledge of the rest. */
static void what_all_stacks_begin_with_does_not_hide_noise(void **state)
{
	static const int scatter[] = { 4, -6, 9, -3, 7, -8, 2, -5 };
	static char lines[6][2048];
	struct prof_compare_options options = prof_compare_defaults();
	struct run runs[6];
	struct prof_comparison *c = NULL;

	for (size_t i = 0; i < COUNT(runs); i++) {
		int len = 0;

		for (int k = 0; k < 30; k++) {
			int off = scatter[(i * 3 + (size_t)k * 5) % COUNT(scatter)];

			len += snprintf(lines[i] + len, sizeof(lines[i]) - (size_t)len,
					"main;f%d %d\n", k, 100 + k + off);
		}
		runs[i] = (struct run){ i % 2 ? PROF_AFTER : PROF_BEFORE, &samples,
					lines[i], 0 };
	}
	c = compare(&options, runs, COUNT(runs));
	assert_true(c->noise.prior_df >= 10);
	assert_int_equal(row_of(c, "main")->cum.value[0], c->sides[0].value);
	prof_comparison_free(c);
}

static void runs_of_the_same_code_show_the_noise_of_one_pair(void **state)
{
	static const double drift[] = { 1, 1.3, 0.8, 1.15, 0.9, 1.05, 1, 1.3 };
	static char lines[8][1024];
	struct prof_compare_options options = prof_compare_defaults();
	struct run runs[8];
	struct prof_comparison *c = NULL;

	for (size_t i = 0; i < COUNT(runs); i++) {
		enum prof_side side = i < 6   ? PROF_SAME_CODE
				      : i < 7 ? PROF_BEFORE
					      : PROF_AFTER;

		make_lines(lines[i], sizeof(lines[i]), drift[i], 1);
		runs[i] = (struct run){ side, &samples, lines[i], 0 };
	}
	options.normalize = PROF_NORMALIZE_NONE;
	options.run_noise = 0;
	c = compare(&options, runs + 6, 2);
	assert_int_equal(c->noise.source, PROF_NOISE_ASSUMED);
	assert_int_equal(row_of(c, "hot")->flat.verdict, PROF_VERDICT_REAL);
	prof_comparison_free(c);
	c = compare(&options, runs, COUNT(runs));
	assert_int_equal(c->noise.source, PROF_NOISE_GIVEN);
	assert_int_not_equal(row_of(c, "hot")->flat.verdict, PROF_VERDICT_REAL);
	assert_int_equal(row_of(c, "hot")->flat.value[0], 1000);
	prof_comparison_free(c);
}

/* gates and needs */

static void a_gate_is_a_family_of_its_own(void **state)
{
	struct prof_comparison *c = compare_pair(PROF_NORMALIZE_NONE, &samples,
						 "slow 5000\nsame 5000\nrare 1\n",
						 "slow 20000\nsame 5000\nrare 2\n");
	struct prof_gate gate = { .threshold = 0.10 };
	struct prof_gate_test tests[2] = { { .estimate = &row_of(c, "slow")->flat },
					   { .estimate = &row_of(c, "same")->flat } };
	enum prof_gate_outcome outcome = PROF_GATE_PASSES;
	struct prof_error err = { 0 };

	assert_true(prof_compare_gate(c, &gate, tests, 2, &outcome, &err));
	assert_int_equal(outcome, PROF_GATE_FAILS);
	assert_int_equal(tests[0].outcome, PROF_GATE_FAILS);
	assert_int_equal(tests[1].outcome, PROF_GATE_INCONCLUSIVE);
	gate.threshold = 1;
	assert_true(prof_compare_gate(c, &gate, tests + 1, 1, &outcome, &err));
	assert_int_equal(outcome, PROF_GATE_PASSES);
	gate = (struct prof_gate){ .unit = PROF_GATE_POINTS, .threshold = 0.2 };
	assert_true(prof_compare_gate(c, &gate, tests, 2, &outcome, &err));
	assert_int_equal(tests[0].outcome, PROF_GATE_FAILS);
	gate = (struct prof_gate){ .threshold = -0.5, .below = true };
	assert_true(prof_compare_gate(c, &gate, tests, 1, &outcome, &err));
	assert_int_equal(outcome, PROF_GATE_PASSES);
	tests[0].estimate = &row_of(c, "rare")->flat;
	gate = (struct prof_gate){ .threshold = 0.1 };
	assert_true(prof_compare_gate(c, &gate, tests, 1, &outcome, &err));
	assert_int_equal(outcome, PROF_GATE_INCONCLUSIVE);
	assert_true(prof_compare_gate(c, &gate, tests, 0, &outcome, &err));
	assert_int_equal(outcome, PROF_GATE_INCONCLUSIVE);
	prof_comparison_free(c);
}

static void more_samples_cannot_replace_runs(void **state)
{
	struct prof_comparison *c =
		compare_pair(PROF_NORMALIZE_NONE, &samples, "f 5000\n", "f 5000\n");
	const struct prof_estimate *e = &row_of(c, "f")->flat;
	struct prof_compare_need small = prof_compare_need(c, e, 0.05);
	struct prof_compare_need large = prof_compare_need(c, e, 1.0);

	assert_true(small.samples == 0);
	assert_true(small.runs > 20);
	assert_true(large.samples > 0 && large.runs <= 1);
	assert_true(e->detectable_alone > 0.3 && e->detectable_alone < 0.6);
	prof_comparison_free(c);
}

static void memory_may_run_out_at_any_time(void **state)
{
	struct prof_profile *before =
		profile_of(&samples, "main;io;read 300\nmain;oldName 200\n");
	struct prof_profile *after =
		profile_of(&samples, "main;io;read 300\nmain;oldNames 210\n");
	struct prof_compare_run run = { .count_column = PROF_NONE };
	bool done = false;

	for (int64_t n = 0; !done; n++) {
		struct prof_compare_options options = prof_compare_defaults();
		struct prof_comparison *out = NULL;
		struct prof_error err = { 0 };
		struct prof_compare *compare = NULL;

		options.normalize = PROF_NORMALIZE_NONE;
		options.accept_renames = true;
		prof_alloc_fail_after(n);
		compare = prof_compare_new(&options);
		done = compare &&
		       prof_compare_add(compare, PROF_BEFORE, before, &run, &err) &&
		       prof_compare_add(compare, PROF_AFTER, after, &run, &err) &&
		       prof_compare_finish(compare, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(done || !compare || err.code == PROF_ERR_NOMEM);
		prof_compare_free(compare);
		prof_comparison_free(out);
	}
	prof_profile_free(before);
	prof_profile_free(after);
}

TEST_MAIN(cmocka_unit_test(a_column_of_samples_counts),
	  cmocka_unit_test(values_are_divided_by_their_own_period),
	  cmocka_unit_test(a_comment_about_scaling_is_believed),
	  cmocka_unit_test(common_divisors_are_guessed_to_be_the_period),
	  cmocka_unit_test(without_any_hint_the_effective_number_is_used),
	  cmocka_unit_test(heap_rows_are_made_biased_again),
	  cmocka_unit_test(what_cannot_be_compared_is_refused),
	  cmocka_unit_test(work_divides_what_was_measured),
	  cmocka_unit_test(groups_are_rows_and_may_be_the_reference),
	  cmocka_unit_test(rows_of_the_same_samples_are_one_test),
	  cmocka_unit_test(recursion_counts_once_and_ends),
	  cmocka_unit_test(new_and_gone_rows_have_no_nan),
	  cmocka_unit_test(names_are_folded_as_builds_change_them),
	  cmocka_unit_test(a_rename_is_recognised_and_may_be_accepted),
	  cmocka_unit_test(unlike_names_are_no_rename),
	  cmocka_unit_test(a_rename_by_hand_joins_rows),
	  cmocka_unit_test(cost_that_moved_within_a_caller_is_said_so),
	  cmocka_unit_test(inlining_is_a_move_from_the_callee),
	  cmocka_unit_test(what_got_slower_did_not_move),
	  cmocka_unit_test(pairs_take_out_what_both_of_them_have),
	  cmocka_unit_test(what_all_stacks_begin_with_does_not_hide_noise),
	  cmocka_unit_test(runs_of_the_same_code_show_the_noise_of_one_pair),
	  cmocka_unit_test(a_gate_is_a_family_of_its_own),
	  cmocka_unit_test(more_samples_cannot_replace_runs),
	  cmocka_unit_test(memory_may_run_out_at_any_time))
