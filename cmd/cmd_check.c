/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "cmd/command.h"
#include "cmd/input.h"
#include "cmd/option.h"
#include "cmd/table.h"
#include "libprof/report/checkup.h"

struct check_options {
	const char *types;
	bool heap;
	bool strict;
	struct input_options input;
	struct table_options table;
};

static const struct option options[] = {
	{ 0, "types", "LIST", "fail unless the sample types are exactly these: a,b",
	  OPTION_TEXT(struct check_options, types) },
	{ 0, "heap", NULL, "the same, with the four types of a Go heap profile",
	  OPTION_FLAG(struct check_options, heap) },
	{ 0, "strict", NULL, "doubts fail too, not faults only",
	  OPTION_FLAG(struct check_options, strict) },
	{ 0 },
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct check_options, input),
	OPTION_INCLUDE(struct check_options, table),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool check go-cpu.pb.gz", "is it well formed, and is it any good?" },
	{ "fgtool check --heap go-heap-1.pb.gz",
	  "does it have alloc_objects, alloc_space, inuse_objects, inuse_space?" },
	{ "fgtool check --types samples,cpu go-cpu.pb.gz", "the same for any list" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "id", "id", TABLE_WORD, NULL },
	{ "kind", "kind", TABLE_WORD, NULL },
	{ "count", "count", TABLE_VALUE, NULL },
	{ "of", NULL, TABLE_VALUE, NULL },
	{ "what", "what", TABLE_WORD, NULL },
	{ "remedy", "remedy", TABLE_WORD, NULL },
	{ 0 },
};

enum { TYPES_MAX = 64 };

/* Split "a,b,c"; more than fit are one too many, which no profile has. */
static size_t split_types(const char *list, struct prof_text *types)
{
	size_t count = 0;
	const char *at = list;

	while (count < TYPES_MAX) {
		const char *end = strchrnul(at, ',');

		types[count++] = (struct prof_text){ at, (size_t)(end - at) };
		if (*end == '\0') {
			break;
		}
		at = end + 1;
	}
	return count;
}

static void found_types(const struct prof_profile *profile, struct prof_buf *out)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text type = prof_string(profile, profile->types[c].type);

		prof_buf_adds(out, c > 0 ? "," : "");
		prof_text_escape(out, type);
	}
}

/* Whether the profile has the types asked for; says so if not. */
static bool has_types(const struct prof_profile *profile, const char *list,
		      const char *name)
{
	struct prof_text types[TYPES_MAX];
	struct prof_buf found = { .max = 4096 };
	bool same = prof_check_types(profile, types, split_types(list, types));

	if (!same) {
		found_types(profile, &found);
		notice("%s: the sample types are '%.*s', not '%s'", name, (int)found.len,
		       found.data ? found.data : "", list);
	}
	prof_buf_free(&found);
	return same;
}

static bool print_findings(const struct prof_checkup *checkup,
			   const struct table_options *how, struct prof_error *err)
{
	bool silent = checkup->count == 0 && how->format == TABLE_TEXT;
	struct table table = { .schema = "fgtool-check/1",
			       .columns = silent ? NULL : columns };
	bool ok = false;

	table_field_value(&table, "faults", NULL, checkup->faults, NULL);
	for (uint32_t i = 0; i < checkup->count; i++) {
		const struct prof_finding *finding = &checkup->findings[i];
		bool fault = finding->kind == PROF_FAULT;

		table_word(&table, finding->id);
		table_word(&table, fault ? "fault" : "doubt");
		table_tone(&table, fault ? TABLE_BAD : TABLE_PLAIN);
		table_value(&table, (int64_t)finding->count, NULL);
		if (finding->of > 0) {
			table_value(&table, (int64_t)finding->of, NULL);
		} else {
			table_missing(&table);
		}
		table_word(&table, finding->what);
		table_word(&table, finding->remedy);
	}
	if (checkup->count == 0) {
		table_note(&table, "no fault found");
	}
	ok = table_print(&table, how, NULL, err);
	table_free(&table);
	return ok;
}

static int judge(const struct check_options *check, const struct prof_profile *profile,
		 const char *name, struct prof_error *err)
{
	static const char heap_types[] =
		"alloc_objects,alloc_space,inuse_objects,inuse_space";
	struct prof_checkup checkup = { 0 };
	bool good = true;

	if (!prof_check(profile, &checkup, err) ||
	    !print_findings(&checkup, &check->table, err)) {
		return complain(err);
	}
	if (check->heap) {
		good = has_types(profile, heap_types, name) && good;
	}
	if (check->types) {
		good = has_types(profile, check->types, name) && good;
	}
	good = good && checkup.faults == 0 && (!check->strict || checkup.count == 0);
	return good ? EXIT_DONE : EXIT_NO;
}

static int run_check(const struct command *self, int argc, char **argv)
{
	struct check_options check = { 0 };
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	int status = EXIT_NO;

	argc = options_parse(self, &check, argc, argv);
	if (!input_profile(&check.input, argc, argv, &profile, &err)) {
		/* A file that is no valid profile is an answer; one not there is none. */
		complain(&err);
		return err.code == PROF_ERR_SYNTAX || err.code == PROF_ERR_MISMATCH
			       ? EXIT_NO
			       : EXIT_TROUBLE;
	}
	status = judge(&check, profile, argc == 1 ? input_name(argv[0]) : "input", &err);
	prof_profile_free(profile);
	return status;
}

const struct command cmd_check = {
	.name = "check",
	.group = "look at a profile",
	.summary = "Say what is wrong with a profile",
	.usage = "[PROFILE...]",
	.description =
		"Faults break a rule and make the exit status 1. Doubts are what makes\n"
		"numbers less than they seem: few samples, missing names, cut stacks.",
	.options = options,
	.groups = groups,
	.examples = examples,
	.run = run_check,
};
