/* SPDX-License-Identifier: MIT */
/* The words of a picture, and the colors that have words. */
#include <stdlib.h>

#include "formats/render/picture.h"
#include "formats/render/quantity.h"
#include "libprof/base/alloc.h"

#define DOT " \xc2\xb7 "

enum {
	PATH_NAMES = 12, /* of the heaviest path, in the description */
};

/* By enum prof_frame_kind. */
static const struct {
	const char *word;
	enum prof_tint tint;
} kinds[PROF_PICTURE_KINDS] = {
	[PROF_FRAME_OTHER] = { "native", PROF_TINT_NATIVE },
	[PROF_FRAME_KERNEL] = { "kernel", PROF_TINT_KERNEL },
	[PROF_FRAME_JIT] = { "JIT", PROF_TINT_JIT },
	[PROF_FRAME_INLINED] = { "inlined", PROF_TINT_INLINED },
	[PROF_FRAME_INTERPRETED] = { "interpreted", PROF_TINT_INTERPRETED },
	[PROF_FRAME_UNKNOWN] = { "unknown", PROF_TINT_UNKNOWN },
};

uint32_t prof_picture_kind_class(enum prof_frame_kind kind)
{
	return (uint32_t)kinds[kind].tint * PROF_PALETTE_SHADES;
}

const char *prof_picture_kind_word(enum prof_frame_kind kind)
{
	return kinds[kind].word;
}

struct prof_rgb prof_picture_fill(const struct prof_picture *picture,
				  enum prof_theme theme, uint32_t color_class)
{
	return prof_palette_fill(picture->by_kind ? PROF_PALETTE_TINTS
						  : picture->options.palette,
				 theme, color_class);
}

void prof_picture_kinds(const struct prof_picture *picture,
			bool occurs[PROF_PICTURE_KINDS])
{
	for (uint32_t kind = 0; kind < PROF_PICTURE_KINDS; kind++) {
		occurs[kind] = false;
	}
	for (uint32_t i = 1; picture->by_kind && i < picture->tree->name_count; i++) {
		occurs[picture->tree->names[i].kind] = true;
	}
}

void prof_picture_used(const struct prof_picture *picture,
		       bool used[PROF_PALETTE_CLASSES])
{
	for (uint32_t c = 0; c < PROF_PALETTE_CLASSES; c++) {
		used[c] = false;
	}
	for (uint32_t i = 0; i < picture->tree->name_count; i++) {
		used[picture->classes[i]] = true;
		/* The legend has one shade of each kind that occurs. */
		if (picture->by_kind) {
			used[prof_picture_kind_class(picture->tree->names[i].kind)] =
				true;
		}
	}
}

void prof_picture_add_name(struct prof_buf *out, const struct prof_picture *picture,
			   uint32_t name)
{
	prof_text_escape(out, picture->tree->names[name].text);
}

void prof_picture_add_value(struct prof_buf *out, const struct prof_picture *picture,
			    uint64_t value)
{
	const struct prof_picture_options *o = &picture->options;

	prof_quantity_add(out, value, prof_quantity_ladder(o->unit),
			  prof_quantity_noun(o->type, o->unit));
}

void prof_picture_add_tooltip(struct prof_buf *out, const struct prof_picture *picture,
			      const struct prof_box *box)
{
	if (box->hidden > 0) {
		prof_quantity_add_count(out, box->hidden);
		prof_buf_adds(out, box->hidden == 1 ? " frame" : " frames");
	} else {
		prof_picture_add_name(out, picture,
				      picture->tree->nodes[box->node].name);
	}
	prof_buf_adds(out, " (");
	prof_picture_add_value(out, picture, box->width);
	prof_buf_adds(out, ", ");
	if (box->node == 0) {
		prof_buf_adds(out, "100%");
	} else {
		prof_quantity_add_percent(out, box->width, picture->layout.total);
	}
	prof_buf_adds(out, ")");
}

static void add_plural(struct prof_buf *out, uint64_t count, const char *noun)
{
	prof_quantity_add_count(out, count);
	prof_buf_addf(out, " %s%s", noun, count == 1 ? "" : "s");
}

void prof_picture_add_totals(struct prof_buf *out, const struct prof_picture *picture)
{
	if (picture->layout.total == 0) {
		prof_buf_adds(out, "no samples");
	} else {
		prof_picture_add_value(out, picture, picture->layout.total);
		prof_buf_adds(out, DOT);
		add_plural(out, picture->layout.shown, "frame");
		prof_buf_adds(out, DOT);
		add_plural(out, picture->layout.row_count, "level");
	}
	if (picture->options.leaf_first) {
		prof_buf_adds(out, DOT "leaf first");
	}
}

void prof_picture_add_missing(struct prof_buf *out, const struct prof_picture *picture)
{
	if (picture->boxes.frames < picture->layout.shown) {
		prof_buf_adds(out, DOT "the widest ");
		prof_quantity_add_count(out, picture->boxes.frames);
		prof_buf_adds(out, " are drawn, others share hatched boxes");
	}
}

