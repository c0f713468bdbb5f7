/* SPDX-License-Identifier: MIT */
#include <ctype.h>

#include "libprof/report/compare.h"

static bool is_hex(char c)
{
	return isxdigit((unsigned char)c) != 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool starts(struct prof_text text, size_t at, const char *word)
{
	size_t len = strlen(word);

	return text.len - at >= len && memcmp(text.data + at, word, len) == 0;
}

static size_t skip(struct prof_text text, size_t at, bool (*is)(char))
{
	while (at < text.len && is(text.data[at])) {
		at++;
	}
	return at;
}

/* ".llvm.123", ".isra.0", ".constprop.0.cold": what compilers add to a clone. */
static size_t skip_clone(struct prof_text text, size_t at)
{
	static const char *const words[] = { ".llvm.", ".isra.",      ".part.",
					     ".cold.", ".constprop.", ".lto_priv." };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t end = at + strlen(words[i]);

		if (starts(text, at, words[i]) && end < text.len &&
		    is_digit(text.data[end])) {
			return skip(text, end, is_digit);
		}
	}
	if (starts(text, at, ".cold") && at + strlen(".cold") == text.len) {
		return text.len;
	}
	return at;
}

/* "::h0123456789abcdef" at the end of a name, or before a dot: Rust's hash. */
static size_t skip_rust(struct prof_text text, size_t at)
{
	enum { DIGITS = 16 };
	size_t digits = at + strlen("::h");
	size_t end = 0;

	if (!starts(text, at, "::h")) {
		return at;
	}
	end = skip(text, digits, is_hex);
	return end - digits == DIGITS && (end == text.len || text.data[end] == '.')
		       ? end
		       : at;
}

/* The words a JVM numbers; the word stays, the number goes. */
static size_t keep_jvm(struct prof_text text, size_t at)
{
	static const char *const words[] = {
		"$$Lambda$",
		"$$Lambda.",
		"GeneratedMethodAccessor",
		"LambdaForm$",
		"GeneratedConstructorAccessor",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (starts(text, at, words[i])) {
			return at + strlen(words[i]);
		}
	}
	return at;
}

static size_t skip_jvm(struct prof_text text, size_t at)
{
	at = skip(text, at, is_digit);
	if (starts(text, at, "/0x")) {
		at = skip(text, at + strlen("/0x"), is_hex);
	} else if (at < text.len && text.data[at] == '/') {
		size_t end = skip(text, at + 1, is_digit);

		at = end > at + 1 ? end : at;
	}
	return at;
}

/* 0x and at least five digits, where no name goes on: an address. */
static size_t skip_address(struct prof_text text, size_t at)
{
	enum { DIGITS = 5 };
	size_t digits = at + strlen("0x");
	size_t end = 0;

	if (!starts(text, at, "0x") ||
	    (at > 0 && isalnum((unsigned char)text.data[at - 1]))) {
		return at;
	}
	end = skip(text, digits, is_hex);
	return end - digits >= DIGITS ? end : at;
}

void prof_compare_fold(struct prof_buf *out, struct prof_text name)
{
	size_t at = 0;

	while (at < name.len) {
		size_t end = keep_jvm(name, at);

		if (end > at) {
			prof_buf_add(out, name.data + at, end - at);
			at = skip_jvm(name, end);
			continue;
		}
		end = skip_address(name, at);
		if (end > at) {
			prof_buf_adds(out, "0x");
			at = end;
			continue;
		}
		end = skip_rust(name, at);
		end = end > at ? end : skip_clone(name, at);
		if (end > at) {
			at = end;
			continue;
		}
		prof_buf_addc(out, name.data[at++]);
	}
}
