/* SPDX-License-Identifier: MIT */
#include "formats/pprof.h"

#include <string.h>

#include "formats/pprof_ids.h"
#include "formats/pprof_varint.h"
#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"
#include "tests/slurp.h"
#include "tests/test.h"
#include "tests/unit/formats/proto.h"
#include "tests/unit/formats/record.h"

static struct prof_error err;

/* What a sink gets from `bytes`, which are freed. */
static struct record read_all(struct prof_buf *bytes, bool early)
{
	struct record record = record_new(early);

	if (!record_read(&record, &prof_format_pprof, bytes, 0, &err)) {
		fail_msg("at byte %d: %s", (int)err.offset, err.message);
	}
	prof_buf_free(bytes);
	return record;
}

static void expect(struct prof_buf *bytes, bool early, const char *want)
{
	struct record record = read_all(bytes, early);

	assert_string_equal(record_text(&record), want);
	record_free(&record);
}

static void expect_contains(struct prof_buf *bytes, bool early, const char *want)
{
	struct record record = read_all(bytes, early);

	if (!strstr(record_text(&record), want)) {
		fail_msg("no '%s' in:\n%s", want, record_text(&record));
	}
	record_free(&record);
}

static void two_strings(struct prof_buf *out)
{
	proto_string(out, "");
	proto_string(out, "main");
}

static void tables_precede_samples_for_a_sink_that_is_not_early(void **state)
{
	struct prof_buf bytes = slurp_file("pprof/tiny.pb");

	expect(&bytes, false,
	       "begin\n"
	       "string 0 ''\nstring 1 'samples'\nstring 2 'count'\nstring 3 'cpu'\n"
	       "string 4 'nanoseconds'\nstring 5 'main'\nstring 6 'work'\n"
	       "string 7 'main.c'\n"
	       "function id 1 name 5 system 5 file 7 start 0\n"
	       "function id 2 name 6 system 6 file 7 start 0\n"
	       "location id 1 at 400010 (0 1 0)\n"
	       "location id 2 at 400020 (1 1 0)\n"
	       "types 1/2 3/4\n"
	       "sample 1 0 = 3 30000000\n"
	       "sample 0 = 1 10000000\n"
	       "end time 0 duration 0 period 10000000 of 3/4 default 0 url 0 drop 0 "
	       "keep 0 comments\n");
}

static void an_early_sink_gets_records_as_they_come(void **state)
{
	struct prof_buf bytes = { 0 };

	proto_type(&bytes, 1, 0);
	proto_function(&bytes, 1, 1);
	proto_location(&bytes, 1, 0, 1);
	proto_sample(&bytes, 1, 5);
	proto_function(&bytes, 2, 1);
	proto_location(&bytes, 2, 0, 2);
	proto_sample(&bytes, 2, 6);
	two_strings(&bytes);
	expect(&bytes, true,
	       "begin\n"
	       "function id 1 name 1 system 0 file 0 start 0\n"
	       "location id 1 at 0 (0 7 0)\n"
	       "function id 2 name 1 system 0 file 0 start 0\n"
	       "location id 2 at 0 (1 7 0)\n"
	       "string 0 ''\nstring 1 'main'\n"
	       "types 1/0\n"
	       "sample 0 = 5\nsample 1 = 6\n"
	       "end time 0 duration 0 period 0 of 0/0 default 0 url 0 drop 0 keep 0 "
	       "comments\n");
}

static void locations_wait_for_functions_and_keep_their_order(void **state)
{
	struct prof_buf bytes = { 0 };

	proto_location(&bytes, 30, 0, 3);
	proto_location(&bytes, 10, 0, 1);
	proto_location(&bytes, 20, 0, 2);
	proto_function(&bytes, 1, 1);
	proto_function(&bytes, 2, 1);
	proto_location(&bytes, 40, 0, 0);
	proto_function(&bytes, 3, 1);
	proto_location(&bytes, 50, 0, 0);
	two_strings(&bytes);
	expect_contains(&bytes, true,
			"function id 1 name 1 system 0 file 0 start 0\n"
			"function id 2 name 1 system 0 file 0 start 0\n"
			"function id 3 name 1 system 0 file 0 start 0\n"
			"location id 30 at 0 (2 7 0)\n"
			"location id 10 at 0 (0 7 0)\n"
			"location id 20 at 0 (1 7 0)\n"
			"location id 40 at 0\n"
			"location id 50 at 0\n");
}

