/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <strings.h>

#include "formats/format.h"

const struct prof_format *const prof_formats[] = {
	&prof_format_pprof,    &prof_format_delimited,
	&prof_format_folded,   &prof_format_cpuprof,
	&prof_format_heaptext, &prof_format_countprofile,
	&prof_format_threadz,  &prof_format_contention,
	&prof_format_javatext, NULL,
};

const struct prof_format *prof_format_detect(struct prof_head head)
{
	const struct prof_format *best = NULL;
	int highest = 0;

	/* Nothing has no address to look at. */
	if (head.len == 0) {
		return NULL;
	}
	for (size_t i = 0; prof_formats[i]; i++) {
		const struct prof_format *format = prof_formats[i];
		int bid = format->bid && format->read ? format->bid(head) : 0;

		if (bid > highest) {
			highest = bid;
			best = format;
		}
	}
	return best;
}

const struct prof_format *prof_format_named(const char *name)
{
	for (size_t i = 0; prof_formats[i]; i++) {
		if (strcmp(prof_formats[i]->name, name) == 0) {
			return prof_formats[i];
		}
	}
	return NULL;
}

/* Whether `path` ends in a dot and these bytes, whatever their case. */
static bool ends_in(const char *path, const char *extension, size_t len)
{
	size_t path_len = strlen(path);

	return path_len > len && path[path_len - len - 1] == '.' &&
	       strncasecmp(path + path_len - len, extension, len) == 0;
}

/* The length of the longest of `extensions` that `path` has, or 0. */
static size_t match(const char *path, const char *extensions)
{
	size_t longest = 0;

	while (extensions && *extensions) {
		size_t len = strcspn(extensions, " ");

		if (len > longest && ends_in(path, extensions, len)) {
			longest = len;
		}
		extensions += len + (extensions[len] == ' ');
	}
	return longest;
}

/* The longest extension decides: x.pb.gz is for who claims "pb.gz", not "gz". */
const struct prof_format *prof_format_for_path(const char *path)
{
	const struct prof_format *best = NULL;
	size_t longest = 0;

	for (size_t i = 0; prof_formats[i]; i++) {
		size_t len = prof_formats[i]->write
				     ? match(path, prof_formats[i]->extensions)
				     : 0;

		if (len > longest) {
			longest = len;
			best = prof_formats[i];
		}
	}
	return best;
}
