/* SPDX-License-Identifier: MIT */
#include "formats/memmap.h"

#include <stdlib.h>
#include <string.h>

#include "formats/legacy_text.h"
#include "libprof/base/alloc.h"

/* Where a program without position-independent code is linked to. */
#define PROGRAM_START UINT64_C(0x400000)

bool prof_memmap_is_heading(struct prof_text line)
{
	return prof_legacy_contains(line, "--- Memory map: ---") ||
	       prof_legacy_contains(line, "MAPPED_LIBRARIES:");
}

bool prof_memmap_skip_to(struct prof_text_lines *lines, struct prof_error *err)
{
	struct prof_text line;

	do {
		if (!prof_text_lines_next(lines, &line, err)) {
			return false;
		}
	} while (line.data && !prof_memmap_is_heading(line));
	return true;
}

static bool add(struct prof_memmap *map, const struct prof_mapping *mapping,
		struct prof_error *err)
{
	if (map->count == PROF_NONE - 1) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than 2^32 mappings");
	}
	if (!prof_reserve((void **)&map->items, &map->cap, map->count + (size_t)1,
			  sizeof(*map->items))) {
		return prof_fail_nomem(err);
	}
	map->items[map->count++] = *mapping;
	return true;
}

/* --- one line ---------------------------------------------------------------------- */

/* What a line says, as it stands there. Texts may be empty. */
struct entry {
	struct prof_text start;
	struct prof_text limit;
	struct prof_text permissions;
	struct prof_text offset;
	struct prof_text file;
	struct prof_text build_id;
};

static bool take_space_then(struct prof_cursor *cursor,
			    bool (*take)(struct prof_cursor *, struct prof_text *),
			    struct prof_text *out)
{
	struct prof_cursor at = *cursor;

	if (!prof_take_space(&at) || !take(&at, out)) {
		return false;
	}
	*cursor = at;
	return true;
}

static bool take_permissions(struct prof_cursor *cursor, struct prof_text *out)
{
	return prof_take_set(cursor, "-rwxp", out);
}

static bool take_hex_0x(struct prof_cursor *cursor, struct prof_text *out)
{
	struct prof_cursor at = *cursor;

	if (prof_take(&at, "0x") && prof_take_hex(&at, out)) {
		*cursor = at;
		return true;
	}
	return prof_take_hex(cursor, out);
}

/* START[-]END with any space between. */
static bool take_range(struct prof_cursor *cursor, struct entry *entry)
{
	struct prof_cursor at = *cursor;

	if (!take_hex_0x(&at, &entry->start)) {
		return false;
	}
	(void)prof_take(&at, "-");
	(void)prof_take_space(&at);
	if (!take_hex_0x(&at, &entry->limit)) {
		return false;
	}
	*cursor = at;
	return true;
}

/* One number whose last digit is the end: so a regular expression reads "100: /bin". */
static bool split_range(struct prof_cursor *cursor, struct entry *entry)
{
	struct prof_cursor at = *cursor;

	if (!take_hex_0x(&at, &entry->start) || entry->start.len < 2) {
		return false;
	}
	entry->start.len--;
	at.at--;
	*cursor = at;
	return take_hex_0x(cursor, &entry->limit);
}

/* MAJOR:MINOR INODE */
static bool take_device(struct prof_cursor *cursor)
{
	struct prof_cursor at = *cursor;
	struct prof_text text;

	if (!take_space_then(&at, prof_take_hex, &text) || !prof_take(&at, ":") ||
	    !prof_take_hex(&at, &text) ||
	    !take_space_then(&at, prof_take_digits, &text)) {
		return false;
	}
	*cursor = at;
	return true;
}

