/* SPDX-License-Identifier: MIT */
#include "cmd/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/terminal.h"
#include "libprof/base/alloc.h"

enum {
	HELD_MAX = 1 << 18, /* bytes collected before they are written */
	LINKS_MAX = 40,     /* symbolic links followed, as the kernel does */
	NAMES_MAX = 100,    /* temporary names tried */
};

static const struct option options[] = {
	{ 'o', "output", "FILE", "write to FILE, not to standard output",
	  OPTION_TEXT(struct output_options, path) },
	{ 0 },
};

const struct option_group output_option_group = {
	.title = "output",
	.options = options,
};

static bool is_stdout(const char *path)
{
	return !path || strcmp(path, "-") == 0;
}

/* What went wrong is in errno. */
static bool cannot_write(const struct output *out, struct prof_error *err)
{
	const char *why = strerror(errno);

	if (!out->path) {
		return prof_fail(err, PROF_ERR_IO, "cannot write standard output: %s",
				 why);
	}
	return prof_fail(err, PROF_ERR_IO, "cannot write '%s': %s", out->path, why);
}

static void set_name(char **name, const char *text)
{
	size_t size = text ? strlen(text) + 1 : 0;
	char *copy = text ? prof_alloc(size) : NULL;

	if (copy) {
		memcpy(copy, text, size);
	}
	prof_free(*name);
	*name = copy;
	if (text && !copy) {
		errno = ENOMEM;
	}
}

static void close_fd(int *fd)
{
	if (*fd >= 0) {
		close(*fd);
	}
	*fd = -1;
}

/* Make `path`, seen from the present folder, the target: folder and name. */
static bool enter(struct output *out, const char *path)
{
	char copy[PATH_MAX];
	char again[PATH_MAX];
	size_t size = strlen(path) + 1;
	int from = out->folder >= 0 ? out->folder : AT_FDCWD;
	int folder = -1;

	if (size > sizeof(copy)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(copy, path, size);
	memcpy(again, path, size);
	folder = openat(from, dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		return false;
	}
	close_fd(&out->folder);
	out->folder = folder;
	set_name(&out->name, basename(again));
	return out->name != NULL;
}

/*
 * In a folder where everybody may put files, a link of somebody else's is a trap: it
 * points to a file of ours that they want overwritten.
 */
static bool is_trap(const struct output *out, const struct stat *link)
{
	struct stat folder;

	if (fstat(out->folder, &folder) != 0) {
		return true;
	}
	return (folder.st_mode & S_IWOTH) && link->st_uid != geteuid() &&
	       link->st_uid != folder.st_uid;
}

/*
 * Find the folder and name that out->path ends up at; *target is what is there now,
 * with st_nlink 0 when nothing is.
 */
static bool find_target(struct output *out, struct stat *target)
{
	char link[PATH_MAX];

	if (!enter(out, out->path)) {
		return false;
	}
	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t len = 0;

		if (fstatat(out->folder, out->name, target, AT_SYMLINK_NOFOLLOW) != 0) {
			*target = (struct stat){ 0 };
			return errno == ENOENT;
		}
		if (!S_ISLNK(target->st_mode)) {
			return true;
		}
		if (is_trap(out, target)) {
			errno = EACCES;
			return false;
		}
		len = readlinkat(out->folder, out->name, link, sizeof(link) - 1);
		if (len < 0) {
			return false;
		}
		link[len] = '\0';
		if (!enter(out, link)) {
			return false;
		}
	}
	errno = ELOOP;
	return false;
}

/* A name in the folder that nobody has, given to `make`, which may say EEXIST. */
static bool make_temporary(struct output *out,
			   bool (*make)(struct output *, const char *))
{
	for (int i = 0; i < NAMES_MAX; i++) {
		uint64_t number = 0;
		char name[40];

		if (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
			return false;
		}
		snprintf(name, sizeof(name), ".fgtool-%016" PRIx64, number);
		if (make(out, name)) {
			set_name(&out->temporary, name);
			if (!out->temporary) {
				unlinkat(out->folder, name, 0);
			}
			return out->temporary != NULL;
		}
		if (errno != EEXIST) {
			return false;
		}
	}
	return false;
}

