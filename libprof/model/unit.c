/* SPDX-License-Identifier: MIT */
#include "libprof/model/unit.h"

#include <math.h>
#include <stdio.h>

enum { ALIASES = 4, NAME_MAX_LEN = 16 };

struct unit {
	const char *name;
	double factor;
	const char *aliases[ALIASES]; /* lower case, singular */
};

enum { MEMORY, TIME, GCU, FAMILIES };

struct family {
	const struct unit *units; /* smallest first, ended by a NULL name */
	const struct unit *fallback;
};

static const struct unit memory[] = {
	{ "B", 1, { "b", "byte" } },
	{ "kB", 0x1p10, { "kb", "kbyte", "kilobyte" } },
	{ "MB", 0x1p20, { "mb", "mbyte", "megabyte" } },
	{ "GB", 0x1p30, { "gb", "gbyte", "gigabyte" } },
	{ "TB", 0x1p40, { "tb", "tbyte", "terabyte" } },
	{ "PB", 0x1p50, { "pb", "pbyte", "petabyte" } },
	{ 0 },
};

static const struct unit duration[] = {
	{ "ns", 1, { "ns", "nanosecond" } },
	{ "us", 1e3, { "us", "microsecond", "\xce\xbcs", "\xc2\xb5s" } },
	{ "ms", 1e6, { "ms", "millisecond" } },
	{ "s", 1e9, { "s", "sec", "second" } },
	{ "hrs", 3600e9, { "hour", "hr" } },
	{ 0 },
};

static const struct unit gcu[] = {
	{ "n*GCU", 1e-9, { "nanogcu" } },  { "u*GCU", 1e-6, { "microgcu" } },
	{ "m*GCU", 1e-3, { "milligcu" } }, { "GCU", 1, { "gcu" } },
	{ "k*GCU", 1e3, { "kilogcu" } },   { "M*GCU", 1e6, { "megagcu" } },
	{ "G*GCU", 1e9, { "gigagcu" } },   { "T*GCU", 1e12, { "teragcu" } },
	{ "P*GCU", 1e15, { "petagcu" } },  { 0 },
};

static const struct family families[FAMILIES] = {
	[MEMORY] = { memory, &memory[0] },
	[TIME] = { duration, &duration[3] },
	[GCU] = { gcu, &gcu[3] },
};

const char prof_unit_names[] =
	"auto, minimum, B, kB, MB, GB, TB, PB, ns, us, ms, s, hrs, GCU";

static const struct unit *find_alias(const struct family *family, struct prof_text name)
{
	for (const struct unit *unit = family->units; unit->name; unit++) {
		for (int i = 0; i < ALIASES && unit->aliases[i]; i++) {
			if (prof_text_equal(name, prof_text(unit->aliases[i]))) {
				return unit;
			}
		}
	}
	return NULL;
}

/* The unit of the family that `text` names, or NULL. */
static const struct unit *find_in(const struct family *family, struct prof_text text)
{
	char lower[NAME_MAX_LEN];
	struct prof_text name = { lower, text.len };
	const struct unit *unit;

	if (text.len == 0 || text.len > sizeof(lower)) {
		return NULL;
	}
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		lower[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
	}
	unit = find_alias(family, name);
	if (!unit && name.len > 2 && lower[name.len - 1] == 's') {
		name.len--;
		unit = find_alias(family, name);
	}
	return unit;
}

static const struct unit *find_unit(struct prof_text text, const struct family **family)
{
	for (int i = 0; i < FAMILIES; i++) {
		const struct unit *unit = find_in(&families[i], text);

		if (unit) {
			*family = &families[i];
			return unit;
		}
	}
	return NULL;
}

static bool is_automatic(struct prof_text to)
{
	return prof_text_equal(to, prof_text("minimum")) ||
	       prof_text_equal(to, prof_text("auto"));
}

static bool is_uninteresting(struct prof_text unit)
{
	return is_automatic(unit) || prof_text_equal(unit, prof_text("count")) ||
	       prof_text_equal(unit, prof_text("sample")) ||
	       prof_text_equal(unit, prof_text("unit"));
}

/* The largest unit in which `base`, in the family's own measure, is at least 1. */
static const struct unit *largest_fitting(const struct family *family, double base)
{
	const struct unit *best = family->fallback;

	for (const struct unit *unit = family->units; unit->name; unit++) {
		if (base / unit->factor < 1) {
			break;
		}
		best = unit;
	}
	return best;
}

