/* SPDX-License-Identifier: MIT */
#include "cmd/report_options.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd/suggest.h"
#include "libprof/base/alloc.h"
#include "libprof/model/unit.h"

static const char *const granularities[] = { "function", "file",   "line", "address",
					     "module",   "label:", NULL };
static const char *const units[] = { "minimum", "auto", "ns", "us", "ms", "s",
				     "B",       "kB",   "MB", "GB", NULL };

static const char label_prefix[] = "label:";

static const struct option options[] = {
	{ 0, "by", "WHAT",
	  "a row is a function, file, line, address, module or label:KEY (function)",
	  OPTION_TEXT(struct report_options, by), .values = granularities },
	{ 0, "sample-type", "TYPE", "the values to report (the profile's default)",
	  OPTION_TEXT(struct report_options, sample_type), .alias = "sample_index" },
	{ 0, "unit", "UNIT", "show values in UNIT; auto: each in its own (minimum)",
	  OPTION_TEXT(struct report_options, unit), .values = units },
	{ 0 },
};

const struct option_group report_option_group = { "report", options };

bool report_key(const struct report_options *report, struct prof_key_options *key,
		struct prof_error *err)
{
	const char *by = report->by ? report->by : granularities[PROF_BY_FUNCTION];
	size_t prefix = strlen(label_prefix);
	char hint[200] = "";

	*key = (struct prof_key_options){ .by = PROF_BY_FUNCTION };
	if (strncmp(by, label_prefix, prefix) == 0 && by[prefix] != '\0') {
		key->by = PROF_BY_LABEL;
		key->label = prof_text(by + prefix);
		return true;
	}
	for (int i = 0; i < PROF_BY_LABEL; i++) {
		if (strcmp(by, granularities[i]) == 0) {
			key->by = (enum prof_by)i;
			return true;
		}
	}
	suggest_words(by, "", granularities, hint, sizeof(hint));
	return prof_fail(err, PROF_ERR_UNSUPPORTED,
			 "--by: '%s' is none of function, file, line, address, module, "
			 "label:KEY%s",
			 by, hint);
}

/* AGAIN when one pass was not enough. */
static bool stream_top(const struct input_options *input, int count, char **paths,
		       const struct prof_key_options *key, struct prof_top_result **out,
		       struct prof_error *err)
{
	struct prof_top *top = prof_top_new(key);
	bool ok = false;

	if (!top) {
		return prof_fail_nomem(err);
	}
	ok = input_stream(input, count, paths, prof_top_sink(top), err) &&
	     prof_top_finish(top, out, err);
	prof_top_free(top);
	return ok;
}

/* Distinct keys of labels, in order of appearance; how many there are. */
static uint32_t list_keys(const struct prof_profile *profile, uint32_t *keys,
			  uint32_t most)
{
	uint32_t labels = profile->set_ends[profile->set_count];
	uint32_t count = 0;

	for (uint32_t i = 0; i < labels && count < most; i++) {
		bool known = false;

		for (uint32_t k = 0; k < count && !known; k++) {
			known = keys[k] == profile->labels[i].key;
		}
		if (!known) {
			keys[count++] = profile->labels[i].key;
		}
	}
	return count;
}

static bool no_such_label(const struct prof_profile *profile, struct prof_text name,
			  const uint32_t *keys, uint32_t count, struct prof_error *err)
{
	struct suggest near = suggest_for(name);
	struct prof_buf known = { .max = 1024 };
	struct prof_buf hint = { .max = 1024 };

	for (uint32_t k = 0; k < count; k++) {
		struct prof_text key = prof_string(profile, keys[k]);

		prof_buf_adds(&known, k > 0 ? ", " : "");
		prof_buf_add(&known, key.data, key.len);
		suggest_add(&near, key);
	}
	suggest_say(&near, "", &hint);
	prof_error_set(err, PROF_ERR_UNSUPPORTED,
		       "no label '%.*s'; the profile has: %.*s%.*s", (int)name.len,
		       name.data, (int)known.len, known.len > 0 ? known.data : "",
		       (int)hint.len, hint.len > 0 ? hint.data : "");
	prof_buf_free(&known);
	prof_buf_free(&hint);
	return false;
}

bool report_has_label(const struct prof_profile *profile,
		      const struct prof_key_options *key, struct prof_error *err)
{
	uint32_t keys[64];
	uint32_t count = 0;
	uint32_t found = 0;

	if (key->by != PROF_BY_LABEL || profile->sample_count == 0) {
		return true;
	}
	count = list_keys(profile, keys, sizeof(keys) / sizeof(keys[0]));
	if (count == 0) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "no label '%.*s': the profile has no labels",
				 (int)key->label.len, key->label.data);
	}
	while (found < count &&
	       !prof_text_equal(prof_string(profile, keys[found]), key->label)) {
		found++;
	}
	return found < count || count == sizeof(keys) / sizeof(keys[0]) ||
	       no_such_label(profile, key->label, keys, count, err);
}

