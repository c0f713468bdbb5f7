/* SPDX-License-Identifier: MIT */
#include "libprof/report/calltree.h"

#include <stdio.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"
#include "libprof/model/builder.h"
#include "tests/test.h"
#include "tests/unit/libprof/random_profile.h"

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))

/*
 * Samples of one column as letters, root first: "abc" is c called by b called by a. A
 * capital letter is inlined into the frame before it. '?' has no function but is in
 * libc, '!' is the kernel's.
 */
struct sample {
	const char *stack;
	int64_t value;
};

enum { LETTERS = 26, LIBC = 2 * LETTERS + 1, VMLINUX, TYPE, JIT, STRINGS };

static bool send_names(struct prof_sink *sink, struct prof_error *err)
{
	static const char *const others[] = { "/lib/libc.so.6",
					      "[kernel.kallsyms]_text", "cpu",
					      "j_[j]" };
	char letters[LETTERS][2];
	struct prof_text texts[STRINGS] = { { "", 0 } };

	for (int i = 0; i < LETTERS; i++) {
		snprintf(letters[i], sizeof(letters[i]), "%c", 'a' + i);
		texts[1 + i] = prof_text(letters[i]);
		texts[1 + LETTERS + i] = prof_text("unused");
	}
	for (int i = LIBC; i < STRINGS; i++) {
		texts[i] = prof_text(others[i - LIBC]);
	}
	if (!sink->strings(sink, texts, STRINGS, err)) {
		return false;
	}
	for (uint32_t i = 0; i < 2; i++) {
		struct prof_mapping mapping = { .id = i + 1,
						.file = LIBC + i,
						.ref = i };

		if (!sink->mapping(sink, &mapping, err)) {
			return false;
		}
	}
	for (uint32_t i = 0; i < LETTERS; i++) {
		struct prof_function function = { .id = i + 1,
						  .name = i + 1,
						  .system_name = i == 9 ? JIT : 0 };

		if (!sink->function(sink, &function, err)) {
			return false;
		}
	}
	return true;
}

/* One sample, with locations of its own; `made` counts those. */
static bool send_sample(struct prof_sink *sink, const struct sample *sample,
			uint32_t *made, struct prof_error *err)
{
	size_t len = strlen(sample->stack);
	uint32_t frames[16];
	uint32_t depth = 0;
	struct prof_line lines[16] = { { 0 } };
	struct prof_sink_location at = { .mapping = PROF_NONE, .lines = lines };
	struct prof_batch batch = {
		.count = 1, .frames = frames, .ends = &depth, .values = &sample->value
	};

	for (size_t i = len; i-- > 0;) {
		char c = sample->stack[i];

		at.mapping = c == '?' ? 0 : c == '!' ? 1 : PROF_NONE;
		if (c != '?' && c != '!') {
			lines[at.line_count++].function =
				(uint32_t)(c >= 'a' ? c - 'a' : c - 'A');
		}
		if (c >= 'A' && c <= 'Z') {
			continue;
		}
		at.id = *made + 1;
		at.address = *made;
		if (!sink->location(sink, &at, err)) {
			return false;
		}
		frames[depth++] = (*made)++;
		at.line_count = 0;
	}
	return sink->samples(sink, &batch, err);
}

/*
 * In the order of the sink: locations and types before samples. The builder does not
 * mind more locations behind samples, and neither do we.
 */
static struct prof_profile *profile_of(const struct sample *samples, uint32_t count)
{
	const struct prof_value_type type = { .type = TYPE };
	const struct prof_header header = { 0 };
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_sink *sink = prof_builder_sink(builder);
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	uint32_t made = 0;

	assert_true(sink->begin(sink, &err) && send_names(sink, &err));
	assert_true(sink->types(sink, &type, 1, &err));
	for (uint32_t i = 0; i < count; i++) {
		assert_true(send_sample(sink, &samples[i], &made, &err));
	}
	assert_true(sink->end(sink, &header, &err));
	assert_true(prof_builder_finish(builder, &profile, &err));
	prof_builder_free(builder);
	return profile;
}

static void check_links(const struct prof_calltree *tree)
{
	uint32_t deepest = 0;

	assert_int_equal(tree->nodes[0].parent, 0);
	assert_int_equal(tree->nodes[0].end, tree->node_count);
	for (uint32_t i = 1; i < tree->node_count; i++) {
		const struct prof_tree_node *node = &tree->nodes[i];
		const struct prof_tree_node *parent = &tree->nodes[node->parent];

		assert_true(node->parent < i);
		assert_true(node->end > i && node->end <= parent->end);
		assert_int_equal(node->depth, parent->depth + 1);
		assert_true(node->name > 0 && node->name < tree->name_count);
		deepest = node->depth > deepest ? node->depth : deepest;
		if (node->end < parent->end) {
			assert_true(tree->nodes[node->end].name > node->name);
		}
	}
	assert_int_equal(tree->max_depth, deepest);
}

