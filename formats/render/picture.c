/* SPDX-License-Identifier: MIT */
#include "formats/render/picture.h"

#include "formats/render/quantity.h"
#include "libprof/base/alloc.h"
#include "libprof/flame/label.h"
#include "libprof/flame/palette_names.h"

enum {
	GROUP_MAX = 16,  /* pixels; narrow frames beyond these get another box */
	LABEL_CHARS = 3, /* no label where fewer would fit */
};

static bool lay_out(struct prof_picture *picture, struct prof_error *err)
{
	const struct prof_calltree *tree = picture->tree;
	struct prof_boxes_options pick = {
		.max = picture->options.static_max,
		.span = picture->options.width - 2 * PROF_PICTURE_PAD,
		.group_max = GROUP_MAX,
	};
	uint32_t *depths = prof_alloc_array(tree->node_count, sizeof(*depths));
	uint32_t *ends = prof_alloc_array(tree->node_count, sizeof(*ends));
	bool ok = false;

	if (!depths || !ends) {
		prof_error_set(err, PROF_ERR_NOMEM, "out of memory");
		goto out;
	}
	for (uint32_t i = 0; i < tree->node_count; i++) {
		depths[i] = tree->nodes[i].depth;
		ends[i] = tree->nodes[i].end;
	}
	ok = prof_layout_init(&picture->layout, depths, tree->self[0], tree->node_count,
			      err) &&
	     prof_boxes_init(&picture->boxes, &picture->layout, ends, &pick, err);
out:
	prof_free(depths);
	prof_free(ends);
	return ok;
}

/* The kinds of frames whose colors say more than those of names. */
static bool has_kinds(const struct prof_calltree *tree)
{
	for (uint32_t i = 0; i < tree->name_count; i++) {
		enum prof_frame_kind kind = tree->names[i].kind;

		if (kind == PROF_FRAME_KERNEL || kind == PROF_FRAME_JIT ||
		    kind == PROF_FRAME_INTERPRETED) {
			return true;
		}
	}
	return false;
}

/* How flamegraph.pl's input says the kind of a frame. */
static const char annotations[PROF_PICTURE_KINDS] = {
	[PROF_FRAME_KERNEL] = 'k',
	[PROF_FRAME_JIT] = 'j',
	[PROF_FRAME_INLINED] = 'i',
};

static uint32_t class_of(const struct prof_picture *picture,
			 const struct prof_tree_name *name)
{
	struct prof_text package = prof_palette_package(name->text);

	if (picture->by_kind) {
		uint32_t tint =
			prof_picture_kind_class(name->kind) / PROF_PALETTE_SHADES;

		return prof_palette_tint_class((enum prof_tint)tint, name->text);
	}
	if (prof_palette_reads_names(picture->options.palette)) {
		return prof_palette_name_class(picture->options.palette, name->text,
					       annotations[name->kind]);
	}
	if (picture->options.color_by == PROF_PICTURE_COLOR_PACKAGE &&
	    package.len > 0) {
		return prof_palette_class(package);
	}
	return prof_palette_class(name->text);
}

static bool choose_colors(struct prof_picture *picture)
{
	const struct prof_calltree *tree = picture->tree;
	enum prof_picture_color by = picture->options.color_by;

	picture->by_kind = by == PROF_PICTURE_COLOR_KIND ||
			   (by == PROF_PICTURE_COLOR_AUTO && has_kinds(tree) &&
			    !prof_palette_reads_names(picture->options.palette));
	picture->classes =
		prof_alloc_array(tree->name_count, sizeof(*picture->classes));
	for (uint32_t i = 0; picture->classes && i < tree->name_count; i++) {
		picture->classes[i] = (uint8_t)class_of(picture, &tree->names[i]);
	}
	return picture->classes != NULL;
}

static void add_negative(struct prof_picture *picture)
{
	struct prof_buf *out = &picture->notes;
	const struct prof_layout *layout = &picture->layout;
	bool one = layout->negative_count == 1;

	if (layout->negative_count > 0) {
		prof_buf_addc(out, '-');
		prof_picture_add_value(out, picture, layout->negative);
		prof_buf_adds(out, " in ");
		prof_quantity_add_count(out, layout->negative_count);
		prof_buf_adds(out, one ? " frame is" : " frames are");
		prof_buf_adds(out, " negative and not drawn\n");
	}
}