static void samples_wait_for_locations_and_keep_their_order(void **state)
{
	struct prof_buf bytes = { 0 };

	proto_type(&bytes, 1, 0);
	proto_location(&bytes, 1, 0, 0);
	proto_sample(&bytes, 1, 1);
	proto_sample(&bytes, 2, 2);
	proto_sample(&bytes, 1, 3);
	proto_location(&bytes, 2, 0, 0);
	proto_sample(&bytes, 1, 4);
	two_strings(&bytes);
	expect_contains(&bytes, true,
			"types 1/0\n"
			"sample 0 = 1\nsample 1 = 2\nsample 0 = 3\nsample 0 = 4\n");
}

static void samples_may_come_before_their_types(void **state)
{
	for (int early = 0; early < 2; early++) {
		struct prof_buf bytes = { 0 };

		proto_location(&bytes, 1, 0, 0);
		proto_sample(&bytes, 1, 8);
		proto_type(&bytes, 1, 0);
		two_strings(&bytes);
		expect_contains(&bytes, early, "types 1/0\nsample 0 = 8\nend");
	}
}

static void a_mapping_may_follow_or_never_come(void **state)
{
	struct prof_buf bytes = { 0 };

	proto_location(&bytes, 1, 9, 0);
	proto_location(&bytes, 2, 5, 0);
	proto_numbers(&bytes, 3, 2, UINT64_C(5), UINT64_C(0x1000));
	two_strings(&bytes);
	expect_contains(&bytes, true,
			"location id 1 at 0 mapping 0\n"
			"location id 2 at 0 mapping 1\n"
			"mapping 1 id 5 1000-0 offset 0 file 0 build 0 flags 0\n");

	bytes = (struct prof_buf){ 0 };
	proto_location(&bytes, 1, 9, 0);
	proto_location(&bytes, 2, 5, 0);
	proto_numbers(&bytes, 3, 2, UINT64_C(5), UINT64_C(0x1000));
	two_strings(&bytes);
	expect_contains(&bytes, false,
			"mapping 0 id 5 1000-0 offset 0 file 0 build 0 flags 0\n"
			"location id 1 at 0\n"
			"location id 2 at 0 mapping 0\n");
}

static void every_field_of_the_tables_arrives(void **state)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf location = { 0 };

	proto_numbers(&bytes, 3, 10, UINT64_C(7), UINT64_C(0x10), UINT64_MAX,
		      UINT64_C(0x30), UINT64_C(1), UINT64_C(2), UINT64_C(1),
		      UINT64_C(0), UINT64_C(2), UINT64_C(1));
	proto_numbers(&bytes, 5, 5, UINT64_MAX, UINT64_C(1), UINT64_C(2), UINT64_C(3),
		      (uint64_t)INT64_MIN);
	proto_number(&location, 1, UINT64_MAX);
	proto_number(&location, 3, UINT64_MAX);
	proto_numbers(&location, 4, 3, UINT64_MAX, UINT64_C(8), UINT64_C(9));
	proto_number(&location, 2, 7);
	proto_number(&location, 5, 1);
	proto_numbers(&location, 4, 2, UINT64_MAX, (uint64_t)-1);
	proto_message(&bytes, 4, &location);
	two_strings(&bytes);
	two_strings(&bytes);
	expect_contains(
		&bytes, false,
		"mapping 0 id 7 10-ffffffffffffffff offset 30 file 1 build 2 "
		"flags 13\n"
		"function id 18446744073709551615 name 1 system 2 file 3 start "
		"-9223372036854775808\n"
		"location id 18446744073709551615 at ffffffffffffffff mapping 0 "
		"(0 8 9) (0 -1 0) folded\n");
}

static void every_field_of_the_header_arrives_and_the_last_wins(void **state)
{
	struct prof_buf bytes = { 0 };

	two_strings(&bytes);
	two_strings(&bytes);
	for (uint32_t field = 7; field <= 15; field++) {
		if (field == 11) {
			proto_numbers(&bytes, field, 2, UINT64_C(1), UINT64_C(2));
		} else if (field == 13) {
			proto_number(&bytes, field, 3);
			proto_packed(&bytes, field, 2, UINT64_C(1), UINT64_C(2));
		} else {
			proto_number(&bytes, field,
				     field < 9 || field > 12 ? 1 : field);
		}
	}
	proto_number(&bytes, 8, 2);
	proto_number(&bytes, 12, 99);
	expect_contains(
		&bytes, true,
		"end time 9 duration 10 period 99 of 1/2 default 1 url 1 drop 1 "
		"keep 2 comments 3 1 2\n");
}