void prof_picture_add_notes(struct prof_buf *out, const struct prof_picture *picture)
{
	prof_buf_add(out, picture->notes.data, picture->notes.len);
	if (picture->layout.total == 0 && picture->layout.negative_count == 0) {
		prof_buf_adds(out, "no samples: the picture is empty\n");
	}
}

uint64_t prof_picture_self(const struct prof_picture *picture, uint32_t node)
{
	int64_t self = picture->tree->self[0][node];

	return self > 0 ? (uint64_t)self : 0;
}

/* The child of `node` with the largest width, the first of equals; 0 if it is a leaf. */
static uint32_t heaviest_child(const struct prof_picture *picture, uint32_t node)
{
	const struct prof_tree_node *nodes = picture->tree->nodes;
	uint64_t most = 0;
	uint32_t best = 0;

	for (uint32_t i = node + 1; i < nodes[node].end; i = nodes[i].end) {
		if (picture->layout.width[i] > most) {
			most = picture->layout.width[i];
			best = i;
		}
	}
	return best;
}

static void add_heaviest_path(struct prof_buf *out, const struct prof_picture *picture)
{
	const struct prof_layout *layout = &picture->layout;
	uint32_t node = 0;
	uint32_t child = heaviest_child(picture, 0);

	if (child == 0) {
		return;
	}
	prof_buf_adds(out, " Heaviest path: ");
	for (int names = 0; child != 0 && names < PATH_NAMES; names++) {
		if (names > 0 && layout->width[child] < layout->total / 10) {
			break;
		}
		prof_buf_adds(out, names > 0 ? "; " : "");
		node = child;
		prof_picture_add_name(out, picture, picture->tree->nodes[node].name);
		child = heaviest_child(picture, node);
	}
	prof_buf_adds(out, child != 0 ? "; \xe2\x80\xa6 (" : " (");
	prof_quantity_add_percent(out, layout->width[node], layout->total);
	prof_buf_adds(out, ").");
}

/* The name whose frames hold the largest part of their own values. */
static bool add_top_self(struct prof_buf *out, const struct prof_picture *picture)
{
	const struct prof_calltree *tree = picture->tree;
	uint64_t *selfs = prof_alloc_array(tree->name_count, sizeof(*selfs));
	uint32_t best = 0;

	for (uint32_t i = 0; selfs && i < tree->node_count; i++) {
		uint32_t name = tree->nodes[i].name;

		selfs[name] += prof_picture_self(picture, i);
		if (selfs[name] > selfs[best] ||
		    (name < best && selfs[name] == selfs[best])) {
			best = name;
		}
	}
	if (selfs && selfs[best] > 0) {
		prof_buf_adds(out, " Top self: ");
		prof_picture_add_name(out, picture, best);
		prof_buf_adds(out, " (");
		prof_quantity_add_percent(out, selfs[best], picture->layout.total);
		prof_buf_adds(out, ").");
	}
	prof_free(selfs);
	return selfs != NULL;
}

bool prof_picture_add_description(struct prof_buf *out,
				  const struct prof_picture *picture)
{
	prof_buf_adds(out, "Root ");
	prof_picture_add_name(out, picture, picture->tree->nodes[0].name);
	prof_buf_adds(out, ".");
	add_heaviest_path(out, picture);
	return add_top_self(out, picture);
}

static int compare_functions(const void *a, const void *b)
{
	const struct prof_picture_function *one = a;
	const struct prof_picture_function *two = b;

	if (one->self != two->self) {
		return one->self < two->self ? 1 : -1;
	}
	if (one->total != two->total) {
		return one->total < two->total ? 1 : -1;
	}
	return one->name < two->name ? -1 : one->name > two->name;
}

/* Add up the frames of each name in `functions`; `ends` is zeroed, by name. */
static void add_frames(const struct prof_picture *picture,
		       struct prof_picture_function *functions, uint32_t *ends)
{
	const struct prof_calltree *tree = picture->tree;

	for (uint32_t i = 0; i < tree->node_count; i++) {
		uint32_t name = tree->nodes[i].name;

		functions[name].self += prof_picture_self(picture, i);
		/* In preorder, a frame before the end of another one is inside it. */
		if (i >= ends[name]) {
			functions[name].total += picture->layout.width[i];
			ends[name] = tree->nodes[i].end;
		}
	}
}

struct prof_picture_function *prof_picture_functions(const struct prof_picture *picture,
						     uint32_t *count)
{
	uint32_t names = picture->tree->name_count;
	struct prof_picture_function *made = prof_alloc_array(names, sizeof(*made));
	uint32_t *ends = prof_alloc_array(names, sizeof(*ends));
	uint32_t kept = 0;

	if (!made || !ends) {
		prof_free(made);
		prof_free(ends);
		return NULL;
	}
	add_frames(picture, made, ends);
	prof_free(ends);
	for (uint32_t n = 0; n < names; n++) {
		if (made[n].total > 0) {
			made[kept] = made[n];
			made[kept++].name = n;
		}
	}
	qsort(made, kept, sizeof(*made), compare_functions);
	*count = kept;
	return made;
}
