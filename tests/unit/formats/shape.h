/* SPDX-License-Identifier: MIT */
/*
 * shape.h - small trees for tests of pictures.
 */
#ifndef TESTS_UNIT_FORMATS_SHAPE_H
#define TESTS_UNIT_FORMATS_SHAPE_H

#include "formats/render/picture.h"

/* A node: its depth, its name, its own value. */
struct shape {
	uint32_t depth;
	const char *name;
	int64_t self;
};

/* Each node has a name of its own here; what is drawn does not depend on that. */
static inline struct prof_calltree tree_of(const struct shape *shapes, uint32_t count)
{
	struct prof_calltree tree = { .node_count = count, .name_count = count };
	uint32_t open[64] = { 0 };

	tree.names = prof_arena_array(&tree.arena, count, sizeof(*tree.names));
	tree.nodes = prof_arena_array(&tree.arena, count, sizeof(*tree.nodes));
	tree.self[0] = prof_arena_array(&tree.arena, count, sizeof(int64_t));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t depth = shapes[i].depth;

		open[depth] = i;
		tree.names[i].text = prof_text(shapes[i].name);
		tree.self[0][i] = shapes[i].self;
		tree.nodes[i] = (struct prof_tree_node){
			.name = i,
			.parent = depth > 0 ? open[depth - 1] : 0,
			.depth = depth,
		};
		for (uint32_t d = 0; d <= depth; d++) {
			tree.nodes[open[d]].end = i + 1;
		}
	}
	return tree;
}

static const struct shape plain[] = {
	{ 0, "all", 0 },
	{ 1, "main", 1 },
	{ 2, "parse", 4 },
	{ 2, "write", 3 },
};

static const struct prof_picture_options samples = {
	.type = { "samples", 7 },
	.unit = { "count", 5 },
};

static const char *const hostile[] = {
	"</title></path><script>alert(1)</script>",
	"]]></script><script>alert(1)//]]>",
	"\"' onload='alert(1)",
	"&lt;&#0;&amp",
	"nul\x01 esc\x1b[31m bel\x07 del\x7f c1\xc2\x9b",
	"bad utf-8 \xff\xc3( \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xaf",
	"\xef\xbf\xbe \xef\xbf\xbf \xef\xb7\x90",
	"\xe2\x80\xae reversed \xe2\x81\xa6 isolated \xe2\x80\x8b",
	"\n\r\t\\",
	"}</style><style>*{display:none}",
	"%s%n${x}`",
	"",
};

enum { HOSTILE = sizeof(hostile) / sizeof(hostile[0]) };

#endif