static void numbers_may_be_packed_apart_or_both(void **state)
{
	for (int early = 0; early < 2; early++) {
		struct prof_buf bytes = { 0 };
		struct prof_buf sample = { 0 };

		proto_type(&bytes, 1, 0);
		proto_type(&bytes, 1, 0);
		for (uint64_t id = 1; id <= 3; id++) {
			proto_location(&bytes, id, 0, 0);
		}
		proto_number(&sample, 2, (uint64_t)-5);
		proto_number(&sample, 1, 3);
		proto_packed(&sample, 1, 2, UINT64_C(1), UINT64_C(2));
		proto_bytes(&sample, 99, "unknown", 7);
		proto_packed(&sample, 1, 0);
		proto_number(&sample, 1, 3);
		proto_packed(&sample, 2, 1, (uint64_t)INT64_MIN);
		proto_packed(&sample, 1, 1, UINT64_C(2));
		proto_message(&bytes, 2, &sample);
		two_strings(&bytes);
		expect_contains(&bytes, early,
				"sample 2 0 1 2 1 = -5 -9223372036854775808\n");
	}
}

static void labels_are_text_or_numbers_or_nothing(void **state)
{
	for (int early = 0; early < 2; early++) {
		struct prof_buf bytes = { 0 };
		struct prof_buf sample = { 0 };

		proto_type(&bytes, 1, 0);
		proto_location(&bytes, 1, 0, 0);
		proto_number(&sample, 2, 4);
		proto_number(&sample, 1, 1);
		proto_numbers(&sample, 3, 2, UINT64_C(1), UINT64_C(2));
		proto_numbers(&sample, 3, 3, UINT64_C(1), UINT64_C(0), (uint64_t)-3);
		proto_numbers(&sample, 3, 4, UINT64_C(1), UINT64_C(0), UINT64_C(0),
			      UINT64_C(2));
		proto_numbers(&sample, 3, 4, UINT64_C(1), UINT64_C(3), UINT64_C(9),
			      UINT64_C(2));
		proto_numbers(&sample, 3, 1, UINT64_C(1));
		proto_message(&bytes, 2, &sample);
		two_strings(&bytes);
		two_strings(&bytes);
		expect_contains(&bytes, early,
				"sample 0 = 4 {key 1 text 2} {key 1 number -3 unit 0} "
				"{key 1 number 0 unit 2} {key 1 text 3}\n");
	}
}

static void a_sink_that_wants_no_labels_gets_none(void **state)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf sample = { 0 };
	struct record record = record_new(true);

	proto_type(&bytes, 1, 0);
	proto_number(&sample, 2, 4);
	proto_numbers(&sample, 3, 2, UINT64_C(1), UINT64_C(99));
	proto_message(&bytes, 2, &sample);
	two_strings(&bytes);
	record.sink.no_labels = true;
	assert_true(record_read(&record, &prof_format_pprof, &bytes, 0, &err));
	assert_non_null(strstr(record_text(&record), "sample = 4\n"));
	record_free(&record);
	prof_buf_free(&bytes);
}

static void ids_may_be_any_numbers(void **state)
{
	static const uint64_t ids[] = { 1,    2,          900,
					899,  UINT64_MAX, UINT64_C(0x7f0012345678),
					3,    5000,       4096,
					6000, 1u << 28,   (1u << 28) - 1 };
	struct prof_buf bytes = { 0 };
	struct prof_buf packed = { 0 };
	struct prof_buf sample = { 0 };

	proto_type(&bytes, 1, 0);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		proto_location(&bytes, ids[i], 0, 0);
	}
	for (size_t i = sizeof(ids) / sizeof(ids[0]); i-- > 0;) {
		proto_varint(&packed, ids[i]);
	}
	proto_message(&sample, 1, &packed);
	proto_number(&sample, 2, 1);
	proto_message(&bytes, 2, &sample);
	two_strings(&bytes);
	expect_contains(&bytes, true, "sample 11 10 9 8 7 6 5 4 3 2 1 0 = 1\n");
}