/* The texts above the boxes, and the size of what holds them. */
static bool write_head(struct prof_picture *picture)
{
	const struct prof_picture_options *o = &picture->options;
	uint32_t lines = 1u + (o->subtitle.len > 0) + picture->by_kind;

	prof_text_escape(&picture->title, o->title);
	if (o->title.len == 0) {
		prof_text_escape(&picture->title, o->type);
		prof_buf_adds(&picture->title, " (");
		prof_text_escape(&picture->title, o->unit);
		prof_buf_adds(&picture->title, ")");
	}
	add_negative(picture);
	for (size_t i = 0; i < picture->notes.len; i++) {
		lines += picture->notes.data[i] == '\n';
	}
	picture->font = o->row * 3 / 4;
	picture->head = PROF_PICTURE_TITLE_LINE + lines * PROF_PICTURE_HEAD_LINE + 12;
	picture->rows = picture->boxes.row_count > 0 ? picture->boxes.row_count : 1;
	picture->height =
		picture->head + (uint64_t)picture->rows * o->row + PROF_PICTURE_FOOT;
	return !picture->title.failed && !picture->notes.failed;
}

static struct prof_picture_options with_defaults(
	const struct prof_picture_options *options)
{
	struct prof_picture_options full = *options;

	full.width = full.width > 0 ? full.width : PROF_PICTURE_WIDTH;
	full.row = full.row > 0 ? full.row : PROF_PICTURE_ROW;
	full.static_max =
		full.static_max > 0 ? full.static_max : PROF_PICTURE_STATIC_MAX;
	return full;
}

bool prof_picture_init(struct prof_picture *picture, const struct prof_calltree *tree,
		       const struct prof_picture_options *options,
		       struct prof_error *err)
{
	struct prof_picture made = { .tree = tree, .options = with_defaults(options) };

	if (!lay_out(&made, err)) {
		prof_picture_free(&made);
		return false;
	}
	if (!choose_colors(&made) || !write_head(&made)) {
		prof_picture_free(&made);
		return prof_fail_nomem(err);
	}
	*picture = made;
	return true;
}

void prof_picture_free(struct prof_picture *picture)
{
	prof_layout_free(&picture->layout);
	prof_boxes_free(&picture->boxes);
	prof_free(picture->classes);
	prof_buf_free(&picture->title);
	prof_buf_free(&picture->notes);
	*picture = (struct prof_picture){ 0 };
}

struct prof_picture_edges prof_picture_edges(const struct prof_picture *picture,
					     const struct prof_box *box)
{
	const struct prof_layout *layout = &picture->layout;
	uint64_t pad = 10 * PROF_PICTURE_PAD;
	uint64_t span = (uint64_t)(picture->options.width - 2 * PROF_PICTURE_PAD) * 10;

	return (struct prof_picture_edges){
		.left = prof_layout_place(layout, box->start, span) + pad,
		.right = prof_layout_place(layout, box->start + box->width, span) + pad,
	};
}

uint64_t prof_picture_filled(struct prof_picture_edges edges)
{
	uint64_t width = edges.right - edges.left;

	return width >= 30 ? width - 5 : width;
}

uint64_t prof_picture_top(const struct prof_picture *picture, uint32_t row)
{
	uint32_t from_top = picture->options.icicle ? row : picture->rows - 1 - row;

	return picture->head + (uint64_t)from_top * picture->options.row;
}

void prof_picture_add_label(struct prof_buf *out, const struct prof_picture *picture,
			    const struct prof_box *box)
{
	struct prof_picture_edges edges = prof_picture_edges(picture, box);
	uint64_t room = edges.right - edges.left;
	uint64_t pad = 20 * PROF_PICTURE_LABEL_PAD;
	uint64_t cells = room > pad ? (room - pad) / (6 * picture->font) : 0;
	struct prof_buf name = { 0 };

	if (box->hidden > 0 || cells < LABEL_CHARS) {
		return;
	}
	prof_picture_add_name(&name, picture, picture->tree->nodes[box->node].name);
	prof_label_fit(out, (struct prof_text){ name.data, name.len }, (size_t)cells);
	out->failed |= name.failed;
	prof_buf_free(&name);
}
