/* SPDX-License-Identifier: MIT */
#include "libprof/flame/palette_names.h"

static bool has(struct prof_text text, const char *part)
{
	size_t len = strlen(part);

	for (size_t i = 0; i + len <= text.len; i++) {
		if (memcmp(text.data + i, part, len) == 0) {
			return true;
		}
	}
	return false;
}

static bool begins(struct prof_text text, const char *part)
{
	size_t len = strlen(part);

	return text.len >= len && memcmp(text.data, part, len) == 0;
}

static bool ends(struct prof_text text, const char *part)
{
	size_t len = strlen(part);

	return text.len >= len && memcmp(text.data + text.len - len, part, len) == 0;
}

static struct prof_text from(struct prof_text text, size_t at)
{
	return (struct prof_text){ text.data + at, text.len - at };
}

/* ^L?(java|javax|jdk|net|org|com|io|sun)[/.] */
static bool is_java(struct prof_text name)
{
	static const char *const roots[] = { "java", "javax", "jdk", "net",
					     "org",  "com",   "io",  "sun" };
	struct prof_text text = begins(name, "L") ? from(name, 1) : name;

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		size_t len = strlen(roots[i]);

		if (begins(text, roots[i]) && text.len > len &&
		    (text.data[len] == '/' || text.data[len] == '.')) {
			return true;
		}
	}
	return false;
}

static enum prof_hue java_hue(struct prof_text name, char annotation)
{
	if (annotation == 'j') {
		return PROF_HUE_GREEN;
	}
	if (annotation == 'i') {
		return PROF_HUE_AQUA;
	}
	if (is_java(name) || has(name, ":::")) {
		return PROF_HUE_GREEN;
	}
	if (has(name, "::")) {
		return PROF_HUE_YELLOW;
	}
	return annotation == 'k' ? PROF_HUE_ORANGE : PROF_HUE_RED;
}

/* Whether ".js" stands somewhere behind a '/'. */
static bool is_script(struct prof_text name)
{
	const char *slash = name.len > 0 ? memchr(name.data, '/', name.len) : NULL;

	return slash && has(from(name, (size_t)(slash - name.data)), ".js");
}

static enum prof_hue js_hue(struct prof_text name, char annotation)
{
	if (annotation == 'j') {
		return has(name, "/") ? PROF_HUE_GREEN : PROF_HUE_AQUA;
	}
	if (has(name, "::")) {
		return PROF_HUE_YELLOW;
	}
	if (is_script(name) || prof_text_equal(name, prof_text(" "))) {
		return PROF_HUE_GREEN;
	}
	if (has(name, ":")) {
		return PROF_HUE_AQUA;
	}
	return annotation == 'k' ? PROF_HUE_ORANGE : PROF_HUE_RED;
}

static enum prof_hue perl_hue(struct prof_text name, char annotation)
{
	if (has(name, "::")) {
		return PROF_HUE_YELLOW;
	}
	if (has(name, "Perl") || has(name, ".pl")) {
		return PROF_HUE_GREEN;
	}
	return annotation == 'k' ? PROF_HUE_ORANGE : PROF_HUE_RED;
}

/* "python3.11", "Python", the folder that a library is in. */
static bool is_python(struct prof_text part)
{
	if (!begins(part, "python") && !begins(part, "Python")) {
		return false;
	}
	for (size_t i = strlen("python"); i < part.len; i++) {
		if (part.data[i] != '.' && (part.data[i] < '0' || part.data[i] > '9')) {
			return false;
		}
	}
	return true;
}

static enum prof_hue python_hue(struct prof_text name)
{
	bool library = begins(name, "<built-in") || begins(name, "<method") ||
		       begins(name, "<frozen");

	for (size_t at = 0, end = 0; at < name.len; at = end + 1) {
		struct prof_text part = from(name, at);

		for (end = at; end < name.len && name.data[end] != '/' &&
			       name.data[end] != '\\';) {
			end++;
		}
		part.len = end - at;
		if (prof_text_equal(part, prof_text("site-packages"))) {
			return PROF_HUE_AQUA;
		}
		library = library || is_python(part);
	}
	return library ? PROF_HUE_YELLOW : PROF_HUE_RED;
}

static enum prof_hue rust_hue(struct prof_text name)
{
	static const char *const library[] = { "core::",  "std::",  "alloc::",
					       "<core::", "<std::", "<alloc::" };
	const char *quote = name.len > 0 ? memchr(name.data, '`', name.len) : NULL;
	struct prof_text text =
		quote ? from(name, (size_t)(quote - name.data) + 1) : name;

	for (size_t i = 0; i < sizeof(library) / sizeof(library[0]); i++) {
		/* A future of the user's, wrapped by the library. */
		if (begins(text, library[i]) &&
		    !begins(text, "<core::future::from_generator::GenFuture<T>")) {
			return PROF_HUE_ORANGE;
		}
	}
	return has(text, "::") ? PROF_HUE_AQUA : PROF_HUE_YELLOW;
}

bool prof_palette_reads_names(enum prof_palette palette)
{
	return palette >= PROF_PALETTE_JAVA && palette <= PROF_PALETTE_CHAIN;
}

enum prof_hue prof_palette_hue(enum prof_palette palette, struct prof_text name,
			       char annotation)
{
	if (prof_text_equal(name, prof_text("-")) ||
	    prof_text_equal(name, prof_text("--"))) {
		return PROF_HUE_GREY;
	}
	switch (palette) {
	case PROF_PALETTE_JAVA:
		return java_hue(name, annotation);
	case PROF_PALETTE_JS:
		return js_hue(name, annotation);
	case PROF_PALETTE_PERL:
		return perl_hue(name, annotation);
	case PROF_PALETTE_PYTHON:
		return python_hue(name);
	case PROF_PALETTE_RUST:
		return rust_hue(name);
	case PROF_PALETTE_WAKEUP:
		return PROF_HUE_AQUA;
	case PROF_PALETTE_CHAIN:
		return ends(name, "_[w]") ? PROF_HUE_AQUA : PROF_HUE_BLUE;
	default:
		return PROF_HUE_GREY;
	}
}

uint32_t prof_palette_name_class(enum prof_palette palette, struct prof_text name,
				 char annotation)
{
	return (uint32_t)prof_palette_hue(palette, name, annotation) *
		       PROF_PALETTE_SHADES +
	       prof_palette_class(name) % PROF_PALETTE_SHADES;
}
