/* SPDX-License-Identifier: MIT */
#include "cmd/pattern.h"

#include <stdio.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "libprof/base/alloc.h"

enum {
	HEAP_LIMIT_KIB = 16 * 1024,
	DEPTH_LIMIT = 10000,
	JIT_STACK_START = 32 * 1024,
	JIT_STACK_MAX = 1024 * 1024,
	HARD_NAMES = 50,   /* after so many that are too hard... */
	HARD_LIMIT = 5000, /* ...a name gets this many steps only */
	SHOWN_MAX = 80,    /* bytes of an expression in a message */
};

struct pattern_code {
	pcre2_code *code;
	pcre2_match_data *match;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	uint64_t gave_up;
};

static bool refuse(const char *regex, size_t offset, const char *why,
		   struct prof_error *err)
{
	int shown = (int)strnlen(regex, SHOWN_MAX);

	return prof_fail(err, PROF_ERR_SYNTAX,
			 "bad regular expression '%.*s%s': %s at offset %zu", shown,
			 regex, regex[shown] ? "..." : "", why, offset);
}

/*
 * What PCRE2 has and RE2 has not. All of it needs backtracking, or means something
 * else there, so that an expression would work here and nowhere else.
 */
struct scan {
	const char *at;
	bool quoted;   /* between \Q and \E */
	bool repeated; /* the last token was * + ? or {n,m} */
};

/* Why the escape `c` cannot stand outside a class; NULL when it can. */
static const char *bad_escape(char c)
{
	if (c >= '1' && c <= '9') {
		return "back-references are not supported";
	}
	switch (c) {
	case 'g':
	case 'k':
		return "back-references are not supported";
	case 'K':
	case 'G':
	case 'Z':
		return "look-around is not supported";
	case 'R':
	case 'X':
	case 'N':
	case 'C':
	case 'h':
	case 'H':
	case 'V':
		return "this escape is not supported";
	default:
		return NULL;
	}
}

/* Why the group that opens with `text`, "(" included, cannot be; NULL when it can. */
static const char *bad_group(const char *text)
{
	const char *c = text + 2;

	if (text[1] == '*') {
		return "control verbs are not supported";
	}
	if (text[1] != '?' || *c == '\0') {
		return NULL;
	}
	if (*c == '=' || *c == '!' || (*c == '<' && (c[1] == '=' || c[1] == '!'))) {
		return "look-around is not supported";
	}
	if (*c == 'P' && c[1] == '=') {
		return "back-references are not supported";
	}
	if (*c == '<' || (*c == 'P' && c[1] == '<')) {
		return NULL;
	}
	/* Flags, as in (?i) and (?i-s:...). */
	c += strspn(c, "imsU-");
	return *c == ':' || *c == ')' ? NULL : "this kind of group is not supported";
}

/* Length of a {n}, {n,} or {n,m} at `text`; 0 when the brace is a character. */
static size_t count_length(const char *text)
{
	const char *c = text + 1;
	size_t digits = strspn(c, "0123456789");

	c += digits;
	if (digits > 0 && *c == ',') {
		c++;
		c += strspn(c, "0123456789");
	}
	return digits > 0 && *c == '}' ? (size_t)(c - text) + 1 : 0;
}

/* Behind the "]" that closes the class at `text`, or its end. */
static const char *skip_class(const char *text)
{
	const char *c = text + 1;

	c += *c == '^';
	c += *c == ']';
	while (*c && *c != ']') {
		const char *end = *c == '[' && c[1] == ':' ? strstr(c, ":]") : NULL;

		if (end) {
			c = end + 2;
		} else {
			c += *c == '\\' && c[1] ? 2 : 1;
		}
	}
	return *c ? c + 1 : c;
}

/* Go behind the escape at scan->at, a backslash. */
static const char *scan_escape(struct scan *scan)
{
	char c = scan->at[1];

	if (scan->quoted) {
		scan->quoted = c != 'E';
		scan->at += scan->quoted ? 1 : 2;
		return NULL;
	}
	scan->at += c ? 2 : 1;
	scan->quoted = c == 'Q';
	return bad_escape(c);
}

/* Go behind the next token. Returns why it cannot be, or NULL. */
static const char *scan_token(struct scan *scan)
{
	const char *start = scan->at;
	bool repeated = scan->repeated;

	scan->repeated = false;
	if (*start == '\\') {
		return scan_escape(scan);
	}
	scan->at++;
	if (scan->quoted) {
		return NULL;
	}
	switch (*start) {
	case '[':
		scan->at = skip_class(start);
		return NULL;
	case '(':
		if (start[1] == '?') {
			scan->at++;
		}
		return bad_group(start);
	case '+':
		if (repeated) {
			return "possessive repetition is not supported";
		}
		scan->repeated = true;
		return NULL;
	case '*':
	case '?':
		scan->repeated = !repeated;
		return NULL;
	case '{':
		scan->repeated = count_length(start) > 0;
		scan->at += scan->repeated ? count_length(start) - 1 : 0;
		return NULL;
	default:
		return NULL;
	}
}

