/* SPDX-License-Identifier: MIT */
#include "formats/open.h"

#include <stdio.h>
#include <string.h>

#include "formats/budget.h"
#include "formats/gzip.h"
#include "formats/utf16.h"
#include "formats/zstd.h"
#include "libprof/base/alloc.h"

enum {
	MAGIC_SIZE = 10,         /* bytes that tell compression */
	HEAD_SIZE = 64 << 10,    /* bytes that tell the format */
	THREAD_FROM = 512 << 10, /* compressed bytes: below, a thread costs more */
	STAGES_MAX = PROF_MAX_LAYERS + 2,
};

/*
 * The caller's bytes, counted: those nobody compressed have a limit too. It passes
 * chunks on and cannot be filled from.
 */
struct meter {
	struct prof_source base;
	struct prof_source *inner; /* borrowed */
	struct prof_budget budget;
	uint64_t bytes;
};

/* What reads from the stage before, and a view of what it gives. */
struct stage {
	struct prof_source *source;
	struct prof_window window;
	uint64_t trailing;
};

struct prof_stream {
	struct stage stages[STAGES_MAX];
	size_t count;
	struct prof_limits limits;
	bool ahead; /* decompress on threads */
	size_t layers;
	char compression[8 * PROF_MAX_LAYERS];
	const struct prof_format *format;
};

static bool meter_next(struct prof_source *source, struct prof_chunk *chunk,
		       struct prof_error *err)
{
	struct meter *meter = (struct meter *)source;

	if (!meter->inner->next(meter->inner, chunk, err)) {
		return false;
	}
	meter->bytes += chunk->len;
	return prof_budget_check_plain(&meter->budget, meter->bytes, err);
}

static void meter_stop(struct prof_source *source)
{
	prof_source_stop(((struct meter *)source)->inner);
}

static void meter_free(struct prof_source *source)
{
	prof_free(source);
}

static struct prof_source *meter_new(struct prof_source *inner,
				     const struct prof_limits *limits)
{
	struct meter *meter = prof_alloc(sizeof(*meter));

	if (!meter) {
		return NULL;
	}
	*meter = (struct meter){
		.base = { .next = meter_next,
			  .free = meter_free,
			  .stop = meter_stop,
			  .size_hint = inner->size_hint },
		.inner = inner,
		.budget = prof_budget(limits),
	};
	return &meter->base;
}

static struct stage *last(struct prof_stream *stream)
{
	return &stream->stages[stream->count - 1];
}

/* Owns `source`, also on failure; NULL is out of memory. */
static bool add_stage(struct prof_stream *stream, struct prof_source *source,
		      struct prof_error *err)
{
	struct stage *stage = &stream->stages[stream->count];

	if (!source) {
		return prof_fail_nomem(err);
	}
	stage->source = source;
	stage->window = prof_window(source);
	stream->count++;
	return true;
}

struct magic {
	const char *name;
	const char *bytes;
	size_t len;
	const char *refusal; /* NULL: we decompress it */
};

#define BYTES(literal) literal, sizeof(literal) - 1

static const struct magic magics[] = {
	{ "gzip", BYTES("\x1f\x8b"), NULL },
	{ "zstd", BYTES("\x28\xb5\x2f\xfd"), NULL },
	{ "xz",
	  BYTES("\xfd"
		"7zXZ\0"),
	  "xz data; decompress it first: xz -dc FILE | fgtool ..." },
	{ "bzip2", BYTES("BZh"),
	  "bzip2 data; decompress it first: bzip2 -dc FILE | fgtool ..." },
	{ "lz4", BYTES("\x04\x22\x4d\x18"),
	  "lz4 data; decompress it first: lz4 -dc FILE | fgtool ..." },
	{ "zip", BYTES("PK\x03\x04"),
	  "a zip archive; unpack it first: unzip -p FILE | fgtool ..." },
};

/* A skippable frame may come first, bzip2 has its second magic behind the level. */
static bool matches(const struct magic *magic, const uint8_t *data, size_t len)
{
	if (strcmp(magic->name, "zstd") == 0 && len >= 4 && data[0] >= 0x50 &&
	    data[0] <= 0x5f && memcmp(data + 1, "\x2a\x4d\x18", 3) == 0) {
		return true;
	}
	if (len < magic->len || memcmp(data, magic->bytes, magic->len) != 0) {
		return false;
	}
	return strcmp(magic->name, "bzip2") != 0 ||
	       (len >= 10 && (memcmp(data + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0 ||
			      memcmp(data + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0));
}

static const struct magic *find_magic(const struct prof_window *in)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		if (matches(&magics[i], in->data, in->len)) {
			return &magics[i];
		}
	}
	return NULL;
}

static void note_layer(struct prof_stream *stream, const char *name)
{
	size_t len = strlen(stream->compression);

	snprintf(stream->compression + len, sizeof(stream->compression) - len, "%s%s",
		 len > 0 ? "+" : "", name);
	stream->layers++;
}

