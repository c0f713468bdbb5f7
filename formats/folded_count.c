/* SPDX-License-Identifier: MIT */
#include "formats/folded.h"

#include <inttypes.h>
#include <string.h>

static const int64_t powers[FOLDED_DECIMALS + 1] = {
	1, 10, 100, 1000, 10000, 100000, 1000000,
};

int64_t prof_folded_power(uint32_t decimals)
{
	return powers[decimals];
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A decimal number taken apart: digits * 10^exponent, a sign, what was cut off. */
struct decimal {
	uint64_t digits; /* below 10^19 */
	int64_t exponent;
	bool negative;
	bool cut; /* digits beyond the 19th, not all of them 0 */
};

enum { EXPONENT_MAX = 1000000 }; /* beyond any text: keeps the arithmetic in range */

static void add_digit(struct decimal *number, char digit, bool fraction)
{
	unsigned value = (unsigned)(digit - '0');

	if (number->digits >= UINT64_C(1000000000000000000)) {
		number->cut |= value != 0;
		number->exponent += !fraction;
		return;
	}
	number->digits = number->digits * 10 + value;
	number->exponent -= fraction;
}

/* The exponent behind an 'e' at `at`: where it ends, or 0 when it is none. */
static size_t parse_exponent(struct prof_text text, size_t at, int64_t *exponent)
{
	bool negative = at < text.len && text.data[at] == '-';
	size_t start = at + (at < text.len && (negative || text.data[at] == '+'));
	int64_t value = 0;
	size_t i = start;

	for (; i < text.len && is_digit(text.data[i]); i++) {
		if (value < EXPONENT_MAX) {
			value = value * 10 + (text.data[i] - '0');
		}
	}
	*exponent += negative ? -value : value;
	return i == start ? 0 : i;
}

static bool parse_decimal(struct prof_text text, struct decimal *number)
{
	size_t i = 0;
	size_t first;

	number->negative = text.len > 0 && text.data[0] == '-';
	first = i = number->negative;
	for (; i < text.len && is_digit(text.data[i]); i++) {
		add_digit(number, text.data[i], false);
	}
	if (i == first) {
		return false;
	}
	if (i < text.len && text.data[i] == '.') {
		for (i++; i < text.len && is_digit(text.data[i]); i++) {
			add_digit(number, text.data[i], true);
		}
	}
	if (i < text.len && (text.data[i] == 'e' || text.data[i] == 'E')) {
		i = parse_exponent(text, i + 1, &number->exponent);
	}
	return i == text.len;
}

/* Bring the exponent to -FOLDED_DECIMALS or more: half away from zero. */
static bool round_off(struct decimal *number)
{
	bool rounded = number->cut;
	unsigned last = 0;

	for (; number->exponent < -FOLDED_DECIMALS && number->digits > 0;
	     number->exponent++) {
		last = (unsigned)(number->digits % 10);
		rounded |= last != 0;
		number->digits /= 10;
	}
	number->digits += last >= 5 && number->exponent == -FOLDED_DECIMALS;
	while (number->digits > 0 && number->digits % 10 == 0 && number->exponent < 0) {
		number->digits /= 10;
		number->exponent++;
	}
	return rounded;
}

enum prof_code prof_folded_count_parse(struct prof_text text,
				       struct prof_folded_count *out)
{
	struct decimal number = { 0 };
	int64_t value;
	bool rounded;

	if (!parse_decimal(text, &number)) {
		return PROF_ERR_SYNTAX;
	}
	rounded = round_off(&number);
	for (; number.exponent > 0 && number.digits > 0; number.exponent--) {
		if (__builtin_mul_overflow(number.digits, 10, &number.digits)) {
			return PROF_ERR_LIMIT;
		}
	}
	if (number.digits > (uint64_t)INT64_MAX + number.negative) {
		return PROF_ERR_LIMIT;
	}
	value = (int64_t)(number.negative ? 0 - number.digits : number.digits);
	*out = (struct prof_folded_count){
		.value = value,
		.decimals = value ? (uint32_t)-number.exponent : 0,
		.rounded = rounded,
	};
	return PROF_OK;
}

void prof_folded_count_add(struct prof_buf *out, int64_t value, uint32_t decimals)
{
	uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	uint64_t power = (uint64_t)powers[decimals];
	uint64_t fraction = magnitude % power;

	if (value < 0) {
		prof_buf_addc(out, '-');
	}
	prof_buf_add_uint(out, magnitude / power);
	if (fraction == 0) {
		return;
	}
	for (; fraction % 10 == 0; decimals--) {
		fraction /= 10;
	}
	prof_buf_addf(out, ".%0*" PRIu64, (int)decimals, fraction);
}

uint32_t prof_folded_unit_decimals(struct prof_text unit, struct prof_text *base)
{
	size_t zeros = 0;

	while (zeros < unit.len && unit.data[unit.len - 1 - zeros] == '0') {
		zeros++;
	}
	if (base) {
		*base = unit;
	}
	if (zeros == 0 || zeros > FOLDED_DECIMALS || unit.len < zeros + 2 ||
	    memcmp(unit.data + unit.len - zeros - 2, "/1", 2) != 0) {
		return 0;
	}
	if (base) {
		base->len = unit.len - zeros - 2;
	}
	return (uint32_t)zeros;
}

size_t prof_folded_plain_len(struct prof_text name)
{
	const char *end = name.data + name.len;

	if (name.len > 4 && end[-1] == ']' && end[-3] == '[' && end[-4] == '_' &&
	    strchr("kijw01", end[-2]) && end[-2] != '\0') {
		return name.len - 4;
	}
	return name.len;
}

struct prof_text prof_folded_trim(struct prof_text text)
{
	while (text.len > 0 &&
	       (is_blank(text.data[text.len - 1]) || text.data[text.len - 1] == '\r')) {
		text.len--;
	}
	return text;
}

bool prof_folded_split(struct prof_text line, struct prof_text *stack,
		       struct prof_text *token)
{
	size_t at = line.len;

	while (at > 0 && !is_blank(line.data[at - 1])) {
		at--;
	}
	if (at == 0) {
		return false;
	}
	*token = (struct prof_text){ line.data + at, line.len - at };
	*stack = prof_folded_trim((struct prof_text){ line.data, at });
	return true;
}