static bool create_named(struct output *out, const char *name)
{
	out->fd = openat(out->folder, name,
			 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	return out->fd >= 0;
}

/* Give the nameless file a name; needs /proc, which open_unfinished() has looked for. */
static bool link_as(struct output *out, const char *name)
{
	char self[40];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", out->fd);
	return linkat(AT_FDCWD, self, out->folder, name, AT_SYMLINK_FOLLOW) == 0;
}

static bool open_unfinished(struct output *out, const struct stat *target)
{
	if (access("/proc/self/fd", X_OK) == 0) {
		out->fd = openat(out->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC,
				 0666);
	}
	if (out->fd < 0 && !make_temporary(out, create_named)) {
		return false;
	}
	return target->st_nlink == 0 || fchmod(out->fd, target->st_mode & 0777) == 0;
}

/* Whether `path` is /dev/stdout, or names the file that the shell sent stdout to. */
static bool is_where_stdout_goes(const struct stat *at)
{
	struct stat standard;

	return fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == at->st_dev &&
	       standard.st_ino == at->st_ino;
}

static bool open_stdout(struct output *out)
{
	out->fd = STDOUT_FILENO;
	return fflush(stdout) == 0;
}

static bool open_file(struct output *out)
{
	struct stat at = { 0 };

	if (stat(out->path, &at) == 0) {
		if (is_where_stdout_goes(&at)) {
			return open_stdout(out);
		}
		if (!S_ISREG(at.st_mode)) {
			out->fd = open(out->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
			return out->fd >= 0;
		}
	}
	if (!find_target(out, &at)) {
		return false;
	}
	if (out->path[0] == '\0' || out->path[strlen(out->path) - 1] == '/') {
		errno = ENOENT;
		return false;
	}
	/* A rename would replace even a file that says it must not be written. */
	if (at.st_nlink > 0 &&
	    faccessat(out->folder, out->name, W_OK, AT_EACCESS) != 0) {
		return false;
	}
	return open_unfinished(out, &at);
}

bool output_open(struct output *out, const char *path, bool binary,
		 struct prof_error *err)
{
	bool open = false;

	*out = (struct output){ .fd = -1, .folder = -1 };
	out->path = is_stdout(path) ? NULL : path;
	open = out->path ? open_file(out) : open_stdout(out);
	if (!open) {
		cannot_write(out, err);
		output_free(out);
		return false;
	}
	if (binary && terminal_is(out->fd)) {
		output_free(out);
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "binary output is not shown on a terminal; "
				 "use -o FILE");
	}
	return true;
}

/* Some of `len` bytes written, or -1 and errno. Waits for who reads at leisure. */
static ssize_t write_some(int fd, const char *data, size_t len)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };

	while (true) {
		ssize_t wrote = write(fd, data, len);

		if (wrote >= 0) {
			return wrote;
		}
		if (errno == EAGAIN) {
			poll(&ready, 1, -1);
		} else if (errno != EINTR) {
			return -1;
		}
	}
}

static bool write_all(struct output *out, const char *data, size_t len,
		      struct prof_error *err)
{
	while (len > 0) {
		ssize_t wrote = write_some(out->fd, data, len);

		if (wrote < 0) {
			return cannot_write(out, err);
		}
		data += wrote;
		len -= (size_t)wrote;
	}
	return true;
}

static bool write_held(struct output *out, struct prof_error *err)
{
	bool written = write_all(out, out->held.data, out->held.len, err);

	out->held.len = 0;
	return written;
}

bool output_add(struct output *out, const void *data, size_t len,
		struct prof_error *err)
{
	if (len > HELD_MAX - out->held.len && !write_held(out, err)) {
		return false;
	}
	if (len >= HELD_MAX) {
		return write_all(out, data, len, err);
	}
	prof_buf_add(&out->held, data, len);
	return out->held.failed ? prof_fail_nomem(err) : true;
}

/* Give the finished file its name, in one step for whoever looks. */
static bool take_name(struct output *out)
{
	if (!out->temporary && link_as(out, out->name)) {
		return true;
	}
	if (!out->temporary && (errno != EEXIST || !make_temporary(out, link_as))) {
		return false;
	}
	if (renameat(out->folder, out->temporary, out->folder, out->name) != 0) {
		return false;
	}
	set_name(&out->temporary, NULL);
	return true;
}

bool output_commit(struct output *out, struct prof_error *err)
{
	bool good = write_held(out, err);

	if (good && out->folder >= 0 && (fsync(out->fd) != 0 || !take_name(out))) {
		good = cannot_write(out, err);
	}
	if (out->fd != STDOUT_FILENO && close(out->fd) != 0 && good) {
		good = cannot_write(out, err);
	}
	out->fd = -1;
	output_free(out);
	return good;
}

void output_free(struct output *out)
{
	if (out->temporary) {
		unlinkat(out->folder, out->temporary, 0);
	}
	if (out->fd != STDOUT_FILENO) {
		close_fd(&out->fd);
	}
	close_fd(&out->folder);
	set_name(&out->temporary, NULL);
	set_name(&out->name, NULL);
	prof_buf_free(&out->held);
	*out = (struct output){ .fd = -1, .folder = -1 };
}

bool output_write(const char *path, const void *data, size_t len, bool binary,
		  struct prof_error *err)
{
	struct output out;

	if (!output_open(&out, path, binary, err)) {
		return false;
	}
	if (!write_all(&out, data, len, err)) {
		output_free(&out);
		return false;
	}
	return output_commit(&out, err);
}

bool output_is_terminal(const char *path)
{
	return is_stdout(path) && terminal_is(STDOUT_FILENO);
}