/* [:] [PERMISSIONS] [OFFSET] MAJOR:MINOR INODE [FILE], as in /proc/PID/maps. */
static bool take_proc(struct prof_cursor at, struct entry *entry)
{
	struct prof_cursor before;

	(void)prof_take(&at, ":");
	(void)take_space_then(&at, take_permissions, &entry->permissions);
	before = at;
	if (!take_space_then(&at, prof_take_hex, &entry->offset) || !take_device(&at)) {
		entry->offset.len = 0;
		at = before;
		if (!take_device(&at)) {
			return false;
		}
	}
	(void)take_space_then(&at, prof_take_word, &entry->file);
	return true;
}

/* START-END and the rest of a line of /proc/PID/maps. */
static bool parse_proc(struct prof_text line, struct entry *out)
{
	struct prof_cursor start = prof_cursor(line);
	struct prof_cursor at;

	(void)prof_take_space(&start);
	*out = (struct entry){ 0 };
	at = start;
	if (take_range(&at, out) && take_proc(at, out)) {
		return true;
	}
	*out = (struct entry){ 0 };
	at = start;
	return split_range(&at, out) && take_proc(at, out);
}

static bool take_offset(struct prof_cursor *cursor, struct prof_text *out)
{
	return prof_take(cursor, "(@") && prof_take_hex(cursor, out) &&
	       prof_take(cursor, ")");
}

/* START[-]END[:] [PERMISSIONS] [FILE] [(@OFFSET)] [BUILD ID] */
static bool parse_brief(struct prof_text line, struct entry *out)
{
	struct prof_cursor at = prof_cursor(line);
	struct prof_cursor before;
	struct entry entry = { 0 };

	(void)prof_take_space(&at);
	if (!take_range(&at, &entry) && !split_range(&at, &entry)) {
		return false;
	}
	(void)prof_take(&at, ":");
	(void)take_space_then(&at, take_permissions, &entry.permissions);
	(void)take_space_then(&at, prof_take_word, &entry.file);
	before = at;
	if (!take_space_then(&at, take_offset, &entry.offset)) {
		entry.offset.len = 0;
		at = before;
	}
	(void)take_space_then(&at, prof_take_hex, &entry.build_id);
	*out = entry;
	return true;
}

/* False when it is no entry; true, maybe without adding one, when it is. */
static bool parse_entry(struct prof_memmap *map, struct prof_text line, bool *is_entry,
			struct prof_error *err)
{
	struct prof_mapping mapping = { 0 };
	struct entry entry;

	*is_entry = parse_proc(line, &entry) || parse_brief(line, &entry);
	*is_entry = *is_entry && prof_legacy_hex(entry.start, &mapping.start) &&
		    prof_legacy_hex(entry.limit, &mapping.limit) &&
		    (entry.offset.len == 0 ||
		     prof_legacy_hex(entry.offset, &mapping.offset));
	if (!*is_entry || (entry.permissions.len > 0 &&
			   !prof_legacy_contains(entry.permissions, "x"))) {
		return true;
	}
	mapping.file = prof_strings_add(map->strings, entry.file);
	mapping.build_id = prof_strings_add(map->strings, entry.build_id);
	return add(map, &mapping, err);
}

/* --- variables --------------------------------------------------------------------- */

/* Remember "name=value"; what is no such line says nothing. */
static bool parse_variable(struct prof_memmap *map, struct prof_text_lines *lines,
			   struct prof_text line, struct prof_error *err)
{
	const char *equals = line.len > 0 ? memchr(line.data, '=', line.len) : NULL;
	struct prof_memmap_variable *variable = NULL;
	struct prof_buf name = { 0 };
	struct prof_text key;