static bool is_portable(const char *regex, struct prof_error *err)
{
	struct scan scan = { .at = regex };

	while (*scan.at) {
		size_t offset = (size_t)(scan.at - regex);
		const char *why = scan_token(&scan);

		if (why) {
			return refuse(regex, offset, why, err);
		}
	}
	return true;
}

static void code_free(struct pattern_code *code)
{
	if (code) {
		pcre2_match_data_free(code->match);
		pcre2_match_context_free(code->context);
		pcre2_jit_stack_free(code->stack);
		pcre2_code_free(code->code);
		prof_free(code);
	}
}

/* Everything a match needs, for an expression just compiled, which it takes over. */
static bool prepare(struct pattern *pattern, pcre2_code *compiled,
		    struct prof_error *err)
{
	struct pattern_code *code = prof_alloc_array(1, sizeof(*code));

	if (!code) {
		pcre2_code_free(compiled);
		return prof_fail_nomem(err);
	}
	code->code = compiled;
	code->match = pcre2_match_data_create(1, NULL);
	code->context = pcre2_match_context_create(NULL);
	if (!code->match || !code->context) {
		code_free(code);
		return prof_fail_nomem(err);
	}
	pcre2_set_match_limit(code->context, PATTERN_MATCH_LIMIT);
	pcre2_set_depth_limit(code->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(code->context, HEAP_LIMIT_KIB);
	/* Where code cannot be generated, matching is slower and otherwise the same. */
	if (pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE) == 0) {
		code->stack =
			pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MAX, NULL);
		pcre2_jit_stack_assign(code->context, NULL, code->stack);
	}
	pattern->code = code;
	return true;
}

static bool compile(struct pattern *pattern, const char *regex, uint32_t flags,
		    struct prof_error *err)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	pcre2_code *code = NULL;
	PCRE2_UCHAR why[160];
	PCRE2_SIZE offset = 0;
	int number = 0;

	if (!context) {
		return prof_fail_nomem(err);
	}
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	code = pcre2_compile((PCRE2_SPTR)regex, PCRE2_ZERO_TERMINATED, flags, &number,
			     &offset, context);
	pcre2_compile_context_free(context);
	if (!code) {
		pcre2_get_error_message(number, why, sizeof(why));
		return refuse(regex, offset, (const char *)why, err);
	}
	return prepare(pattern, code, err);
}

static bool is_short(const char *text, struct prof_error *err)
{
	if (strlen(text) > PATTERN_MAX_LEN) {
		return prof_fail(err, PROF_ERR_LIMIT,
				 "regular expression '%.*s...' is longer than %d bytes",
				 SHOWN_MAX, text, PATTERN_MAX_LEN);
	}
	return true;
}

bool pattern_init(struct pattern *pattern, const char *regex, struct prof_error *err)
{
	return is_short(regex, err) && is_portable(regex, err) &&
	       compile(pattern, regex,
		       PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY |
			       PCRE2_NEVER_UCP,
		       err);
}

bool pattern_init_fixed(struct pattern *pattern, const char *text,
			struct prof_error *err)
{
	return is_short(text, err) && compile(pattern, text, PCRE2_LITERAL, err);
}

bool pattern_is_set(const struct pattern *pattern)
{
	return pattern->code != NULL;
}

bool pattern_match(const struct pattern *pattern, const char *data, size_t len)
{
	struct pattern_code *code = pattern->code;
	PCRE2_SPTR subject = (PCRE2_SPTR)(data ? data : "");
	int result =
		pcre2_match(code->code, subject, len, 0, 0, code->match, code->context);

	if (result == PCRE2_ERROR_JIT_STACKLIMIT) {
		result = pcre2_match(code->code, subject, len, 0, PCRE2_NO_JIT,
				     code->match, code->context);
	}
	if (result >= 0) {
		return true;
	}
	if (result != PCRE2_ERROR_NOMATCH) {
		code->gave_up++;
		if (code->gave_up == HARD_NAMES) {
			pcre2_set_match_limit(code->context, HARD_LIMIT);
		}
	}
	return false;
}

uint64_t pattern_gave_up(const struct pattern *pattern)
{
	return pattern->code ? pattern->code->gave_up : 0;
}

void pattern_free(struct pattern *pattern)
{
	code_free(pattern->code);
	*pattern = (struct pattern){ 0 };
}

const char *pattern_version(char *out, size_t size)
{
	char version[64] = "";
	uint32_t jit = 0;

	if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) <= (int)sizeof(version)) {
		pcre2_config(PCRE2_CONFIG_VERSION, version);
	}
	pcre2_config(PCRE2_CONFIG_JIT, &jit);
	/* "10.42 2022-12-11": the date says nothing more. */
	snprintf(out, size, "%.*s%s", (int)strcspn(version, " "), version,
		 jit ? ", jit" : "");
	return out;
}
