/* SPDX-License-Identifier: MIT */
#include "formats/render/quantity.h"

#include <inttypes.h>
#include <stdio.h>

#include "libprof/base/hash.h"

static const struct prof_quantity_step time_steps[] = {
	{ 1, "ns" },
	{ 1000, "µs" },
	{ 1000000, "ms" },
	{ 1000000000, "s" },
	{ UINT64_C(60000000000), "min" },
	{ UINT64_C(3600000000000), "h" },
	{ 0, NULL },
};

static const struct prof_quantity_step byte_steps[] = {
	{ 1, "B" },
	{ UINT64_C(1) << 10, "KiB" },
	{ UINT64_C(1) << 20, "MiB" },
	{ UINT64_C(1) << 30, "GiB" },
	{ UINT64_C(1) << 40, "TiB" },
	{ UINT64_C(1) << 50, "PiB" },
	{ 0, NULL },
};

const struct prof_quantity_step *prof_quantity_ladder(struct prof_text unit)
{
	if (prof_text_equal(unit, prof_text("nanoseconds")) ||
	    prof_text_equal(unit, prof_text("ns"))) {
		return time_steps;
	}
	if (prof_text_equal(unit, prof_text("bytes")) ||
	    prof_text_equal(unit, prof_text("B"))) {
		return byte_steps;
	}
	return NULL;
}

struct prof_text prof_quantity_noun(struct prof_text type, struct prof_text unit)
{
	bool counted = unit.len == 0 || prof_text_equal(unit, prof_text("count"));

	if (!counted) {
		return unit;
	}
	return type.len > 0 ? type : prof_text("samples");
}

void prof_quantity_add_count(struct prof_buf *out, uint64_t value)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, value);

	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0) {
			prof_buf_addc(out, ',');
		}
		prof_buf_addc(out, digits[i]);
	}
}

/* Append value / factor, which is at least 1, with three significant digits. */
static void add_ratio(struct prof_buf *out, uint64_t value, uint64_t factor)
{
	uint64_t whole = value / factor;
	unsigned places = whole < 10 ? 2 : whole < 100 ? 1 : 0;
	unsigned power = places == 2 ? 100 : places == 1 ? 10 : 1;
	prof_u128 scaled = ((prof_u128)value * power * 2 + factor) / factor / 2;
	uint64_t rounded = (uint64_t)scaled;

	prof_quantity_add_count(out, rounded / power);
	if (places > 0) {
		prof_buf_addf(out, ".%0*u", (int)places, (unsigned)(rounded % power));
	}
}

void prof_quantity_add(struct prof_buf *out, uint64_t value,
		       const struct prof_quantity_step *ladder, struct prof_text noun)
{
	const struct prof_quantity_step *step = ladder;

	if (!ladder) {
		prof_quantity_add_count(out, value);
		prof_buf_addc(out, ' ');
		prof_text_escape(out, noun);
		return;
	}
	while (step[1].name && value >= step[1].factor) {
		step++;
	}
	if (step->factor == 1) {
		prof_quantity_add_count(out, value);
	} else {
		add_ratio(out, value, step->factor);
	}
	prof_buf_addf(out, " %s", step->name);
}

void prof_quantity_add_percent(struct prof_buf *out, uint64_t value, uint64_t total)
{
	uint64_t hundredths =
		(uint64_t)(((prof_u128)value * 20000 + total) / total / 2);

	if (hundredths > 0 || value == 0) {
		prof_buf_add_uint(out, hundredths / 100);
		prof_buf_addf(out, ".%02u%%", (unsigned)(hundredths % 100));
	} else {
		double percent = (double)value * 100 / (double)total;
		int places = 1; /* so that two digits are not zero */

		for (double shown = percent; shown < 1 && places < 24; shown *= 10) {
			places++;
		}
		prof_buf_addf(out, "%.*f%%", places, percent);
	}
}