static bool add_layer(struct prof_stream *stream, const struct magic *magic,
		      struct prof_error *err)
{
	struct stage *from = last(stream);
	struct prof_source *source = NULL;

	if (magic->refusal) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED, "%s", magic->refusal);
	}
	if (stream->layers == PROF_MAX_LAYERS) {
		return prof_fail(err, PROF_ERR_LIMIT, "compressed more than %d times",
				 PROF_MAX_LAYERS);
	}
	note_layer(stream, magic->name);
	if (strcmp(magic->name, "gzip") == 0) {
		source = prof_gzip_source(&from->window, &stream->limits,
					  &from->trailing);
	} else {
		source = prof_zstd_source(&from->window, &stream->limits);
	}
	if (source && stream->ahead) {
		source = prof_source_ahead(source);
	}
	return add_stage(stream, source, err);
}

static bool decompress(struct prof_stream *stream, struct prof_error *err)
{
	const struct magic *magic = NULL;

	while (true) {
		if (!prof_window_need(&last(stream)->window, MAGIC_SIZE, err)) {
			return false;
		}
		magic = find_magic(&last(stream)->window);
		if (!magic) {
			return true;
		}
		if (!add_layer(stream, magic, err)) {
			return false;
		}
	}
}

/* The byte order marks begin no binary format of ours. */
static bool decode_text(struct prof_stream *stream, struct prof_error *err)
{
	struct prof_window *in = &last(stream)->window;
	bool big = false;

	if (in->len >= 3 && memcmp(in->data, "\xef\xbb\xbf", 3) == 0) {
		prof_window_skip(in, 3);
		return true;
	}
	big = in->len >= 2 && memcmp(in->data, "\xfe\xff", 2) == 0;
	if (!big && (in->len < 2 || memcmp(in->data, "\xff\xfe", 2) != 0)) {
		return true;
	}
	prof_window_skip(in, 2);
	return add_stage(stream, prof_utf16_source(in, big), err);
}

static bool detect(struct prof_stream *stream, struct prof_error *err)
{
	struct prof_window *in = &last(stream)->window;
	struct prof_head head = { 0 };

	if (!prof_window_need(in, HEAD_SIZE, err)) {
		return false;
	}
	head.data = in->data;
	head.len = in->len < HEAD_SIZE ? in->len : HEAD_SIZE;
	head.whole = in->ended && head.len == in->len;
	stream->format = prof_format_detect(head);
	if (!stream->format) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED, "%s",
				 prof_format_diagnose(head));
	}
	return true;
}

static bool prepare(struct prof_stream *stream, const struct prof_format *as,
		    struct prof_error *err)
{
	if (!decompress(stream, err) || !decode_text(stream, err)) {
		return false;
	}
	stream->format = as;
	return as || detect(stream, err);
}

bool prof_stream_open(struct prof_source *source, const struct prof_limits *limits,
		      const struct prof_format *as, struct prof_stream **out,
		      struct prof_error *err)
{
	struct prof_stream *stream = prof_alloc(sizeof(*stream));

	if (!stream) {
		return prof_fail_nomem(err);
	}
	*stream = (struct prof_stream){
		.limits = limits ? *limits : (struct prof_limits){ 0 },
		.ahead = source->size_hint == 0 || source->size_hint > THREAD_FROM,
	};
	if (!add_stage(stream, meter_new(source, limits), err) ||
	    !prepare(stream, as, err)) {
		prof_stream_free(stream);
		return false;
	}
	*out = stream;
	return true;
}

const struct prof_format *prof_stream_format(const struct prof_stream *stream)
{
	return stream->format;
}

const char *prof_stream_compression(const struct prof_stream *stream)
{
	return stream->layers > 0 ? stream->compression : "none";
}

/* A reader may stop at its last record; checksums and lengths come behind it. */
static bool drain(struct prof_window *in, struct prof_error *err)
{
	while (!in->ended) {
		prof_window_skip(in, in->len);
		if (!prof_window_more(in, err)) {
			return false;
		}
	}
	prof_window_skip(in, in->len);
	return true;
}

bool prof_stream_read(struct prof_stream *stream, struct prof_sink *sink,
		      struct prof_error *err)
{
	struct prof_window *in = &last(stream)->window;

	return stream->format->read(in, sink, err) && drain(in, err);
}

uint64_t prof_stream_bytes(const struct prof_stream *stream)
{
	return stream->stages[stream->count - 1].window.offset;
}

uint64_t prof_stream_trailing(const struct prof_stream *stream)
{
	uint64_t trailing = 0;

	for (size_t i = 0; i < stream->count; i++) {
		trailing += stream->stages[i].trailing;
	}
	return trailing;
}

/* From the last stage back, as each reads from the one before, maybe on a thread. */
void prof_stream_free(struct prof_stream *stream)
{
	if (!stream) {
		return;
	}
	for (size_t i = stream->count; i > 0; i--) {
		prof_source_free(stream->stages[i - 1].source);
		prof_window_free(&stream->stages[i - 1].window);
	}
	prof_free(stream);
}
