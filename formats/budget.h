/* SPDX-License-Identifier: MIT */
/*
 * budget.h - how much a decompressor may make of how little.
 *
 * Real profiles compress up to 60 times; what expands more than PROF_MAX_RATIO times
 * and is large is an attack or an accident. Whoever sets a maximum knows better: then
 * that is the only limit.
 */
#ifndef PROF_FORMATS_BUDGET_H
#define PROF_FORMATS_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "libprof/base/error.h"
#include "libprof/base/limits.h"

struct prof_budget {
	uint64_t max;   /* bytes, made as well as taken */
	bool has_ratio; /* PROF_MAX_RATIO holds as well */
};

/* What `limits` allow; NULL is the defaults. */
struct prof_budget prof_budget(const struct prof_limits *limits);

/* LIMIT when `made` bytes from `taken` are too many; the text names the option. */
bool prof_budget_check(const struct prof_budget *budget, uint64_t made, uint64_t taken,
		       struct prof_error *err) PROF_NODISCARD;

/* LIMIT when that many bytes that no one decompressed are too many. */
bool prof_budget_check_plain(const struct prof_budget *budget, uint64_t taken,
			     struct prof_error *err) PROF_NODISCARD;

#endif
