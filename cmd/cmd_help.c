/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/help.h"
#include "cmd/option.h"
#include "cmd/suggest.h"

enum { HELP_WIDTH = 80 };

static const char purpose[] =
	"fgtool - read, merge, compare and draw profiles of programs\n"
	"\n"
	"usage: fgtool COMMAND [OPTIONS] [PROFILE...]\n";

static const char first_steps[] =
	"\n"
	"examples:\n"
	"  fgtool top cpu.pb.gz                   the functions that use most\n"
	"  fgtool flame cpu.pb.gz -o cpu.svg      a flame graph for the browser\n"
	"  fgtool diff before.pb.gz after.pb.gz   what became slower, what faster\n";

/* Whether the command at `index` is the first of its group. */
static bool opens_group(size_t index)
{
	const char *group = commands[index]->group;

	return group && (index == 0 || !commands[index - 1]->group ||
			 strcmp(commands[index - 1]->group, group) != 0);
}

static size_t longest_group(void)
{
	size_t longest = 0;

	for (size_t i = 0; commands[i]; i++) {
		size_t len = commands[i]->group ? strlen(commands[i]->group) : 0;

		longest = len > longest ? len : longest;
	}
	return longest;
}

/* One line per group, or more when its commands do not fit. */
static void print_groups(FILE *out)
{
	int left = (int)longest_group() + 4;
	size_t column = 0;

	for (size_t i = 0; commands[i]; i++) {
		size_t len = strlen(commands[i]->name);

		if (!commands[i]->group) {
			continue;
		}
		if (opens_group(i)) {
			fprintf(out, "\n  %-*s", left - 2, commands[i]->group);
			column = (size_t)left;
		} else if (column + len + 2 > HELP_WIDTH) {
			fprintf(out, "\n%*s", left, "");
			column = (size_t)left;
		}
		fprintf(out, "%s%s", column > (size_t)left ? " " : "",
			commands[i]->name);
		column += len + 1;
	}
	fputc('\n', out);
}

void help_short(FILE *out)
{
	fputs(purpose, out);
	print_groups(out);
	fputs(first_steps, out);
	fputs("\n'fgtool help' says more of each, 'fgtool help COMMAND' all of one.\n",
	      out);
}

void help_long(FILE *out)
{
	fputs(purpose, out);
	for (size_t i = 0; commands[i]; i++) {
		if (opens_group(i)) {
			fprintf(out, "\n%s:\n", commands[i]->group);
		}
		if (commands[i]->group) {
			fprintf(out, "  %-12s %s\n", commands[i]->name,
				commands[i]->summary);
		}
	}
	fputs("\ntopics, by 'fgtool help TOPIC':\n", out);
	for (const struct help_topic *topic = help_topics; topic->name; topic++) {
		fprintf(out, "  %-12s %s\n", topic->name, topic->summary);
	}
	fputs(first_steps, out);
	fputs("\nA PROFILE is a file, or - for standard input; its format is found by\n"
	      "its content. 'fgtool COMMAND --help' explains a command.\n",
	      out);
}

static const struct help_topic *find_topic(const char *name)
{
	for (const struct help_topic *topic = help_topics; topic->name; topic++) {
		if (strcmp(topic->name, name) == 0) {
			return topic;
		}
	}
	return NULL;
}

_Noreturn static void unknown_subject(const struct command *self, const char *name)
{
	struct suggest near = suggest_for(prof_text(name));
	struct prof_buf hint = { 0 };

	for (size_t i = 0; commands[i]; i++) {
		if (commands[i]->group) {
			suggest_add(&near, prof_text(commands[i]->name));
		}
	}
	for (const struct help_topic *topic = help_topics; topic->name; topic++) {
		suggest_add(&near, prof_text(topic->name));
	}
	suggest_say(&near, "", &hint);
	usage_error(self, "no command or topic '%s'%.*s", name, (int)hint.len,
		    hint.data ? hint.data : "");
}

static int run_help(const struct command *self, int argc, char **argv)
{
	const struct command *command = NULL;
	const struct help_topic *topic = NULL;

	argc = options_parse(self, NULL, argc, argv);
	if (argc == 0) {
		help_long(stdout);
		return EXIT_DONE;
	}
	if (argc > 1) {
		usage_error(self, "one command or topic at a time");
	}
	command = command_find(argv[0]);
	topic = find_topic(argv[0]);
	if (command) {
		options_help(command, true, stdout);
	} else if (topic) {
		fputs(topic->text, stdout);
	} else {
		unknown_subject(self, argv[0]);
	}
	return EXIT_DONE;
}

static const struct example examples[] = {
	{ "fgtool help top", "all about one command" },
	{ "fgtool help filters", "how parts of a profile are chosen" },
	{ "fgtool top -h", "only the options of a command" },
	{ 0 },
};

const struct command cmd_help = {
	.name = "help",
	.group = "about fgtool",
	.summary = "Explain a command or a topic",
	.usage = "[COMMAND|TOPIC]",
	.examples = examples,
	.run = run_help,
};
