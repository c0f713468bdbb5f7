/* SPDX-License-Identifier: MIT */
#include "libprof/base/source.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "libprof/base/alloc.h"
#include "tests/dribble.h"
#include "tests/test.h"

enum { LEN = 3000000 };

static char bytes[LEN];

static int make_bytes(void **state)
{
	uint32_t random = 1;

	for (size_t i = 0; i < LEN; i++) {
		random = random * 1664525 + 1013904223;
		bytes[i] = (char)(random >> 24);
	}
	return 0;
}

/* A source with a fill: the bytes, then the end or a failure. */
struct maker {
	struct prof_source base;
	size_t at;
	size_t len;
	bool broken;
	bool endless;
	atomic_bool stopped;
	bool *freed;
};

static bool maker_fill(struct prof_source *source, uint8_t *out, size_t cap,
		       size_t *len, struct prof_error *err)
{
	struct maker *maker = (struct maker *)source;
	size_t n = maker->len - maker->at;

	while (maker->endless && maker->at > 0) {
		if (atomic_load(&maker->stopped)) {
			return prof_fail(err, PROF_ERR_IO, "stopped");
		}
		sched_yield();
	}
	if (n == 0 && maker->broken) {
		return prof_fail(err, PROF_ERR_SYNTAX, "broken");
	}
	n = n < cap ? n : cap;
	memcpy(out, bytes + maker->at, n);
	maker->at += n;
	*len = n;
	return true;
}

static void maker_stop(struct prof_source *source)
{
	atomic_store(&((struct maker *)source)->stopped, true);
}

static void maker_free(struct prof_source *source)
{
	*((struct maker *)source)->freed = true;
}

static struct maker maker(size_t len, bool *freed)
{
	return (struct maker){
		.base = { .next = prof_source_next_filled,
			  .fill = maker_fill,
			  .stop = maker_stop,
			  .free = maker_free },
		.len = len,
		.freed = freed,
	};
}

/* Read all of `source`, keeping up to `keep` bytes unread at each step. */
static bool read_all(struct prof_source *source, size_t keep, size_t *len,
		     struct prof_error *err)
{
	struct prof_window window = prof_window(source);
	bool ok = true;

	while (ok && !window.ended) {
		size_t used = window.len > keep ? window.len - keep : 0;

		assert_memory_equal(window.data, bytes + window.offset, window.len);
		prof_window_skip(&window, used);
		ok = prof_window_more(&window, err);
	}
	if (ok) {
		assert_memory_equal(window.data, bytes + window.offset, window.len);
		*len = window.offset + window.len;
	}
	prof_window_free(&window);
	return ok;
}

static void assert_reads(struct prof_source *source, size_t keep, size_t expected)
{
	struct prof_error err = { 0 };
	size_t len = 0;

	assert_non_null(source);
	assert_true(read_all(source, keep, &len, &err));
	assert_int_equal(len, expected);
	prof_source_free(source);
}

static void memory_is_one_chunk_and_not_copied(void **state)
{
	struct prof_source *source = prof_source_memory(bytes, LEN);
	struct prof_window window = prof_window(source);
	struct prof_error err = { 0 };

	assert_int_equal(source->size_hint, LEN);
	assert_true(prof_window_need(&window, 1, &err));
	assert_ptr_equal(window.data, bytes);
	assert_int_equal(window.len, LEN);
	assert_false(window.ended);
	assert_true(prof_window_more(&window, &err));
	assert_true(window.ended);
	assert_ptr_equal(window.data, bytes);
	prof_window_free(&window);
	prof_source_free(source);
}

static void no_memory_at_all_is_an_empty_input(void **state)
{
	assert_reads(prof_source_memory(NULL, 0), 0, 0);
}

static void the_end_stays_the_end(void **state)
{
	struct prof_source *source = prof_source_memory("x", 1);
	struct prof_chunk chunk = { 0 };
	struct prof_error err = { 0 };

	assert_true(source->next(source, &chunk, &err));
	assert_int_equal(chunk.len, 1);
	for (int i = 0; i < 3; i++) {
		assert_true(source->next(source, &chunk, &err));
		assert_int_equal(chunk.len, 0);
	}
	prof_source_free(source);
}