static void many_sparse_ids_are_all_found(void **state)
{
	struct prof_pprof_ids ids = { 0 };
	uint64_t id = 1;

	for (uint32_t i = 0; i < 20000; i++) {
		assert_int_equal(prof_pprof_ids_find(&ids, id), PROF_NONE);
		assert_true(prof_pprof_ids_add(&ids, id));
		id += i % 7 == 0 ? 5000 : 1 + i % 3;
	}
	id = 1;
	for (uint32_t i = 0; i < 20000; i++) {
		assert_int_equal(prof_pprof_ids_find(&ids, id), i);
		id += i % 7 == 0 ? 5000 : 1 + i % 3;
	}
	assert_int_equal(prof_pprof_ids_find(&ids, 0), PROF_NONE);
	prof_pprof_ids_free(&ids);
}

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

/* Varints of up to five bytes, small ones more often, and sometimes a cut one. */
static size_t random_varints(uint64_t *seed, uint8_t *bytes, size_t cap)
{
	size_t want = (size_t)next_random(seed) % (cap - 10);
	uint32_t widest = (uint32_t)next_random(seed) % 31 + 1;
	uint8_t *at = bytes;

	while ((size_t)(at - bytes) < want) {
		uint32_t bits = (uint32_t)next_random(seed) % widest;

		at = prof_wire_put(at, next_random(seed) & ((UINT64_C(2) << bits) - 1));
	}
	if (at > bytes && next_random(seed) % 8 == 0) {
		at[-1] |= 0x80;
	}
	return (size_t)(at - bytes);
}

static void the_fast_kernel_does_what_the_scalar_one_does(void **state)
{
	enum { CAP = 300 };
	prof_pprof_kernel *fast = prof_pprof_best_kernel();
	uint64_t seed = 1;

	for (int round = 0; round < 200000; round++) {
		uint8_t bytes[CAP + 10] = { 0 };
		uint32_t want[CAP + PROF_PPROF_OVERRUN];
		uint32_t got[CAP + PROF_PPROF_OVERRUN];
		size_t len = random_varints(&seed, bytes, CAP);
		uint32_t limit = (uint32_t)(next_random(&seed) & 0x3ffff);
		struct prof_pprof_refs a = { want, limit, false };
		struct prof_pprof_refs b = { got, limit, false };
		const uint8_t *end = prof_pprof_scalar(bytes, bytes + len, &a);

		assert_ptr_equal(fast(bytes, bytes + len, &b), end);
		assert_int_equal(b.out - got, a.out - want);
		assert_memory_equal(got, want, (size_t)(a.out - want) * sizeof(*want));
		assert_int_equal(b.beyond, a.beyond);
	}
}

static const char *const good_files[] = {
	"pprof/tiny.pb",           "pprof/unpacked.pb",
	"pprof/unknown-fields.pb", "pprof/empty-profile.pb",
	"pprof/no-samples.pb",     "pprof/negative.pb",
	"pprof/go-heap-raw.pb",    "pprof/field-zero.pb",
	"pprof/bad/overflow.pb",   "pprof/missing-mapping.pb",
};

static void chunk_borders_change_nothing(void **state)
{
	for (size_t i = 0; i < sizeof(good_files) / sizeof(good_files[0]); i++) {
		for (int early = 0; early < 2; early++) {
			struct prof_buf bytes = slurp_file(good_files[i]);
			struct record whole = record_new(early);

			assert_true(record_read(&whole, &prof_format_pprof, &bytes, 0,
						&err));
			for (size_t step = 1; step < 200; step += step / 8 + 1) {
				struct record pieces = record_new(early);

				assert_true(record_read(&pieces, &prof_format_pprof,
							&bytes, step, &err));
				assert_string_equal(record_text(&pieces),
						    record_text(&whole));
				record_free(&pieces);
			}
			record_free(&whole);
			prof_buf_free(&bytes);
		}
	}
}

static void running_out_of_memory_is_reported_wherever_it_happens(void **state)
{
	for (int early = 0; early < 2; early++) {
		struct prof_buf bytes = slurp_file("pprof/go-heap-raw.pb");
		bool done = false;
		int64_t n = 0;

		for (; !done; n++) {
			struct record record = record_new(early);

			prof_alloc_fail_after(n);
			done = record_read(&record, &prof_format_pprof, &bytes, 0,
					   &err);
			prof_alloc_fail_after(-1);
			assert_true(done || err.code == PROF_ERR_NOMEM);
			record_free(&record);
		}
		assert_true(n > 5);
		prof_buf_free(&bytes);
	}
}