/* What the profile has in all, before filters take their part of it. */
static bool whole_totals(const struct prof_profile *profile, int64_t *totals,
			 struct prof_error *err)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		if (!prof_column_total(profile, c, &totals[c], err)) {
			return false;
		}
	}
	return true;
}

/* Shares are of the whole: what is missing from it is what was filtered out. */
static bool keep_totals(struct prof_top_result *result, const int64_t *totals,
			struct prof_error *err)
{
	result->removed = prof_arena_array(&result->arena, result->type_count,
					   sizeof(*result->removed));
	if (!result->removed) {
		return prof_fail_nomem(err);
	}
	for (uint32_t c = 0; c < result->type_count; c++) {
		result->removed[c] = totals[c] - result->total[c];
		result->total[c] = totals[c];
	}
	return true;
}

static bool profile_top(struct prof_profile **profile,
			const struct filter_options *filter,
			const struct prof_key_options *key,
			struct prof_top_result **out, struct prof_error *err)
{
	struct prof_top_result *result = NULL;
	int64_t *totals = prof_alloc_array((*profile)->type_count, sizeof(*totals));
	bool ok = totals ? report_has_label(*profile, key, err) &&
				   whole_totals(*profile, totals, err) &&
				   filter_profile(filter, profile, err) &&
				   prof_top_of(*profile, key, &result, err)
			 : prof_fail_nomem(err);

	if (ok && filter_options_set(filter)) {
		ok = keep_totals(result, totals, err);
	}
	prof_free(totals);
	if (!ok) {
		prof_top_result_free(result);
		return false;
	}
	*out = result;
	return true;
}

bool report_top(const struct input_options *input, const struct filter_options *filter,
		int count, char **paths, const struct prof_key_options *key,
		struct prof_top_result **out, struct prof_error *err)
{
	struct prof_profile *profile = NULL;
	bool stream = !filter_options_set(filter) && key->by != PROF_BY_LABEL;
	bool ok = false;

	if (stream && input_can_repeat(input, count, paths)) {
		ok = stream_top(input, count, paths, key, out, err);
		if (ok || err->code != PROF_ERR_AGAIN) {
			return ok;
		}
	}
	ok = input_profile(input, count, paths, &profile, err) &&
	     profile_top(&profile, filter, key, out, err);
	prof_profile_free(profile);
	return ok;
}

static bool no_such_type(const struct prof_top_result *result, const char *name,
			 struct prof_error *err)
{
	struct suggest near = suggest_for(prof_text(name));
	struct prof_buf types = { .max = 1024 };
	struct prof_buf hint = { .max = 1024 };

	for (uint32_t c = 0; c < result->type_count; c++) {
		struct prof_text type = result->types[c].type;

		prof_buf_adds(&types, c > 0 ? ", " : "");
		prof_buf_add(&types, type.data, type.len);
		suggest_add(&near, type);
	}
	suggest_say(&near, "", &hint);
	prof_error_set(err, PROF_ERR_UNSUPPORTED,
		       "no sample type '%s'; the profile has: %.*s%.*s", name,
		       (int)types.len, types.data ? types.data : "", (int)hint.len,
		       hint.data ? hint.data : "");
	prof_buf_free(&types);
	prof_buf_free(&hint);
	return false;
}

bool report_column(const struct report_options *report,
		   const struct prof_top_result *result, uint32_t *column,
		   struct prof_error *err)
{
	if (!report->sample_type) {
		*column = result->default_column;
		return true;
	}
	return prof_top_column(result, prof_text(report->sample_type), column) ||
	       no_such_type(result, report->sample_type, err);
}

const char *report_noun(enum prof_by by, uint64_t count)
{
	static const char *const nouns[][2] = {
		[PROF_BY_FUNCTION] = { "function", "functions" },
		[PROF_BY_FILE] = { "file", "files" },
		[PROF_BY_LINE] = { "line", "lines" },
		[PROF_BY_ADDRESS] = { "address", "addresses" },
		[PROF_BY_MODULE] = { "module", "modules" },
		[PROF_BY_LABEL] = { "value", "values" },
	};

	return nouns[by][count != 1];
}

/* units */

