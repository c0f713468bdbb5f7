/* SPDX-License-Identifier: MIT */
#include "cmd/complete.h"

#include <string.h>

#include "cmd/help.h"
#include "cmd/option.h"

const char *const completion_shells[] = { "bash", "zsh", "fish", NULL };

/* The word being completed. */
struct request {
	const char *typed;
	struct prof_buf *out;
};

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool is_flag(const struct option *option)
{
	return option->kind == OPTION_KIND_FLAG || option->kind == OPTION_KIND_SET;
}

/* Offer BEFORE WORD AFTER if that is what was typed and more. */
static void offer(const struct request *request, const char *before, const char *word,
		  const char *after, const char *what)
{
	size_t len = strlen(before);
	size_t typed = strlen(request->typed);

	if (strncmp(request->typed, before, typed < len ? typed : len) != 0 ||
	    (typed > len && !starts_with(word, request->typed + len))) {
		return;
	}
	prof_buf_addf(request->out, "%s%s%s\t%s\n", before, word, after, what);
}

static void offer_list(const struct request *request, const char *before,
		       const char *const *words)
{
	for (; *words; words++) {
		offer(request, before, *words, "", "");
	}
}

static void offer_commands(const struct request *request)
{
	for (size_t i = 0; commands[i]; i++) {
		if (commands[i]->group) {
			offer(request, "", commands[i]->name, "", commands[i]->summary);
		}
	}
}

static void offer_topics(const struct request *request)
{
	for (const struct help_topic *topic = help_topics; topic->name; topic++) {
		offer(request, "", topic->name, "", topic->summary);
	}
}

static void offer_options(const struct request *request, const struct command *command)
{
	struct option_walk walk = { .command = command };

	while (option_next(&walk)) {
		const struct option *option = walk.option;

		if (option->help[0] == '\0') {
			continue;
		}
		offer(request, "--", option->name, is_flag(option) ? "" : "=",
		      option->help);
		if (option->kind == OPTION_KIND_FLAG &&
		    starts_with(request->typed, "--no-")) {
			offer(request, "--no-", option->name, "", option->help);
		}
	}
	offer(request, "--", option_help.name, "", option_help.help);
}

/* The values of `option`, each behind `before`: "" or "--format=". */
static void offer_values(const struct request *request, const struct option *option,
			 const char *before)
{
	if (option->values) {
		offer_list(request, before, option->values);
	} else if (strcmp(option->argument, "FILE") == 0) {
		prof_buf_adds(request->out, ":file\n");
	} else if (strcmp(option->argument, "DIR") == 0) {
		prof_buf_adds(request->out, ":dir\n");
	}
}

static void offer_operands(const struct request *request, const struct command *command)
{
	if (command == &cmd_help) {
		offer_commands(request);
		offer_topics(request);
	} else if (command == &cmd_completion) {
		offer_list(request, "", completion_shells);
	} else if (command->usage) {
		prof_buf_adds(request->out, ":file\n");
	}
}

/* The option that `word` leaves waiting for a value, or NULL. */
static const struct option *awaiting(const struct command *command, const char *word)
{
	struct option_walk walk = { .command = command };
	size_t dashes = strspn(word, "-");
	const struct option *option = NULL;

	if (dashes == 0 || dashes > 2 || strchr(word, '=')) {
		return NULL;
	}
	option = option_find(command, word + dashes, strlen(word + dashes));
	if (!option && dashes == 1 && word[1] && !word[2]) {
		while (!option && option_next(&walk)) {
			option = walk.option->letter == word[1] ? walk.option : NULL;
		}
	}
	return option && !is_flag(option) ? option : NULL;
}

/* Complete what stands behind the "=" of --format=j. */
static void complete_value(const struct request *request, const struct command *command)
{
	const char *name = request->typed + strspn(request->typed, "-");
	size_t len = strcspn(name, "=");
	size_t whole = (size_t)(name - request->typed) + len + 1;
	const struct option *option = option_find(command, name, len);
	char before[80];

	if (option && !is_flag(option) && whole < sizeof(before)) {
		memcpy(before, request->typed, whole);
		before[whole] = '\0';
		offer_values(request, option, before);
	}
}

void complete_command(const struct command *command, char *const *words, size_t count,
		      struct prof_buf *out)
{
	const struct request request = { .typed = words[count - 1], .out = out };
	const struct option *option = NULL;
	bool operands = false;

	for (size_t i = 1; i + 1 < count; i++) {
		operands = operands || (!option && strcmp(words[i], "--") == 0);
		/* A value is no option, even when it looks like one. */
		option = option ? NULL : awaiting(command, words[i]);
	}
	if (option && !operands) {
		offer_values(&request, option, "");
	} else if (request.typed[0] != '-' || operands) {
		offer_operands(&request, command);
	} else if (strchr(request.typed, '=')) {
		complete_value(&request, command);
	} else {
		offer_options(&request, command);
	}
}

void complete_words(char *const *words, size_t count, struct prof_buf *out)
{
	const struct request request = {
		.typed = count > 0 ? words[count - 1] : "",
		.out = out,
	};
	const struct command *command = count > 1 ? command_find(words[0]) : NULL;

	if (command) {
		complete_command(command, words, count, out);
	} else if (count <= 1) {
		offer_commands(&request);
		if (request.typed[0] == '-') {
			offer(&request, "--", "help", "", "list the commands");
			offer(&request, "--", "version", "", "print the version");
		}
	}
}
