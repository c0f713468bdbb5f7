/* SPDX-License-Identifier: MIT */
/*
 * source.h - bytes arriving: a file, a pipe, memory, something being decompressed.
 *
 * A source hands out chunk after chunk. A reader looks at it through a window, which
 * joins what a chunk border cuts in two:
 *
 *	file.pb.gz --> prof_source_file --> window --> gunzip --> ahead --> window --> reader
 *	                256 KiB chunks                             (thread)
 *
 * Owns:    whoever holds a source frees it with prof_source_free(), which frees what
 *          it reads from as well. A window borrows its source.
 * Errors:  IO from the system; SYNTAX and LIMIT from decompressors, with the offset
 *          in their input. After an error a source only fails.
 * Threads: one thread uses a source at a time.
 */
#ifndef PROF_BASE_SOURCE_H
#define PROF_BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libprof/base/buf.h"
#include "libprof/base/error.h"

enum {
	PROF_SOURCE_CHUNK = 256 << 10, /* bytes a streaming source hands out at once */
	PROF_SOURCE_HEADROOM = 64 << 10,
	PROF_SOURCE_PAD = 64,
};

/*
 * `len` bytes at `data`. They stay valid through the next call and until the one after
 * it, so that their tail can be joined to what follows. The `headroom` bytes before
 * them belong to the consumer, who may write there. PROF_SOURCE_PAD bytes behind them
 * may be read, whatever they hold, when `padded`.
 */
struct prof_chunk {
	uint8_t *data;
	size_t len; /* 0 = the end */
	size_t headroom;
	bool padded;
};

struct prof_source {
	/* The next chunk; an empty one at the end, and again if asked again. */
	bool (*next)(struct prof_source *source, struct prof_chunk *chunk,
		     struct prof_error *err);
	void (*free)(struct prof_source *source);

	/*
	 * Optional. Put 1 to `cap` bytes at `out`, or none at the end. A source that
	 * makes its bytes defines this and lets `next` be prof_source_next_filled();
	 * prof_source_ahead() then has it write into the ring.
	 */
	bool (*fill)(struct prof_source *source, uint8_t *out, size_t cap, size_t *len,
		     struct prof_error *err);

	/*
	 * Optional, and the one thing another thread may do: make a call that waits
	 * for input return, now or later, with an error.
	 */
	void (*stop)(struct prof_source *source);

	uint64_t size_hint; /* bytes to come in all, 0 when unknown; only a hint */

	/* Of prof_source_next_filled(): two buffers in turn, and how it failed. */
	uint8_t *buffers;
	bool second;
	struct prof_error failure;
};

/* A `next` for sources with a `fill`: it hands out two buffers of its own in turn. */
bool prof_source_next_filled(struct prof_source *source, struct prof_chunk *chunk,
			     struct prof_error *err);

/* Stop `source` if it can be stopped. */
void prof_source_stop(struct prof_source *source);

/* NULL is fine. */
void prof_source_free(struct prof_source *source);

/* The `len` bytes at `data`, borrowed, as one chunk. NULL when out of memory. */
struct prof_source *prof_source_memory(const void *data, size_t len);

/*
 * What read(2) gives from `fd`, which stays the caller's. NULL when out of memory.
 * EINTR is retried; a directory is an IO error, as read(2) says.
 */
struct prof_source *prof_source_file(int fd, uint64_t size_hint);

/*
 * What `inner` fills, produced ahead by a thread of its own in a ring of four chunks.
 * Owns `inner`, also on failure. Is `inner` itself when that has no `fill` or when
 * there is no thread to be had. NULL when out of memory.
 */
struct prof_source *prof_source_ahead(struct prof_source *inner);

/*
 * A view of the bytes not yet consumed, contiguous:
 *
 *	while (true) {
 *		use some of window.data[0 .. window.len)
 *		prof_window_skip(&window, used);
 *		if (need more) {
 *			if (!prof_window_more(&window, err)) return false;
 *			if (window.ended) break;
 *		}
 *	}
 */
struct prof_window {
	struct prof_source *source; /* borrowed */
	const uint8_t *data;
	size_t len;
	uint64_t offset;     /* of data[0] in the whole input */
	bool ended;          /* the source has no more bytes than these */
	bool padded;         /* PROF_SOURCE_PAD bytes behind may be read */
	struct prof_buf own; /* joins what does not fit the headroom */
};

/* A window at the start of `source`; nothing is read yet. */
struct prof_window prof_window(struct prof_source *source);

/*
 * Append at least one byte behind the unread ones, or set `ended`. The unread bytes
 * may move.
 */
bool prof_window_more(struct prof_window *window,
		      struct prof_error *err) PROF_NODISCARD;

/* Have at least `len` unread bytes, or all there are. */
bool prof_window_need(struct prof_window *window, size_t len,
		      struct prof_error *err) PROF_NODISCARD;

static inline void prof_window_skip(struct prof_window *window, size_t len)
{
	window->data += len;
	window->len -= len;
	window->offset += len;
}

/* Free what the window owns; the source stays. */
void prof_window_free(struct prof_window *window);

#endif