/* A sink that can fork, and sums what it gets. */
struct adder {
	struct record record;
	uint64_t samples;
	uint64_t frames;
	int64_t values;
	int forks;
};

static bool add_samples(struct prof_sink *sink, const struct prof_batch *batch,
			struct prof_error *e)
{
	struct adder *adder = (struct adder *)sink;

	for (uint32_t i = 0; i < batch->count; i++) {
		adder->values += batch->values[i];
	}
	for (uint32_t i = 0; i < batch->ends[batch->count - 1]; i++) {
		adder->frames += batch->frames[i];
	}
	adder->samples += batch->count;
	return true;
}

static struct prof_sink *fork_adder(struct prof_sink *sink)
{
	struct adder *child = calloc(1, sizeof(*child));

	assert_non_null(child);
	child->record.sink = *sink;
	return &child->record.sink;
}

static struct prof_sink *fork_nothing(struct prof_sink *sink)
{
	return NULL;
}

static bool join_adder(struct prof_sink *sink, struct prof_sink *child,
		       struct prof_error *e)
{
	struct adder *to = (struct adder *)sink;
	const struct adder *from = (struct adder *)child;

	to->samples += from->samples;
	to->frames += from->frames;
	to->values += from->values;
	to->forks++;
	free(child);
	return true;
}

static struct adder adder_new(bool early)
{
	struct adder adder = { .record = record_new(early) };

	adder.record.sink.samples = add_samples;
	adder.record.sink.fork = fork_adder;
	adder.record.sink.join = join_adder;
	return adder;
}

enum { MANY = 400000 };

/* MANY samples of 8 frames before the locations they use, which are 1 to 7. */
static struct prof_buf samples_first(uint64_t last_id)
{
	struct prof_buf bytes = { 0 };

	proto_type(&bytes, 1, 0);
	for (uint32_t i = 0; i < MANY; i++) {
		uint8_t sample[] = { 0x12, 13, 0x0a, 8, 1,    2, 3, 4,
				     5,    6,  7,    1, 0x12, 1, 2 };

		sample[11] = i + 1 == MANY ? (uint8_t)last_id : 1;
		prof_buf_add(&bytes, sample, sizeof(sample));
	}
	for (uint64_t id = 1; id <= 7; id++) {
		proto_location(&bytes, id, 0, 0);
	}
	two_strings(&bytes);
	return bytes;
}

static void two_threads_decode_what_had_to_wait(void **state)
{
	struct prof_buf bytes = samples_first(1);

	for (int early = 0; early < 2; early++) {
		struct adder adder = adder_new(early);

		assert_true(record_read(&adder.record, &prof_format_pprof, &bytes, 0,
					&err));
		assert_int_equal(adder.forks, 1);
		assert_int_equal(adder.samples, MANY);
		assert_int_equal(adder.frames, MANY * 21);
		assert_int_equal(adder.values, MANY * 2);
		record_free(&adder.record);
	}
	prof_buf_free(&bytes);
}

static void one_thread_does_when_there_is_no_fork(void **state)
{
	struct prof_buf bytes = samples_first(1);
	struct adder adder = adder_new(true);

	adder.record.sink.fork = fork_nothing;
	assert_true(record_read(&adder.record, &prof_format_pprof, &bytes, 0, &err));
	assert_int_equal(adder.forks, 0);
	assert_int_equal(adder.samples, MANY);
	record_free(&adder.record);
	prof_buf_free(&bytes);
}

static void an_error_of_the_other_thread_is_located(void **state)
{
	struct prof_buf bytes = samples_first(9);
	struct adder adder = adder_new(true);

	assert_false(record_read(&adder.record, &prof_format_pprof, &bytes, 0, &err));
	assert_string_equal(err.message, "location 9 is not defined");
	assert_int_equal(err.offset, 4 + 15 * (MANY - 1));
	assert_int_equal(adder.forks, 1);
	record_free(&adder.record);
	prof_buf_free(&bytes);
}

