/* SPDX-License-Identifier: MIT */
#include "libprof/report/frames.h"

#include <stdlib.h>

#include "libprof/base/alloc.h"

/* What some occurrence of a name was. */
enum {
	MARK_KERNEL = 1 << 0,
	MARK_JIT = 1 << 1,
	MARK_INTERPRETED = 1 << 2,
	MARK_INLINED = 1 << 3, /* annotated so */
	MARK_OUTER = 1 << 4,   /* a real frame, not inlined into another */
	MARK_NAMED = 1 << 5,
	MARK_FRAME = 1 << 6, /* of a stack: labels have no kind */
	MARK_USED = 1 << 7,  /* "" is in every table of strings, used or not */
};

static bool starts_with(struct prof_text text, const char *prefix)
{
	size_t len = strlen(prefix);

	return text.len >= len && memcmp(text.data, prefix, len) == 0;
}

static bool ends_with(struct prof_text text, const char *suffix)
{
	size_t len = strlen(suffix);

	return text.len >= len && memcmp(text.data + text.len - len, suffix, len) == 0;
}

/* As perf, bpf tools and dtrace call the kernel and its modules. */
static bool is_kernel(struct prof_text mapping)
{
	struct prof_text module = prof_key_module(mapping);

	return starts_with(module, "[kernel") || starts_with(module, "[guest.kernel") ||
	       starts_with(module, "vmlinux") || ends_with(module, ".ko") ||
	       ends_with(module, ".ko.xz") || ends_with(module, ".ko.zst") ||
	       ends_with(module, ".ko.gz");
}

/* The annotations of stackcollapse-perf.pl and async-profiler: name_[k]. */
static uint8_t annotation(struct prof_text name)
{
	if (name.len < 5 || name.data[name.len - 1] != ']' ||
	    name.data[name.len - 3] != '[' || name.data[name.len - 4] != '_') {
		return 0;
	}
	switch (name.data[name.len - 2]) {
	case 'k':
		return MARK_KERNEL;
	case 'j':
	case '1':
		return MARK_JIT;
	case 'i':
		return MARK_INLINED;
	case '0':
		return MARK_INTERPRETED;
	default:
		return 0;
	}
}

static enum prof_frame_kind kind_of(uint8_t mark)
{
	if (!(mark & MARK_FRAME)) {
		return PROF_FRAME_OTHER;
	}
	if (mark & MARK_KERNEL) {
		return PROF_FRAME_KERNEL;
	}
	if (!(mark & MARK_NAMED)) {
		return PROF_FRAME_UNKNOWN;
	}
	if (mark & MARK_JIT) {
		return PROF_FRAME_JIT;
	}
	if (mark & MARK_INTERPRETED) {
		return PROF_FRAME_INTERPRETED;
	}
	return (mark & MARK_INLINED) || !(mark & MARK_OUTER) ? PROF_FRAME_INLINED
							     : PROF_FRAME_OTHER;
}

/* The id of the name in the scratch buffer. */
static bool intern(struct prof_frame_names *names, uint8_t mark, uint32_t *name,
		   struct prof_error *err)
{
	struct prof_text text = { names->scratch.data, names->scratch.len };
	uint32_t id = prof_strings_add(&names->strings, text);

	if (names->scratch.failed || names->strings.failed ||
	    !prof_reserve((void **)&names->marks, &names->mark_cap, (size_t)id + 1,
			  sizeof(*names->marks))) {
		return prof_fail_nomem(err);
	}
	while (names->mark_count <= id) {
		names->marks[names->mark_count++] = 0;
	}
	names->marks[id] |= mark | MARK_USED;
	*name = id;
	return true;
}

static bool is_named(enum prof_by by, const struct prof_key_frame *frame)
{
	switch (by) {
	case PROF_BY_FILE:
		return frame->file.len > 0;
	case PROF_BY_MODULE:
		return prof_key_module(frame->mapping).len > 0;
	case PROF_BY_LINE:
	case PROF_BY_ADDRESS:
		return frame->name.len > 0 || frame->file.len > 0;
	case PROF_BY_FUNCTION:
	case PROF_BY_LABEL:
		break;
	}
	return frame->name.len > 0;
}

/* Whether a line is a call that was compiled into its caller: all but the last are. */
static bool is_inlined(const struct prof_profile *profile, enum prof_by by,
		       uint32_t location, uint32_t line)
{
	uint32_t last = profile->locations[location + 1].first_line - 1;

	return line != PROF_NONE && line != last && by != PROF_BY_FILE &&
	       by != PROF_BY_MODULE;
}

static bool name_frame(struct prof_frame_names *names,
		       const struct prof_profile *profile, enum prof_by by,
		       uint32_t location, uint32_t line, uint32_t *name,
		       struct prof_error *err)
{
	struct prof_key_frame frame = prof_key_frame(profile, location, line);
	uint8_t mark = MARK_FRAME;