static void chunks_of_any_size_join_to_the_same_bytes(void **state)
{
	static const size_t steps[] = { 1, 2, 7, 1000, 65536 };
	static const size_t keeps[] = { 0, 1, 100, 5000 };

	for (size_t i = 0; i < 5; i++) {
		for (size_t k = 0; k < 4; k++) {
			struct dribble in = dribble(bytes, 20000, steps[i]);

			assert_reads(&in.base, keeps[k], 20000);
		}
	}
}

static void made_chunks_join_to_the_same_bytes(void **state)
{
	static const size_t keeps[] = { 0, 1, 1000, 65536, 65537, 300000, LEN };

	for (size_t k = 0; k < 7; k++) {
		bool freed = false;
		struct maker source = maker(LEN, &freed);
		bool freed_ahead = false;
		struct maker ahead = maker(LEN, &freed_ahead);

		assert_reads(&source.base, keeps[k], LEN);
		assert_true(freed);
		assert_reads(prof_source_ahead(&ahead.base), keeps[k], LEN);
		assert_true(freed_ahead);
	}
}

static void need_gives_what_there_is(void **state)
{
	struct dribble in = dribble(bytes, 1000, 3);
	struct prof_window window = prof_window(&in.base);
	struct prof_error err = { 0 };

	assert_true(prof_window_need(&window, 10, &err));
	assert_true(window.len >= 10 && window.len < 13);
	assert_false(window.ended);
	assert_true(prof_window_need(&window, 5000, &err));
	assert_int_equal(window.len, 1000);
	assert_true(window.ended);
	assert_true(prof_window_more(&window, &err));
	assert_memory_equal(window.data, bytes, 1000);
	prof_window_free(&window);
	prof_source_free(&in.base);
}

static void padding_may_be_read_when_promised(void **state)
{
	bool freed = false;
	struct maker source = maker(1000, &freed);
	struct prof_window window = prof_window(&source.base);
	struct prof_error err = { 0 };
	unsigned sum = 0;

	assert_true(prof_window_more(&window, &err));
	assert_true(window.padded);
	for (size_t i = 0; i < PROF_SOURCE_PAD; i++) {
		sum += window.data[window.len + i];
	}
	assert_int_equal(sum, 0);
	prof_window_free(&window);
	prof_source_free(&source.base);
}

static void a_failure_is_passed_on_again_and_again(void **state)
{
	for (int threaded = 0; threaded < 2; threaded++) {
		bool freed = false;
		struct maker broken = maker(LEN, &freed);
		struct prof_source *source = &broken.base;
		struct prof_error err = { 0 };
		struct prof_chunk chunk = { 0 };
		size_t len = 0;

		broken.broken = true;
		source = threaded ? prof_source_ahead(source) : source;
		assert_false(read_all(source, 10, &len, &err));
		assert_int_equal(err.code, PROF_ERR_SYNTAX);
		assert_string_equal(err.message, "broken");
		err = (struct prof_error){ 0 };
		assert_false(source->next(source, &chunk, &err));
		assert_string_equal(err.message, "broken");
		prof_source_free(source);
	}
}

static void ahead_may_be_freed_at_any_chunk(void **state)
{
	for (int taken = 0; taken < 14; taken++) {
		bool freed = false;
		struct maker inner = maker(LEN, &freed);
		struct prof_source *source = prof_source_ahead(&inner.base);
		struct prof_chunk chunk = { 0 };
		struct prof_error err = { 0 };

		for (int i = 0; i < taken; i++) {
			assert_true(source->next(source, &chunk, &err));
		}
		prof_source_free(source);
		assert_true(freed);
	}
}

static void ahead_that_waits_can_be_freed(void **state)
{
	bool freed = false;
	struct maker inner = maker(LEN, &freed);
	struct prof_source *source = NULL;
	struct prof_chunk chunk = { 0 };
	struct prof_error err = { 0 };

	inner.endless = true;
	source = prof_source_ahead(&inner.base);
	assert_true(source->next(source, &chunk, &err));
	prof_source_free(source);
	assert_true(freed);
}

static void what_cannot_be_filled_is_not_put_ahead(void **state)
{
	struct prof_source *memory = prof_source_memory(bytes, 10);

	assert_ptr_equal(prof_source_ahead(memory), memory);
	assert_null(prof_source_ahead(NULL));
	prof_source_free(memory);
}

