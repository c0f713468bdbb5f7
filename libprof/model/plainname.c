/* SPDX-License-Identifier: MIT */
#include "libprof/model/plainname.h"

#include "libprof/base/buf.h"
#include "libprof/base/strings.h"

/* Java's "A.<init>" and Go's "p.(*T[...]).M" are not. */
static bool looks_like_cpp(struct prof_text name)
{
	if (name.len == 0 || memmem(name.data, name.len, ".<", 2) ||
	    memmem(name.data, name.len, "]).", 3)) {
		return false;
	}
	return memchr(name.data, '<', name.len) || memchr(name.data, '>', name.len) ||
	       memchr(name.data, '[', name.len) || memchr(name.data, ']', name.len) ||
	       memmem(name.data, name.len, "::", 2);
}

/* Copy `name` without what stands between `open` and `close`, which may nest. */
static void cut(struct prof_text name, char open, char close, struct prof_buf *out)
{
	size_t depth = 0;
	size_t whole = 0; /* bytes of `out` before the outermost group */

	for (size_t i = 0; i < name.len; i++) {
		char c = name.data[i];

		if (c == open && depth++ == 0) {
			whole = out->len;
		}
		if (c == close && depth == 0) {
			/* no pair: nothing more is cut */
			prof_buf_add(out, name.data + i, name.len - i);
			return;
		}
		prof_buf_addc(out, c);
		if (c == close && --depth == 0 && !out->failed) {
			out->len = whole;
		}
	}
}

/* The plain form of `name`, in `first` or `second`, or `name` itself. */
static struct prof_text plain(struct prof_text name,
			      const struct prof_plain_names *options,
			      struct prof_buf *first, struct prof_buf *second)
{
	prof_buf_clear(first);
	prof_buf_clear(second);
	if (options->params && memchr(name.data, '(', name.len)) {
		cut(name, '(', ')', first);
		name = (struct prof_text){ first->data, first->len };
	}
	if (options->templates && name.len > 0 && memchr(name.data, '<', name.len)) {
		cut(name, '<', '>', second);
		name = (struct prof_text){ second->data, second->len };
	}
	return name;
}

struct renaming {
	struct prof_profile *profile;
	struct prof_strings strings; /* those of the profile first, with their ids */
	struct prof_buf first;
	struct prof_buf second;
};

/* The strings are copied only once something is to be renamed. */
static uint32_t rename_to(struct renaming *renaming, struct prof_text name)
{
	const struct prof_profile *profile = renaming->profile;

	for (uint32_t i = renaming->strings.count; i < profile->string_count; i++) {
		prof_strings_add(&renaming->strings, profile->strings[i]);
	}
	return prof_strings_add(&renaming->strings, name);
}

static void rename_function(struct renaming *renaming, struct prof_function *function,
			    const struct prof_plain_names *options)
{
	struct prof_text name = prof_string(renaming->profile, function->system_name);
	bool renamed = function->name != 0 && function->name != function->system_name;
	struct prof_text shorter;

	if ((renamed && !options->again) || function->system_name == 0) {
		return;
	}
	if (!looks_like_cpp(name)) {
		function->name = function->system_name;
		return;
	}
	shorter = plain(name, options, &renaming->first, &renaming->second);
	function->name = prof_text_equal(shorter, name) ? function->system_name
							: rename_to(renaming, shorter);
}

/* Give the profile the strings it has got. */
static bool yield_strings(struct renaming *renaming)
{
	struct prof_profile *profile = renaming->profile;
	struct prof_strings *strings = &renaming->strings;

	if (strings->failed || renaming->first.failed || renaming->second.failed) {
		return false;
	}
	if (strings->count > profile->string_count) {
		struct prof_text *items = prof_arena_array(
			&profile->arena, strings->count, sizeof(*items));

		if (!items) {
			return false;
		}
		memcpy(items, strings->items, strings->count * sizeof(*items));
		prof_arena_take(&profile->arena, &strings->bytes);
		profile->strings = items;
		profile->string_count = strings->count;
	}
	return true;
}

bool prof_plain_names(struct prof_profile *profile,
		      const struct prof_plain_names *options, struct prof_error *err)
{
	struct renaming renaming = { .profile = profile };
	bool ok;

	for (uint32_t i = 0; i < profile->function_count; i++) {
		rename_function(&renaming, &profile->functions[i], options);
	}
	ok = yield_strings(&renaming);
	prof_strings_free(&renaming.strings);
	prof_buf_free(&renaming.first);
	prof_buf_free(&renaming.second);
	return ok || prof_fail_nomem(err);
}
