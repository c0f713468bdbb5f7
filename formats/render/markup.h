/* SPDX-License-Identifier: MIT */
/*
 * markup.h - XML elements, attributes and text into a buffer, by xmlTextWriter.
 *
 * The only way from a name to a picture: everything is escaped here, for the place it
 * goes to. Texts must be printable (see prof_text_escape()): XML has no way to write
 * most control characters.
 *
 *	struct prof_markup xml = { 0 };
 *
 *	if (!prof_markup_init(&xml, &out, false, &err))
 *	prof_markup_open(&xml, "text");
 *	prof_markup_number(&xml, "x", 10);
 *	prof_text_escape(prof_markup_text(&xml), name);
 *	prof_markup_put(&xml);
 *	prof_markup_close(&xml);
 *	ok = prof_markup_finish(&xml);
 *
 * Failure is sticky, as in buf.h.
 */
#ifndef PROF_RENDER_MARKUP_H
#define PROF_RENDER_MARKUP_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"

struct _xmlTextWriter;

struct prof_markup {
	struct _xmlTextWriter *writer;
	struct prof_buf *out;
	struct prof_buf text; /* what the next put is made of */
	bool indented;
	bool failed;
};

/*
 * Begin a document at the end of `out`. `indented`: elements in lines of their own. For
 * HTML write the DOCTYPE first and let elements that are never empty end in full.
 */
bool prof_markup_init(struct prof_markup *xml, struct prof_buf *out, bool indented,
		      struct prof_error *err) PROF_NODISCARD;

/* End what is open and let go. False when anything failed since the beginning. */
bool prof_markup_finish(struct prof_markup *xml) PROF_NODISCARD;

void prof_markup_open(struct prof_markup *xml, const char *name);
void prof_markup_close(struct prof_markup *xml);

/* Close with an end tag even if it is empty: what HTML wants but for <br/> and its kin. */
void prof_markup_close_full(struct prof_markup *xml);

/* An attribute of the element just opened. */
void prof_markup_attr(struct prof_markup *xml, const char *name, const char *value);
void prof_markup_number(struct prof_markup *xml, const char *name, uint64_t value);

/* An empty buffer for the text of one of these; valid until then. */
struct prof_buf *prof_markup_text(struct prof_markup *xml);
void prof_markup_put(struct prof_markup *xml);
void prof_markup_put_attr(struct prof_markup *xml, const char *name);
void prof_markup_put_cdata(struct prof_markup *xml); /* must hold no "]]>" */

/* `len` bytes that hold no "]]>", as CDATA. */
void prof_markup_cdata(struct prof_markup *xml, const void *data, size_t len);

/* The text as it is: a script or style sheet in HTML. Must hold no "</". */
void prof_markup_put_raw(struct prof_markup *xml);

/* End a line of the source, unless indentation does that. */
void prof_markup_line(struct prof_markup *xml);

#endif