	if (!equals || prof_legacy_is_comment(line)) {
		return true;
	}
	if (map->variable_count == PROF_MEMMAP_VARIABLES) {
		return prof_text_lines_fail(lines, err, PROF_ERR_LIMIT,
					    "more than %d variables in the memory map",
					    PROF_MEMMAP_VARIABLES);
	}
	key = prof_legacy_trim(
		(struct prof_text){ line.data, (size_t)(equals - line.data) });
	prof_buf_addc(&name, '$');
	prof_buf_add(&name, key.data, key.len);
	if (name.failed) {
		prof_buf_free(&name);
		return prof_fail_nomem(err);
	}
	variable = &map->variables[map->variable_count++];
	variable->name = prof_strings_add(&map->texts,
					  (struct prof_text){ name.data, name.len });
	variable->value = prof_strings_add(
		&map->texts,
		prof_legacy_trim((struct prof_text){
			equals + 1, (size_t)(line.data + line.len - equals - 1) }));
	prof_buf_free(&name);
	return !map->texts.failed || prof_fail_nomem(err);
}

/* The value of the first variable defined whose name stands at the cursor, taken. */
static bool take_variable(const struct prof_memmap *map, struct prof_cursor *cursor,
			  struct prof_text *value)
{
	struct prof_text rest = prof_cursor_rest(cursor);

	for (uint32_t i = 0; i < map->variable_count; i++) {
		struct prof_text name =
			prof_strings_get(&map->texts, map->variables[i].name);

		if (name.len <= rest.len &&
		    memcmp(name.data, rest.data, name.len) == 0) {
			cursor->at += name.len;
			*value = prof_strings_get(&map->texts, map->variables[i].value);
			return true;
		}
	}
	return false;
}

/* Put values for variables, once; what they bring in is not looked through again. */
static bool expand(struct prof_memmap *map, struct prof_text_lines *lines,
		   struct prof_text *line, struct prof_error *err)
{
	struct prof_cursor at = prof_cursor(*line);
	struct prof_text value;

	if (map->variable_count == 0 || !prof_legacy_contains(*line, "$")) {
		return true;
	}
	prof_buf_clear(&map->expanded);
	while (at.at < at.end) {
		if (*at.at == '$' && take_variable(map, &at, &value)) {
			map->expansion += value.len;
			if (map->expansion > PROF_MEMMAP_EXPANSION) {
				return prof_text_lines_fail(
					lines, err, PROF_ERR_LIMIT,
					"variables expand to more than %d MiB",
					PROF_MEMMAP_EXPANSION >> 20);
			}
			prof_buf_add(&map->expanded, value.data, value.len);
		} else {
			prof_buf_addc(&map->expanded, *at.at++);
		}
	}
	*line = (struct prof_text){ map->expanded.data, map->expanded.len };
	return !map->expanded.failed || prof_fail_nomem(err);
}

/* --- all lines --------------------------------------------------------------------- */

/* Cut off what a logger put before: anything without brackets, ":123] ". */
static struct prof_text cut_log_prefix(struct prof_text line)
{
	const char *bracket = line.len > 0 ? memchr(line.data, ']', line.len) : NULL;
	struct prof_cursor rest = prof_cursor(line);
	size_t prefix = 0;
	size_t digits = 0;

	if (!bracket) {
		return line;
	}
	prefix = (size_t)(bracket - line.data);
	rest.at += prefix + 1;
	while (digits < prefix && line.data[prefix - digits - 1] >= '0' &&
	       line.data[prefix - digits - 1] <= '9') {
		digits++;
	}
	if (digits == 0 || prefix < digits + 2 ||
	    line.data[prefix - digits - 1] != ':' || memchr(line.data, '[', prefix) ||
	    !prof_take_space(&rest)) {
		return line;
	}
	return prof_cursor_rest(&rest);
}

static bool read_line(struct prof_memmap *map, struct prof_text_lines *lines,
		      struct prof_text line, struct prof_error *err)
{
	bool is_entry = false;

	line = cut_log_prefix(line);
	return expand(map, lines, &line, err) &&
	       parse_entry(map, line, &is_entry, err) &&
	       (is_entry || parse_variable(map, lines, line, err));
}

