/* SPDX-License-Identifier: MIT */
/*
 * The work that runs did: requests, operations, bytes. Either the command line tells
 * it, a number for each run, or the profiles do, in a comment:
 *
 *	fgtool.work: requests=12345 bytes=1e9
 */
#include <math.h>
#include <string.h>

#include "cmd/diff.h"

enum { NUMBER_MAX = 40 };

static const char work_prefix[] = "fgtool.work:";

struct prof_text diff_per_name(const char *per)
{
	return (struct prof_text){ per, strcspn(per, "=") };
}

/* A finite number above 0 of `len` bytes at `text`; 0 if it is none. */
static double read_work(const char *text, size_t len)
{
	char number[NUMBER_MAX];
	struct prof_error err;
	double value = 0;

	if (len == 0 || len >= sizeof(number)) {
		return 0;
	}
	memcpy(number, text, len);
	number[len] = '\0';
	if (!option_parse_number(number, &value, &err) || !isfinite(value) ||
	    value <= 0) {
		return 0;
	}
	return value;
}

/* Numbers of one side, as many as it has runs, or one for all of them. */
static bool read_side(struct prof_text list, struct diff_side *side, const char *name,
		      struct prof_error *err)
{
	const char *at = list.data;
	const char *end = list.data + list.len;
	uint32_t count = 0;

	while (at <= end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		size_t len = (size_t)((comma ? comma : end) - at);
		double work = read_work(at, len);

		if (work <= 0) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "--per: '%.*s' is no number above 0", (int)len,
					 at);
		}
		if (count < side->count) {
			side->runs[count].work = work;
		}
		count++;
		at += len + 1;
	}
	for (uint32_t i = 1; count == 1 && i < side->count; i++) {
		side->runs[i].work = side->runs[0].work;
	}
	if (count != side->count && count != 1) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "--per: %u numbers for the %u runs %s", count,
				 side->count, name);
	}
	return true;
}

bool diff_per_parse(const char *per, struct diff_sides *sides, struct prof_error *err)
{
	struct prof_text name = diff_per_name(per);
	const char *before = per + name.len + 1;
	const char *after = NULL;

	if (name.len == 0) {
		return prof_fail(err, PROF_ERR_SYNTAX, "--per: '%s' has no name", per);
	}
	if (per[name.len] == '\0') {
		return true;
	}
	after = strchr(before, ':');
	if (!after) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "--per: '%s' is not NAME=BEFORE,...:AFTER,...", per);
	}
	return read_side((struct prof_text){ before, (size_t)(after - before) },
			 &sides->side[PROF_BEFORE], "before", err) &&
	       read_side(prof_text(after + 1), &sides->side[PROF_AFTER], "after", err);
}

static bool is_between(char c)
{
	return c == ' ' || c == ',' || c == '\t' || c == '\n';
}

/* The number behind "NAME=" in what follows the prefix, or 0. */
static double find_work(struct prof_text text, struct prof_text name)
{
	const char *at = text.data;
	const char *end = text.data + text.len;

	while (at < end) {
		const char *start = at;
		size_t len = 0;

		while (at < end && !is_between(*at)) {
			at++;
		}
		len = (size_t)(at - start);
		if (len > name.len && memcmp(start, name.data, name.len) == 0 &&
		    start[name.len] == '=') {
			return read_work(start + name.len + 1, len - name.len - 1);
		}
		at++;
	}
	return 0;
}

double diff_work_of(const struct prof_profile *profile, struct prof_text name)
{
	size_t prefix = strlen(work_prefix);

	for (uint32_t i = 0; i < profile->header.comment_count; i++) {
		struct prof_text comment =
			prof_string(profile, profile->header.comments[i]);
		double work = 0;

		if (comment.len > prefix &&
		    memcmp(comment.data, work_prefix, prefix) == 0) {
			comment.data += prefix;
			comment.len -= prefix;
			work = find_work(comment, name);
		}
		if (work > 0) {
			return work;
		}
	}
	return 0;
}
