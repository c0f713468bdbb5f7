/* SPDX-License-Identifier: MIT */
#include "libprof/model/scale.h"

#include "libprof/base/arena.h"
#include "libprof/model/copy.h"

__extension__ typedef __int128 wide;

/* --- ratios --------------------------------------------------------------------------- */

static uint64_t magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static struct prof_ratio lowest_terms(int64_t num, int64_t den)
{
	uint64_t a = magnitude(num);
	uint64_t b = (uint64_t)den;

	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return (struct prof_ratio){ (int64_t)(num / (wide)a),
				    (int64_t)(den / (wide)a) };
}

/* A decimal number being read: digits * 10^exponent. */
struct decimal {
	int64_t digits; /* with its sign */
	int64_t exponent;
};

static bool multiply_10(int64_t *value)
{
	return !__builtin_mul_overflow(*value, 10, value);
}

/*
 * Digits at `*at`, behind a point or not. Zeros at the end of a fraction count only
 * once another digit follows, so that 1.500000000000000000000 is not too long.
 */
static bool read_digits(struct prof_text text, size_t *at, bool fraction, bool negative,
			struct decimal *out)
{
	int64_t zeros = 0;

	for (; *at < text.len && text.data[*at] >= '0' && text.data[*at] <= '9';
	     ++*at) {
		int64_t digit = text.data[*at] - '0';

		if (fraction && digit == 0) {
			zeros++;
			continue;
		}
		for (zeros++; zeros > 0; zeros--) {
			out->exponent -= fraction;
			if (!multiply_10(&out->digits)) {
				return false;
			}
		}
		if (__builtin_add_overflow(out->digits, negative ? -digit : digit,
					   &out->digits)) {
			return false;
		}
	}
	return true;
}

enum { EXPONENT_MAX = 1000 };

/* The exponent behind 'e', added up. False when there is none. */
static bool read_exponent(struct prof_text text, size_t *at, struct decimal *out)
{
	bool negative = *at < text.len && text.data[*at] == '-';
	int64_t value = 0;
	size_t start;

	*at += negative || (*at < text.len && text.data[*at] == '+');
	start = *at;
	for (; *at < text.len && text.data[*at] >= '0' && text.data[*at] <= '9';
	     ++*at) {
		if (value < EXPONENT_MAX) {
			value = value * 10 + (text.data[*at] - '0');
		}
	}
	out->exponent += negative ? -value : value;
	return *at > start;
}

static bool fail_factor(struct prof_text text, enum prof_code code,
			struct prof_error *err)
{
	int len = (int)(text.len < 60 ? text.len : 60);

	if (code == PROF_ERR_LIMIT) {
		return prof_fail(err, code, "'%.*s' has too many digits", len,
				 text.data);
	}
	return prof_fail(err, code, "'%.*s' is no number and no ratio", len, text.data);
}

/* Make the exponent part of either side. */
static bool to_ratio(struct decimal number, struct prof_ratio *out)
{
	int64_t den = 1;

	for (; number.exponent > 0 && number.digits != 0; number.exponent--) {
		if (!multiply_10(&number.digits)) {
			return false;
		}
	}
	for (; number.exponent < 0 && number.digits != 0; number.exponent++) {
		if (number.digits % 10 == 0) {
			number.digits /= 10;
		} else if (!multiply_10(&den)) {
			return false;
		}
	}
	*out = lowest_terms(number.digits, den);
	return true;
}

static bool parse_decimal(struct prof_text text, struct prof_ratio *out,
			  struct prof_error *err)
{
	bool negative = text.len > 0 && text.data[0] == '-';
	size_t at = negative || (text.len > 0 && text.data[0] == '+');
	struct decimal number = { 0 };
	size_t start = at;
	size_t points = 0;
	bool fits;

	fits = read_digits(text, &at, false, negative, &number);
	if (fits && at < text.len && text.data[at] == '.') {
		points = 1;
		at++;
		fits = read_digits(text, &at, true, negative, &number);
	}
	if (!fits) {
		return fail_factor(text, PROF_ERR_LIMIT, err);
	}
	if (at - start == points) {
		return fail_factor(text, PROF_ERR_SYNTAX, err);
	}
	if (at < text.len && (text.data[at] == 'e' || text.data[at] == 'E')) {
		at++;
		if (!read_exponent(text, &at, &number)) {
			return fail_factor(text, PROF_ERR_SYNTAX, err);
		}
	}
	if (at != text.len) {
		return fail_factor(text, PROF_ERR_SYNTAX, err);
	}
	return to_ratio(number, out) || fail_factor(text, PROF_ERR_LIMIT, err);
}

