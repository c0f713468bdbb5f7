/* SPDX-License-Identifier: MIT */
#include "cmd/source_file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

/* --- below a root -------------------------------------------------------------------- */

/* The part of `name` behind the first of the prefixes that it has. */
static struct prof_text strip(struct prof_text name, const char *prefixes)
{
	while (prefixes && *prefixes) {
		size_t len = strcspn(prefixes, ":");

		if (len > 0 && name.len > len &&
		    memcmp(name.data, prefixes, len) == 0) {
			return (struct prof_text){ name.data + len, name.len - len };
		}
		prefixes += len + (prefixes[len] == ':');
	}
	return name;
}

/* Whether the file, links resolved, is in the folder. */
static bool is_below(const char *folder, const char *path)
{
	char *root = realpath(folder, NULL);
	char *target = root ? realpath(path, NULL) : NULL;
	size_t len = root ? strlen(root) : 0;
	bool below = target && strncmp(target, root, len) == 0 &&
		     (target[len] == '/' || len == 1);

	free(root);
	free(target);
	return below;
}

static bool read_path(struct source_file *file, const char *path)
{
	struct source_file made = { .text.max = SOURCE_FILE_MAX };
	struct prof_error err = { 0 };
	int fd = open_regular(path);
	bool ok = fd >= 0 && read_all(fd, &made.text, &err) && find_lines(&made, &err);

	if (fd >= 0) {
		close(fd);
	}
	if (!ok) {
		source_file_free(&made);
		return false;
	}
	*file = made;
	return true;
}

static bool try_candidate(struct source_file *file, const char *folder,
			  struct prof_text name, struct prof_buf *tried)
{
	struct prof_buf path = { .max = 1 << 16 };
	bool ok = false;

	join(&path, prof_text(folder), name);
	if (!path.failed && !memchr(name.data, '\0', name.len)) {
		prof_buf_adds(tried, tried->len > 0 ? ", " : "");
		prof_buf_adds(tried, path.data);
		ok = is_below(folder, path.data) && read_path(file, path.data);
	}
	prof_buf_free(&path);
	return ok;
}

/* The name, and what is left of it without its first folder, and so on. */
static bool try_folder(struct source_file *file, const char *folder,
		       struct prof_text name, struct prof_buf *tried)
{
	while (name.len > 0) {
		const char *slash = NULL;

		while (name.len > 0 && name.data[0] == '/') {
			name = (struct prof_text){ name.data + 1, name.len - 1 };
		}
		if (name.len == 0) {
			return false;
		}
		if (try_candidate(file, folder, name, tried)) {
			return true;
		}
		slash = memchr(name.data, '/', name.len);
		name.len = slash ? name.len - (size_t)(slash - name.data) : 0;
		name.data = slash;
	}
	return false;
}

static bool try_map(struct source_file *file, const char *map, struct prof_text name,
		    struct prof_buf *tried)
{
	size_t len = strcspn(map, "=");

	if (map[len] != '=' || name.len <= len || memcmp(name.data, map, len) != 0) {
		return false;
	}
	name = (struct prof_text){ name.data + len, name.len - len };
	while (name.len > 0 && name.data[0] == '/') {
		name = (struct prof_text){ name.data + 1, name.len - 1 };
	}
	return name.len > 0 && try_candidate(file, map + len + 1, name, tried);
}

static bool try_folders(struct source_file *file, const char *folders,
			struct prof_text name, struct prof_buf *tried)
{
	bool ok = false;

	while (!ok && *folders) {
		size_t len = strcspn(folders, ":");
		char *folder = strndup(folders, len);

		ok = folder && len > 0 && try_folder(file, folder, name, tried);
		free(folder);
		folders += len + (folders[len] == ':');
	}
	return ok;
}

bool source_file_find(struct source_file *file, struct prof_text name,
		      const struct source_roots *roots, struct prof_buf *tried)
{
	bool named = roots->folders && *roots->folders;

	for (size_t i = 0; i < roots->map_count; i++) {
		if (try_map(file, roots->maps[i], name, tried)) {
			return true;
		}
	}
	return try_folders(file, named ? roots->folders : ".",
			   strip(name, roots->prefixes), tried);
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
