/* SPDX-License-Identifier: MIT */
#include "tests/test.h"

#include <string.h>

#include "formats/dot.h"
#include "libprof/base/alloc.h"

/* src 10 --10--> dest 15 */
struct picture {
	struct prof_graph_node nodes[2];
	struct prof_graph_edge edge;
	struct prof_graph_tag tags[8];
	uint32_t zero;
	struct prof_graph graph;
	struct prof_dot_options options;
};

static void set_name(struct prof_graph_node *node, const char *name)
{
	node->name = prof_text(name);
	node->info.name = prof_text(name);
}

static void draw_init(struct picture *picture)
{
	*picture = (struct picture){
		.nodes = { { .flat = 10, .cum = 25, .out_count = 1 },
			   { .flat = 15, .cum = 25, .in_count = 1 } },
		.edge = { .from = 0, .to = 1, .weight = 10 },
		.options = { .title = prof_text("testtitle"),
			     .legend = prof_text("label1\nlabel3: \"foo\"\n"),
			     .style = { .unit = prof_text("count"),
					.show = prof_text("minimum"),
					.ratio = 1,
					.total = 100 } },
	};
	picture->graph = (struct prof_graph){
		.nodes = picture->nodes,
		.node_count = 2,
		.known_count = 2,
		.edges = &picture->edge,
		.edge_count = 1,
		.in_edges = &picture->zero,
		.out_edges = &picture->zero,
		.tags = picture->tags,
		.bytes_unit = prof_text("bytes"),
	};
	set_name(&picture->nodes[0], "src");
	set_name(&picture->nodes[1], "dest");
}

/* Whether the drawing has `expected` in it. */
static void draws(struct picture *picture, const char *expected)
{
	struct prof_buf out = { 0 };
	struct prof_error err = { 0 };

	assert_true(prof_dot_write(&picture->graph, &picture->options, &out, &err));
	prof_buf_addc(&out, '\0');
	if (!strstr(out.data, expected)) {
		assert_string_equal(out.data, expected);
	}
	prof_buf_free(&out);
}

static void a_graph_is_drawn_as_pprof_does(void **state)
{
	struct picture picture;

	draw_init(&picture);
	draws(&picture,
	      "digraph \"testtitle\" {\n"
	      "node [style=filled fillcolor=\"#f8f8f8\"]\n"
	      "subgraph cluster_L { \"label1\" [shape=box fontsize=16 "
	      "label=\"label1\\llabel3: \\\"foo\\\"\\l\" tooltip=\"testtitle\"] }\n"
	      "N1 [label=\"src\\n10 (10.00%)\\nof 25 (25.00%)\" id=\"node1\" "
	      "fontsize=22 shape=box tooltip=\"src (25)\" color=\"#b23c00\" "
	      "fillcolor=\"#edddd5\"]\n"
	      "N2 [label=\"dest\\n15 (15.00%)\\nof 25 (25.00%)\" id=\"node2\" "
	      "fontsize=24 shape=box tooltip=\"dest (25)\" color=\"#b23c00\" "
	      "fillcolor=\"#edddd5\"]\n"
	      "N1 -> N2 [label=\" 10\" weight=11 color=\"#b28559\" "
	      "tooltip=\"src -> dest (10)\" labeltooltip=\"src -> dest (10)\"]\n"
	      "}\n");
}

static void an_empty_graph_has_only_its_legend(void **state)
{
	struct picture picture;

	draw_init(&picture);
	picture.graph.node_count = 0;
	picture.graph.edge_count = 0;
	picture.options.legend.len = 0;
	picture.options.title.len = 0;
	draws(&picture, "digraph \"unnamed\" {\n"
			"node [style=filled fillcolor=\"#f8f8f8\"]\n}\n");
}

static void the_legend_can_be_followed(void **state)
{
	struct picture picture;

	draw_init(&picture);
	picture.options.url = prof_text("http://example.com");
	draws(&picture, "\\l\" URL=\"http://example.com\" target=\"_blank\" tooltip=");
}

static void names_cannot_leave_their_quotes(void **state)
{
	struct picture picture;

	draw_init(&picture);
	set_name(&picture.nodes[0], "a\"] evil [\"\\");
	picture.nodes[0].info.file = prof_text("x\\\"y");
	picture.options.title = prof_text("t\"");
	draws(&picture, "digraph \"t\\\"\" {");
	draws(&picture, "N1 [label=\"a\\\"] evil [\\\"\\\\\\nx\\\\\\\"y\\n10 (");
	draws(&picture, "tooltip=\"a\\\"] evil [\\\"\\\\ (25)\"");
}