/* The tree in words: "all 10/0 (main 10/2 (parse 8/8))", total/self of each side. */
static void assert_tree(struct prof_calltree *tree, const char *expected)
{
	struct prof_buf out = { 0 };
	uint32_t depth = 0;

	check_links(tree);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		const struct prof_tree_node *node = &tree->nodes[i];
		struct prof_text name = tree->names[node->name].text;

		for (; depth > node->depth; depth--) {
			prof_buf_addc(&out, ')');
		}
		prof_buf_adds(&out, node->depth > depth ? " (" : i > 0 ? " " : "");
		depth = node->depth;
		prof_buf_add(&out, name.data, name.len);
		for (uint32_t s = 0; s < tree->side_count; s++) {
			prof_buf_addf(&out, " %lld/%lld", (long long)tree->total[s][i],
				      (long long)tree->self[s][i]);
		}
	}
	for (; depth > 0; depth--) {
		prof_buf_addc(&out, ')');
	}
	prof_buf_addc(&out, '\0');
	assert_false(out.failed);
	assert_string_equal(out.data, expected);
	prof_buf_free(&out);
	prof_calltree_free(tree);
}

static struct prof_calltree *tree_of(const struct sample *samples, uint32_t count,
				     bool leaf_first)
{
	const struct prof_calltree_options options = { .leaf_first = leaf_first };
	struct prof_profile *profile = profile_of(samples, count);
	struct prof_calltree *tree = NULL;
	struct prof_error err = { 0 };

	assert_true(prof_calltree_build(profile, &options, &tree, &err));
	prof_profile_free(profile);
	return tree;
}

static const struct sample few[] = {
	{ "mps", 3 }, { "mp", 4 }, { "mw", 3 }, { "mp", 1 }, { "mps", 2 },
};

static void common_callers_are_one_node(void **state)
{
	assert_tree(tree_of(few, COUNT(few), false),
		    "all 13/0 (m 13/0 (p 10/5 (s 5/5) w 3/3))");
}

static void leaf_first_begins_with_the_leaves(void **state)
{
	assert_tree(tree_of(few, COUNT(few), true),
		    "all 13/0 (p 5/0 (m 5/5) s 5/0 (p 5/0 (m 5/5)) w 3/0 (m 3/3))");
}

static void inlined_calls_are_frames(void **state)
{
	static const struct sample samples[] = { { "aBCd", 1 }, { "ab", 2 } };

	assert_tree(tree_of(samples, 2, false),
		    "all 3/0 (a 3/0 (b 3/2 (c 1/0 (d 1/1))))");
}

static void empty_stacks_are_the_root_s_own(void **state)
{
	static const struct sample samples[] = { { "", 5 }, { "a", 2 } };

	assert_tree(tree_of(samples, 2, false), "all 7/5 (a 2/2)");
}

static void zero_samples_leave_no_node(void **state)
{
	static const struct sample samples[] = { { "ab", 0 }, { "c", -2 }, { "z", 0 } };
	struct prof_calltree *tree = tree_of(samples, 3, false);

	assert_int_equal(tree->name_count, 2);
	assert_tree(tree, "all -2/0 (c -2/-2)");
}

static void nothing_is_a_root(void **state)
{
	assert_tree(tree_of(NULL, 0, false), "all 0/0");
	assert_tree(tree_of(NULL, 0, true), "all 0/0");
}

static enum prof_frame_kind kind_of(const struct prof_calltree *tree, const char *name)
{
	for (uint32_t i = 0; i < tree->name_count; i++) {
		if (prof_text_equal(tree->names[i].text, prof_text(name))) {
			return tree->names[i].kind;
		}
	}
	fail_msg("no name %s", name);
	return PROF_FRAME_OTHER;
}

static void frames_have_kinds(void **state)
{
	static const struct sample samples[] = { { "aBC?", 1 }, { "bj!", 2 } };
	struct prof_calltree *tree = tree_of(samples, 2, false);

	assert_int_equal(kind_of(tree, "all"), PROF_FRAME_OTHER);
	assert_int_equal(kind_of(tree, "a"), PROF_FRAME_OTHER);
	assert_int_equal(kind_of(tree, "b"), PROF_FRAME_OTHER);
	assert_int_equal(kind_of(tree, "c"), PROF_FRAME_INLINED);
	assert_int_equal(kind_of(tree, "j"), PROF_FRAME_JIT);
	assert_int_equal(kind_of(tree, "[libc.so.6]"), PROF_FRAME_UNKNOWN);
	assert_int_equal(kind_of(tree, "[kernel.kallsyms]_text"), PROF_FRAME_KERNEL);
	prof_calltree_free(tree);
}

