/* SPDX-License-Identifier: MIT */
#include "cmd/command.h"
#include "cmd/option.h"
#include "cmd/table.h"
#include "formats/format.h"

struct formats_options {
	struct table_options table;
};

static const struct option_include groups[] = {
	OPTION_INCLUDE(struct formats_options, table),
	{ 0 },
};

static const struct example examples[] = {
	{ "fgtool formats", "what can be read and written, and how it is told apart" },
	{ "fgtool formats --format json", "the same for programs" },
	{ 0 },
};

static const struct table_column columns[] = {
	{ "name", "name", TABLE_WORD, NULL },
	{ "read", "read", TABLE_WORD, NULL },
	{ "write", "write", TABLE_WORD, NULL },
	{ "extensions", "written to", TABLE_WORD, NULL },
	{ "detected", "detected by", TABLE_WORD, NULL },
	{ "summary", "what it is", TABLE_WORD, NULL },
	{ 0 },
};

static int run_formats(const struct command *self, int argc, char **argv)
{
	struct formats_options formats = { 0 };
	struct table table = { .schema = "fgtool-formats/1", .columns = columns };
	struct prof_error err = { 0 };
	bool ok = false;

	argc = options_parse(self, &formats, argc, argv);
	if (argc > 0) {
		usage_error(self, "'%s' is one operand too many", argv[0]);
	}
	for (size_t i = 0; prof_formats[i]; i++) {
		const struct prof_format *format = prof_formats[i];

		table_word(&table, format->name);
		table_word(&table, format->read ? "yes" : "no");
		table_word(&table, format->write ? "yes" : "no");
		table_word(&table, format->write ? format->extensions : "");
		table_word(&table, format->detected);
		table_word(&table, format->summary);
	}
	table_note(&table, "gzip and zstd are undone first, whatever the name.");
	ok = table_print(&table, &formats.table, NULL, &err);
	table_free(&table);
	return ok ? EXIT_DONE : complain(&err);
}

const struct command cmd_formats = {
	.name = "formats",
	.group = "about fgtool",
	.summary = "List the formats it reads and writes",
	.groups = groups,
	.examples = examples,
	.run = run_formats,
};