bool prof_ratio_parse(struct prof_text text, struct prof_ratio *out,
		      struct prof_error *err)
{
	const char *slash = text.len > 0 ? memchr(text.data, '/', text.len) : NULL;
	struct prof_ratio above;
	struct prof_ratio below;
	size_t len;

	if (!slash) {
		return parse_decimal(text, out, err);
	}
	len = (size_t)(slash - text.data);
	if (!parse_decimal((struct prof_text){ text.data, len }, &above, err) ||
	    !parse_decimal((struct prof_text){ slash + 1, text.len - len - 1 }, &below,
			   err)) {
		return false;
	}
	if (above.den != 1 || below.den != 1 || below.num <= 0) {
		return fail_factor(text, PROF_ERR_SYNTAX, err);
	}
	*out = lowest_terms(above.num, below.num);
	return true;
}

static int shown(struct prof_text name)
{
	return (int)(name.len < 60 ? name.len : 60);
}

bool prof_ratio_to_total(const struct prof_profile *profile, uint32_t column,
			 int64_t total, struct prof_ratio *out, struct prof_error *err)
{
	struct prof_text type = prof_string(profile, profile->types[column].type);
	int64_t sum;

	if (!prof_column_total(profile, column, &sum, err)) {
		return false;
	}
	if (sum == 0) {
		return prof_fail(err, PROF_ERR_MISMATCH,
				 "'%.*s' is zero in every sample: no factor gives it "
				 "another total",
				 shown(type), type.data);
	}
	*out = lowest_terms(total, sum);
	return true;
}

/* --- scaling -------------------------------------------------------------------------- */

/* value * num / den, rounded half away from zero. */
static bool multiply(int64_t value, struct prof_ratio ratio, int64_t *out)
{
	wide product = (wide)value * ratio.num;
	wide half = ratio.den / 2;
	wide result = product / ratio.den;
	wide rest = product % ratio.den;

	if (rest > half || (rest == half && rest > 0 && ratio.den % 2 == 0)) {
		result++;
	} else if (-rest > half || (-rest == half && rest < 0 && ratio.den % 2 == 0)) {
		result--;
	}
	if (result > INT64_MAX || result < INT64_MIN) {
		return false;
	}
	*out = (int64_t)result;
	return true;
}

static bool scale_column(const struct prof_profile *profile, uint32_t column,
			 struct prof_ratio ratio, int64_t *out, struct prof_error *err)
{
	struct prof_text type = prof_string(profile, profile->types[column].type);
	const int64_t *values = profile->values[column];

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		if (!multiply(values[i], ratio, &out[i])) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "a value of '%.*s' does not fit 64 bits once "
					 "scaled",
					 shown(type), type.data);
		}
	}
	return true;
}

static bool is_zero(const struct prof_profile *profile, uint32_t sample)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		if (profile->values[c][sample] != 0) {
			return false;
		}
	}
	return true;
}

/* Copy `view`, the scaled profile, without the samples that scaling made zero. */
static bool copy_scaled(const struct prof_profile *profile,
			const struct prof_profile *view, bool *keep,
			struct prof_profile **out, uint32_t *dropped,
			struct prof_error *err)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < profile->sample_count; i++) {
		keep[i] = !is_zero(view, i) || is_zero(profile, i);
		count += !keep[i];
	}
	if (!prof_profile_copy(view, keep, out, err)) {
		return false;
	}
	if (dropped) {
		*dropped = count;
	}
	return true;
}

bool prof_scale(const struct prof_profile *profile, const struct prof_ratio *ratios,
		struct prof_profile **out, uint32_t *dropped, struct prof_error *err)
{
	struct prof_profile view = *profile;
	struct prof_arena arena = { 0 };
	size_t count = profile->sample_count;
	bool *keep = prof_arena_array(&arena, count, sizeof(*keep));
	bool ok = true;

	view.values =
		prof_arena_array(&arena, profile->type_count, sizeof(*view.values));
	for (uint32_t c = 0; ok && c < profile->type_count; c++) {
		int64_t *column = prof_arena_array(&arena, count, sizeof(*column));

		if (arena.failed) {
			break;
		}
		view.values[c] = column;
		ok = scale_column(profile, c, ratios[c], column, err);
	}
	if (ok && arena.failed) {
		ok = prof_fail_nomem(err);
	}
	ok = ok && copy_scaled(profile, &view, keep, out, dropped, err);
	prof_arena_free(&arena);
	return ok;
}
