/* SPDX-License-Identifier: MIT */
#include "cmd/input_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/suggest.h"
#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"

/* Names in the folder of `path` that are near its last part. */
static void suggest_file(const char *path, struct prof_buf *hint)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	struct suggest near = suggest_for(prof_text(base));
	char folder[4096] = ".";
	struct dirent *entry = NULL;
	DIR *dir = NULL;
	int seen = 0;

	if (slash && (size_t)(slash - path) + 2 <= sizeof(folder)) {
		memcpy(folder, path, (size_t)(slash - path) + 1);
		folder[slash - path + 1] = '\0';
	} else if (slash) {
		return;
	}
	dir = opendir(folder);
	while (dir && seen++ < 10000 && (entry = readdir(dir))) {
		suggest_add(&near, prof_text(entry->d_name));
	}
	suggest_say(&near, "", hint); /* borrows the entries: before closedir() */
	if (dir) {
		closedir(dir);
	}
}

static int cannot_open(const char *path, int error, struct prof_error *err)
{
	struct prof_buf hint = { .max = 1024 };

	if (error == ENOENT) {
		suggest_file(path, &hint);
	}
	prof_error_set(err, PROF_ERR_IO, "cannot open '%s': %s%.*s", path,
		       strerror(error), (int)hint.len, hint.data ? hint.data : "");
	prof_buf_free(&hint);
	return -1;
}

/* Directories and devices are no profiles: reading them blocks, or never ends. */
static bool check_kind(const char *path, int fd, uint64_t *size, struct prof_error *err)
{
	struct stat info;

	if (fstat(fd, &info) != 0) {
		return prof_fail(err, PROF_ERR_IO, "cannot read '%s': %s", path,
				 strerror(errno));
	}
	if (S_ISDIR(info.st_mode)) {
		return prof_fail(err, PROF_ERR_IO,
				 "cannot read '%s': Is a directory; name the profiles "
				 "in it, or use --files-from",
				 path);
	}
	if (fd == STDIN_FILENO && S_ISCHR(info.st_mode)) {
		return prof_fail(err, PROF_ERR_IO,
				 "no input on standard input: name a profile, or pipe "
				 "one in");
	}
	if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode)) {
		return prof_fail(err, PROF_ERR_IO,
				 "cannot read '%s': a device, not a file or a pipe",
				 path);
	}
	*size = S_ISREG(info.st_mode) && info.st_size > 0 ? (uint64_t)info.st_size : 0;
	return true;
}

static int open_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	while (fd < 0 && errno == EINTR) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	}
	return fd;
}

int input_file_open(const char *path, uint64_t *size, struct prof_error *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open_path(path);

	if (fd < 0) {
		return cannot_open(path, errno, err);
	}
	if (!check_kind(input_name(path), fd, size, err)) {
		input_file_close(fd);
		return -1;
	}
	return fd;
}

void input_file_close(int fd)
{
	if (fd > STDIN_FILENO) {
		close(fd);
	}
}

bool input_regular(int count, char **paths)
{
	for (int i = 0; i < count; i++) {
		struct stat info;

		if (strcmp(paths[i], "-") == 0 || stat(paths[i], &info) != 0 ||
		    !S_ISREG(info.st_mode)) {
			return false;
		}
	}
	return true;
}

bool input_can_repeat(const struct input_options *options, int count, char **paths)
{
	return count > 0 && !options->files_from && input_regular(count, paths);
}

enum { LIST_MAX = 1 << 30 }; /* bytes */

/* The whole of a list of names, NUL-terminated, or NULL. */
static char *read_list(const char *path, size_t *len, struct prof_error *err)
{
	struct prof_buf text = { .max = LIST_MAX };
	uint64_t size = 0;
	int fd = input_file_open(path, &size, err);
	ssize_t got = 1;

	if (fd < 0) {
		return NULL;
	}
	while (got > 0 && prof_buf_reserve(&text, 65536)) {
		got = read(fd, text.data + text.len, 65535);
		if (got < 0 && errno == EINTR) {
			got = 1;
			continue;
		}
		text.len += got > 0 ? (size_t)got : 0;
	}
	input_file_close(fd);
	if (got < 0 || text.failed) {
		prof_error_set(err, PROF_ERR_IO, "cannot read '%s': %s",
			       input_name(path),
			       got < 0                       ? strerror(errno)
			       : text.len > LIST_MAX - 65536 ? "too long"
							     : strerror(ENOMEM));
		prof_buf_free(&text);
		return NULL;
	}
	text.data[text.len] = '\0';
	*len = text.len;
	return text.data;
}

static bool add_path(struct input_paths *paths, size_t *cap, char *path)
{
	if (!prof_reserve((void **)&paths->items, cap, (size_t)paths->count + 2,
			  sizeof(*paths->items))) {
		return false;
	}
	paths->items[paths->count++] = path;
	paths->items[paths->count] = NULL;
	return true;
}

static bool add_list(const char *from, struct input_paths *paths, size_t *cap,
		     struct prof_error *err)
{
	size_t len = 0;
	char *text = read_list(from, &len, err);
	char *line = text;

	paths->memory = text;
	if (!text) {
		return false;
	}
	while (line < text + len) {
		char *end = memchr(line, '\n', (size_t)(text + len - line));

		end = end ? end : text + len;
		*end = '\0';
		if (*line != '\0' && !add_path(paths, cap, line)) {
			return prof_fail_nomem(err);
		}
		line = end + 1;
	}
	return true;
}

static bool add_stdin(struct input_paths *paths, size_t *cap, struct prof_error *err)
{
	static char dash[] = "-";

	if (isatty(STDIN_FILENO)) {
		return prof_fail(err, PROF_ERR_IO,
				 "no input: name a profile, or pipe one in");
	}
	return add_path(paths, cap, dash) || prof_fail_nomem(err);
}

/* A second reader of standard input would find it empty. */
static bool check_stdin_once(const struct input_options *options,
			     const struct input_paths *paths, struct prof_error *err)
{
	int times = options->files_from && strcmp(options->files_from, "-") == 0;

	for (int i = 0; i < paths->count; i++) {
		times += strcmp(paths->items[i], "-") == 0;
	}
	return times <= 1 || prof_fail(err, PROF_ERR_IO,
				       "standard input can be read only once, but is "
				       "named %d times",
				       times);
}

bool input_paths(const struct input_options *options, int count, char **operands,
		 struct input_paths *out, struct prof_error *err)
{
	struct input_paths paths = { 0 };
	size_t cap = 0;
	bool ok = true;

	for (int i = 0; ok && i < count; i++) {
		ok = add_path(&paths, &cap, operands[i]) || prof_fail_nomem(err);
	}
	if (ok && options->files_from) {
		ok = add_list(options->files_from, &paths, &cap, err);
		if (ok && paths.count == 0) {
			ok = prof_fail(err, PROF_ERR_IO, "%s: names no input",
				       input_name(options->files_from));
		}
	} else if (ok && count == 0) {
		ok = add_stdin(&paths, &cap, err);
	}
	ok = ok && check_stdin_once(options, &paths, err);
	if (!ok) {
		input_paths_free(&paths);
		return false;
	}
	*out = paths;
	return true;
}

void input_paths_free(struct input_paths *paths)
{
	prof_free(paths->items);
	prof_free(paths->memory);
	*paths = (struct input_paths){ 0 };
}
