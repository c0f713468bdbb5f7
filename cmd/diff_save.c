/* SPDX-License-Identifier: MIT */
/* The difference as a profile: what came after, and the negative of what was before. */
#include <stdio.h>
#include <string.h>

#include "cmd/diff.h"
#include "formats/format.h"
#include "libprof/base/alloc.h"
#include "libprof/model/merge.h"
#include "libprof/model/scale.h"

enum { PATH_SHOWN = 4096 };

bool diff_wants_profile(const struct save_options *save)
{
	char stem[PATH_SHOWN];
	size_t len = 0;

	if (save->format) {
		return true;
	}
	if (!save->path || snprintf(stem, sizeof(stem), "%s", save->path) < 1) {
		return false;
	}
	len = strlen(stem);
	if (len > 3 && strcmp(stem + len - 3, ".gz") == 0) {
		stem[len - 3] = '\0';
	} else if (len > 4 && strcmp(stem + len - 4, ".zst") == 0) {
		stem[len - 4] = '\0';
	}
	return prof_format_for_path(stem) != NULL;
}

/*
 * Merging adds durations up, which makes no sense for a difference. Snapshots without
 * one, as heap profiles are, are apart by the time between them.
 */
static void set_duration(const struct prof_header *before,
			 const struct prof_header *after, struct prof_header *change)
{
	change->duration_ns = after->duration_ns;
	if (before->duration_ns == 0 && after->duration_ns == 0 &&
	    before->time_ns != 0 && after->time_ns > before->time_ns) {
		change->duration_ns = after->time_ns - before->time_ns;
	}
}

/* Add `negative` of `before` to `after`, by the ratios of the columns. */
static bool subtract(const struct prof_profile *before, struct prof_profile *after,
		     struct prof_ratio *ratios, struct prof_profile **out,
		     struct prof_error *err)
{
	struct prof_profile *negative = NULL;
	bool ok = false;

	for (uint32_t c = 0; c < before->type_count; c++) {
		ratios[c].num = -ratios[c].num;
	}
	if (prof_scale(before, ratios, &negative, NULL, err)) {
		struct prof_profile *const pair[] = { negative, after };

		ok = prof_merge(pair, 2, PROF_BUILD_CANONICAL, out, err);
	}
	if (ok) {
		set_duration(&before->header, &after->header, &(*out)->header);
	}
	prof_profile_free(negative);
	return ok;
}

static bool ratio_of(double factor, struct prof_ratio *out, struct prof_error *err)
{
	char text[40];

	snprintf(text, sizeof(text), "%.9g", factor);
	return prof_ratio_parse(prof_text(text), out, err);
}

bool diff_subtract(const struct prof_profile *before, struct prof_profile *after,
		   double factor, struct prof_profile **out, struct prof_error *err)
{
	struct prof_ratio *ratios =
		prof_alloc_array(before->type_count, sizeof(*ratios));
	struct prof_ratio ratio = { 0 };
	bool ok = ratios ? ratio_of(factor, &ratio, err) : prof_fail_nomem(err);

	for (uint32_t c = 0; c < before->type_count && ok; c++) {
		ratios[c] = ratio;
	}
	ok = ok && subtract(before, after, ratios, out, err);
	prof_free(ratios);
	return ok;
}

/* The same, with every column of before brought to the total that it has after. */
static bool subtract_shares(const struct prof_profile *before,
			    struct prof_profile *after, struct prof_profile **out,
			    struct prof_error *err)
{
	struct prof_ratio *ratios =
		prof_alloc_array(before->type_count, sizeof(*ratios));
	bool ok = ratios ? true : prof_fail_nomem(err);

	for (uint32_t c = 0; c < before->type_count && ok; c++) {
		int64_t was = 0;
		int64_t is = 0;

		ratios[c] = (struct prof_ratio){ .num = 1, .den = 1 };
		if (c < after->type_count) {
			ok = prof_column_total(before, c, &was, err) &&
			     prof_column_total(after, c, &is, err) &&
			     (was == 0 ||
			      prof_ratio_to_total(before, c, is, &ratios[c], err));
		}
	}
	ok = ok && subtract(before, after, ratios, out, err);
	prof_free(ratios);
	return ok;
}

/* The runs of a side, added up. */
static bool sum_side(const struct diff_options *diff, const struct diff_side *side,
		     struct prof_profile **out, struct prof_error *err)
{
	struct prof_profile **runs = prof_alloc_array(side->count, sizeof(*runs));
	bool ok = runs ? true : prof_fail_nomem(err);

	for (uint32_t i = 0; i < side->count && ok; i++) {
		ok = diff_run_load(diff, &side->runs[i], &runs[i], err);
	}
	if (ok && side->count == 1) {
		*out = runs[0];
		runs[0] = NULL;
	} else if (ok) {
		ok = prof_merge(runs, side->count, PROF_BUILD_CANONICAL, out, err);
	}
	for (uint32_t i = 0; runs && i < side->count; i++) {
		prof_profile_free(runs[i]);
	}
	prof_free(runs);
	return ok;
}

static bool by_shares(const struct diff_options *diff)
{
	return diff->normalize && strcmp(diff->normalize, "total") == 0;
}

/* What before is multiplied by: plain unless somebody asks for a normalisation. */
static bool choose_factor(const struct diff_options *diff, struct diff_sides *sides,
			  double *factor, struct prof_error *err)
{
	struct diff_result result = { .options = diff, .sides = sides };
	bool plain = (!diff->normalize && !diff->per) || by_shares(diff) ||
		     (diff->normalize && strcmp(diff->normalize, "none") == 0);
	bool ok = true;

	*factor = 1;
	if (plain) {
		return true;
	}
	ok = diff_run_all(diff, sides, &result, err);
	if (ok) {
		*factor = result.whole->scales.used *
			  (double)sides->side[PROF_AFTER].count /
			  (double)sides->side[PROF_BEFORE].count;
	}
	diff_result_free(&result);
	return ok;
}

bool diff_save(const struct diff_options *diff, struct diff_sides *sides,
	       struct prof_error *err)
{
	struct prof_profile *before = NULL;
	struct prof_profile *after = NULL;
	struct prof_profile *change = NULL;
	uint32_t column = 0;
	double factor = 1;
	bool ok = choose_factor(diff, sides, &factor, err) &&
		  sum_side(diff, &sides->side[PROF_BEFORE], &before, err) &&
		  sum_side(diff, &sides->side[PROF_AFTER], &after, err) &&
		  ((by_shares(diff)
			    ? subtract_shares(before, after, &change, err)
			    : diff_subtract(before, after, factor, &change, err)) ||
		   diff_not_comparable(sides, err)) &&
		  input_column(change, diff->report.sample_type, &column, err) &&
		  save_profile(&diff->save, change, column, err);

	prof_profile_free(change);
	prof_profile_free(before);
	prof_profile_free(after);
	return ok;
}
