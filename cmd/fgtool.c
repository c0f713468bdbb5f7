/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/help.h"
#include "cmd/suggest.h"

/*
 * A descriptor that is closed now would be given to the next file opened, and what is
 * meant for the user would be written into it. In the wrong direction, so that using it
 * is an error still.
 */
static void open_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
			int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

			if (open("/dev/null", flags) != fd) {
				_exit(EXIT_TROUBLE);
			}
		}
	}
}

/*
 * Reading a thousand small files frees and takes the same buffers a thousand times:
 * without this glibc gives the pages back and faults them in anew for each.
 */
static void keep_memory(void)
{
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

static void set_signals(void)
{
	/* `fgtool top | head` ends in silence, even under a parent that ignores it. */
	signal(SIGPIPE, SIG_DFL);
	/* At a file size limit writing fails, which is reported, instead of killing. */
	signal(SIGXFSZ, SIG_IGN);
}

/* What was printed must have arrived, or the answer is not what it says. */
static void close_stdout(void)
{
	bool failed = ferror(stdout) != 0;

	errno = 0;
	if (fclose(stdout) == 0 && !failed) {
		return;
	}
	trouble("cannot write standard output%s%s", errno ? ": " : "",
		errno ? strerror(errno) : "");
	_exit(EXIT_TROUBLE);
}

static int unknown_command(const char *name)
{
	static const char *const options[] = { "--help", "--version", NULL };
	struct suggest near = suggest_for(prof_text(name));
	struct prof_buf hint = { 0 };
	bool option = name[0] == '-';

	for (size_t i = 0; option && options[i]; i++) {
		suggest_add(&near, prof_text(options[i]));
	}
	for (size_t i = 0; !option && commands[i]; i++) {
		if (commands[i]->group) {
			suggest_add(&near, prof_text(commands[i]->name));
		}
	}
	suggest_say(&near, "", &hint);
	trouble("unknown %s '%s'%.*s", option ? "option" : "command", name,
		(int)hint.len, hint.data ? hint.data : "");
	fputs("try 'fgtool --help'\n", stderr);
	prof_buf_free(&hint);
	return EXIT_TROUBLE;
}

static bool input_waits(void)
{
	struct stat in;

	return fstat(STDIN_FILENO, &in) == 0 &&
	       (S_ISFIFO(in.st_mode) || S_ISREG(in.st_mode) || S_ISSOCK(in.st_mode));
}

static int run(const char *name, int argc, char **argv)
{
	const struct command *command = command_find(name);

	return command ? command->run(command, argc, argv) : unknown_command(name);
}

/* `fgtool` alone: what is piped in is described; otherwise it says what it can do. */
static int run_nothing(char **argv)
{
	if (input_waits() && command_find("info")) {
		return run("info", 1, argv);
	}
	help_short(stderr);
	return EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	open_standard_files();
	set_signals();
	keep_memory();
	atexit(close_stdout);
	if (argc < 2) {
		return run_nothing(argv);
	}
	if (strcmp(argv[1], "-h") == 0) {
		help_short(stdout);
		return EXIT_DONE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-help") == 0) {
		help_long(stdout);
		return EXIT_DONE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0 ||
	    strcmp(argv[1], "-version") == 0) {
		return run("version", 1, argv);
	}
	return run(argv[1], argc - 1, argv + 1);
}
