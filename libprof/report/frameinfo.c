/* SPDX-License-Identifier: MIT */
#include "libprof/report/frameinfo.h"

#include <inttypes.h>

/* --- paths -------------------------------------------------------------------------- */

struct prof_text prof_path_base(struct prof_text path)
{
	size_t end = path.len;
	size_t start;

	if (path.len == 0) {
		return prof_text(".");
	}
	while (end > 0 && path.data[end - 1] == '/') {
		end--;
	}
	if (end == 0) {
		return prof_text("/");
	}
	for (start = end; start > 0 && path.data[start - 1] != '/'; start--) {
	}
	return (struct prof_text){ path.data + start, end - start };
}

static struct prof_text behind(struct prof_text text, size_t start)
{
	return (struct prof_text){ text.data + start, text.len - start };
}

/* Cut the next element off a list separated by ':'. */
static bool next_element(struct prof_text *list, bool *more, struct prof_text *element)
{
	const char *colon;

	if (!*more) {
		return false;
	}
	colon = list->len ? memchr(list->data, ':', list->len) : NULL;
	*more = colon != NULL;
	*element = *list;
	if (colon) {
		element->len = (size_t)(colon - list->data);
		*list = behind(*list, element->len + 1);
	}
	return true;
}

/* What follows the first "/`name`/" in `file`; false when it is not there. */
static bool follow_folder(struct prof_text *file, struct prof_text name)
{
	for (size_t i = 0; i + name.len + 2 <= file->len; i++) {
		if (file->data[i] == '/' && file->data[i + name.len + 1] == '/' &&
		    memcmp(file->data + i + 1, name.data, name.len) == 0) {
			*file = behind(*file, i + name.len + 2);
			return true;
		}
	}
	return false;
}

/* Strip the folder `prefix`, which need not end in '/'. */
static bool strip(struct prof_text *file, struct prof_text prefix)
{
	size_t len = prefix.len;

	if (len > 0 && prefix.data[len - 1] == '/') {
		len--;
	}
	if (file->len <= len || file->data[len] != '/' ||
	    (len > 0 && memcmp(file->data, prefix.data, len) != 0)) {
		return false;
	}
	*file = behind(*file, len + 1);
	return true;
}

struct prof_text prof_path_trim(struct prof_text file,
				const struct prof_path_trim *trim)
{
	struct prof_text list = trim->source_path;
	bool more = list.len > 0 && trim->trim_path.len == 0;
	struct prof_text element;

	while (next_element(&list, &more, &element)) {
		if (follow_folder(&file, prof_path_base(element))) {
			return file;
		}
	}
	list = trim->trim_path;
	more = list.len > 0;
	while (next_element(&list, &more, &element)) {
		if (strip(&file, element)) {
			return file;
		}
	}
	if (!strip(&file, prof_text("/proc/self/cwd/."))) {
		strip(&file, prof_text("/proc/self/cwd"));
	}
	return file;
}

/* Whether cleaning would change nothing. */
static bool is_clean(struct prof_text path)
{
	size_t start = path.len > 0 && path.data[0] == '/';

	if (path.len == start) {
		return start == 1;
	}
	for (size_t i = start; i <= path.len; i++) {
		size_t len = i - start;

		if (i < path.len && path.data[i] != '/') {
			continue;
		}
		if (len == 0 ||
		    (len <= 2 && path.data[start] == '.' && path.data[i - 1] == '.')) {
			return false;
		}
		start = i + 1;
	}
	return true;
}

/* Append `element` to the path of `len` bytes; how long it is then. */
static size_t append_element(char *path, size_t len, bool rooted,
			     struct prof_text element)
{
	if (len > (rooted ? 1U : 0U)) {
		path[len++] = '/';
	}
	memcpy(path + len, element.data, element.len);
	return len + element.len;
}

/* Go up from `*len`, but not above `floor`; false when already there. */
static bool go_up(const char *path, size_t *len, size_t floor)
{
	if (*len <= floor) {
		return false;
	}
	do {
		(*len)--;
	} while (*len > floor && path[*len] != '/');
	return true;
}

struct prof_text prof_path_clean(struct prof_text path, struct prof_arena *arena)
{
	bool rooted = path.len > 0 && path.data[0] == '/';
	size_t len = rooted;
	size_t floor = rooted; /* what ".." cannot remove */
	size_t start = rooted;
	char *clean;

	if (is_clean(path)) {
		return path;
	}
	clean = prof_arena_alloc(arena, path.len + 1);
	if (!clean) {
		return path;
	}
	clean[0] = '/';
	for (size_t i = start; i <= path.len; i++) {
		struct prof_text element = { path.data + start, i - start };

		if (i < path.len && path.data[i] != '/') {
			continue;
		}
		start = i + 1;
		if (element.len == 0 || prof_text_equal(element, prof_text("."))) {
			continue;
		}
		if (!prof_text_equal(element, prof_text(".."))) {
			len = append_element(clean, len, rooted, element);
		} else if (!go_up(clean, &len, floor) && !rooted) {
			len = append_element(clean, len, false, element);
			floor = len;
		}
	}
	return len > 0 ? (struct prof_text){ clean, len } : prof_text(".");
}

/* --- frames ------------------------------------------------------------------------- */

struct prof_frame_info prof_frame_info(const struct prof_profile *profile,
				       uint32_t location, uint32_t line,
				       const struct prof_path_trim *trim, bool objects,
				       struct prof_arena *arena)
{
	const struct prof_location *at = &profile->locations[location];
	struct prof_lines lines = prof_location_lines(profile, location);
	struct prof_frame_info info = { .address = at->address };
	const struct prof_function *function;
	struct prof_text file;

	if (at->mapping != PROF_NONE) {
		info.object = prof_string(profile, profile->mappings[at->mapping].file);
	}
	if (lines.count == 0) {
		return info;
	}
	function = &profile->functions[lines.data[line].function];
	file = prof_string(profile, function->file);
	info.name = prof_string(profile, function->name);
	info.system_name = prof_string(profile, function->system_name);
	info.line = lines.data[line].line;
	info.column = lines.data[line].column;
	info.start_line = function->start_line;
	file = trim ? prof_path_trim(file, trim) : file;
	if (file.len > 0) {
		info.file = prof_path_clean(file, arena);
	}
	if (!objects && info.name.len > 0) {
		info.object = (struct prof_text){ 0 };
		info.start_line = 0;
	}
	return info;
}

static void add_text(struct prof_buf *out, struct prof_text text)
{
	prof_buf_add(out, text.data, text.len);
}

void prof_frame_info_add(struct prof_buf *out, const struct prof_frame_info *info)
{
	bool placed = info->line != 0 || info->file.len > 0;

	if (info->address != 0) {
		prof_buf_addf(out, "%016" PRIx64 " ", info->address);
	}
	add_text(out, info->name);
	if (placed) {
		prof_buf_adds(out, info->name.len > 0 ? " " : "");
		add_text(out, info->file);
	}
	if (info->line != 0) {
		prof_buf_addc(out, ':');
		prof_buf_add_int(out, info->line);
	}
	if (info->line != 0 && info->column != 0) {
		prof_buf_addc(out, ':');
		prof_buf_add_int(out, info->column);
	}
	if (placed || info->name.len > 0) {
		return;
	}
	if (info->object.len > 0) {
		prof_buf_addc(out, '[');
		add_text(out, prof_path_base(info->object));
		prof_buf_addc(out, ']');
	} else {
		prof_buf_adds(out, "<unknown>");
	}
}