struct prof_scaled prof_unit_scale(int64_t value, struct prof_text from,
				   struct prof_text to)
{
	const struct family *family = NULL;
	const struct unit *have = find_unit(from, &family);
	const struct unit *want;
	double base;

	if (!have) {
		return (struct prof_scaled){
			.value = (double)value,
			.unit = is_uninteresting(to) ? (struct prof_text){ "", 0 } : to,
		};
	}
	base = (double)value * have->factor;
	want = is_automatic(to) ? largest_fitting(family, fabs(base))
				: find_in(family, to);
	want = want ? want : family->fallback;
	return (struct prof_scaled){
		.value = base / want->factor,
		.unit = prof_text(want->name),
		.converted = want != have,
	};
}

void prof_unit_label(struct prof_buf *out, int64_t value, struct prof_text from,
		     struct prof_text to)
{
	struct prof_scaled scaled = prof_unit_scale(value, from, to);
	struct prof_text text;
	char digits[400]; /* the largest double has 309 */

	if (!scaled.converted && value != 0) {
		prof_buf_add_int(out, value);
		prof_buf_add(out, scaled.unit.data, scaled.unit.len);
		return;
	}
	snprintf(digits, sizeof(digits), "%.2f", scaled.value);
	text = prof_text(digits);
	if (text.len > 3 && memcmp(text.data + text.len - 3, ".00", 3) == 0) {
		text.len -= 3;
	}
	if (prof_text_equal(text, prof_text("0")) ||
	    prof_text_equal(text, prof_text("-0"))) {
		prof_buf_addc(out, '0');
		return;
	}
	prof_buf_add(out, text.data, text.len);
	prof_buf_add(out, scaled.unit.data, scaled.unit.len);
}

void prof_unit_percent(struct prof_buf *out, int64_t value, int64_t total)
{
	double percent = total ? fabs((double)value / (double)total) * 100 : 0;

	if (percent >= 99.95 && percent <= 100.05) {
		prof_buf_adds(out, "  100%");
	} else if (percent >= 1) {
		prof_buf_addf(out, "%5.2f%%", percent);
	} else {
		prof_buf_addf(out, "%5.2g%%", percent);
	}
}

static int64_t times_100(int64_t value)
{
	int64_t result;

	return __builtin_mul_overflow(value, 100, &result) ? INT64_MAX : result;
}

struct prof_text prof_unit_choose(int64_t smallest, int64_t total,
				  struct prof_text unit)
{
	struct prof_text automatic = prof_text("minimum");
	struct prof_text low;
	struct prof_text high;

	smallest = smallest ? smallest : total;
	low = prof_unit_scale(smallest, unit, automatic).unit;
	high = prof_unit_scale(total, unit, automatic).unit;
	if (!prof_text_equal(low, high) && times_100(smallest) < total) {
		low = prof_unit_scale(times_100(smallest), unit, automatic).unit;
	}
	return low.len > 0 ? low : unit;
}

bool prof_unit_known(struct prof_text unit)
{
	const struct family *family;

	return find_unit(unit, &family) != NULL;
}

bool prof_unit_convertible(struct prof_text a, struct prof_text b)
{
	const struct family *family_a = NULL;
	const struct family *family_b = NULL;

	return find_unit(a, &family_a) && find_unit(b, &family_b) &&
	       family_a == family_b;
}

bool prof_unit_is_time(struct prof_text unit)
{
	return find_in(&families[TIME], unit) != NULL;
}

size_t prof_unit_parse(struct prof_text text, int64_t *value, struct prof_text *unit)
{
	bool negative = text.len > 0 && text.data[0] == '-';
	size_t start = text.len > 0 && (negative || text.data[0] == '+');
	size_t i = start;
	int64_t number = 0;
	size_t digits;

	for (; i < text.len && text.data[i] >= '0' && text.data[i] <= '9'; i++) {
		int64_t digit = text.data[i] - '0';

		/* counts down, so that the smallest number fits too */
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_sub_overflow(number, digit, &number)) {
			return 0;
		}
	}
	if (i == start || (!negative && number == INT64_MIN)) {
		return 0;
	}
	digits = i;
	while (i < text.len && ((text.data[i] >= 'a' && text.data[i] <= 'z') ||
				(text.data[i] >= 'A' && text.data[i] <= 'Z'))) {
		i++;
	}
	*value = negative ? number : -number;
	*unit = (struct prof_text){ text.data + digits, i - digits };
	return i;
}
