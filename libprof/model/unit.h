/* SPDX-License-Identifier: MIT */
/*
 * unit.h - values with units: conversion, and how they are shown.
 *
 *	family   units, smallest first          factor     default
 *	memory   B kB MB GB TB PB               1024       B
 *	time     ns us ms s hrs                 1000; 3600 s
 *	GCU      n*GCU ... GCU ... P*GCU        1000       GCU
 *
 * Names are found whatever their case, in the plural too, and by their aliases: MB, mb,
 * mbyte, megabytes. Any other unit stays as it is and is never converted.
 *
 * A wish "minimum" or "auto" is the largest unit in which the value is at least 1.
 *
 * Exact:  a value that is not converted prints all its digits, beyond 2^53 too.
 * Locale: numbers are printed by printf(3): the program must leave LC_NUMERIC alone.
 * Source: the same units and texts as google/pprof internal/measurement.
 */
#ifndef PROF_MODEL_UNIT_H
#define PROF_MODEL_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/base/text.h"

struct prof_scaled {
	double value;
	struct prof_text unit; /* as it is shown; "" for none; may borrow `to` */
	bool converted;        /* false: value is the int64 it came from */
};

/*
 * `value` of unit `from` in the unit `to`. From a known unit to one that is not known
 * or of another family: the family's default. From an unknown unit: the value as it
 * is, with `to` as its unit, or none for count, sample, unit, minimum and auto.
 */
struct prof_scaled prof_unit_scale(int64_t value, struct prof_text from,
				   struct prof_text to);

/* Append the value with two decimals unless they are zero, and its unit: "1.50s", "0". */
void prof_unit_label(struct prof_buf *out, int64_t value, struct prof_text from,
		     struct prof_text to);

/*
 * Append |value / total| as a percentage of at least six characters: "  100%",
 * "11.20%", "0.053%". Zero when `total` is 0.
 */
void prof_unit_percent(struct prof_buf *out, int64_t value, int64_t total);

/*
 * One unit for a whole report of values of `unit`: that of `smallest`, the least
 * absolute value shown other than 0 (0: there is none), unless `total` calls for a
 * larger one. `unit` itself when it is not known.
 */
struct prof_text prof_unit_choose(int64_t smallest, int64_t total,
				  struct prof_text unit);

/* Whether `unit` belongs to a family. */
bool prof_unit_known(struct prof_text unit);

/* Whether both are known and of one family. */
bool prof_unit_convertible(struct prof_text a, struct prof_text b);

/* Whether `unit` measures time, so that it can be compared with a duration. */
bool prof_unit_is_time(struct prof_text unit);

/* "auto, minimum, B, kB, ..." for messages about a unit that does not exist. */
extern const char prof_unit_names[];

/*
 * Read a quantity like "200", "-3ms", "+10MB" at the start of `text`: a whole number
 * and letters. How many bytes it has: 0 when there is none, or it does not fit int64.
 */
size_t prof_unit_parse(struct prof_text text, int64_t *value, struct prof_text *unit);

#endif
