/* SPDX-License-Identifier: MIT */
/*
 * line_profile.h - profiles written as lines of text, for tests.
 *
 *	main;run>inlined;?libc 2 30 key:value bytes=512
 *
 * Stacks root first, then the values of two columns, count/count and time/ns, then
 * labels. "run>inlined" is one location with two lines; "?libc" is an address in the
 * module /lib/libc without lines. The function f stands in src/f.c; a location's
 * address is 0x1000 times its number, in order of appearance, its line that number,
 * in the module /bin/prog.
 */
#ifndef TESTS_LINE_PROFILE_H
#define TESTS_LINE_PROFILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libprof/model/builder.h"
#include "libprof/model/profile.h"

enum {
	LINE_STRINGS = 256,
	LINE_LOCATIONS = 64,
	LINE_FRAMES = 64,
	LINE_LABELS = 8,
	LINE_STRING_MAX = 64,
};

struct line_maker {
	struct prof_sink *sink;
	struct prof_error err;
	char bytes[LINE_STRINGS][LINE_STRING_MAX];
	struct prof_text strings[LINE_STRINGS];
	uint32_t string_count;
	struct prof_text locations[LINE_LOCATIONS];
	uint32_t location_count;
};

static inline uint32_t line_string(struct line_maker *maker, struct prof_text text)
{
	for (uint32_t i = 0; i < maker->string_count; i++) {
		if (prof_text_equal(maker->strings[i], text)) {
			return i;
		}
	}
	assert_true(maker->string_count < LINE_STRINGS);
	maker->strings[maker->string_count] = text;
	return maker->string_count++;
}

/* Cut the text before `at` off `rest`. */
static inline struct prof_text line_cut(struct prof_text *rest, char at)
{
	const char *end = rest->len ? memchr(rest->data, at, rest->len) : NULL;
	struct prof_text head = { rest->data,
				  end ? (size_t)(end - rest->data) : rest->len };
	size_t used = head.len + (end != NULL);

	*rest = (struct prof_text){ rest->data + used, rest->len - used };
	return head;
}

static inline uint32_t line_location(struct line_maker *maker, struct prof_text text)
{
	for (uint32_t i = 0; i < maker->location_count; i++) {
		if (prof_text_equal(maker->locations[i], text)) {
			return i;
		}
	}
	assert_true(maker->location_count < LINE_LOCATIONS);
	maker->locations[maker->location_count] = text;
	return maker->location_count++;
}

/* Cut "key:text" or "key=number" into the key, which may hold ':', and the rest. */
static inline struct prof_text line_key(struct prof_text *label, bool *is_text)
{
	const char *at = memrchr(label->data, ':', label->len);
	struct prof_text key = *label;

	*is_text = at != NULL;
	at = at ? at : memchr(label->data, '=', label->len);
	assert_non_null(at);
	key.len = (size_t)(at - label->data);
	*label = (struct prof_text){ at + 1, label->len - key.len - 1 };
	return key;
}

/* "src/NAME.c" */
static inline uint32_t line_file(struct line_maker *maker, struct prof_text name)
{
	char *bytes = maker->bytes[maker->string_count];

	snprintf(bytes, LINE_STRING_MAX, "src/%.*s.c", (int)name.len, name.data);
	return line_string(maker, prof_text(bytes));
}

/* Learn all strings and locations of a line. */
static inline void line_learn(struct line_maker *maker, struct prof_text line)
{
	struct prof_text stack = line_cut(&line, ' ');

	while (stack.len > 0) {
		struct prof_text frame = line_cut(&stack, ';');

		line_location(maker, frame);
		while (frame.len > 0) {
			struct prof_text name = line_cut(&frame, '>');

			line_string(maker, name);
			line_file(maker, name);
		}
	}
	line_cut(&line, ' ');
	line_cut(&line, ' ');
	while (line.len > 0) {
		struct prof_text label = line_cut(&line, ' ');
		bool is_text = false;

		line_string(maker, line_key(&label, &is_text));
		line_string(maker, label);
	}
}

static inline void line_send_location(struct line_maker *maker, uint32_t at)
{
	struct prof_text text = maker->locations[at];
	bool bare = text.len > 0 && text.data[0] == '?';
	struct prof_line lines[8];
	struct prof_sink_location location = {
		.id = at + 1,
		.address = UINT64_C(0x1000) * (at + 1),
		.mapping = bare ? 1 : 0,
		.lines = lines,
	};

	while (!bare && text.len > 0) {
		struct prof_text name = line_cut(&text, '>');

		memmove(lines + 1, lines, location.line_count++ * sizeof(*lines));
		lines[0] = (struct prof_line){
			.function = line_string(maker, name),
			.line = at + 1,
		};
	}
	assert_true(maker->sink->location(maker->sink, &location, &maker->err));
}

