/* SPDX-License-Identifier: MIT */
#include "formats/render/fg1.h"

#include <inttypes.h>

#include "formats/render/quantity.h"

enum {
	MAX_SHARED = 90,
	MAX_DIGITS = 13, /* of 64 bits */
};

static const char kind_letters[] = {
	[PROF_FRAME_OTHER] = '.',       [PROF_FRAME_KERNEL] = 'k',
	[PROF_FRAME_JIT] = 'j',         [PROF_FRAME_INLINED] = 'i',
	[PROF_FRAME_INTERPRETED] = '0', [PROF_FRAME_UNKNOWN] = '?',
};

static const char digits[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

/* Append what stands for the bytes at `data`; returns how many there are of them. */
static size_t add_unsafe(struct prof_buf *out, const char *data, size_t len)
{
	uint32_t code = 0;
	size_t n = prof_text_decode(data, len, &code);

	if (n > 0 && code >= 0xa0) {
		prof_buf_addf(out, "\\u{%04" PRIX32 "}", code);
		return n;
	}
	prof_text_escape(out, (struct prof_text){ data, 1 });
	return 1;
}

static bool closes_cdata(const struct prof_buf *out)
{
	return out->len >= 2 && out->data[out->len - 1] == ']' &&
	       out->data[out->len - 2] == ']';
}

/* Whether the character after what is in `out` would end or upset a script in HTML. */
static bool opens_markup(const struct prof_buf *out, char c)
{
	return (c == '/' || c == '!') && out->len >= 1 &&
	       out->data[out->len - 1] == '<';
}

static void add_text(struct prof_buf *out, struct prof_text text)
{
	for (size_t i = 0; i < text.len;) {
		size_t n = prof_text_printable(text.data + i, text.len - i);

		if (n == 0) {
			i += add_unsafe(out, text.data + i, text.len - i);
			continue;
		}
		if (text.data[i] == '\\') {
			prof_buf_adds(out, "\\\\");
		} else if (text.data[i] == '>' && closes_cdata(out)) {
			prof_buf_adds(out, "\\x3e");
		} else if (opens_markup(out, text.data[i])) {
			prof_buf_addf(out, "\\x%02x", (unsigned)text.data[i]);
		} else {
			prof_buf_add(out, text.data + i, n);
		}
		i += n;
	}
}

static void add_field(struct prof_buf *out, const char *key, struct prof_text value)
{
	prof_buf_addf(out, "%s=", key);
	add_text(out, value);
	prof_buf_addc(out, '\n');
}

/*
 * How much of the name before `text` begins with, where both escape to themselves: a
 * byte is a character then, for C and for JavaScript.
 */
static size_t shared(struct prof_text before, struct prof_text text)
{
	size_t n = 0;

	while (n < before.len && n < text.len && n < MAX_SHARED &&
	       before.data[n] == text.data[n] && text.data[n] >= ' ' &&
	       text.data[n] < 0x7f && text.data[n] != '\\' && text.data[n] != '>' &&
	       (n == 0 || text.data[n - 1] != '<' || !strchr("/!", text.data[n]))) {
		n++;
	}
	/* The number is written as a character, which must not be a '<' itself. */
	return n == '<' - ' ' ? n - 1 : n;
}

static void add_names(struct prof_buf *out, const struct prof_picture *picture)
{
	const struct prof_calltree *tree = picture->tree;
	struct prof_text before = { "", 0 };

	prof_buf_addf(out, "names %" PRIu32 "\n", tree->name_count);
	for (uint32_t i = 0; i < tree->name_count; i++) {
		struct prof_text name = tree->names[i].text;
		size_t same = shared(before, name);

		prof_buf_addc(out, (char)(' ' + same));
		add_text(out, (struct prof_text){ name.data + same, name.len - same });
		prof_buf_addc(out, '\n');
		before = name;
	}
	prof_buf_adds(out, "kinds\n");
	for (uint32_t i = 0; i < tree->name_count; i++) {
		prof_buf_addc(out, kind_letters[tree->names[i].kind]);
	}
	prof_buf_adds(out, "\ncolors\n");
	for (uint32_t i = 0; i < tree->name_count; i++) {
		prof_buf_addc(out, (char)('0' + picture->classes[i]));
	}
	prof_buf_addc(out, '\n');
}

static char *put_number(char *at, uint64_t value)
{
	for (; value >= 32; value >>= 5) {
		*at++ = digits[32 + (value & 31)];
	}
	*at++ = digits[value];
	return at;
}

static uint64_t above_zero(int64_t value)
{
	return value > 0 ? (uint64_t)value : 0;
}

/* The largest number that divides every value: a sampling period, most often. */
static uint64_t common_factor(const struct prof_calltree *tree)
{
	uint64_t factor = 0;

	for (uint32_t i = 0; i < tree->node_count && factor != 1; i++) {
		uint64_t rest = above_zero(tree->self[0][i]);

		while (rest > 0) {
			uint64_t next = factor % rest;

			factor = rest;
			rest = next;
		}
	}
	return factor > 0 ? factor : 1;
}

static void add_frames(struct prof_buf *out, const struct prof_picture *picture,
		       uint64_t scale)
{
	const struct prof_calltree *tree = picture->tree;
	uint32_t depth = UINT32_MAX; /* so that the root goes up by 0 */

	prof_buf_addf(out, "frames %" PRIu32 "\n", picture->layout.shown);
	for (uint32_t i = 0; i < tree->node_count; i++) {
		char *at = NULL;

		if (picture->layout.width[i] == 0) {
			continue;
		}
		if (!prof_buf_reserve(out, 3 * (size_t)MAX_DIGITS)) {
			return;
		}
		at = out->data + out->len;
		at = put_number(at, tree->nodes[i].name);
		at = put_number(at, depth + 1 - tree->nodes[i].depth);
		at = put_number(at, above_zero(tree->self[0][i]) / scale);
		out->len = (size_t)(at - out->data);
		depth = tree->nodes[i].depth;
	}
	prof_buf_addc(out, '\n');
}

/* "ns 1,µs 1000,...": how a viewer shows values; empty when they are only counted. */
static void add_ladder(struct prof_buf *out, struct prof_text unit)
{
	const struct prof_quantity_step *step = prof_quantity_ladder(unit);
	const char *comma = "";

	prof_buf_adds(out, "sizes=");
	for (; step && step->name; step++) {
		prof_buf_addf(out, "%s%s %" PRIu64, comma, step->name, step->factor);
		comma = ",";
	}
	prof_buf_addc(out, '\n');
}

void prof_fg1_write(struct prof_buf *out, const struct prof_picture *picture)
{
	const struct prof_layout *layout = &picture->layout;
	const struct prof_picture_options *o = &picture->options;
	uint64_t scale = common_factor(picture->tree);

	prof_buf_adds(out, "fg1\n");
	add_field(out, "type", o->type);
	add_field(out, "unit", o->unit);
	add_field(out, "noun", prof_quantity_noun(o->type, o->unit));
	add_ladder(out, o->unit);
	prof_buf_addf(out, "scale=%" PRIu64 "\ntotal=%" PRIu64 "\n", scale,
		      layout->total / scale);
	prof_buf_addf(out, "negative=%" PRIu64 "\nnegatives=%" PRIu32 "\n",
		      layout->negative, layout->negative_count);
	prof_buf_addf(out, "order=name\nroot=%s\nfirst=%s\n",
		      o->icicle ? "top" : "bottom", o->leaf_first ? "leaf" : "root");
	add_field(out, "title",
		  (struct prof_text){ picture->title.data, picture->title.len });
	add_names(out, picture);
	add_frames(out, picture, scale);
}
