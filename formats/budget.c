/* SPDX-License-Identifier: MIT */
#include "formats/budget.h"

#include <inttypes.h>
#include <stdio.h>

struct prof_budget prof_budget(const struct prof_limits *limits)
{
	bool given = limits && limits->max_input > 0;

	return (struct prof_budget){
		.max = given ? limits->max_input : PROF_MAX_INPUT,
		.has_ratio = !given,
	};
}

struct size_text {
	char text[32];
};

/* As the user gave it to the option: "8 GiB", "1500 bytes". */
static struct size_text exactly(uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	struct size_text size;
	size_t unit = 0;

	while (unit < 4 && bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	snprintf(size.text, sizeof(size.text), "%" PRIu64 " %s", bytes, units[unit]);
	return size;
}

/* In three digits: "1.2 GB", "65 kB". */
static struct size_text roughly(uint64_t bytes)
{
	static const char *const units[] = { "bytes", "kB", "MB", "GB", "TB" };
	struct size_text size;
	double number = (double)bytes;
	size_t unit = 0;

	while (unit < 4 && number >= 1000) {
		number /= 1000;
		unit++;
	}
	snprintf(size.text, sizeof(size.text), "%.*f %s", unit > 0 && number < 10,
		 number, units[unit]);
	return size;
}

bool prof_budget_check(const struct prof_budget *budget, uint64_t made, uint64_t taken,
		       struct prof_error *err)
{
	if (made > budget->max || taken > budget->max) {
		return prof_fail(
			err, PROF_ERR_LIMIT,
			"more than %s of decompressed data; raise the limit with "
			"--max-input",
			exactly(budget->max).text);
	}
	if (budget->has_ratio && made > PROF_MAX_RATIO_FROM &&
	    made > taken * PROF_MAX_RATIO) {
		return prof_fail(
			err, PROF_ERR_LIMIT,
			"expands more than %" PRIu64 " times (%s from %s); if you "
			"trust it, use --max-input=SIZE",
			PROF_MAX_RATIO, roughly(made).text, roughly(taken).text);
	}
	return true;
}

bool prof_budget_check_plain(const struct prof_budget *budget, uint64_t taken,
			     struct prof_error *err)
{
	if (taken > budget->max) {
		return prof_fail(
			err, PROF_ERR_LIMIT,
			"more than %s of data; raise the limit with --max-input",
			exactly(budget->max).text);
	}
	return true;
}
