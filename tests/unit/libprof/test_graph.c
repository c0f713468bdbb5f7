/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include "libprof/base/alloc.h"
#include "libprof/model/aggregate.h"
#include "libprof/report/graph.h"
#include "tests/unit/libprof/line_profile.h"
#include "tests/unit/libprof/random_profile.h"

static const struct prof_graph_options all_edges = {
	.column = 1,
	.edges = PROF_GRAPH_ALL_EDGES,
};

static struct prof_graph *build(const char *text,
				const struct prof_graph_options *options)
{
	struct prof_aggregate_options functions = { 0 };
	struct prof_profile *profile = line_profile(text);
	struct prof_aggregate aggregate = { 0 };
	struct prof_graph *graph = NULL;
	struct prof_error err = { 0 };

	assert_true(prof_aggregate_init(&aggregate, profile, &functions, &err));
	assert_true(prof_graph_build(&aggregate.view, options, &graph, &err));
	prof_aggregate_free(&aggregate);
	/* The graph borrows names from the profile. */
	prof_arena_take(&graph->arena, &profile->arena);
	prof_profile_free(profile);
	return graph;
}

/*
 * "name flat cum; ..." of the nodes, then "from>to weight" of the edges with i for
 * inlined and r for residual ones.
 */
static void check(struct prof_graph *graph, const char *expected)
{
	struct prof_buf out = { 0 };

	for (uint32_t i = 0; i < graph->node_count; i++) {
		const struct prof_graph_node *node = &graph->nodes[i];

		prof_buf_addf(&out, "%.*s %d %d; ", (int)node->name.len,
			      node->name.data, (int)node->flat, (int)node->cum);
	}
	for (uint32_t i = 0; i < graph->edge_count; i++) {
		const struct prof_graph_edge *edge = &graph->edges[i];
		struct prof_text from = graph->nodes[edge->from].name;
		struct prof_text to = graph->nodes[edge->to].name;

		prof_buf_addf(&out, "%.*s>%.*s %d%s%s; ", (int)from.len, from.data,
			      (int)to.len, to.data, (int)edge->weight,
			      edge->inlined ? "i" : "", edge->residual ? "r" : "");
	}
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, expected);
	prof_buf_free(&out);
	prof_graph_free(graph);
}

static void nodes_have_flat_and_cum_and_edges_weights(void **state)
{
	check(build("main;run;read 1 5\nmain;run 1 3\nmain;write 1 2\n", &all_edges),
	      "read 5 5; run 3 8; write 2 2; main 0 10; "
	      "main>run 8; run>read 5; main>write 2; ");
}

static void recursion_counts_once(void **state)
{
	check(build("a;b;a;b 1 5\na;a 1 1\n", &all_edges),
	      "b 5 5; a 1 6; a>b 5; b>a 5; ");
}

static void an_edge_is_inlined_if_it_always_is(void **state)
{
	check(build("m;f>g 1 5\nm;f>h 1 2\nm;f;h 1 1\n", &all_edges),
	      "g 5 5; h 3 3; f 0 8; m 0 8; m>f 8; f>g 5i; f>h 3; ");
}

static void small_nodes_are_dropped_and_leave_residual_edges(void **state)
{
	struct prof_graph_options options = all_edges;
	struct prof_graph *graph;

	options.node_fraction = 0.2;
	graph = build("m;f;g 1 80\nm;h;g 1 15\nm;h 1 2\n", &options);
	assert_int_equal(graph->dropped_nodes, 1);
	assert_int_equal(graph->found_count, 3);
	check(graph, "g 95 95; f 0 80; m 0 97; f>g 80; m>f 80; m>g 15r; ");
}

static void the_flat_value_of_a_dropped_leaf_is_nobodys(void **state)
{
	struct prof_graph_options options = all_edges;

	options.node_fraction = 0.2;
	check(build("m;f;g 1 5\nm;f 1 80\n", &options), "f 80 85; m 0 85; m>f 85; ");
}

static void the_limit_takes_the_best_nodes(void **state)
{
	struct prof_graph_options options = all_edges;
	struct prof_graph *graph;

	options.node_limit = 2;
	options.order = PROF_GRAPH_BY_CUM;
	graph = build("m;f;g 1 5\nm;h;g 1 4\n", &options);
	assert_int_equal(graph->found_count, 4);
	check(graph, "g 9 9; m 0 9; m>g 9r; ");
}

