/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "libprof/base/buf.h"
#include "libprof/base/text.h"

/* Neighbours of one group stand under one heading of `fgtool help`. */
const struct command *const commands[] = {
	&cmd_top,      &cmd_tree,    &cmd_peek,    &cmd_traces,  &cmd_tags,
	&cmd_list,     &cmd_diff,    &cmd_pprof,   &cmd_flame,   &cmd_merge,
	&cmd_scale,    &cmd_filter,  &cmd_convert, &cmd_info,    &cmd_check,
	&cmd_digest,   &cmd_formats, &cmd_help,    &cmd_version, &cmd_completion,
	&cmd_complete, NULL,
};

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++) {
		if (strcmp(commands[i]->name, name) == 0) {
			return commands[i];
		}
	}
	return NULL;
}

static void say(const char *text)
{
	struct prof_buf line = { 0 };

	prof_buf_adds(&line, "fgtool: ");
	prof_text_escape(&line, prof_text(text));
	prof_buf_addc(&line, '\n');
	if (line.failed) {
		fputs("fgtool: out of memory\n", stderr);
	} else {
		fwrite(line.data, 1, line.len, stderr);
	}
	prof_buf_free(&line);
}

PROF_PRINTF(1, 0) static void say_formatted(const char *fmt, va_list args)
{
	char text[1000];

	vsnprintf(text, sizeof(text), fmt, args);
	say(text);
}

int complain(const struct prof_error *err)
{
	say(err->message);
	return EXIT_TROUBLE;
}

int trouble(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say_formatted(fmt, args);
	va_end(args);
	return EXIT_TROUBLE;
}

void notice(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say_formatted(fmt, args);
	va_end(args);
}
