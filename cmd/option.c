/* SPDX-License-Identifier: MIT */
#include "cmd/option.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/suggest.h"
#include "libprof/base/buf.h"
#include "libprof/base/text.h"

const struct option option_help = {
	'h',
	"help",
	NULL,
	"show this help; --help has examples too",
	.kind = OPTION_KIND_FLAG,
};

/* One command line being read. */
struct reader {
	const struct command *command;
	char *target; /* the options struct */
	struct prof_error *err;
	bool help; /* -h or --help was met; `text` says which */
	bool text;
};

bool option_next(struct option_walk *walk)
{
	const struct option_include *groups = walk->command->groups;

	if (walk->option) {
		walk->option++;
	} else {
		walk->option = walk->command->options;
	}
	while (!walk->option || !walk->option->name) {
		const struct option_include *include =
			groups ? groups + walk->group : NULL;

		if (!include || !include->group) {
			return false;
		}
		walk->group++;
		walk->option = include->group->options;
		walk->title = include->group->title;
		walk->base = include->offset;
	}
	return true;
}

static bool is_word(const char *word, const char *text, size_t len)
{
	return word && strlen(word) == len && memcmp(word, text, len) == 0;
}

/* Leaves `walk` at the option of this name. */
static bool walk_to_name(struct option_walk *walk, const char *name, size_t len)
{
	while (option_next(walk)) {
		if (is_word(walk->option->name, name, len) ||
		    is_word(walk->option->alias, name, len)) {
			return true;
		}
	}
	return false;
}

static bool walk_to_letter(struct option_walk *walk, char letter)
{
	while (option_next(walk)) {
		if (walk->option->letter == letter) {
			return true;
		}
	}
	return false;
}

const struct option *option_find(const struct command *self, const char *name,
				 size_t len)
{
	struct option_walk walk = { .command = self };

	return walk_to_name(&walk, name, len) ? walk.option : NULL;
}

static bool takes_value(const struct option *option)
{
	return option->kind != OPTION_KIND_FLAG && option->kind != OPTION_KIND_SET;
}

static bool store_flag(struct reader *reader, const struct option_walk *at, bool on,
		       const char *value)
{
	const struct option *option = at->option;
	char *field = reader->target + at->base + option->offset;

	if (option->kind == OPTION_KIND_SET) {
		if (value) {
			return prof_fail(reader->err, PROF_ERR_SYNTAX,
					 "--%s takes no value", option->name);
		}
		memcpy(field, &option->constant, sizeof(option->constant));
		return true;
	}
	if (value && strcmp(value, "false") == 0) {
		on = !on;
	} else if (value && strcmp(value, "true") != 0) {
		return prof_fail(reader->err, PROF_ERR_SYNTAX,
				 "--%s takes no value but true or false, not '%s'",
				 option->name, value);
	}
	memcpy(field, &on, sizeof(on));
	return true;
}

static bool store_value(struct reader *reader, const struct option_walk *at,
			const char *value)
{
	return option_store(at->option, reader->target + at->base + at->option->offset,
			    value, reader->err);
}

static bool unknown_name(struct reader *reader, const char *dashes, const char *name,
			 size_t len)
{
	struct suggest near = suggest_for((struct prof_text){ name, len });
	struct option_walk walk = { .command = reader->command };
	struct prof_buf hint = { 0 };

	while (option_next(&walk)) {
		suggest_add(&near, prof_text(walk.option->name));
	}
	suggest_add(&near, prof_text(option_help.name));
	suggest_say(&near, "--", &hint);
	prof_error_set(reader->err, PROF_ERR_SYNTAX, "unknown option '%s%.*s'%.*s",
		       dashes, (int)len, name, (int)hint.len, hint.data);
	prof_buf_free(&hint);
	return false;
}

/*
 * `text` follows the dashes. *used becomes true when the next argument was the value.
 */
static bool read_long(struct reader *reader, const char *text, const char *next,
		      bool *used)
{
	struct option_walk at = { .command = reader->command };
	size_t len = strcspn(text, "=");
	const char *value = text[len] ? text + len + 1 : NULL;
	bool on = true;

	if (is_word(option_help.name, text, len)) {
		reader->help = true;
		reader->text = true;
		return true;
	}
	if (!walk_to_name(&at, text, len)) {
		at = (struct option_walk){ .command = reader->command };
		if (strncmp(text, "no-", 3) != 0 ||
		    !walk_to_name(&at, text + 3, len - 3) ||
		    at.option->kind != OPTION_KIND_FLAG) {
			return unknown_name(reader, "--", text, len);
		}
		on = false;
	}
	if (!takes_value(at.option)) {
		return store_flag(reader, &at, on, value);
	}
	if (!value && !next) {
		return prof_fail(reader->err, PROF_ERR_SYNTAX, "--%s needs %s",
				 at.option->name, at.option->argument);
	}
	*used = !value;
	return store_value(reader, &at, value ? value : next);
}

