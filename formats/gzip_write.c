/* SPDX-License-Identifier: MIT */
/*
 * Deflating on several threads, with bytes that do not tell how many there were: the
 * data is cut into blocks of a fixed size, each deflated on its own with the 32 KiB
 * before it as dictionary and flushed to a byte border, so that the blocks behind each
 * other are one deflate stream. zlib does it even where ISA-L is there, whose output
 * depends on the processor.
 */
#include <pthread.h>
#include <unistd.h>
#include <zlib.h>

#include "formats/gzip.h"
#include "formats/zlib_memory.h"

enum {
	LEVEL_DEFAULT = 4,      /* half as fast again as 6, and 2 % larger */
	BLOCK_SIZE = 256 << 10, /* part of the output: another size is other bytes */
	DICTIONARY_SIZE = 32 << 10,
	FLUSH_SIZE = 16, /* what Z_SYNC_FLUSH may add to deflateBound() */
	JOB_MIN = 512 << 10,
	JOBS_MAX = 4,
	HEADER_SIZE = 10,
	OS_UNKNOWN = 255,
};

/* A run of blocks for one thread. */
struct job {
	struct prof_text data; /* all of it: the dictionary may be a neighbour's */
	size_t begin;
	size_t end;
	int level;
	struct prof_buf out;
	uLong crc;
	bool ok;
	pthread_t thread;
	bool has_thread;
};

static Bytef *bytes_at(struct prof_text data, size_t at)
{
	/* zlib only reads there. */
	return (Bytef *)(uintptr_t)(data.data + at);
}

static bool deflate_block(struct job *job, z_stream *stream, size_t begin, size_t end)
{
	size_t history = begin < DICTIONARY_SIZE ? begin : DICTIONARY_SIZE;
	int flush = end == job->data.len ? Z_FINISH : Z_SYNC_FLUSH;
	uInt len = (uInt)(end - begin);
	uLong bound = deflateBound(stream, len) + FLUSH_SIZE;
	int result = 0;

	if (!prof_buf_reserve(&job->out, bound) || deflateReset(stream) != Z_OK) {
		return false;
	}
	if (history > 0 &&
	    deflateSetDictionary(stream, bytes_at(job->data, begin - history),
				 (uInt)history) != Z_OK) {
		return false;
	}
	stream->next_in = len > 0 ? bytes_at(job->data, begin) : Z_NULL;
	stream->avail_in = len;
	stream->next_out = (Bytef *)job->out.data + job->out.len;
	stream->avail_out = (uInt)bound;
	result = deflate(stream, flush);
	if (result != (flush == Z_FINISH ? Z_STREAM_END : Z_OK) ||
	    stream->avail_in > 0 || stream->avail_out == 0) {
		return false;
	}
	job->out.len += bound - stream->avail_out;
	job->crc = crc32(job->crc, bytes_at(job->data, begin), len);
	return true;
}

static void *run(void *argument)
{
	struct job *job = argument;
	z_stream stream = prof_zlib_stream();
	size_t at = job->begin;

	if (deflateInit2(&stream, job->level, Z_DEFLATED, -MAX_WBITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		return NULL;
	}
	do {
		size_t end = job->end - at > BLOCK_SIZE ? at + BLOCK_SIZE : job->end;

		job->ok = deflate_block(job, &stream, at, end);
		at = end;
	} while (job->ok && at < job->end);
	deflateEnd(&stream);
	return NULL;
}

static size_t job_count(size_t len)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = len / JOB_MIN;

	if (processors > 0 && count > (size_t)processors) {
		count = (size_t)processors;
	}
	if (count > JOBS_MAX) {
		count = JOBS_MAX;
	}
	return count > 0 ? count : 1;
}

/* All but the first in threads of their own, where there are any. */
static bool run_all(struct job *jobs, size_t count)
{
	bool ok = true;

	for (size_t i = 1; i < count; i++) {
		jobs[i].has_thread =
			pthread_create(&jobs[i].thread, NULL, run, &jobs[i]) == 0;
	}
	for (size_t i = 0; i < count; i++) {
		if (jobs[i].has_thread) {
			pthread_join(jobs[i].thread, NULL);
		} else {
			run(&jobs[i]);
		}
		ok = ok && jobs[i].ok;
	}
	return ok;
}

static void add_little_endian(struct prof_buf *out, uint32_t number)
{
	for (int i = 0; i < 4; i++) {
		prof_buf_addc(out, (char)(number >> 8 * i));
	}
}

static void add_header(struct prof_buf *out, int level)
{
	unsigned char header[HEADER_SIZE] = { 0x1f, 0x8b, Z_DEFLATED };

	header[8] = level == 9 ? 2 : level == 1 ? 4 : 0;
	header[9] = OS_UNKNOWN;
	prof_buf_add(out, header, sizeof(header));
}

static void assemble(const struct job *jobs, size_t count, struct prof_buf *out)
{
	uLong crc = crc32(0, Z_NULL, 0);

	add_header(out, jobs[0].level);
	for (size_t i = 0; i < count; i++) {
		prof_buf_add(out, jobs[i].out.data, jobs[i].out.len);
		crc = crc32_combine(crc, jobs[i].crc,
				    (z_off_t)(jobs[i].end - jobs[i].begin));
	}
	add_little_endian(out, (uint32_t)crc);
	add_little_endian(out, (uint32_t)jobs[0].data.len);
}

bool prof_gzip_write(struct prof_text data, int level, struct prof_buf *out,
		     struct prof_error *err)
{
	struct job jobs[JOBS_MAX] = { 0 };
	size_t count = job_count(data.len);
	size_t blocks = data.len / BLOCK_SIZE;
	size_t len = out->len;
	bool ok = false;

	for (size_t i = 0; i < count; i++) {
		jobs[i] = (struct job){
			.data = data,
			.begin = blocks * i / count * BLOCK_SIZE,
			.end = i + 1 < count ? blocks * (i + 1) / count * BLOCK_SIZE
					     : data.len,
			.level = level > 0 ? level : LEVEL_DEFAULT,
		};
	}
	ok = run_all(jobs, count);
	if (ok) {
		assemble(jobs, count, out);
	}
	for (size_t i = 0; i < count; i++) {
		prof_buf_free(&jobs[i].out);
	}
	if (!ok || out->failed) {
		out->len = len;
		return prof_fail_nomem(err);
	}
	return true;
}