static void small_edges_are_dropped_and_counted(void **state)
{
	struct prof_graph_options options = all_edges;
	struct prof_graph *graph;

	options.edge_fraction = 0.3;
	graph = build("m;f 1 8\nm;g 1 2\n", &options);
	assert_int_equal(graph->dropped_edges, 1);
	check(graph, "f 8 8; g 2 2; m 0 10; m>f 8; ");
}

static void redundant_residual_edges_leave_a_picture(void **state)
{
	struct prof_graph_options options = all_edges;

	options.node_fraction = 0.1;
	options.picture = true;
	check(build("m;f;g 1 90\nm;x;g 1 5\n", &options),
	      "g 95 95; f 0 90; m 0 95; f>g 90; m>f 90; ");
}

static void negative_nodes_can_be_dropped(void **state)
{
	struct prof_graph_options options = all_edges;

	check(build("m;f -1 -8\nm;g 1 2\n", &options),
	      "f -8 -8; g 2 2; m 0 -6; m>f -8; m>g 2; ");
	options.drop_negative = true;
	check(build("m;f -1 -8\nm;g 1 12\n", &options),
	      "g 12 12; m 0 4; m>g 12; m>f -8; ");
}

static void a_call_tree_has_a_node_per_path(void **state)
{
	struct prof_graph_options options = all_edges;

	options.call_tree = true;
	check(build("m;f;g 1 5\nm;h;g 1 4\nm;f;f 1 1\n", &options),
	      "g 5 5; g 4 4; f 1 1; f 0 6; h 0 4; m 0 10; "
	      "m>f 6; f>g 5; h>g 4; m>h 4; f>f 1; ");
}

static void a_call_tree_is_spliced_where_nodes_go(void **state)
{
	struct prof_graph_options options = all_edges;

	options.call_tree = true;
	options.node_limit = 2;
	check(build("m;f>g 1 5\nm;h 1 4\n", &options), "g 5 5; h 4 4; ");
	options.order = PROF_GRAPH_BY_CUM;
	options.node_limit = 3;
	check(build("m;f>h 1 5\nm;f;i;g 1 3\nm;f;i;z 1 2\n", &options),
	      "f 0 10; m 0 10; h 5 5; m>f 10; f>h 5i; ");
}

static void means_divide_by_the_first_column(void **state)
{
	struct prof_graph_options options = all_edges;
	struct prof_graph *graph;

	options.mean = true;
	graph = build("m;f 2 10\nm;f 3 20\n", &options);
	assert_int_equal(prof_graph_flat(&graph->nodes[0]), 6);
	assert_int_equal(prof_graph_cum(&graph->nodes[1]), 6);
	assert_int_equal(graph->edges[0].weight_div, 5);
	prof_graph_free(graph);
}

/* "name flat/cum" of the tags of the first node, with numbers in brackets. */
static void check_tags(struct prof_graph *graph, const char *expected)
{
	const struct prof_graph_node *node = &graph->nodes[0];
	struct prof_buf out = { 0 };

	for (uint32_t i = 0; i < node->tag_count; i++) {
		const struct prof_graph_tag *tag = &graph->tags[node->first_tag + i];

		prof_buf_addf(&out, "%.*s %d/%d", (int)tag->name.len, tag->name.data,
			      (int)tag->flat, (int)tag->cum);
		for (uint32_t k = 0; k < tag->number_count; k++) {
			const struct prof_graph_tag *number =
				&graph->tags[tag->first_number + k];

			prof_buf_addf(&out, " [%.*s %d]", (int)number->name.len,
				      number->name.data, (int)number->flat);
		}
		prof_buf_adds(&out, "; ");
	}
	for (uint32_t k = 0; k < node->number_count; k++) {
		const struct prof_graph_tag *number =
			&graph->tags[node->first_number + k];

		prof_buf_addf(&out, "[%.*s %d]", (int)number->name.len,
			      number->name.data, (int)number->flat);
	}
	prof_buf_addc(&out, '\0');
	assert_string_equal(out.data, expected);
	prof_buf_free(&out);
	prof_graph_free(graph);
}

static void labels_hang_on_nodes_as_tags(void **state)
{
	struct prof_graph_options options = all_edges;

	options.tags = true;
	check_tags(build("m 1 5 k:v a:b bytes=2048\nm 1 7 k:v\nm;f 1 3 k:w\n"
			 "m 1 2 bytes=64 pprof::base:true other=5\n",
			 &options),
		   "k:v 7/7; a:b\\nk:v 5/5 [2kB 5]; k:w 0/3; [64B 2]");
}

