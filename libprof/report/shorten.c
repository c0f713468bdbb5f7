/* SPDX-License-Identifier: MIT */
#include "libprof/report/shorten.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_word(char c)
{
	return is_lower(c) || is_upper(c) || is_digit(c) || c == '_';
}

static struct prof_text behind(struct prof_text text, size_t start)
{
	return (struct prof_text){ text.data + start, text.len - start };
}

static bool starts(struct prof_text text, const char *with)
{
	size_t len = strlen(with);

	return text.len >= len && memcmp(text.data, with, len) == 0;
}

/* How many word characters `text` begins with, the first of them no digit. */
static size_t identifier(struct prof_text text)
{
	size_t len = 0;

	while (len < text.len && is_word(text.data[len]) &&
	       (len > 0 || !is_digit(text.data[0]))) {
		len++;
	}
	return len;
}

/* --- Go ----------------------------------------------------------------------------- */

/* The length of "/v2", "/v10" at the start of `text` when '.' or '/' follows; or 0. */
static size_t version_at(struct prof_text text)
{
	size_t end = 2;

	if (!starts(text, "/v")) {
		return 0;
	}
	while (end < text.len && is_digit(text.data[end])) {
		end++;
	}
	if (end == 2 || text.data[2] == '0' || (end == 3 && text.data[2] == '1')) {
		return 0;
	}
	return end < text.len && (text.data[end] == '.' || text.data[end] == '/') ? end
										  : 0;
}

/* Copy `name` without the version of a module in its path. */
static void add_unversioned(struct prof_buf *out, struct prof_text name)
{
	size_t at = 0;
	size_t len = 0;

	if (name.len > 0 && !memchr(name.data, '\n', name.len)) {
		while (at < name.len && (len = version_at(behind(name, at))) == 0) {
			at++;
		}
	}
	if (len == 0) {
		prof_buf_add(out, name.data, name.len);
		return;
	}
	prof_buf_add(out, name.data, at);
	prof_buf_add(out, name.data + at + len, name.len - at - len);
}

/* The end of the folders "a-b/c.d/" that `name` begins with. */
static size_t folders_end(struct prof_text name)
{
	size_t end = 0;

	for (size_t i = 0; i < name.len; i++) {
		char c = name.data[i];

		if (c == '/') {
			if (i == end) {
				break;
			}
			end = i + 1;
		} else if (!is_word(c) && c != '-' && c != '.') {
			break;
		}
	}
	return end;
}

/*
 * "net/http.(*conn).serve": what follows the last folder behind which a package name
 * and a dot are left. `dot` is the first one at or behind `start`.
 */
static bool shorten_go(struct prof_text *name)
{
	size_t start = folders_end(*name);
	const char *dot = start < name->len
				  ? memchr(name->data + start, '.', name->len - start)
				  : NULL;

	while (start > 0) {
		const char *end = name->data + name->len;
		size_t previous = start;

		if (dot && dot > name->data + start && dot + 1 < end &&
		    dot[1] != '\n') {
			const char *line = memchr(dot, '\n', (size_t)(end - dot));

			*name = (struct prof_text){
				name->data + start,
				(size_t)((line ? line : end) - name->data) - start,
			};
			return true;
		}
		for (start--; start > 0 && name->data[start - 1] != '/'; start--) {
		}
		end = start < previous
			      ? memchr(name->data + start, '.', previous - start)
			      : NULL;
		dot = end ? end : dot;
	}
	return false;
}

/* --- Java --------------------------------------------------------------------------- */

static size_t java_word(struct prof_text text)
{
	size_t len = 0;

	while (len < text.len && (is_word(text.data[len]) || text.data[len] == '$')) {
		len++;
	}
	return len;
}

/* "java.bar.FooBar.run(java.lang.Runnable)": the class and the method. */
static bool shorten_java(struct prof_text *name)
{
	struct prof_text rest = *name;
	size_t class_len;
	size_t len;

	while (rest.len > 0 && is_lower(rest.data[0])) {
		len = identifier(rest);
		if (len == rest.len || rest.data[len] != '.') {
			return false;
		}
		rest = behind(rest, len + 1);
	}
	if (rest.len == 0 || !is_upper(rest.data[0])) {
		return false;
	}
	class_len = java_word(rest);
	if (class_len == rest.len || rest.data[class_len] != '.') {
		return false;
	}
	len = class_len + 1;
	if (starts(behind(rest, len), "<init>")) {
		len += strlen("<init>");
	} else if (len < rest.len && is_lower(rest.data[len])) {
		len += java_word(behind(rest, len));
	} else {
		return false;
	}
	if (len < rest.len && rest.data[len] != '(') {
		return false;
	}
	*name = (struct prof_text){ rest.data, len };
	return true;
}

/* --- C++ ---------------------------------------------------------------------------- */

/* "_*[A-Z]": a class. */
static bool is_class(struct prof_text text)
{
	size_t i = 0;

	while (i < text.len && text.data[i] == '_') {
		i++;
	}
	return i < text.len && is_upper(text.data[i]);
}

/* The end of "<...>" at `at`, as far as the last '>' of the line; `at` without one. */
static size_t arguments_end(struct prof_text name, size_t at)
{
	size_t end = at;

	if (at == name.len || name.data[at] != '<') {
		return at;
	}
	for (size_t i = at; i < name.len && name.data[i] != '\n'; i++) {
		if (name.data[i] == '>') {
			end = i + 1;
		}
	}
	return end;
}

/* "cpp::space::Class::method<int>()": the last class that has a member, and that. */
static bool shorten_cpp(struct prof_text *name)
{
	size_t found = 0; /* where the class begins; it is never first */
	size_t found_end = 0;
	size_t at = 0;

	for (;;) {
		size_t end = at + identifier(behind(*name, at));
		size_t member = end + 2;
		size_t len;

		if (end == at || !starts(behind(*name, end), "::")) {
			break;
		}
		member += starts(behind(*name, member), "~");
		len = identifier(behind(*name, member));
		if (at > 0 && len > 0 && is_class(behind(*name, at))) {
			found = at;
			found_end = member + len;
		}
		at = end + 2;
	}
	if (found == 0) {
		return false;
	}
	found_end = arguments_end(*name, found_end);
	*name = (struct prof_text){ name->data + found, found_end - found };
	return true;
}

void prof_shorten(struct prof_buf *out, struct prof_text name)
{
	static const char anonymous[] = "(anonymous namespace)::";
	size_t start = out->len;
	struct prof_text text;

	if (starts(name, anonymous)) {
		name = behind(name, strlen(anonymous));
	}
	add_unversioned(out, name);
	if (out->failed) {
		return;
	}
	text = (struct prof_text){ out->data + start, out->len - start };
	if (text.len > 0 &&
	    (shorten_go(&text) || shorten_java(&text) || shorten_cpp(&text))) {
		memmove(out->data + start, text.data, text.len);
		out->len = start + text.len;
	}
}
