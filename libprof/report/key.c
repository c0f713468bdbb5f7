/* SPDX-License-Identifier: MIT */
#include "libprof/report/key.h"

#include <inttypes.h>

struct prof_text prof_key_module(struct prof_text mapping)
{
	size_t end = mapping.len;
	size_t start = 0;

	while (end > 0 && mapping.data[end - 1] == '/') {
		end--;
	}
	for (start = end; start > 0 && mapping.data[start - 1] != '/'; start--) {
	}
	return end > 0 ? (struct prof_text){ mapping.data + start, end - start }
		       : (struct prof_text){ "", 0 };
}

static void add(struct prof_buf *out, struct prof_text text)
{
	prof_buf_add(out, text.data, text.len);
}

/* What stands for a missing name. The kernel's modules bring their own brackets. */
static void add_unknown(struct prof_buf *out, struct prof_text mapping)
{
	struct prof_text module = prof_key_module(mapping);

	if (module.len == 0) {
		prof_buf_adds(out, "<unknown>");
	} else if (module.data[0] == '[') {
		add(out, module);
	} else {
		prof_buf_addc(out, '[');
		add(out, module);
		prof_buf_addc(out, ']');
	}
}

static void add_place(struct prof_buf *out, const struct prof_key_frame *frame)
{
	bool placed = frame->line != 0 || frame->file.len > 0;

	if (frame->name.len > 0) {
		add(out, frame->name);
	} else if (!placed) {
		add_unknown(out, frame->mapping);
	}
	if (!placed) {
		return;
	}
	if (frame->name.len > 0) {
		prof_buf_addc(out, ' ');
	}
	add(out, frame->file);
	if (frame->line != 0) {
		prof_buf_addc(out, ':');
		prof_buf_add_int(out, frame->line);
	}
}

static void add_or_unknown(struct prof_buf *out, struct prof_text text,
			   struct prof_text mapping)
{
	if (text.len > 0) {
		add(out, text);
	} else {
		add_unknown(out, mapping);
	}
}

void prof_key_add(struct prof_buf *out, enum prof_by by,
		  const struct prof_key_frame *frame)
{
	switch (by) {
	case PROF_BY_FILE:
		add_or_unknown(out, frame->file, frame->mapping);
		break;
	case PROF_BY_LINE:
		add_place(out, frame);
		break;
	case PROF_BY_ADDRESS:
		if (frame->address != 0) {
			prof_buf_addf(out, "%016" PRIx64 " ", frame->address);
		}
		add_place(out, frame);
		break;
	case PROF_BY_MODULE:
		add_or_unknown(out, prof_key_module(frame->mapping), frame->mapping);
		break;
	case PROF_BY_FUNCTION:
	case PROF_BY_LABEL:
		add_or_unknown(out, frame->name, frame->mapping);
		break;
	}
}

struct prof_key_frame prof_key_frame(const struct prof_profile *profile,
				     uint32_t location, uint32_t line)
{
	const struct prof_location *at = &profile->locations[location];
	struct prof_key_frame frame = { .address = at->address };

	if (at->mapping != PROF_NONE) {
		frame.mapping =
			prof_string(profile, profile->mappings[at->mapping].file);
	}
	if (line != PROF_NONE) {
		const struct prof_line *of = &profile->lines[line];
		const struct prof_function *function =
			&profile->functions[of->function];

		frame.name = prof_string(profile, function->name);
		frame.file = prof_string(profile, function->file);
		frame.line = of->line;
	}
	return frame;
}

static void add_value(struct prof_buf *out, const struct prof_text *strings,
		      const struct prof_label *label)
{
	if (label->text != 0) {
		add(out, strings[label->text]);
		return;
	}
	prof_buf_add_int(out, label->number);
	if (label->unit != 0) {
		prof_buf_addc(out, ' ');
		add(out, strings[label->unit]);
	}
}

/* Texts come before numbers, whatever order they are in, as a profile has them. */
void prof_key_add_label(struct prof_buf *out, struct prof_text key,
			const struct prof_text *strings, struct prof_labels labels)
{
	bool found = false;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < labels.count; i++) {
			const struct prof_label *label = &labels.data[i];

			if ((label->text == 0) != (pass == 1) ||
			    !prof_text_equal(strings[label->key], key)) {
				continue;
			}
			if (found) {
				prof_buf_addc(out, ',');
			}
			found = true;
			add_value(out, strings, label);
		}
	}
	if (!found) {
		prof_buf_adds(out, "(no ");
		add(out, key);
		prof_buf_addc(out, ')');
	}
}
