/* SPDX-License-Identifier: MIT */
#include "formats/render/markup.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>

enum {
	RAW_CHUNK = 1 << 20 /* bytes; the writer counts in int */
};

static const xmlChar *chars(const char *text)
{
	return (const xmlChar *)text;
}

static int take_bytes(void *context, const char *data, int len)
{
	struct prof_buf *out = context;

	prof_buf_add(out, data, (size_t)len);
	return len; /* the buffer remembers that it failed; libxml2 would print it */
}

bool prof_markup_init(struct prof_markup *xml, struct prof_buf *out, bool indented,
		      struct prof_error *err)
{
	xmlOutputBufferPtr io = xmlOutputBufferCreateIO(take_bytes, NULL, out, NULL);
	xmlTextWriterPtr writer = io ? xmlNewTextWriter(io) : NULL;

	if (!writer) {
		if (io) {
			xmlOutputBufferClose(io);
		}
		return prof_fail_nomem(err);
	}
	if (indented) {
		xmlTextWriterSetIndent(writer, 1);
		xmlTextWriterSetIndentString(writer, chars("\t"));
	}
	*xml = (struct prof_markup){
		.writer = writer,
		.out = out,
		.indented = indented,
	};
	return true;
}

bool prof_markup_finish(struct prof_markup *xml)
{
	xml->failed |= xmlTextWriterEndDocument(xml->writer) < 0;
	xmlFreeTextWriter(xml->writer);
	prof_buf_free(&xml->text);
	return !xml->failed && !xml->out->failed;
}

void prof_markup_open(struct prof_markup *xml, const char *name)
{
	xml->failed |= xmlTextWriterStartElement(xml->writer, chars(name)) < 0;
}

void prof_markup_close(struct prof_markup *xml)
{
	xml->failed |= xmlTextWriterEndElement(xml->writer) < 0;
}

void prof_markup_close_full(struct prof_markup *xml)
{
	xml->failed |= xmlTextWriterFullEndElement(xml->writer) < 0;
}

void prof_markup_attr(struct prof_markup *xml, const char *name, const char *value)
{
	xml->failed |=
		xmlTextWriterWriteAttribute(xml->writer, chars(name), chars(value)) < 0;
}

void prof_markup_number(struct prof_markup *xml, const char *name, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	prof_markup_attr(xml, name, digits);
}

struct prof_buf *prof_markup_text(struct prof_markup *xml)
{
	prof_buf_clear(&xml->text);
	return &xml->text;
}

/* The text as a C string. */
static const char *text_of(struct prof_markup *xml)
{
	prof_buf_addc(&xml->text, '\0');
	xml->failed |= xml->text.failed;
	return xml->text.failed ? "" : xml->text.data;
}

void prof_markup_put(struct prof_markup *xml)
{
	const char *text = text_of(xml);

	xml->failed |= xmlTextWriterWriteString(xml->writer, chars(text)) < 0;
}

void prof_markup_put_attr(struct prof_markup *xml, const char *name)
{
	prof_markup_attr(xml, name, text_of(xml));
}

void prof_markup_put_cdata(struct prof_markup *xml)
{
	xml->failed |= xml->text.failed;
	prof_markup_cdata(xml, xml->text.data, xml->text.failed ? 0 : xml->text.len);
}

static void put_raw(struct prof_markup *xml, const unsigned char *bytes, size_t len)
{
	while (len > 0 && !xml->failed) {
		size_t n = len < RAW_CHUNK ? len : RAW_CHUNK;

		xml->failed |= xmlTextWriterWriteRawLen(xml->writer, bytes, (int)n) < 0;
		bytes += n;
		len -= n;
	}
}

void prof_markup_cdata(struct prof_markup *xml, const void *data, size_t len)
{
	xml->failed |= xmlTextWriterStartCDATA(xml->writer) < 0;
	put_raw(xml, data, len);
	xml->failed |= xmlTextWriterEndCDATA(xml->writer) < 0;
}

void prof_markup_put_raw(struct prof_markup *xml)
{
	xml->failed |= xml->text.failed;
	put_raw(xml, (const unsigned char *)xml->text.data, xml->text.len);
}

void prof_markup_line(struct prof_markup *xml)
{
	if (!xml->indented) {
		xml->failed |= xmlTextWriterWriteRaw(xml->writer, chars("\n")) < 0;
	}
}
