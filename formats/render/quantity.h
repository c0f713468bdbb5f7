/* SPDX-License-Identifier: MIT */
/*
 * quantity.h - values as people read them: 1.23 s, 4.5 KiB, 1,234 samples; 12.34%.
 *
 * Pictures and pages show values through here; viewer.js has the same arithmetic. No
 * locale has a say.
 */
#ifndef PROF_RENDER_QUANTITY_H
#define PROF_RENDER_QUANTITY_H

#include <stdint.h>

#include "libprof/base/buf.h"
#include "libprof/base/text.h"

/* One size of a unit: a value of at least `factor` is shown in it. */
struct prof_quantity_step {
	uint64_t factor;
	const char *name; /* NULL ends the ladder */
};

/*
 * The sizes that values in `unit` (nanoseconds, bytes, ...) are shown in, smallest
 * first, or NULL for a unit that is only counted.
 */
const struct prof_quantity_step *prof_quantity_ladder(struct prof_text unit);

/*
 * What is counted: the unit, or the type when the unit is only "count". The result is
 * as it is in the profile: show it escaped.
 */
struct prof_text prof_quantity_noun(struct prof_text type, struct prof_text unit);

/* Append `value` with commas: 1,234,567. */
void prof_quantity_add_count(struct prof_buf *out, uint64_t value);

/*
 * Append `value` with three significant digits in a size of `ladder`, or with commas
 * and the noun, escaped, when there is no ladder.
 */
void prof_quantity_add(struct prof_buf *out, uint64_t value,
		       const struct prof_quantity_step *ladder, struct prof_text noun);

/* Append `value` of `total` (not 0) as 12.34%, or with two digits below 0.01%. */
void prof_quantity_add_percent(struct prof_buf *out, uint64_t value, uint64_t total);

#endif