/* `letters` follows "-". *used as in read_long(). */
static bool read_letters(struct reader *reader, const char *letters, const char *next,
			 bool *used)
{
	for (const char *c = letters; *c; c++) {
		struct option_walk at = { .command = reader->command };

		if (*c == option_help.letter) {
			reader->help = true;
			return true;
		}
		if (!walk_to_letter(&at, *c)) {
			if (c == letters) {
				return unknown_name(reader, "-", letters,
						    strcspn(letters, "="));
			}
			return prof_fail(reader->err, PROF_ERR_SYNTAX,
					 "unknown option '-%c' in '-%s'", *c, letters);
		}
		if (!takes_value(at.option)) {
			if (!store_flag(reader, &at, true, NULL)) {
				return false;
			}
			continue;
		}
		if (!c[1] && !next) {
			return prof_fail(reader->err, PROF_ERR_SYNTAX, "-%c needs %s",
					 *c, at.option->argument);
		}
		*used = !c[1];
		return store_value(reader, &at, c[1] ? c + 1 : next);
	}
	return true;
}

/* One argument that begins with a dash and is not "-" nor "--". */
static bool read_option(struct reader *reader, const char *arg, const char *next,
			bool *used)
{
	size_t len = strcspn(arg + 1, "=");

	if (arg[1] == '-') {
		return read_long(reader, arg + 2, next, used);
	}
	/* pprof's form. Before the letters: -top is --top, not -t -o p. */
	if (len > 1 && (option_find(reader->command, arg + 1, len) ||
			is_word(option_help.name, arg + 1, len))) {
		return read_long(reader, arg + 1, next, used);
	}
	return read_letters(reader, arg + 1, next, used);
}

/* Who asks for help gets it, even if the line has faults. */
static void look_for_help(struct reader *reader, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		bool text = strcmp(argv[i], "--help") == 0;

		if (text || strcmp(argv[i], "-h") == 0) {
			reader->help = true;
			reader->text = text;
			return;
		}
	}
}

enum option_outcome options_read(const struct command *self, void *target, int *argc,
				 char **argv, struct prof_error *err)
{
	struct reader reader = { .command = self, .target = target, .err = err };
	bool options = true;
	bool good = true;
	int count = 0;

	for (int i = 1; i < *argc && good && !reader.help; i++) {
		char *arg = argv[i];
		bool used = false;

		if (!options || arg[0] != '-' || !arg[1]) {
			/* argv[0] stays for look_for_help(): fill from 1 on. */
			argv[++count] = arg;
		} else if (strcmp(arg, "--") == 0) {
			options = false;
		} else {
			good = read_option(&reader, arg, argv[i + 1], &used);
			i += used;
			if (!good) {
				look_for_help(&reader, *argc - i, argv + i);
			}
		}
	}
	if (reader.help) {
		return reader.text ? OPTIONS_TEXT : OPTIONS_HELP;
	}
	if (!good) {
		return OPTIONS_WRONG;
	}
	memmove(argv, argv + 1, (size_t)count * sizeof(*argv));
	argv[count] = NULL;
	*argc = count;
	return OPTIONS_READ;
}

int options_parse(const struct command *self, void *target, int argc, char **argv)
{
	struct prof_error err = { 0 };

	switch (options_read(self, target, &argc, argv, &err)) {
	case OPTIONS_READ:
		return argc;
	case OPTIONS_HELP:
		options_help(self, false, stdout);
		exit(EXIT_DONE);
	case OPTIONS_TEXT:
		options_help(self, true, stdout);
		exit(EXIT_DONE);
	case OPTIONS_WRONG:
		break;
	}
	usage_error(self, "%s", err.message);
}

_Noreturn void usage_error(const struct command *self, const char *fmt, ...)
{
	struct prof_buf shown = { 0 };
	struct prof_text said = { 0 };
	char message[400];
	va_list args;

	va_start(args, fmt);
	vsnprintf(message, sizeof(message), fmt, args);
	va_end(args);
	said = prof_text(message);
	prof_text_escape(&shown, said);
	fprintf(stderr, "fgtool %s: %.*s\ntry 'fgtool %s --help'\n", self->name,
		(int)shown.len, shown.data, self->name);
	prof_buf_free(&shown);
	exit(EXIT_TROUBLE);
}