static void a_stack_may_be_as_deep_as_the_limit(void **state)
{
	for (int early = 0; early < 2; early++) {
		struct adder adder = adder_new(early);
		struct prof_buf bytes = { 0 };
		struct prof_buf packed = { 0 };
		struct prof_buf sample = { 0 };

		for (uint32_t i = 0; i < PROF_MAX_DEPTH; i++) {
			prof_buf_add(&packed, "\x81\x00", 2);
		}
		proto_type(&bytes, 1, 0);
		proto_location(&bytes, 1, 0, 0);
		proto_message(&sample, 1, &packed);
		proto_number(&sample, 2, 1);
		proto_message(&bytes, 2, &sample);
		two_strings(&bytes);
		assert_true(record_read(&adder.record, &prof_format_pprof, &bytes, 0,
					&err));
		assert_int_equal(adder.samples, 1);
		record_free(&adder.record);
		prof_buf_free(&bytes);
	}
}

static void profiles_are_told_by_their_first_bytes(void **state)
{
	for (size_t i = 0; i < sizeof(good_files) / sizeof(good_files[0]); i++) {
		struct prof_buf bytes = slurp_file(good_files[i]);
		struct prof_head head = { (const uint8_t *)bytes.data, bytes.len,
					  true };

		assert_true(prof_format_pprof.bid(head) > 0);
		assert_int_equal(prof_format_delimited.bid(head), 0);
		prof_buf_free(&bytes);
	}
}

static void a_head_cut_anywhere_is_still_a_profile(void **state)
{
	struct prof_buf bytes = slurp_file("pprof/go-heap-raw.pb");

	for (size_t len = 100; len < bytes.len; len += 13) {
		struct prof_head head = { (const uint8_t *)bytes.data, len, false };

		assert_int_equal(prof_format_pprof.bid(head), 24);
		assert_int_equal(prof_format_delimited.bid(head), 0);
	}
	prof_buf_free(&bytes);
}

static void other_bytes_are_no_profile(void **state)
{
	static const char *const files[] = {
		"pprof/bad/program.elf",     "pprof/bad/page.html",
		"pprof/bad/notes.json",      "pprof/bad/picture.png",
		"folded/simple.folded",      "folded/bad/nul-byte.folded",
		"folded/bad/binary.folded",  "pprof/go-cpu.pb.gz",
		"pprof/go-heap-zstd.pb.zst", "pprof/delimited.pb",
	};
	struct prof_head nothing = { (const uint8_t *)"", 0, true };
	struct prof_head lines = { (const uint8_t *)"\n\n\n\n\n\n\n\n\n\n\n\n", 12,
				   true };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct prof_buf bytes = slurp_file(files[i]);
		struct prof_head head = { (const uint8_t *)bytes.data, bytes.len,
					  true };

		assert_int_equal(prof_format_pprof.bid(head), 0);
		prof_buf_free(&bytes);
	}
	assert_int_equal(prof_format_pprof.bid(nothing), 0);
	assert_int_equal(prof_format_pprof.bid(lines), 0);
}

TEST_MAIN(cmocka_unit_test(tables_precede_samples_for_a_sink_that_is_not_early),
	  cmocka_unit_test(an_early_sink_gets_records_as_they_come),
	  cmocka_unit_test(locations_wait_for_functions_and_keep_their_order),
	  cmocka_unit_test(samples_wait_for_locations_and_keep_their_order),
	  cmocka_unit_test(samples_may_come_before_their_types),
	  cmocka_unit_test(a_mapping_may_follow_or_never_come),
	  cmocka_unit_test(every_field_of_the_tables_arrives),
	  cmocka_unit_test(every_field_of_the_header_arrives_and_the_last_wins),
	  cmocka_unit_test(numbers_may_be_packed_apart_or_both),
	  cmocka_unit_test(labels_are_text_or_numbers_or_nothing),
	  cmocka_unit_test(a_sink_that_wants_no_labels_gets_none),
	  cmocka_unit_test(ids_may_be_any_numbers),
	  cmocka_unit_test(many_sparse_ids_are_all_found),
	  cmocka_unit_test(the_fast_kernel_does_what_the_scalar_one_does),
	  cmocka_unit_test(chunk_borders_change_nothing),
	  cmocka_unit_test(running_out_of_memory_is_reported_wherever_it_happens),
	  cmocka_unit_test(two_threads_decode_what_had_to_wait),
	  cmocka_unit_test(one_thread_does_when_there_is_no_fork),
	  cmocka_unit_test(an_error_of_the_other_thread_is_located),
	  cmocka_unit_test(a_stack_may_be_as_deep_as_the_limit),
	  cmocka_unit_test(profiles_are_told_by_their_first_bytes),
	  cmocka_unit_test(a_head_cut_anywhere_is_still_a_profile),
	  cmocka_unit_test(other_bytes_are_no_profile))