	mark |= is_kernel(frame.mapping) ? MARK_KERNEL : 0;
	mark |= is_named(by, &frame) ? MARK_NAMED : 0;
	mark |= is_inlined(profile, by, location, line) ? 0 : MARK_OUTER;
	if (line != PROF_NONE) {
		uint32_t function = profile->lines[line].function;

		mark |= annotation(frame.name);
		mark |= annotation(
			prof_string(profile, profile->functions[function].system_name));
	}
	prof_buf_clear(&names->scratch);
	prof_key_add(&names->scratch, by, &frame);
	return intern(names, mark, name, err);
}

static bool name_location(struct prof_frame_names *names,
			  const struct prof_profile *profile, enum prof_by by,
			  uint32_t location, uint32_t *out, struct prof_error *err)
{
	uint32_t line = profile->locations[location].first_line;
	uint32_t end = profile->locations[location + 1].first_line;

	if (line == end || by == PROF_BY_MODULE) {
		line = line == end ? PROF_NONE : end - 1;
		return name_frame(names, profile, by, location, line, out, err);
	}
	for (; line < end; line++) {
		if (!name_frame(names, profile, by, location, line, out++, err)) {
			return false;
		}
	}
	return true;
}

/* Where each location's frames will stand. Inlined calls are in the same module. */
static bool lay_out(const struct prof_profile *profile, enum prof_by by,
		    const bool *used, struct prof_frame_table *table,
		    struct prof_error *err)
{
	uint32_t count = profile->location_count;
	uint64_t at = 0;

	table->first =
		prof_realloc_array(NULL, (size_t)count + 1, sizeof(*table->first));
	if (!table->first) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < count; i++) {
		size_t lines = prof_location_lines(profile, i).count;

		table->first[i] = at;
		if (used[i] && by != PROF_BY_LABEL) {
			at += lines > 0 && by != PROF_BY_MODULE ? lines : 1;
		}
	}
	table->first[count] = at;
	table->names = prof_realloc_array(NULL, (size_t)at, sizeof(*table->names));
	return table->names || prof_fail_nomem(err);
}

bool prof_frames_add(struct prof_frame_names *names, const struct prof_profile *profile,
		     enum prof_by by, const bool *used, struct prof_frame_table *table,
		     struct prof_error *err)
{
	if (!lay_out(profile, by, used, table, err)) {
		prof_frame_table_free(table);
		return false;
	}
	for (uint32_t i = 0; i < profile->location_count; i++) {
		if (table->first[i] < table->first[i + 1] &&
		    !name_location(names, profile, by, i,
				   table->names + table->first[i], err)) {
			prof_frame_table_free(table);
			return false;
		}
	}
	return true;
}

bool prof_frames_add_label(struct prof_frame_names *names,
			   const struct prof_profile *profile, uint32_t set,
			   struct prof_text key, uint32_t *name, struct prof_error *err)
{
	prof_buf_clear(&names->scratch);
	prof_key_add_label(&names->scratch, key, profile->strings,
			   prof_label_set(profile, set));
	return intern(names, 0, name, err);
}

struct ranked {
	struct prof_text text;
	uint32_t id;
};

static int compare_texts(const void *left, const void *right)
{
	const struct ranked *a = left;
	const struct ranked *b = right;

	return prof_text_compare(a->text, b->text);
}

static struct ranked *sort_names(const struct prof_frame_names *names, uint32_t *count)
{
	struct ranked *sorted = prof_alloc_array(names->mark_count, sizeof(*sorted));
	uint32_t n = 0;

	for (uint32_t id = 0; sorted && id < names->mark_count; id++) {
		if (names->marks[id] & MARK_USED) {
			sorted[n++] = (struct ranked){ names->strings.items[id], id };
		}
	}
	if (n > 1) {
		qsort(sorted, n, sizeof(*sorted), compare_texts);
	}
	*count = n;
	return sorted;
}

bool prof_frames_rank(struct prof_frame_names *names, struct prof_arena *arena,
		      struct prof_tree_name **sorted, uint32_t *count,
		      struct prof_error *err)
{
	uint32_t used = 0;
	struct ranked *order = sort_names(names, &used);
	struct prof_tree_name *out = NULL;

	*arena = names->strings.bytes;
	names->strings.bytes = (struct prof_arena){ 0 };
	names->rank = prof_alloc_array(names->mark_count, sizeof(*names->rank));
	out = prof_arena_array(arena, (size_t)used + 1, sizeof(*out));
	if (!order || !names->rank || !out) {
		prof_free(order);
		return prof_fail_nomem(err);
	}
	out[0].text = prof_text("all");
	for (uint32_t i = 0; i < used; i++) {
		uint32_t id = order[i].id;

		out[i + 1].text = order[i].text;
		out[i + 1].kind = kind_of(names->marks[id]);
		names->rank[id] = i + 1;
	}
	prof_free(order);
	*sorted = out;
	*count = used + 1;
	return true;
}

void prof_frame_table_free(struct prof_frame_table *table)
{
	prof_free(table->first);
	prof_free(table->names);
	*table = (struct prof_frame_table){ 0 };
}

void prof_frame_names_free(struct prof_frame_names *names)
{
	prof_strings_free(&names->strings);
	prof_free(names->marks);
	prof_free(names->rank);
	prof_buf_free(&names->scratch);
	*names = (struct prof_frame_names){ 0 };
}