static void light_tags_are_dropped(void **state)
{
	struct prof_graph_options options = all_edges;

	options.tags = true;
	options.node_fraction = 0.3;
	check_tags(build("m 1 5 k:v\nm 1 7 k:w\nm 1 2 k:x bytes=4\n", &options),
		   "k:w 7/7; k:v 5/5; ");
}

static void tags_use_up_the_limit_of_a_picture(void **state)
{
	struct prof_graph_options options = all_edges;
	struct prof_graph *graph;

	options.tags = true;
	options.picture = true;
	options.order = PROF_GRAPH_BY_ENTROPY;
	options.node_limit = 3;
	graph = build("m;f 1 5 k:v\nm;f 1 7 k:w\nm;g 1 2\n", &options);
	assert_int_equal(graph->node_count, 1);
	prof_graph_free(graph);
}

static void a_sum_that_does_not_fit_is_an_error(void **state)
{
	struct prof_profile *profile =
		line_profile("a 1 9223372036854775807\nb 1 -1\n");
	struct prof_graph *graph = NULL;
	struct prof_error err = { 0 };

	assert_false(prof_graph_build(profile, &all_edges, &graph, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(err.message,
			    "the sum of the 'time' values does not fit 64 bits");
	assert_null(graph);
	prof_profile_free(profile);
}

static void nothing_makes_an_empty_graph(void **state)
{
	check(build("", &all_edges), "");
	check(build("m;f 0 0\n", &all_edges), "");
}

static struct prof_profile *some_profile(uint64_t seed, bool negative)
{
	struct prof_error err = { 0 };
	struct prof_profile *profile =
		random_profile(seed, negative, PROF_BUILD_AS_IS, &err);

	assert_non_null(profile);
	return profile;
}

static void running_out_of_memory_is_an_error(void **state)
{
	struct prof_profile *profile = some_profile(7, false);

	for (int kind = 0; kind < 2; kind++) {
		struct prof_graph_options options = {
			.call_tree = kind == 1,
			.tags = true,
			.picture = true,
			.order = PROF_GRAPH_BY_ENTROPY,
			.edges = PROF_GRAPH_ALL_EDGES,
			.node_limit = 20,
			.node_fraction = 0.01,
		};
		struct prof_graph *graph = NULL;
		struct prof_error err = { 0 };
		bool ok = false;

		for (int64_t n = 0; !ok; n++) {
			prof_alloc_fail_after(n);
			ok = prof_graph_build(profile, &options, &graph, &err);
			prof_alloc_fail_after(-1);
			assert_true(ok || err.code == PROF_ERR_NOMEM);
		}
		prof_graph_free(graph);
	}
	prof_profile_free(profile);
}

/* Flat adds up to the values of samples with frames; callers pass on what they get. */
static void sums_agree_on_random_profiles(void **state)
{
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct prof_profile *profile = some_profile(seed, seed % 2);
		struct prof_graph_options options = {
			.call_tree = seed % 3 == 0,
			.edges = PROF_GRAPH_ALL_EDGES,
		};
		struct prof_graph *graph = NULL;
		struct prof_error err = { 0 };
		int64_t flat = 0;

		assert_true(prof_graph_build(profile, &options, &graph, &err));
		for (uint32_t i = 0; i < graph->node_count; i++) {
			flat += graph->nodes[i].flat;
		}
		for (uint32_t i = 0; i < profile->sample_count; i++) {
			uint32_t stack = profile->sample_stack[i];

			flat -= prof_stack(profile, stack).count > 0
					? profile->values[0][i]
					: 0;
		}
		assert_int_equal(flat, 0);
		prof_graph_free(graph);
		prof_profile_free(profile);
	}
}

/* A view of `profile` with `count` samples of the value 1 in stacks of `depth` frames. */
struct many {
	struct prof_profile view;
	uint64_t *ends;
	uint32_t *frames;
	uint32_t *stacks;
	uint32_t *sets;
	int64_t *ones;
	int64_t *values[2];
};

static void many_init(struct many *many, const struct prof_profile *profile,
		      uint32_t count, uint32_t depth)
{
	*many = (struct many){
		.view = *profile,
		.ends = calloc(count + 1, sizeof(*many->ends)),
		.frames = calloc((size_t)count * depth, sizeof(*many->frames)),
		.stacks = calloc(count, sizeof(*many->stacks)),
		.sets = calloc(count, sizeof(*many->sets)),
		.ones = calloc(count, sizeof(*many->ones)),
	};
	for (uint32_t i = 0; i < count; i++) {
		many->ends[i + 1] = (uint64_t)(i + 1) * depth;
		many->stacks[i] = i;
		many->ones[i] = 1;
	}
	for (uint32_t i = 0; i < count * depth; i++) {
		many->frames[i] = i / 3 % profile->location_count;
	}
	many->values[0] = many->values[1] = many->ones;
	many->view.stack_count = many->view.sample_count = count;
	many->view.stack_ends = many->ends;
	many->view.frames = many->frames;
	many->view.sample_stack = many->stacks;
	many->view.sample_set = many->sets;
	many->view.values = many->values;
}

static void many_free(struct many *many)
{
	free(many->ends);
	free(many->frames);
	free(many->stacks);
	free(many->sets);
	free(many->ones);
}

static void two_threads_find_what_one_does(void **state)
{
	struct prof_profile *profile = line_profile("a;b>c;d 1 1\n");
	struct prof_graph *graph = NULL;
	struct prof_error err = { 0 };
	struct many many;

	many_init(&many, profile, 30000, 50);
	assert_true(prof_graph_build(&many.view, &all_edges, &graph, &err));
	assert_int_equal(graph->node_count, 4);
	assert_int_equal(graph->edge_count, 5);
	for (uint32_t i = 0; i < graph->node_count; i++) {
		assert_int_equal(graph->nodes[i].cum, 30000);
	}
	for (uint32_t i = 0; i < graph->edge_count; i++) {
		assert_int_equal(graph->edges[i].weight, 30000);
	}
	prof_graph_free(graph);
	many_free(&many);
	prof_profile_free(profile);
}

static void inlined_calls_cannot_make_a_walk_endless(void **state)
{
	enum { LINES = 100000 };
	struct prof_profile *profile = line_profile("a 1 1\n");
	struct prof_line *lines = calloc(LINES, sizeof(*lines));
	struct prof_location locations[2] = {
		{ .id = 1, .mapping = PROF_NONE },
		{ .first_line = LINES },
	};
	struct prof_graph_options options = all_edges;
	struct many many;

	many_init(&many, profile, 1000, 1);
	many.view.lines = lines;
	many.view.line_count = LINES;
	many.view.locations = locations;
	for (int tree = 0; tree < 2; tree++) {
		struct prof_graph *graph = NULL;
		struct prof_error err = { 0 };

		options.call_tree = tree == 1;
		assert_false(prof_graph_build(&many.view, &options, &graph, &err));
		assert_int_equal(err.code, PROF_ERR_LIMIT);
	}
	many_free(&many);
	free(lines);
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(nodes_have_flat_and_cum_and_edges_weights),
	  cmocka_unit_test(recursion_counts_once),
	  cmocka_unit_test(an_edge_is_inlined_if_it_always_is),
	  cmocka_unit_test(small_nodes_are_dropped_and_leave_residual_edges),
	  cmocka_unit_test(the_flat_value_of_a_dropped_leaf_is_nobodys),
	  cmocka_unit_test(the_limit_takes_the_best_nodes),
	  cmocka_unit_test(small_edges_are_dropped_and_counted),
	  cmocka_unit_test(redundant_residual_edges_leave_a_picture),
	  cmocka_unit_test(negative_nodes_can_be_dropped),
	  cmocka_unit_test(a_call_tree_has_a_node_per_path),
	  cmocka_unit_test(a_call_tree_is_spliced_where_nodes_go),
	  cmocka_unit_test(means_divide_by_the_first_column),
	  cmocka_unit_test(labels_hang_on_nodes_as_tags),
	  cmocka_unit_test(light_tags_are_dropped),
	  cmocka_unit_test(tags_use_up_the_limit_of_a_picture),
	  cmocka_unit_test(a_sum_that_does_not_fit_is_an_error),
	  cmocka_unit_test(nothing_makes_an_empty_graph),
	  cmocka_unit_test(running_out_of_memory_is_an_error),
	  cmocka_unit_test(sums_agree_on_random_profiles),
	  cmocka_unit_test(two_threads_find_what_one_does),
	  cmocka_unit_test(inlined_calls_cannot_make_a_walk_endless))
