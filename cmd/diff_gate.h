/* SPDX-License-Identifier: MIT */
/*
 * diff_gate.h - what a build must not do: the expressions of `fgtool diff --gate`.
 *
 *	total>+2%                      the sum of everything grew by more than 2 %
 *	cum>+3% where share>=1%        so did any function that matters
 *	cum(^db\.)>+0%                 any function whose name matches grew at all
 *	flat(hash)>+20ms               its own time did, by more than 20 ms a run
 *	new>+1pp                       something new takes more than 1 % of the total
 *	cum(decode)>-10%               it did not become at least 10 % cheaper
 *	total>+5% where label route=/  ... within the samples of that label
 *
 *	EXPR   := METRIC OP THRESH [ "where" COND ]
 *	METRIC := "total" | "flat" | "cum" | "new" | "flat(RE)" | "cum(RE)"
 *	OP     := ">" | "<"
 *	THRESH := [ "+" | "-" ] NUMBER ( "%" | "pp" | UNIT )
 *	COND   := "share" ">=" NUMBER "%" | "label" KEY "=" VALUE
 *
 * The gate fails when the comparison holds. Blanks may stand between the parts. RE ends
 * at the parenthesis that closes the one of the metric: those inside are paired, unless
 * a backslash or a bracket protects them.
 *
 * Numbers: decimal, finite: "nan", "inf" and hexadecimal are refused.
 * Errors:  SYNTAX "--gate 'total>2': '2' needs a unit: %, pp ..." with the place.
 */
#ifndef FGTOOL_DIFF_GATE_H
#define FGTOOL_DIFF_GATE_H

#include <stdbool.h>

#include "libprof/base/error.h"
#include "libprof/base/text.h"

enum gate_metric {
	GATE_TOTAL,
	GATE_FLAT,
	GATE_CUM,
	GATE_NEW, /* cum of what was not there before */
};

enum gate_measure {
	GATE_PERCENT, /* of what was before: threshold 0.02 is 2 % */
	GATE_POINTS,  /* of the total before: threshold 0.01 is 1 pp */
	GATE_UNIT,    /* a quantity, in `unit` */
};

/* Everything is borrowed from the text. */
struct gate {
	const char *text;
	enum gate_metric metric;
	struct prof_text pattern; /* names that are meant; empty for any */
	bool less;                /* '<': fails when it is below */
	double threshold;         /* with its sign */
	enum gate_measure measure;
	struct prof_text unit;        /* GATE_UNIT only: "ms" */
	double min_share;             /* of the total, on the larger side; 0: any */
	struct prof_text label_key;   /* empty: all samples */
	struct prof_text label_value; /* must be equal */
};

/* Read `text`, which must outlive the gate. */
bool gate_parse(const char *text, struct gate *out,
		struct prof_error *err) PROF_NODISCARD;

#endif
