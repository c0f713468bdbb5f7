/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <time.h>

#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/table.h"
#include "libprof/model/unit.h"
#include "libprof/report/summary.h"

struct info_options {
	struct input_options input;
	struct table_options table;
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct info_options, input),
	OPTION_INCLUDE(struct info_options, table),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool info go-heap-1.pb.gz", "what a file holds" },
	{ "cat go-cpu.pb.gz | fgtool info", "from a pipe" },
	{ "fgtool info --format json go-cpu.pb.gz", "for programs, with raw numbers" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "kind", "", TABLE_WORD, NULL },
	{ "name", "", TABLE_NAME, NULL },
	{ "unit", "", TABLE_NAME, NULL },
	{ "total", "total", TABLE_VALUE, NULL },
	{ "samples", "samples", TABLE_VALUE, NULL },
	{ "values", "values", TABLE_VALUE, NULL },
	{ "note", "", TABLE_WORD, NULL },
	{ 0 },
};

static void add_count(struct table *table, const char *key, const char *heading,
		      uint64_t count)
{
	table_field_value(table, key, heading, (int64_t)count, NULL);
}

static void add_scaled(struct table *table, const char *key, const char *heading,
		       int64_t value, struct prof_text unit)
{
	struct prof_buf shown = { 0 };

	prof_unit_label(&shown, value, unit, prof_text("auto"));
	prof_buf_addc(&shown, '\0');
	table_field_value(table, key, heading, value, shown.failed ? NULL : shown.data);
	prof_buf_free(&shown);
}

/* Seconds since 1970 as people write them, in UTC. */
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

static void add_file(struct table *table, const struct input_description *file)
{
	table_field_text(table, "format", "Format", prof_text(file->format));
	table_field_text(table, "compression", "Compression",
			 prof_text(file->compression));
	if (file->file_bytes > 0) {
		add_scaled(table, "file_bytes", "File size", (int64_t)file->file_bytes,
			   prof_text("bytes"));
	}
	add_scaled(table, "bytes", "Decompressed", (int64_t)file->bytes,
		   prof_text("bytes"));
	if (file->profiles > 1) {
		add_count(table, "profiles", "Profiles in the file, merged",
			  file->profiles);
	}
}

/* "10ms of cpu" */
static void add_period(struct table *table, const struct prof_profile *profile)
{
	const struct prof_header *header = &profile->header;
	struct prof_text type = prof_string(profile, header->period_type.type);
	struct prof_text unit = prof_string(profile, header->period_type.unit);
	struct prof_buf shown = { 0 };

	prof_unit_label(&shown, header->period, unit, prof_text("auto"));
	if (type.len > 0) {
		prof_buf_adds(&shown, " of ");
		prof_text_escape(&shown, type);
	}
	prof_buf_addc(&shown, '\0');
	table_field_value(table, "period", "Period", header->period,
			  shown.failed ? NULL : shown.data);
	table_field_text(table, "period_type", NULL, type);
	table_field_text(table, "period_unit", NULL, unit);
	prof_buf_free(&shown);
}

static void add_header(struct table *table, const struct prof_profile *profile)
{
	const struct prof_header *header = &profile->header;

	add_time(table, header->time_ns);
	if (header->duration_ns != 0) {
		add_scaled(table, "duration_ns", "Duration", header->duration_ns,
			   prof_text("ns"));
	}
	if (header->period != 0) {
		add_period(table, profile);
	}
	if (profile->mapping_count > 0 && profile->mappings[0].file != 0) {
		table_field_text(table, "main_file", "Main binary",
				 prof_string(profile, profile->mappings[0].file));
	}
	if (header->doc_url != 0) {
		table_field_text(table, "doc_url", "Documentation",
				 prof_string(profile, header->doc_url));
	}
}

/* Lines for people; rows for programs, which cannot have a key twice. */
static void add_comments(struct table *table, const struct prof_profile *profile,
			 bool rows)
{
	const struct prof_header *header = &profile->header;

	for (uint32_t i = 0; i < header->comment_count; i++) {
		struct prof_text comment = prof_string(profile, header->comments[i]);

		if (!rows) {
			table_field_text(table, "comment", "Comment", comment);
			continue;
		}
		table_word(table, "comment");
		table_name(table, comment);
		for (int missing = 0; missing < 4; missing++) {
			table_missing(table);
		}
		table_word(table, "");
	}
}

