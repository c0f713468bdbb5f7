/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/option.h"
#include "cmd/suggest.h"
#include "libprof/base/buf.h"

struct unit {
	const char *name;
	double size;
};

/* A letter alone is what memory is counted in, an SI name with B is what it says. */
static const struct unit sizes[] = {
	{ "", 1 },        { "B", 1 },        { "k", 0x1p10 },   { "K", 0x1p10 },
	{ "Ki", 0x1p10 }, { "KiB", 0x1p10 }, { "kB", 1e3 },     { "KB", 1e3 },
	{ "M", 0x1p20 },  { "Mi", 0x1p20 },  { "MiB", 0x1p20 }, { "MB", 1e6 },
	{ "G", 0x1p30 },  { "Gi", 0x1p30 },  { "GiB", 0x1p30 }, { "GB", 1e9 },
	{ "T", 0x1p40 },  { "Ti", 0x1p40 },  { "TiB", 0x1p40 }, { "TB", 1e12 },
	{ NULL, 0 },
};

static const struct unit durations[] = {
	{ "", 1e9 },     { "ns", 1 },      { "us", 1e3 }, { "\xc2\xb5s", 1e3 },
	{ "ms", 1e6 },   { "s", 1e9 },     { "m", 60e9 }, { "min", 60e9 },
	{ "h", 3600e9 }, { "d", 86400e9 }, { NULL, 0 },
};

static const struct unit fractions[] = { { "", 1 }, { "%", 0.01 }, { NULL, 0 } };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * A decimal number at the start of `text`: what strtod() takes, less hexadecimal, nan,
 * infinity and blanks. *end is behind it, or `text` when there is none.
 */
static double read_decimal(const char *text, const char **end)
{
	size_t sign = text[0] == '-' || text[0] == '+';
	const char *digits = text + sign;
	char *stop = NULL;
	double number = 0;

	*end = text;
	if (!is_digit(digits[digits[0] == '.']) ||
	    (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))) {
		return 0;
	}
	number = strtod(text, &stop);
	if (!isfinite(number)) {
		return 0;
	}
	*end = stop;
	return number;
}

/* A number followed by one of `units`, together in the base unit. */
static bool read_with_unit(const char *text, const struct unit *units, double *number)
{
	const char *end = NULL;
	double value = read_decimal(text, &end);

	if (end == text) {
		return false;
	}
	for (; units->name; units++) {
		if (strcmp(units->name, end) == 0) {
			*number = value * units->size;
			return isfinite(*number);
		}
	}
	return false;
}

bool option_parse_number(const char *text, double *number, struct prof_error *err)
{
	const char *end = NULL;
	double value = read_decimal(text, &end);

	if (end == text || *end) {
		return prof_fail(err, PROF_ERR_SYNTAX, "'%s' is no number", text);
	}
	*number = value;
	return true;
}

bool option_parse_size(const char *text, uint64_t *bytes, struct prof_error *err)
{
	double value = 0;

	if (!read_with_unit(text, sizes, &value) || value < 0) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "'%s' is no size such as 512, 64K or 4GiB", text);
	}
	/* Beyond 2^53 a double has no odd numbers left, and no memory is that large. */
	if (value >= 0x1p63) {
		return prof_fail(err, PROF_ERR_LIMIT, "size '%s' is too large", text);
	}
	*bytes = (uint64_t)value;
	return true;
}

bool option_parse_duration(const char *text, int64_t *ns, struct prof_error *err)
{
	double value = 0;

	if (!read_with_unit(text, durations, &value) || value < 0) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "'%s' is no duration such as 10ms, 1.5s or 2m", text);
	}
	if (value >= 0x1p63) {
		return prof_fail(err, PROF_ERR_LIMIT, "duration '%s' is too long",
				 text);
	}
	*ns = (int64_t)value;
	return true;
}

static bool parse_fraction(const char *text, double *fraction, struct prof_error *err)
{
	double value = 0;

	if (!read_with_unit(text, fractions, &value)) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "'%s' is no fraction such as 0.05 or 5%%", text);
	}
	*fraction = value;
	return true;
}

static bool parse_integer(const struct option *option, const char *text,
			  int64_t *integer, struct prof_error *err)
{
	char *end = NULL;
	long long value = 0;

	errno = 0;
	value = strtoll(text, &end, 10);
	if (end == text || *end || text[strspn(text, "-+0123456789")]) {
		return prof_fail(err, PROF_ERR_SYNTAX, "'%s' is no whole number", text);
	}
	if (value < option->min) {
		return prof_fail(err, PROF_ERR_LIMIT, "at least %" PRId64 ", not '%s'",
				 option->min, text);
	}
	if (errno == ERANGE || (option->max != 0 && value > option->max)) {
		return prof_fail(err, PROF_ERR_LIMIT, "at most %" PRId64 ", not '%s'",
				 option->max != 0 ? option->max : INT64_MAX, text);
	}
	*integer = value;
	return true;
}

static bool no_such_choice(const struct option *option, const char *text,
			   struct prof_error *err)
{
	struct prof_buf said = { 0 };
	char hint[100];

	prof_buf_adds(&said, "one of ");
	for (size_t i = 0; option->values[i]; i++) {
		/* Leave room for the rest of the message. */
		if (said.len > 90) {
			prof_buf_adds(&said, ", ...");
			break;
		}
		prof_buf_addf(&said, "%s%s", i > 0 ? ", " : "", option->values[i]);
	}
	suggest_words(text, "", option->values, hint, sizeof(hint));
	prof_error_set(err, PROF_ERR_SYNTAX, "%.*s, not '%s'%s", (int)said.len,
		       said.data, text, hint);
	prof_buf_free(&said);
	return false;
}

static bool parse_choice(const struct option *option, const char *text, int *choice,
			 struct prof_error *err)
{
	for (int i = 0; option->values[i]; i++) {
		if (strcmp(option->values[i], text) == 0) {
			*choice = i;
			return true;
		}
	}
	return no_such_choice(option, text, err);
}

static bool add_to_list(struct option_list *list, const char *text,
			struct prof_error *err)
{
	if (list->count >= OPTION_LIST_MAX) {
		return prof_fail(err, PROF_ERR_LIMIT, "at most %d times",
				 OPTION_LIST_MAX);
	}
	list->items[list->count++] = text;
	return true;
}

/* `field` has the type that the macro of the option's kind has checked. */
static bool store(const struct option *option, void *field, const char *text,
		  struct prof_error *err)
{
	switch (option->kind) {
	case OPTION_KIND_INTEGER:
		return parse_integer(option, text, field, err);
	case OPTION_KIND_NUMBER:
		return option_parse_number(text, field, err);
	case OPTION_KIND_FRACTION:
		return parse_fraction(text, field, err);
	case OPTION_KIND_SIZE:
		return option_parse_size(text, field, err);
	case OPTION_KIND_DURATION:
		return option_parse_duration(text, field, err);
	case OPTION_KIND_LIST:
		return add_to_list(field, text, err);
	case OPTION_KIND_CHOICE:
		return parse_choice(option, text, field, err);
	case OPTION_KIND_TEXT:
		*(const char **)field = text;
		return true;
	case OPTION_KIND_FLAG:
	case OPTION_KIND_SET:
		break;
	}
	return prof_fail(err, PROF_ERR_SYNTAX, "takes no value");
}

bool option_store(const struct option *option, void *field, const char *text,
		  struct prof_error *err)
{
	struct prof_error why = { 0 };

	if (store(option, field, text, &why)) {
		return true;
	}
	return prof_fail(err, why.code, "--%s: %s", option->name, why.message);
}
