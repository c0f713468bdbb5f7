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

static void say_types(const struct prof_profile *profile, const char *wanted,
		      struct prof_buf *out)
{
	prof_buf_adds(out, "sample types ");
	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text type = prof_string(profile, profile->types[c].type);

		prof_buf_adds(out, c > 0 ? "," : "(");
		prof_buf_add(out, type.data, type.len);
	}
	prof_buf_adds(out, profile->type_count > 0 ? ") instead of " : "instead of ");
	prof_buf_adds(out, wanted);
	prof_buf_addc(out, '\0');
}

/*
 * Add a fault, behind those there are, unless the profile has the types of `wanted`;
 * its words are in `words`.
 */
static bool demand_types(const struct prof_profile *profile, const char *wanted,
			 struct prof_buf *words, struct prof_checkup *checkup,
			 struct prof_error *err)
{
	struct prof_text types[TYPES_MAX];
	size_t after = checkup->count - checkup->faults;
	struct prof_finding *at = &checkup->findings[checkup->faults];

	if (!wanted || checkup->count == PROF_FINDINGS_MAX ||
	    prof_check_types(profile, types, split_types(wanted, types))) {
		return true;
	}
	say_types(profile, wanted, words);
	if (words->failed) {
		return prof_fail_nomem(err);
	}
	memmove(at + 1, at, after * sizeof(*at));
	*at = (struct prof_finding){
		.id = "C10",
		.kind = PROF_FAULT,
		.count = profile->type_count,
		.what = words->data,
		.remedy = "",
	};
	checkup->count++;
	checkup->faults++;
	return true;
}

static bool print_findings(const struct prof_checkup *checkup,
			   const struct table_options *how, struct prof_error *err)
{
	bool for_people = how->format == TABLE_TEXT || how->format == TABLE_MD;
	bool silent = checkup->count == 0 && for_people;
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

/* Faults and doubts, those about the types included. */
static bool examine(const struct check_options *check,
		    const struct prof_profile *profile, struct prof_checkup *checkup,
		    struct prof_error *err)
{
	static const char heap_types[] =
		"alloc_objects,alloc_space,inuse_objects,inuse_space";
	struct prof_buf heap = { 0 };
	struct prof_buf types = { 0 };
	bool ok = prof_check(profile, checkup, err) &&
		  demand_types(profile, check->heap ? heap_types : NULL, &heap, checkup,
			       err) &&
		  demand_types(profile, check->types, &types, checkup, err) &&
		  print_findings(checkup, &check->table, err);

	prof_buf_free(&types);
	prof_buf_free(&heap);
	return ok;
}

static int judge(const struct check_options *check, const struct prof_profile *profile,
		 struct prof_error *err)
{
	struct prof_checkup checkup = { 0 };
	bool good = false;

	if (!examine(check, profile, &checkup, err)) {
		return complain(err);
	}
	good = checkup.faults == 0 && (!check->strict || checkup.count == 0);
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
	status = judge(&check, profile, &err);
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