/* A unit that is not known is fine when the values are in it. */
static bool check_unit(struct prof_text wish, struct prof_text from,
		       struct prof_error *err)
{
	if (prof_text_equal(wish, from)) {
		return true;
	}
	if (!prof_unit_known(wish)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--unit: '%.*s' is not one of %s", (int)wish.len,
				 wish.data, prof_unit_names);
	}
	if (prof_unit_known(from) && !prof_unit_convertible(from, wish)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--unit: values in %.*s cannot be shown in %.*s",
				 (int)from.len, from.data, (int)wish.len, wish.data);
	}
	return true;
}

bool report_unit(const struct report_options *report, struct prof_text from,
		 int64_t smallest, int64_t total, struct report_unit *unit,
		 struct prof_error *err)
{
	struct prof_text wish = prof_text(report->unit ? report->unit : "minimum");
	bool minimum = prof_text_equal(wish, prof_text("minimum"));
	bool by_value = prof_text_equal(wish, prof_text("auto"));

	if (!minimum && !by_value && !check_unit(wish, from, err)) {
		return false;
	}
	*unit = (struct report_unit){ .from = from, .to = wish };
	if (minimum) {
		unit->to = prof_unit_choose(smallest, total, from);
	}
	return true;
}

void report_unit_free(struct report_unit *unit)
{
	prof_buf_free(&unit->scratch);
}

static const char *finish(struct report_unit *unit)
{
	prof_buf_addc(&unit->scratch, '\0');
	return unit->scratch.failed ? "?" : unit->scratch.data;
}

const char *report_show(struct report_unit *unit, int64_t value)
{
	prof_buf_clear(&unit->scratch);
	prof_unit_label(&unit->scratch, value, unit->from, unit->to);
	return finish(unit);
}

const char *report_show_signed(struct report_unit *unit, int64_t value)
{
	prof_buf_clear(&unit->scratch);
	prof_buf_adds(&unit->scratch, value > 0 ? "+" : "");
	prof_unit_label(&unit->scratch, value, unit->from, unit->to);
	return finish(unit);
}

void report_value(struct table *table, struct report_unit *unit, int64_t value)
{
	table_value(table, value, report_show(unit, value));
}

double report_share(int64_t value, int64_t total)
{
	return total != 0 ? (double)value / (double)total : 0;
}

int64_t report_smaller(int64_t smallest, int64_t value)
{
	int64_t size = value < 0 && value > INT64_MIN ? -value : value;

	return size > 0 && (smallest == 0 || size < smallest) ? size : smallest;
}

/* the head of a report */

static void add_time(struct table *table, int64_t time_ns)
{
	time_t seconds = (time_t)(time_ns / 1000000000);
	struct tm utc = { 0 };
	char shown[64] = "";

	if (time_ns != 0 && gmtime_r(&seconds, &utc) &&
	    strftime(shown, sizeof(shown), "%Y-%m-%d %H:%M:%S UTC", &utc) > 0) {
		table_field_value(table, "time_ns", "Time", time_ns, shown);
	}
}

static void add_duration(struct table *table, int64_t duration_ns)
{
	struct prof_buf shown = { 0 };

	if (duration_ns == 0) {
		return;
	}
	prof_unit_label(&shown, duration_ns, prof_text("ns"), prof_text("auto"));
	prof_buf_addc(&shown, '\0');
	table_field_value(table, "duration_ns", "Duration", duration_ns,
			  shown.failed ? NULL : shown.data);
	prof_buf_free(&shown);
}

/* Time spent, of the time that passed: 200% is two processors at work. */
static void add_total(struct table *table, const struct report_header *header,
		      struct report_unit *unit)
{
	struct prof_scaled ns =
		prof_unit_scale(header->total, header->type.unit, prof_text("ns"));
	char share[64] = "";
	char shown[200];

	if (header->duration_ns > 0 && prof_unit_is_time(header->type.unit)) {
		table_show_percent(ns.value / (double)header->duration_ns, share,
				   sizeof(share));
		snprintf(shown, sizeof(shown), "%s (%s of the duration)",
			 report_show(unit, header->total), share);
	} else {
		snprintf(shown, sizeof(shown), "%s", report_show(unit, header->total));
	}
	table_field_value(table, "total", "Total", header->total, shown);
}

void report_fields(struct table *table, const struct report_header *header,
		   struct report_unit *unit)
{
	if (header->type.type.len > 0) {
		table_field_text(table, "sample_type", "Type", header->type.type);
		table_field_text(table, "unit", NULL, header->type.unit);
	}
	add_time(table, header->time_ns);
	add_duration(table, header->duration_ns);
	add_total(table, header, unit);
}