/* Whether `next` continues `mapping` in memory and, as far as known, in the file. */
static bool continues(const struct prof_mapping *mapping,
		      const struct prof_mapping *next)
{
	if (mapping->limit != next->start ||
	    (mapping->file != 0 && next->file != 0 && mapping->file != next->file) ||
	    (mapping->build_id != 0 && next->build_id != 0 &&
	     mapping->build_id != next->build_id)) {
		return false;
	}
	return mapping->offset == 0 || next->offset == 0 ||
	       mapping->offset + (mapping->limit - mapping->start) == next->offset;
}

static void join(struct prof_memmap *map)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < map->count; i++) {
		struct prof_mapping *last = kept > 0 ? &map->items[kept - 1] : NULL;
		const struct prof_mapping *next = &map->items[i];

		if (!last || !continues(last, next)) {
			map->items[kept++] = *next;
			continue;
		}
		last->limit = next->limit;
		last->file = next->file != 0 ? next->file : last->file;
		last->build_id = next->build_id != 0 ? next->build_id : last->build_id;
	}
	map->count = kept;
}

static bool is_library(struct prof_text file)
{
	struct prof_cursor at = prof_cursor(file);

	while (prof_find(&at, ".so")) {
		struct prof_cursor behind = at;
		struct prof_text version;

		if (at.at == at.end ||
		    ((prof_take(&behind, ".") || prof_take(&behind, "_")) &&
		     prof_take_digits(&behind, &version))) {
			return true;
		}
	}
	return false;
}

static bool is_program(struct prof_text file, struct prof_buf *scratch)
{
	struct prof_cursor at = prof_cursor(file);
	struct prof_cursor rest = at;

	prof_buf_clear(scratch);
	while (prof_find(&at, "(deleted)")) {
		prof_buf_add(scratch, rest.at,
			     (size_t)(at.at - rest.at) - strlen("(deleted)"));
		rest = at;
	}
	prof_buf_add(scratch, rest.at, (size_t)(rest.end - rest.at));
	file = prof_legacy_trim((struct prof_text){ scratch->data, scratch->len });
	return file.len > 0 && *file.data != '[' && !is_library(file);
}

/* Readers of profiles take the first mapping for the program itself. */
static void move_program_first(struct prof_memmap *map)
{
	for (uint32_t i = 0; i < map->count && !map->expanded.failed; i++) {
		struct prof_mapping first = map->items[0];

		if (is_program(prof_strings_get(map->strings, map->items[i].file),
			       &map->expanded)) {
			map->items[0] = map->items[i];
			map->items[i] = first;
			return;
		}
	}
}

/*
 * A program may copy its text to huge pages; the copy then comes before the rest. And
 * the kernel shows the text segment of a program linked to 0x400000 behind the headers
 * before it.
 */
static void straighten_program(struct prof_memmap *map)
{
	struct prof_mapping *items = map->items;

	if (map->count >= 2 && items[0].limit == items[1].start &&
	    prof_legacy_starts(prof_strings_get(map->strings, items[0].file),
			       "/anon_hugepage")) {
		memmove(items, items + 1, --map->count * sizeof(*items));
	}
	if (map->count > 0 && items[0].start - items[0].offset == PROGRAM_START) {
		items[0].start = PROGRAM_START;
		items[0].offset = 0;
	}
}

bool prof_memmap_read(struct prof_memmap *map, struct prof_text_lines *lines,
		      struct prof_error *err)
{
	struct prof_text line;

	while (true) {
		if (!prof_text_lines_next(lines, &line, err)) {
			return false;
		}
		if (!line.data) {
			break;
		}
		if (!read_line(map, lines, line, err)) {
			return false;
		}
	}
	join(map);
	move_program_first(map);
	straighten_program(map);
	return !map->expanded.failed || prof_fail_nomem(err);
}

void prof_memmap_free(struct prof_memmap *map)
{
	prof_free(map->items);
	prof_free(map->bounds);
	prof_free(map->cover.lowest);
	prof_free(map->before.lowest);
	prof_buf_free(&map->expanded);
	prof_strings_free(&map->texts);
	*map = (struct prof_memmap){ .fake = PROF_NONE };
}
