/* SPDX-License-Identifier: MIT */
#include "libprof/flame/label.h"

#include <stdbool.h>

#define ELLIPSIS "\xe2\x80\xa6"

/* What may follow a dot and is no name of its own. */
static const char *const endings[] = {
	"c",    "cc",       "cpp",   "cxx",  "h",    "hh",   "hpp", "go",
	"py",   "rb",       "js",    "ts",   "rs",   "java", "kt",  "php",
	"pl",   "lua",      "so",    "cold", "part", "isra", "dll", "constprop",
	"llvm", "lto_priv", "clone", "exe",  "ko",   "jar",
};

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' || (c & 0x80) != 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool ends_with(struct prof_text text, const char *end)
{
	size_t len = strlen(end);

	return text.len >= len && memcmp(text.data + text.len - len, end, len) == 0;
}

static struct prof_text head(struct prof_text text, size_t len)
{
	return (struct prof_text){ text.data, len };
}

static struct prof_text from(struct prof_text text, size_t at)
{
	return (struct prof_text){ text.data + at, text.len - at };
}

/* `text` without what may stand behind a parameter list. */
static struct prof_text without_qualifiers(struct prof_text text)
{
	static const char *const words[] = { " const", " volatile", " noexcept", " &&",
					     " &" };
	bool again = true;

	while (again) {
		again = false;
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
			if (ends_with(text, words[i])) {
				text.len -= strlen(words[i]);
				again = true;
			}
		}
	}
	return text;
}

/* Whether `text` ends as operators do that are no words: operator<, operator(). */
static bool ends_in_operator(struct prof_text text)
{
	static const char symbols[] = "<>=!+-*/%^&|~,[]";
	struct prof_text word = text;

	if (ends_with(text, "operator()")) {
		return true;
	}
	while (word.len > 0 &&
	       memchr(symbols, word.data[word.len - 1], sizeof(symbols) - 1)) {
		word.len--;
	}
	return word.len < text.len && ends_with(word, "operator");
}

/* Where the parameter list at the end of `text` begins; its length if it has none. */
static size_t parameters(struct prof_text text)
{
	struct prof_text body = without_qualifiers(text);
	size_t depth = 0;
	size_t at = body.len;

	if (!ends_with(body, ")")) {
		return text.len;
	}
	do {
		at--;
		depth += body.data[at] == ')';
		depth -= body.data[at] == '(';
	} while (at > 0 && depth > 0);
	body.len = at;
	if (depth > 0 || at == 0 || ends_with(body, "operator")) {
		return text.len;
	}
	return is_word(body.data[at - 1]) || ends_with(body, ">") ||
			       ends_with(body, "]") || ends_in_operator(body)
		       ? at
		       : text.len;
}

/* Whether the '<' at `at` opens arguments: vector<int>, not operator<, not <init>. */
static bool opens_arguments(struct prof_text text, size_t at)
{
	return at > 0 && is_word(text.data[at - 1]) &&
	       !ends_with(head(text, at), "operator");
}

/* The index of the '>' that closes the '<' at `at`, or the length. */
static size_t closing(struct prof_text text, size_t at)
{
	size_t depth = 0;

	for (size_t i = at; i < text.len; i++) {
		if (text.data[i] == '<') {
			depth++;
		} else if (text.data[i] == '>' && text.data[i - 1] != '-' &&
			   --depth == 0) {
			return i;
		}
	}
	return text.len;
}

/* Append `text` with <...> in place of what stands between its angle brackets. */
static void without_arguments(struct prof_buf *out, struct prof_text text)
{
	bool open = true; /* one without an end makes all later ones endless too */

	for (size_t i = 0; i < text.len; i++) {
		size_t end = text.len;

		if (open && text.data[i] == '<' && opens_arguments(text, i)) {
			end = closing(text, i);
			open = end < text.len;
		}
		if (end < text.len) {
			prof_buf_adds(out, "<" ELLIPSIS ">");
			i = end;
		} else {
			prof_buf_addc(out, text.data[i]);
		}
	}
}

