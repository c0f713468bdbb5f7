/* SPDX-License-Identifier: MIT */
#include "cmd/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, MAX_WIDTH = 100000 };

const char *const color_choices[] = { "auto", "always", "never", NULL };

bool terminal_is(int fd)
{
	return isatty(fd) == 1;
}

size_t terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size = { 0 };

	if (columns) {
		char *end = NULL;
		long width = strtol(columns, &end, 10);

		if (end != columns && !*end && width > 0 && width <= MAX_WIDTH) {
			return (size_t)width;
		}
	}
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		return size.ws_col;
	}
	return DEFAULT_WIDTH;
}

bool color_wanted(const struct color_facts *facts)
{
	if (facts->choice != COLOR_AUTO) {
		return facts->choice == COLOR_ALWAYS;
	}
	if (facts->no_color && *facts->no_color) {
		return false;
	}
	if (facts->clicolor_force && *facts->clicolor_force &&
	    strcmp(facts->clicolor_force, "0") != 0) {
		return true;
	}
	if (!facts->term || !*facts->term || strcmp(facts->term, "dumb") == 0) {
		return false;
	}
	return facts->terminal;
}

bool terminal_color(int choice, int fd)
{
	const struct color_facts facts = {
		.choice = choice,
		.no_color = getenv("NO_COLOR"),
		.clicolor_force = getenv("CLICOLOR_FORCE"),
		.term = getenv("TERM"),
		.terminal = terminal_is(fd),
	};

	return color_wanted(&facts);
}
