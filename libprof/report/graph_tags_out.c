/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "libprof/base/alloc.h"
#include "libprof/report/graph_tags.h"

/* A cell of a node that is shown, and what it is sorted by. */
struct item {
	uint32_t node;   /* of the graph */
	uint32_t group;  /* 0 for texts; of a number the name it stands under, plus 1 */
	uint64_t weight; /* descending */
	uint64_t flat;   /* descending */
	struct prof_text name;
	const struct prof_graph_tag_cell *cell;
};

static int item_order(const void *left, const void *right)
{
	const struct item *a = left;
	const struct item *b = right;

	if (a->node != b->node) {
		return a->node < b->node ? -1 : 1;
	}
	if (a->group != b->group) {
		return a->group < b->group ? -1 : 1;
	}
	if (a->weight != b->weight) {
		return a->weight > b->weight ? -1 : 1;
	}
	if (a->flat != b->flat) {
		return a->flat > b->flat ? -1 : 1;
	}
	return prof_text_compare(a->name, b->name);
}

/* Callers show what is theirs, leaves of the graph what hangs below them as well. */
static struct item item_of(const struct prof_graph_tags *tags,
			   const struct prof_graph_tag_cell *cell, uint32_t node,
			   const struct prof_graph *graph)
{
	const struct prof_graph_tag_key *key = &tags->keys[cell->tag];
	int64_t weight =
		graph->nodes[node].out_count > 0 ? cell->sums.flat : cell->sums.cum;

	return (struct item){
		.node = node,
		.group = key->text != 0 ? key->name + 1 : 0,
		.weight = (uint64_t)prof_graph_abs(weight),
		.flat = (uint64_t)prof_graph_abs(cell->sums.flat),
		.name = key->text != 0 ? prof_strings_get(&tags->texts, key->text)
				       : prof_strings_get(&tags->names, key->name),
		.cell = cell,
	};
}

static struct prof_graph_tag tag_of(const struct prof_graph_tags *tags,
				    const struct item *item, struct prof_arena *arena)
{
	const struct prof_graph_sums *sums = &item->cell->sums;

	return (struct prof_graph_tag){
		.name = { prof_arena_copy(arena, item->name.data, item->name.len),
			  item->name.len },
		.number = tags->keys[item->cell->tag].number,
		.flat = sums->flat,
		.flat_div = sums->flat_div,
		.cum = sums->cum,
		.cum_div = sums->cum_div,
	};
}

/*
 * Tell nodes and tags where theirs begin. `place` has, per name, the tag of that name
 * at the node at hand: the one before is overwritten or belongs to a smaller node.
 */
static void link_tags(struct prof_graph *graph, const struct item *items,
		      uint32_t count, const struct prof_graph_tags *tags,
		      uint32_t *place)
{
	for (uint32_t i = 0; i < count; i++) {
		struct prof_graph_node *node = &graph->nodes[items[i].node];
		uint32_t name = tags->keys[items[i].cell->tag].name;
		uint32_t *first = &node->first_number;
		uint32_t *size = &node->number_count;

		if (items[i].group == 0) {
			first = &node->first_tag;
			size = &node->tag_count;
			place[name] = i;
		} else if (name != 0) {
			uint32_t owner = place[name];

			if (owner >= i || items[owner].node != items[i].node ||
			    items[owner].group != 0 ||
			    tags->keys[items[owner].cell->tag].name != name) {
				continue;
			}
			first = &graph->tags[owner].first_number;
			size = &graph->tags[owner].number_count;
		}
		*first = *size == 0 ? i : *first;
		(*size)++;
	}
}

bool prof_graph_give_tags(const struct prof_graph_work *work, const uint32_t *number,
			  struct prof_graph *graph, struct prof_error *err)
{
	const struct prof_graph_tags *tags = work->tags;
	size_t cells = (size_t)tags->cell_count + 1;
	struct item *items = prof_alloc_array(cells, sizeof(*items));
	uint32_t *place =
		prof_alloc_array((size_t)tags->names.count + 1, sizeof(*place));
	bool ok = items && place;
	uint32_t count = 0;

	graph->tags = prof_arena_array(&graph->arena, cells, sizeof(*graph->tags));
	graph->bytes_unit.data = prof_arena_copy(
		&graph->arena, tags->bytes_unit.len > 0 ? tags->bytes_unit.data : "",
		tags->bytes_unit.len);
	graph->bytes_unit.len = tags->bytes_unit.len;
	ok = ok && !graph->arena.failed;
	for (uint32_t i = 0; ok && i < tags->cell_count; i++) {
		uint32_t node = number[tags->cells[i].node];

		if (node < graph->node_count) {
			items[count++] = item_of(tags, &tags->cells[i], node, graph);
		}
	}
	if (ok) {
		qsort(items, count, sizeof(*items), item_order);
	}
	for (uint32_t i = 0; ok && i < count; i++) {
		graph->tags[i] = tag_of(tags, &items[i], &graph->arena);
		ok = !graph->arena.failed;
	}
	if (ok) {
		graph->tag_count = count;
		link_tags(graph, items, count, tags, place);
	}
	prof_free(items);
	prof_free(place);
	return ok || prof_fail_nomem(err);
}