/* Whether `rest`, behind a dot, only says more about what is before the dot. */
static bool is_ending(struct prof_text rest)
{
	size_t len = 0;

	while (len < rest.len && is_word(rest.data[len])) {
		len++;
	}
	if (len == 0) {
		return rest.len == 0 || rest.data[0] == '.';
	}
	if (is_digit(rest.data[0]) ||
	    (len > 4 && memcmp(rest.data, "func", 4) == 0 && is_digit(rest.data[4]))) {
		return true;
	}
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		if (prof_text_equal(head(rest, len), prof_text(endings[i]))) {
			return true;
		}
	}
	return false;
}

/* Where the part behind the first separator outside brackets begins; 0 if none does. */
static size_t next_part(struct prof_text text)
{
	size_t depth = 0;

	for (size_t i = 0; i + 1 < text.len; i++) {
		char c = text.data[i];

		if (c == '(' || c == '[' || c == '{' || c == '<') {
			depth++;
		} else if (c == ')' || c == ']' || c == '}' ||
			   (c == '>' && i > 0 && text.data[i - 1] != '-')) {
			depth -= depth > 0;
		}
		if (depth > 0) {
			continue;
		}
		if (c == ':' && text.data[i + 1] == ':' && i + 2 < text.len) {
			return i + 2;
		}
		if (c == '/' || (c == '.' && !is_ending(from(text, i + 1)))) {
			return i + 1;
		}
	}
	return 0;
}

/* Bytes of the character at `at`, with the marks that belong to it; its cells. */
static size_t cluster(struct prof_text text, size_t at, size_t *cells)
{
	size_t end = at;

	*cells = 0;
	while (end < text.len) {
		uint32_t code = 0;
		size_t len = prof_text_decode(text.data + end, text.len - end, &code);
		struct prof_text one = { text.data + end, len > 0 ? len : 1 };
		size_t width = prof_text_cells(one);

		if (end > at && width > 0) {
			break;
		}
		*cells += width;
		end += one.len;
	}
	return end - at;
}

/* Append `text`, `total` cells, in `cells` (at least 2): an ellipsis for its middle. */
static void without_middle(struct prof_buf *out, struct prof_text text, size_t total,
			   size_t cells)
{
	size_t front = (cells - 1) * 2 / 5;
	size_t back = cells - 1 - front;
	size_t seen = 0;
	size_t at = 0;

	while (at < text.len && total - seen > back) {
		size_t width = 0;
		size_t len = cluster(text, at, &width);

		if (seen + width <= front) {
			prof_buf_add(out, text.data + at, len);
		} else {
			front = 0;
		}
		seen += width;
		at += len;
	}
	prof_buf_adds(out, ELLIPSIS);
	prof_buf_add(out, text.data + at, text.len - at);
}

void prof_label_fit(struct prof_buf *out, struct prof_text name, size_t cells)
{
	struct prof_buf scratch = { 0 };
	struct prof_text text = name;
	size_t width = prof_text_cells(text);
	size_t part = 0;

	if (cells < PROF_LABEL_MIN_CELLS) {
		return;
	}
	if (width > cells) {
		text.len = parameters(text);
		width = prof_text_cells(text);
	}
	if (width > cells) {
		without_arguments(&scratch, text);
		out->failed |= scratch.failed;
		text = (struct prof_text){ scratch.data, scratch.len };
		width = prof_text_cells(text);
	}
	while (width > cells && (part = next_part(text)) > 0) {
		width -= prof_text_cells(head(text, part));
		text = from(text, part);
	}
	if (width > cells) {
		without_middle(out, text, width, cells);
	} else {
		prof_buf_add(out, text.data, text.len);
	}
	prof_buf_free(&scratch);
}