static void names_are_broken_into_lines(void **state)
{
	struct picture picture;

	draw_init(&picture);
	set_name(&picture.nodes[0], "net/http.(*conn[...]).serve");
	picture.nodes[0].info.file = prof_text("/go/src/server.go");
	picture.nodes[0].info.line = 7;
	draws(&picture,
	      "label=\"http\\n(*conn[\xe2\x80\xa6])\\nserve\\nserver.go:7\\n10");
	set_name(&picture.nodes[0], "a::b::c");
	draws(&picture, "label=\"a\\nb\\nc\\nserver.go:7\\n10");
}

static void edges_show_what_they_are(void **state)
{
	struct picture picture;

	draw_init(&picture);
	picture.edge.residual = true;
	picture.edge.inlined = true;
	draws(&picture,
	      "N1 -> N2 [label=\" 10\\n (inline)\" weight=11 color=\"#b28559\" "
	      "tooltip=\"src ... dest (10)\" labeltooltip=\"src ... dest "
	      "(10)\" style=\"dotted\"]\n");
	picture.options.style.total = 0;
	draws(&picture, "N1 -> N2 [label=\" 10\\n (inline)\" tooltip=");
}

static void tags_are_boxes_on_their_node(void **state)
{
	struct picture picture;

	draw_init(&picture);
	picture.tags[0] = (struct prof_graph_tag){
		.name = prof_text("k:\"v\""),
		.flat = 10,
		.cum = 10,
		.first_number = 1,
		.number_count = 1,
	};
	picture.tags[1] = (struct prof_graph_tag){ .name = prof_text("2kB"),
						   .flat = 5,
						   .cum = 20 };
	picture.nodes[0].tag_count = 1;
	draws(&picture,
	      "N1_0 [label = \"k:\\\"v\\\"\" id=\"N1_0\" fontsize=8 shape=box3d "
	      "tooltip=\"10\"]\n"
	      "N1 -> N1_0 [label=\" 10\" weight=100 tooltip=\"10\" "
	      "labeltooltip=\"10\"]\n"
	      "NN1_0_0 [label = \"2kB\" id=\"NN1_0_0\" fontsize=8 shape=box3d "
	      "tooltip=\"5\"]\n"
	      "N1_0 -> NN1_0_0 [label=\" 5\" weight=100 tooltip=\"5\" "
	      "labeltooltip=\"5\"]\n");
	draws(&picture, "(10)\" minlen=2]\n");
	picture.nodes[0].out_count = 0;
	draws(&picture, "labeltooltip=\"20\" style=\"dotted\"]\n");
}

static void many_numbers_become_four_ranges(void **state)
{
	struct picture picture;

	draw_init(&picture);
	for (int i = 0; i < 6; i++) {
		picture.tags[i] = (struct prof_graph_tag){ .name = prof_text("x"),
							   .number = 1024 * (i + 1),
							   .flat = 60 - i,
							   .cum = 60 - i };
	}
	picture.nodes[0].number_count = 6;
	draws(&picture, "NN1_0 [label = \"4kB..6kB\" id=\"NN1_0\" fontsize=8 "
			"shape=box3d tooltip=\"168\"]\n");
	draws(&picture, "NN1_3 [label = \"3kB\" id=\"NN1_3\"");
}

static void running_out_of_memory_is_an_error(void **state)
{
	struct picture picture;
	bool ok = false;

	draw_init(&picture);
	for (int64_t n = 0; !ok; n++) {
		struct prof_buf out = { 0 };
		struct prof_error err = { 0 };

		prof_alloc_fail_after(n);
		ok = prof_dot_write(&picture.graph, &picture.options, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
	}
}

TEST_MAIN(cmocka_unit_test(a_graph_is_drawn_as_pprof_does),
	  cmocka_unit_test(an_empty_graph_has_only_its_legend),
	  cmocka_unit_test(the_legend_can_be_followed),
	  cmocka_unit_test(names_cannot_leave_their_quotes),
	  cmocka_unit_test(names_are_broken_into_lines),
	  cmocka_unit_test(edges_show_what_they_are),
	  cmocka_unit_test(tags_are_boxes_on_their_node),
	  cmocka_unit_test(many_numbers_become_four_ranges),
	  cmocka_unit_test(running_out_of_memory_is_an_error))
