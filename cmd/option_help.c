/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cmd/option.h"
#include "libprof/base/buf.h"

enum {
	HELP_WIDTH = 80,
	HELP_LEFT_MAX = 28, /* a longer option has its text on the next line */
};

/* "  -n, --limit=N" */
static void add_left(struct prof_buf *out, const struct option *option)
{
	if (option->letter) {
		prof_buf_addf(out, "  -%c, --%s", option->letter, option->name);
	} else {
		prof_buf_addf(out, "      --%s", option->name);
	}
	if (option->argument) {
		prof_buf_addf(out, "=%s", option->argument);
	}
}

static bool is_hidden(const struct option *option)
{
	return option->help[0] == '\0';
}

static size_t left_width(const struct option *option)
{
	struct prof_buf left = { 0 };
	size_t width = 0;

	add_left(&left, option);
	width = left.len + 2;
	prof_buf_free(&left);
	return width;
}

/* The column in which the texts start. */
static size_t text_column(const struct command *self)
{
	struct option_walk walk = { .command = self };
	size_t column = left_width(&option_help);

	while (option_next(&walk)) {
		size_t width = left_width(walk.option);

		if (width <= HELP_LEFT_MAX && width > column &&
		    !is_hidden(walk.option)) {
			column = width;
		}
	}
	return column;
}

/* The help of an option and, for a choice, its words: the first is the default. */
static void add_text(struct prof_buf *out, const struct option *option)
{
	prof_buf_adds(out, option->help);
	if (option->kind != OPTION_KIND_CHOICE) {
		return;
	}
	for (size_t i = 0; option->values[i]; i++) {
		prof_buf_addf(out, "%s%s%s", i > 0 ? ", " : ": ", option->values[i],
			      i > 0 ? "" : " (default)");
	}
}

/* Append `text` in lines from `column` to HELP_WIDTH; the first has its indent. */
static void add_wrapped(struct prof_buf *out, const char *text, size_t len,
			size_t column)
{
	size_t room = HELP_WIDTH - column;

	while (len > room) {
		size_t cut = room;

		while (cut > 0 && text[cut] != ' ') {
			cut--;
		}
		if (cut == 0) {
			break;
		}
		prof_buf_add(out, text, cut);
		prof_buf_addf(out, "\n%*s", (int)column, "");
		text += cut + 1;
		len -= cut + 1;
	}
	prof_buf_add(out, text, len);
	prof_buf_addc(out, '\n');
}

static void add_option(struct prof_buf *out, const struct option *option, size_t column)
{
	struct prof_buf text = { 0 };
	size_t start = out->len;
	size_t width = 0;

	add_left(out, option);
	width = out->len - start;
	if (width + 2 > column) {
		prof_buf_addf(out, "\n%*s", (int)column, "");
	} else {
		prof_buf_addf(out, "%*s", (int)(column - width), "");
	}
	add_text(&text, option);
	add_wrapped(out, text.data, text.len, column);
	out->failed |= text.failed;
	prof_buf_free(&text);
}

static void add_options(struct prof_buf *out, const struct command *self)
{
	struct option_walk walk = { .command = self };
	size_t column = text_column(self);
	const char *title = NULL;

	if (!option_next(&walk) || !walk.title) {
		prof_buf_adds(out, "\noptions:\n");
	}
	walk = (struct option_walk){ .command = self };
	while (option_next(&walk)) {
		if (is_hidden(walk.option)) {
			continue;
		}
		if (walk.title && (!title || strcmp(title, walk.title) != 0)) {
			prof_buf_addf(out, "\n%s:\n", walk.title);
			title = walk.title;
		}
		add_option(out, walk.option, column);
	}
	if (title) {
		prof_buf_adds(out, "\nhelp:\n");
	}
	add_option(out, &option_help, column);
}

static void add_examples(struct prof_buf *out, const struct example *example)
{
	prof_buf_adds(out, "\nexamples:\n");
	for (; example->line; example++) {
		prof_buf_addf(out, "  %s\n      %s\n", example->line, example->what);
	}
}

void options_help(const struct command *self, bool full, FILE *out)
{
	struct prof_buf help = { 0 };

	prof_buf_addf(&help, "usage: fgtool %s [OPTIONS]%s%s\n\n%s.\n", self->name,
		      self->usage ? " " : "", self->usage ? self->usage : "",
		      self->summary);
	if (full && self->description) {
		prof_buf_addf(&help, "\n%s", self->description);
		if (help.data && help.data[help.len - 1] != '\n') {
			prof_buf_addc(&help, '\n');
		}
	}
	if (full && self->examples) {
		add_examples(&help, self->examples);
	}
	add_options(&help, self);
	fwrite(help.data, 1, help.len, out);
	prof_buf_free(&help);
}
