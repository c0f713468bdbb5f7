/* SPDX-License-Identifier: MIT */
#include "libprof/base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libprof/base/alloc.h"

#define BUFFER_SIZE ((size_t)PROF_SOURCE_HEADROOM + PROF_SOURCE_CHUNK + PROF_SOURCE_PAD)

void prof_source_free(struct prof_source *source)
{
	if (source) {
		uint8_t *buffers = source->buffers;

		source->free(source);
		prof_free(buffers);
	}
}

void prof_source_stop(struct prof_source *source)
{
	if (source->stop) {
		source->stop(source);
	}
}

static bool fill_buffer(struct prof_source *source, uint8_t *data,
			struct prof_chunk *chunk, struct prof_error *err)
{
	size_t len = 0;

	if (!source->fill(source, data, PROF_SOURCE_CHUNK, &len, err)) {
		return false;
	}
	memset(data + len, 0, PROF_SOURCE_PAD);
	*chunk = (struct prof_chunk){ data, len, PROF_SOURCE_HEADROOM, true };
	return true;
}

bool prof_source_next_filled(struct prof_source *source, struct prof_chunk *chunk,
			     struct prof_error *err)
{
	uint8_t *data = NULL;

	if (source->failure.code != PROF_OK) {
		*err = source->failure;
		return false;
	}
	if (!source->buffers) {
		source->buffers = prof_alloc(2 * BUFFER_SIZE);
	}
	if (!source->buffers) {
		return prof_fail_nomem(err);
	}
	data = source->buffers + (source->second ? BUFFER_SIZE : 0) +
	       PROF_SOURCE_HEADROOM;
	source->second = !source->second;
	if (!fill_buffer(source, data, chunk, err)) {
		source->failure = *err;
		return false;
	}
	return true;
}

/* Memory */

struct memory {
	struct prof_source base;
	struct prof_chunk rest;
};

static bool memory_next(struct prof_source *source, struct prof_chunk *chunk,
			struct prof_error *err)
{
	struct memory *memory = (struct memory *)source;

	(void)err;
	*chunk = memory->rest;
	memory->rest.len = 0;
	return true;
}

static void plain_free(struct prof_source *source)
{
	prof_free(source);
}

struct prof_source *prof_source_memory(const void *data, size_t len)
{
	struct memory *memory = prof_alloc(sizeof(*memory));

	if (!memory) {
		return NULL;
	}
	*memory = (struct memory){
		.base = { .next = memory_next, .free = plain_free, .size_hint = len },
		/* Without headroom nobody writes to what a chunk shows. */
		.rest = { .data = (uint8_t *)(uintptr_t)data, .len = len },
	};
	return &memory->base;
}

/* Files and pipes */

struct file {
	struct prof_source base;
	int fd;
	int wake[2]; /* a pipe that stop() writes to; -1 for regular files */
};

/* False: told to stop. A regular file never waits and has no pipe to be told by. */
static bool wait_for_bytes(struct file *file)
{
	struct pollfd fds[] = {
		{ .fd = file->fd, .events = POLLIN },
		{ .fd = file->wake[0], .events = POLLIN },
	};
	int ready = 0;

	do {
		ready = poll(fds, 2, -1);
	} while (ready < 0 && errno == EINTR);
	return ready < 0 || fds[1].revents == 0;
}

static bool file_fill(struct prof_source *source, uint8_t *out, size_t cap, size_t *len,
		      struct prof_error *err)
{
	struct file *file = (struct file *)source;
	ssize_t n = 0;

	if (file->wake[0] >= 0 && !wait_for_bytes(file)) {
		return prof_fail(err, PROF_ERR_IO, "cannot read: stopped");
	}
	while ((n = read(file->fd, out, cap)) < 0) {
		if (errno == EAGAIN) {
			if (!wait_for_bytes(file)) {
				return prof_fail(err, PROF_ERR_IO,
						 "cannot read: stopped");
			}
		} else if (errno != EINTR) {
			return prof_fail(err, PROF_ERR_IO, "cannot read: %s",
					 strerror(errno));
		}
	}
	*len = (size_t)n;
	return true;
}

static void file_stop(struct prof_source *source)
{
	const struct file *file = (const struct file *)source;
	ssize_t written = 0;

	if (file->wake[1] >= 0) {
		written = write(file->wake[1], "", 1);
	}
	(void)written;
}

static void file_free(struct prof_source *source)
{
	struct file *file = (struct file *)source;

	for (int end = 0; end < 2; end++) {
		if (file->wake[end] >= 0) {
			close(file->wake[end]);
		}
	}
	prof_free(file);
}

static bool is_regular(int fd)
{
	struct stat status = { 0 };

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

struct prof_source *prof_source_file(int fd, uint64_t size_hint)
{
	struct file *file = prof_alloc(sizeof(*file));

	if (!file) {
		return NULL;
	}
	*file = (struct file){
		.base = { .next = prof_source_next_filled,
			  .fill = file_fill,
			  .stop = file_stop,
			  .free = file_free,
			  .size_hint = size_hint },
		.fd = fd,
		.wake = { -1, -1 },
	};
	if (is_regular(fd)) {
		if (size_hint > PROF_SOURCE_CHUNK) {
			(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
		}
	} else if (pipe2(file->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
		file->wake[0] = -1;
		file->wake[1] = -1;
	}
	return &file->base;
}

/* The window */

struct prof_window prof_window(struct prof_source *source)
{
	return (struct prof_window){ .source = source };
}

/*
 * Append the chunk to the unread bytes in `own`. Bytes already used are dropped only
 * when they are the greater part, so that every byte moves a bounded number of times.
 */
static bool join(struct prof_window *window, const struct prof_chunk *chunk,
		 struct prof_error *err)
{
	struct prof_buf *own = &window->own;
	size_t used = 0;

	if (own->len == 0) {
		prof_buf_add(own, window->data, window->len);
	} else {
		used = own->len - window->len;
		if (used >= window->len) {
			memmove(own->data, own->data + used, window->len);
			own->len = window->len;
			used = 0;
		}
	}
	prof_buf_add(own, chunk->data, chunk->len);
	if (own->failed || !prof_buf_reserve(own, PROF_SOURCE_PAD)) {
		return prof_fail_nomem(err);
	}
	memset(own->data + own->len, 0, PROF_SOURCE_PAD);
	window->data = (const uint8_t *)own->data + used;
	window->len += chunk->len;
	window->padded = true;
	return true;
}

bool prof_window_more(struct prof_window *window, struct prof_error *err)
{
	struct prof_chunk chunk = { 0 };

	if (window->ended) {
		return true;
	}
	if (window->own.failed) {
		return prof_fail_nomem(err);
	}
	if (!window->source->next(window->source, &chunk, err)) {
		return false;
	}
	if (chunk.len == 0) {
		window->ended = true;
		return true;
	}
	/* Many tiny chunks behind a long tail would copy it again and again. */
	if (window->len > chunk.headroom || window->len > chunk.len) {
		return join(window, &chunk, err);
	}
	if (window->len > 0) {
		memcpy(chunk.data - window->len, window->data, window->len);
	}
	window->data = chunk.data - window->len;
	window->len += chunk.len;
	window->padded = chunk.padded;
	window->own.len = 0;
	return true;
}

bool prof_window_need(struct prof_window *window, size_t len, struct prof_error *err)
{
	while (window->len < len && !window->ended) {
		if (!prof_window_more(window, err)) {
			return false;
		}
	}
	return true;
}

void prof_window_free(struct prof_window *window)
{
	prof_buf_free(&window->own);
}
