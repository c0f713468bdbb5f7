/* SPDX-License-Identifier: MIT */
/*
 * error.h - the one error type of libprof, formats and cmd.
 *
 * A function that can fail returns bool and takes `struct prof_error *err` last.
 * true means every output is set; false means no output was touched and *err says
 * why. `err` is never NULL. Nothing here allocates, so running out of memory can
 * be reported too, and there is nothing to free.
 */
#ifndef PROF_BASE_ERROR_H
#define PROF_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

#define PROF_NODISCARD         __attribute__((warn_unused_result))
#define PROF_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

enum prof_code {
	PROF_OK = 0,
	PROF_ERR_NOMEM,       /* an allocation failed */
	PROF_ERR_IO,          /* the system said no: message ends in strerror() */
	PROF_ERR_SYNTAX,      /* the bytes do not follow the format */
	PROF_ERR_UNSUPPORTED, /* well formed, but a feature we do not read */
	PROF_ERR_LIMIT,       /* well formed, but larger than we accept */
	PROF_ERR_MISMATCH,    /* two profiles that cannot be combined */
	PROF_ERR_AGAIN,       /* a streaming sink cannot answer from one pass:
				 read the input again through a builder */
};

struct prof_error {
	enum prof_code code;
	uint32_t line;     /* 1-based line of a text format; 0 if binary or none */
	bool located;      /* offset below means something */
	uint64_t offset;   /* byte offset in the decoded input */
	char message[320]; /* reason only: no file name, no capital, no full stop */
};

/*
 * Record a failure and be false, so that callers write
 *
 *	return prof_fail(err, PROF_ERR_SYNTAX, "bad sample count '%.*s'", n, s);
 *
 * A macro, so that the compiler sees the constant and knows which outputs are set.
 * Control characters and invalid UTF-8 that arguments bring along become '?'.
 */
#define prof_fail(...) (prof_error_set(__VA_ARGS__), false)

void prof_error_set(struct prof_error *err, enum prof_code code, const char *fmt, ...)
	PROF_PRINTF(3, 4);

/* The same, at byte `offset` of the decoded input. */
#define prof_fail_at(...) (prof_error_set_at(__VA_ARGS__), false)

void prof_error_set_at(struct prof_error *err, enum prof_code code, uint64_t offset,
		       const char *fmt, ...) PROF_PRINTF(4, 5);

/* The same, in `line` (1-based) of a text input. */
#define prof_fail_line(...) (prof_error_set_line(__VA_ARGS__), false)

void prof_error_set_line(struct prof_error *err, enum prof_code code, uint32_t line,
			 const char *fmt, ...) PROF_PRINTF(4, 5);

/* Report out of memory: what every sticky `failed` flag becomes in the end. */
#define prof_fail_nomem(err) prof_fail(err, PROF_ERR_NOMEM, "out of memory")

#endif
