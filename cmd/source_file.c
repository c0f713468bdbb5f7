/* SPDX-License-Identifier: MIT */
#include "cmd/source_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libprof/base/alloc.h"

/* A regular file, or -1 with errno. */
static int open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;

	if (fd < 0) {
		return -1;
	}
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
		return fd;
	}
	close(fd);
	errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
	return -1;
}

/* `folder`, '/', `name` and a NUL, in `path`. */
static void join(struct prof_buf *path, struct prof_text folder, struct prof_text name)
{
	prof_buf_clear(path);
	prof_buf_add(path, folder.data, folder.len);
	if (folder.len > 0 && folder.data[folder.len - 1] != '/') {
		prof_buf_addc(path, '/');
	}
	prof_buf_add(path, name.data, name.len);
	prof_buf_addc(path, '\0');
}

/* Cut the last part of a folder's name; false when there is nothing above it. */
static bool go_up(struct prof_text *folder)
{
	size_t len = folder->len;

	while (len > 1 && folder->data[len - 1] == '/') {
		len--;
	}
	if (len == 0 ||
	    (len == 1 && (folder->data[0] == '/' || folder->data[0] == '.'))) {
		return false;
	}
	while (len > 0 && folder->data[len - 1] != '/') {
		len--;
	}
	while (len > 1 && folder->data[len - 1] == '/') {
		len--;
	}
	*folder = len > 0 ? (struct prof_text){ folder->data, len } : prof_text(".");
	return true;
}

static int search(struct prof_text name, const char *folders, struct prof_buf *path)
{
	while (*folders) {
		size_t len = strcspn(folders, ":");
		struct prof_text folder = { folders, len };
		int fd = -1;

		do {
			join(path, folder, name);
			fd = path->failed ? -1 : open_regular(path->data);
		} while (fd < 0 && !path->failed && go_up(&folder));
		if (fd >= 0) {
			return fd;
		}
		folders += len + (folders[len] == ':');
	}
	return -1;
}

/* The system's reason as Go words it: in lower case. */
static bool cannot_open(struct prof_text name, int error, struct prof_error *err)
{
	char reason[128];

	snprintf(reason, sizeof(reason), "%s", strerror(error));
	reason[0] = (char)tolower((unsigned char)reason[0]);
	return prof_fail(err, PROF_ERR_IO, "open %.*s: %s", (int)name.len, name.data,
			 reason);
}

static bool find(struct prof_text name, const char *folders, int *out,
		 struct prof_error *err)
{
	struct prof_text none = { 0 };
	struct prof_buf path = { .max = 1 << 16 };
	bool absolute = name.len > 0 && name.data[0] == '/';
	int fd = -1;
	int error = 0;

	if (absolute) {
		join(&path, none, name);
		fd = path.failed ? -1 : open_regular(path.data);
		error = errno;
	} else {
		fd = search(name, folders, &path);
	}
	prof_buf_free(&path);
	if (fd < 0 && absolute) {
		return cannot_open(name, error, err);
	}
	if (fd < 0) {
		return prof_fail(err, PROF_ERR_IO,
				 "could not find file %.*s on path %s", (int)name.len,
				 name.data, folders);
	}
	*out = fd;
	return true;
}

static bool read_all(int fd, struct prof_buf *text, struct prof_error *err)
{
	for (;;) {
		ssize_t got = 0;

		if (!prof_buf_reserve(text, 1 << 16)) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "the file is too large to be source code");
		}
		got = read(fd, text->data + text->len, 1 << 16);
		if (got < 0) {
			return prof_fail(err, PROF_ERR_IO, "%s", strerror(errno));
		}
		if (got == 0) {
			return true;
		}
		text->len += (size_t)got;
	}
}

static bool find_lines(struct source_file *file, struct prof_error *err)
{
	const struct prof_buf *text = &file->text;
	size_t cap = 0;
	size_t count = 0;
	size_t at = 0;

	while (at < text->len) {
		const char *end = memchr(text->data + at, '\n', text->len - at);

		at = end ? (size_t)(end - text->data) + 1 : text->len;
		if (!prof_reserve((void **)&file->ends, &cap, count + 1,
				  sizeof(*file->ends))) {
			return prof_fail_nomem(err);
		}
		file->ends[count++] = at;
	}
	file->line_count = (int64_t)count;
	return true;
}

bool source_file_open(struct source_file *file, struct prof_text name,
		      const char *folders, struct prof_error *err)
{
	struct source_file read = { .text.max = SOURCE_FILE_MAX };
	int fd = -1;
	bool ok = false;

	if (!find(name, folders, &fd, err)) {
		return false;
	}
	ok = read_all(fd, &read.text, err) && find_lines(&read, err);
	close(fd);
	if (!ok) {
		source_file_free(&read);
		return false;
	}
	*file = read;
	return true;
}

bool source_file_line(const struct source_file *file, int64_t number,
		      struct prof_text *line)
{
	size_t start = 0;
	size_t end = 0;

	if (number < 1 || number > file->line_count) {
		return false;
	}
	start = number > 1 ? file->ends[number - 2] : 0;
	end = file->ends[number - 1];
	end -= file->text.data[end - 1] == '\n';
	end -= end > start && file->text.data[end - 1] == '\r';
	*line = (struct prof_text){ file->text.data + start, end - start };
	return true;
}

void source_file_free(struct source_file *file)
{
	prof_buf_free(&file->text);
	prof_free(file->ends);
	*file = (struct source_file){ 0 };
}