static void add_sizes(struct table *table, const struct prof_profile *profile,
		      const struct prof_summary *summary)
{
	double mean = profile->sample_count > 0
			      ? (double)summary->frames / profile->sample_count
			      : 0;
	char shown[80];

	add_count(table, "samples", "Samples", profile->sample_count);
	add_count(table, "stacks", "Distinct stacks", profile->stack_count);
	snprintf(shown, sizeof(shown), "%u to %u, %.1f on average",
		 (unsigned)summary->min_depth, (unsigned)summary->max_depth, mean);
	table_field_value(table, "max_depth",
			  profile->sample_count > 0 ? "Stack depth" : NULL,
			  summary->max_depth, shown);
	table_field_number(table, "mean_depth", NULL, mean, NULL);
	snprintf(shown, sizeof(shown), "%u, %u with inlined calls, %u without names",
		 (unsigned)profile->location_count, (unsigned)summary->inlined,
		 (unsigned)summary->unsymbolized);
	table_field_value(table, "locations", "Locations", profile->location_count,
			  profile->location_count > 0 ? shown : NULL);
	add_count(table, "functions", "Functions", profile->function_count);
	add_count(table, "mappings", "Mappings", profile->mapping_count);
}

static void add_types(struct table *table, const struct prof_profile *profile,
		      const struct prof_summary *summary)
{
	uint32_t standard = prof_default_column(profile);

	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text unit = prof_string(profile, profile->types[c].unit);
		struct prof_buf shown = { 0 };

		prof_unit_label(&shown, summary->total[c], unit, prof_text("auto"));
		prof_buf_addc(&shown, '\0');
		table_word(table, "sample type");
		table_name(table, prof_string(profile, profile->types[c].type));
		table_name(table, unit);
		table_value(table, summary->total[c], shown.failed ? NULL : shown.data);
		table_value(table, (int64_t)summary->nonzero[c], NULL);
		table_missing(table);
		table_word(table, c == standard ? "default" : "");
		prof_buf_free(&shown);
	}
}

static void add_keys(struct table *table, const struct prof_profile *profile,
		     const struct prof_summary *summary)
{
	for (uint32_t k = 0; k < summary->key_count; k++) {
		const struct prof_label_key *key = &summary->keys[k];

		table_word(table, "label");
		table_name(table, prof_string(profile, key->key));
		table_missing(table);
		table_missing(table);
		table_value(table, (int64_t)key->samples, NULL);
		table_value(table, key->values, NULL);
		table_word(table, key->text && key->number ? "texts and numbers"
				  : key->text              ? "texts"
							   : "numbers");
	}
}

static bool print_info(const struct prof_profile *profile,
		       const struct input_description *file,
		       const struct table_options *how, struct prof_error *err)
{
	bool for_programs = how->format == TABLE_JSON || how->format == TABLE_CSV;
	bool rows = for_programs || profile->type_count > 0;
	struct table table = { .schema = "fgtool-info/1",
			       .columns = rows ? columns : NULL };
	struct prof_summary summary = { 0 };
	bool ok = false;

	if (!prof_summarize(profile, &summary, err)) {
		return false;
	}
	if (file) {
		add_file(&table, file);
	}
	add_header(&table, profile);
	if (!for_programs) {
		add_comments(&table, profile, false);
	}
	add_sizes(&table, profile, &summary);
	add_types(&table, profile, &summary);
	add_keys(&table, profile, &summary);
	if (for_programs) {
		add_comments(&table, profile, true);
	}
	if (!rows) {
		table_note(&table, "No sample types.");
	}
	if (summary.negative) {
		table_note(&table, "Some values are negative: this is a difference.");
	}
	ok = table_print(&table, how, NULL, err);
	table_free(&table);
	prof_summary_free(&summary);
	return ok;
}

/* One file, of which there is more to say than of a merge. */
static bool run_one(const struct info_options *info, const char *path,
		    struct prof_profile **profile, struct prof_error *err)
{
	struct input_description file = { 0 };

	if (!input_described(&info->input, path, profile, &file, err)) {
		return false;
	}
	if (!print_info(*profile, &file, &info->table, err)) {
		if (err->code == PROF_ERR_LIMIT) {
			input_blame(err, path);
		}
		return false;
	}
	return true;
}

static int run_info(const struct command *self, int argc, char **argv)
{
	struct info_options info = { 0 };
	struct input_paths paths = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &info, argc, argv);
	ok = input_paths(&info.input, argc, argv, &paths, &err);
	if (ok && paths.count == 1) {
		ok = run_one(&info, paths.items[0], &profile, &err);
	} else if (ok) {
		info.input.files_from = NULL;
		ok = input_profile(&info.input, paths.count, paths.items, &profile,
				   &err) &&
		     print_info(profile, NULL, &info.table, &err);
	}
	prof_profile_free(profile);
	input_paths_free(&paths);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_info = {
	.name = "info",
	.group = "look at a profile",
	.summary = "Say what a profile holds",
	.usage = "[PROFILE...]",
	.description = "Several profiles are merged first.",
	.groups = groups,
	.examples = examples,
	.run = run_info,
};