/* One function per string: its name, in its file where there is one. */
static inline void line_send_tables(struct line_maker *maker)
{
	struct prof_mapping prog = { .id = 1,
				     .start = 0x1000,
				     .limit = 0x100000,
				     .file = line_string(maker,
							 prof_text("/bin/prog")) };
	struct prof_mapping libc = { .id = 2,
				     .start = 0x100000,
				     .limit = 0x200000,
				     .file = line_string(maker, prof_text("/lib/libc")),
				     .ref = 1 };
	struct prof_sink *sink = maker->sink;

	assert_true(
		sink->strings(sink, maker->strings, maker->string_count, &maker->err));
	assert_true(sink->mapping(sink, &prog, &maker->err));
	assert_true(sink->mapping(sink, &libc, &maker->err));
	for (uint32_t i = 0; i < maker->string_count; i++) {
		char bytes[LINE_STRING_MAX + 8];
		struct prof_function function = { .id = i + 1, .name = i };

		snprintf(bytes, sizeof(bytes), "src/%.*s.c", (int)maker->strings[i].len,
			 maker->strings[i].data);
		for (uint32_t k = 0; k < maker->string_count; k++) {
			if (prof_text_equal(maker->strings[k], prof_text(bytes))) {
				function.file = k;
			}
		}
		assert_true(sink->function(sink, &function, &maker->err));
	}
	for (uint32_t i = 0; i < maker->location_count; i++) {
		line_send_location(maker, i);
	}
}

static inline int64_t line_number(struct prof_text text)
{
	return strtoll(text.data, NULL, 10);
}

static inline void line_send_sample(struct line_maker *maker, struct prof_text line)
{
	struct prof_text stack = line_cut(&line, ' ');
	int64_t values[2];
	uint32_t frames[LINE_FRAMES];
	uint32_t depth = 0;
	struct prof_label labels[LINE_LABELS];
	uint32_t label_count = 0;
	struct prof_batch batch = { .count = 1,
				    .frames = frames,
				    .ends = &depth,
				    .values = values,
				    .labels = labels,
				    .label_ends = &label_count };

	values[0] = line_number(line_cut(&line, ' '));
	values[1] = line_number(line_cut(&line, ' '));
	while (stack.len > 0) {
		memmove(frames + 1, frames, depth++ * sizeof(*frames));
		frames[0] = line_location(maker, line_cut(&stack, ';'));
	}
	while (line.len > 0) {
		struct prof_text text = line_cut(&line, ' ');
		bool is_text = false;
		struct prof_label label = { .key = line_string(
						    maker, line_key(&text, &is_text)) };

		if (is_text) {
			label.text = line_string(maker, text);
		} else {
			label.number = line_number(text);
		}
		labels[label_count++] = label;
	}
	assert_true(maker->sink->samples(maker->sink, &batch, &maker->err));
}

/* The profile of the lines of `text`. */
static inline struct prof_profile *line_profile(const char *text)
{
	struct line_maker *maker = calloc(1, sizeof(*maker));
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_value_type types[2];
	struct prof_header header = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_text rest = prof_text(text);

	assert_non_null(maker);
	assert_non_null(builder);
	maker->sink = prof_builder_sink(builder);
	line_string(maker, prof_text(""));
	while (rest.len > 0) {
		line_learn(maker, line_cut(&rest, '\n'));
	}
	types[0].type = types[0].unit = line_string(maker, prof_text("count"));
	types[1].type = line_string(maker, prof_text("time"));
	types[1].unit = line_string(maker, prof_text("ns"));
	assert_true(maker->sink->begin(maker->sink, &maker->err));
	line_send_tables(maker);
	assert_true(maker->sink->types(maker->sink, types, 2, &maker->err));
	for (rest = prof_text(text); rest.len > 0;) {
		line_send_sample(maker, line_cut(&rest, '\n'));
	}
	assert_true(maker->sink->end(maker->sink, &header, &maker->err));
	assert_true(prof_builder_finish(builder, &profile, &maker->err));
	prof_builder_free(builder);
	free(maker);
	return profile;
}

#endif