static void a_file_is_read_to_its_end(void **state)
{
	char path[] = "/tmp/fgtool-test-XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(write(fd, bytes, LEN), LEN);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_reads(prof_source_file(fd, LEN), 100, LEN);
	close(fd);
}

static void a_pipe_is_read_as_it_fills(void **state)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
	assert_int_equal(write(ends[1], bytes, 5000), 5000);
	close(ends[1]);
	assert_reads(prof_source_file(ends[0], 0), 100, 5000);
	close(ends[0]);
}

static void a_pipe_nobody_writes_to_can_be_let_go(void **state)
{
	int ends[2];
	struct prof_source *source = NULL;

	assert_int_equal(pipe(ends), 0);
	source = prof_source_ahead(prof_source_file(ends[0], 0));
	assert_non_null(source);
	prof_source_free(source);
	close(ends[0]);
	close(ends[1]);
}

static void a_folder_is_an_io_error(void **state)
{
	int fd = open("/", O_RDONLY);
	struct prof_source *source = prof_source_file(fd, 0);
	struct prof_error err = { 0 };
	size_t len = 99;

	assert_false(read_all(source, 0, &len, &err));
	assert_int_equal(err.code, PROF_ERR_IO);
	assert_string_equal(err.message, "cannot read: Is a directory");
	assert_int_equal(len, 99);
	prof_source_free(source);
	close(fd);
}

/* 1: read; 0: out of memory. */
static bool read_with_memory(int64_t allocations, bool threaded)
{
	bool freed = false;
	struct maker inner = maker(LEN, &freed);
	struct prof_source *source = &inner.base;
	struct prof_error err = { 0 };
	size_t len = 0;
	bool ok = false;

	prof_alloc_fail_after(allocations);
	source = threaded ? prof_source_ahead(source) : source;
	ok = source && read_all(source, 100000, &len, &err);
	prof_alloc_fail_after(-1);
	if (source && !ok) {
		assert_int_equal(err.code, PROF_ERR_NOMEM);
	}
	prof_source_free(source);
	assert_true(freed);
	return ok;
}

static void any_allocation_may_fail(void **state)
{
	for (int threaded = 0; threaded < 2; threaded++) {
		int64_t n = 0;

		while (!read_with_memory(n, threaded)) {
			n++;
		}
		assert_true(n > 1);
	}
	prof_alloc_fail_after(0);
	assert_null(prof_source_memory(bytes, 1));
	assert_null(prof_source_file(0, 0));
	prof_alloc_fail_after(-1);
}

static void a_window_that_lost_bytes_gives_no_more(void **state)
{
	struct dribble in = dribble(bytes, 100, 1);
	struct prof_window window = prof_window(&in.base);
	struct prof_error err = { 0 };

	assert_true(prof_window_more(&window, &err));
	prof_alloc_fail_after(0);
	assert_false(prof_window_need(&window, 10, &err));
	prof_alloc_fail_after(-1);
	assert_false(prof_window_need(&window, 10, &err));
	assert_int_equal(err.code, PROF_ERR_NOMEM);
	prof_window_free(&window);
	prof_source_free(&in.base);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_one_chunk_and_not_copied),
		cmocka_unit_test(no_memory_at_all_is_an_empty_input),
		cmocka_unit_test(the_end_stays_the_end),
		cmocka_unit_test(chunks_of_any_size_join_to_the_same_bytes),
		cmocka_unit_test(made_chunks_join_to_the_same_bytes),
		cmocka_unit_test(need_gives_what_there_is),
		cmocka_unit_test(padding_may_be_read_when_promised),
		cmocka_unit_test(a_failure_is_passed_on_again_and_again),
		cmocka_unit_test(ahead_may_be_freed_at_any_chunk),
		cmocka_unit_test(ahead_that_waits_can_be_freed),
		cmocka_unit_test(what_cannot_be_filled_is_not_put_ahead),
		cmocka_unit_test(a_file_is_read_to_its_end),
		cmocka_unit_test(a_pipe_is_read_as_it_fills),
		cmocka_unit_test(a_pipe_nobody_writes_to_can_be_let_go),
		cmocka_unit_test(a_folder_is_an_io_error),
		cmocka_unit_test(any_allocation_may_fail),
		cmocka_unit_test(a_window_that_lost_bytes_gives_no_more),
	};

	return cmocka_run_group_tests(tests, make_bytes, NULL);
}