static void two_profiles_are_compared_in_one_tree(void **state)
{
	static const struct sample then[] = { { "ab", 1 }, { "ac", 2 } };
	static const struct sample now[] = { { "ab", 3 }, { "ad", 4 } };
	const struct prof_calltree_options options = { .leaf_first = false };
	struct prof_profile *before = profile_of(then, 2);
	struct prof_profile *after = profile_of(now, 2);
	struct prof_calltree *tree = NULL;
	struct prof_error err = { 0 };

	assert_true(prof_calltree_compare(before, after, 0, &options, &tree, &err));
	prof_profile_free(before);
	prof_profile_free(after);
	assert_tree(tree, "all 3/0 7/0 (a 3/0 7/0 (b 1/1 3/3 c 2/2 0/0 d 0/0 4/4))");
}

static void modules_and_labels_are_frames_too(void **state)
{
	struct prof_calltree_options options = { .key = { PROF_BY_MODULE, { 0 } } };
	static const struct sample samples[] = { { "aB?!", 1 } };
	struct prof_profile *profile = profile_of(samples, 1);
	struct prof_calltree *tree = NULL;
	struct prof_error err = { 0 };

	assert_true(prof_calltree_build(profile, &options, &tree, &err));
	assert_tree(tree, "all 1/0 (<unknown> 1/0 (libc.so.6 1/0 "
			  "([kernel.kallsyms]_text 1/1)))");
	options.key = (struct prof_key_options){ PROF_BY_LABEL, prof_text("thread") };
	assert_true(prof_calltree_build(profile, &options, &tree, &err));
	assert_tree(tree, "all 1/0 ((no thread) 1/1)");
	prof_profile_free(profile);
}

static void a_sum_past_int64_is_refused(void **state)
{
	static const struct sample samples[] = { { "a", INT64_MAX }, { "b", 1 } };
	const struct prof_calltree_options options = { .leaf_first = false };
	struct prof_profile *profile = profile_of(samples, 2);
	struct prof_calltree *tree = NULL;
	struct prof_error err = { 0 };

	assert_false(prof_calltree_build(profile, &options, &tree, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_null(tree);
	prof_profile_free(profile);
}

/* Totals of a tree are those of its samples, whatever the profile. */
static void random_trees_add_up(void **state)
{
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct prof_error err = { 0 };
		struct prof_profile *profile =
			random_profile(seed, true, PROF_BUILD_AS_IS, &err);
		int64_t sum = 0;

		assert_non_null(profile);
		assert_true(prof_column_sum(profile, 1, &sum, &err));
		for (int by = PROF_BY_FUNCTION; by <= PROF_BY_LABEL; by++) {
			const struct prof_calltree_options options = {
				.key = { (enum prof_by)by, prof_text("name3") },
				.column = 1,
				.leaf_first = seed % 2 == 0,
			};
			struct prof_calltree *tree = NULL;

			assert_true(
				prof_calltree_build(profile, &options, &tree, &err));
			check_links(tree);
			assert_int_equal(tree->total[0][0], sum);
			prof_calltree_free(tree);
		}
		prof_profile_free(profile);
	}
}

static void running_out_of_memory_is_reported(void **state)
{
	const struct prof_calltree_options options = { .leaf_first = false };
	struct prof_profile *profile = profile_of(few, COUNT(few));
	bool done = false;

	for (int64_t n = 0; !done; n++) {
		struct prof_error err = { 0 };
		struct prof_calltree *tree = NULL;

		prof_alloc_fail_after(n);
		done = prof_calltree_build(profile, &options, &tree, &err);
		prof_alloc_fail_after(-1);
		assert_true(done || err.code == PROF_ERR_NOMEM);
		prof_calltree_free(tree);
	}
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(common_callers_are_one_node),
	  cmocka_unit_test(leaf_first_begins_with_the_leaves),
	  cmocka_unit_test(inlined_calls_are_frames),
	  cmocka_unit_test(empty_stacks_are_the_root_s_own),
	  cmocka_unit_test(zero_samples_leave_no_node),
	  cmocka_unit_test(nothing_is_a_root), cmocka_unit_test(frames_have_kinds),
	  cmocka_unit_test(two_profiles_are_compared_in_one_tree),
	  cmocka_unit_test(modules_and_labels_are_frames_too),
	  cmocka_unit_test(a_sum_past_int64_is_refused),
	  cmocka_unit_test(random_trees_add_up),
	  cmocka_unit_test(running_out_of_memory_is_reported))
