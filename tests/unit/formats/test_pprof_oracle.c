/* SPDX-License-Identifier: MIT */
/*
 * The reader and the writer held to protobuf-c and the schema: what it unpacks from a
 * profile is what the sink gets, and what it packs is what the writer writes.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/gzip.h"
#include "formats/pprof.h"
#include "formats/pprof.pb-c.h"
#include "libprof/base/alloc.h"
#include "tests/slurp.h"
#include "tests/test.h"
#include "tests/unit/formats/proto.h"
#include "tests/unit/formats/record.h"
#include "tests/unit/libprof/random_profile.h"

typedef Perftools__Profiles__Profile message;
typedef Perftools__Profiles__Sample message_sample;
typedef Perftools__Profiles__Location message_location;

enum { SEEDS = 150 };

static struct prof_error err;

static message *unpack(const struct prof_buf *bytes)
{
	message *profile = perftools__profiles__profile__unpack(
		NULL, bytes->len, (const uint8_t *)bytes->data);

	assert_non_null(profile);
	return profile;
}

static void release(message *profile)
{
	perftools__profiles__profile__free_unpacked(profile, NULL);
}

static uint32_t location_ref(const message *profile, uint64_t id)
{
	for (uint32_t i = 0; i < profile->n_location; i++) {
		if (profile->location[i]->id == id) {
			return i;
		}
	}
	fail_msg("location %d", (int)id);
	return 0;
}

static uint32_t function_ref(const message *profile, uint64_t id)
{
	for (uint32_t i = 0; i < profile->n_function; i++) {
		if (profile->function[i]->id == id) {
			return i;
		}
	}
	fail_msg("function %d", (int)id);
	return 0;
}

static uint32_t mapping_ref(const message *profile, uint64_t id)
{
	for (uint32_t i = 0; i < profile->n_mapping; i++) {
		if (profile->mapping[i]->id == id) {
			return i;
		}
	}
	return PROF_NONE;
}

static void send_tables(const message *profile, struct prof_sink *sink)
{
	for (size_t i = 0; i < profile->n_string_table; i++) {
		struct prof_text text = prof_text(profile->string_table[i]);

		assert_true(sink->strings(sink, &text, 1, &err));
	}
	for (uint32_t i = 0; i < profile->n_mapping; i++) {
		const Perftools__Profiles__Mapping *from = profile->mapping[i];
		struct prof_mapping mapping = {
			.id = from->id,
			.start = from->memory_start,
			.limit = from->memory_limit,
			.offset = from->file_offset,
			.file = (uint32_t)from->filename,
			.build_id = (uint32_t)from->build_id,
			.flags = (from->has_functions ? PROF_HAS_FUNCTIONS : 0u) |
				 (from->has_filenames ? PROF_HAS_FILENAMES : 0u) |
				 (from->has_line_numbers ? PROF_HAS_LINES : 0u) |
				 (from->has_inline_frames ? PROF_HAS_INLINES : 0u),
			.ref = i,
		};

		assert_true(sink->mapping(sink, &mapping, &err));
	}
	for (size_t i = 0; i < profile->n_function; i++) {
		const Perftools__Profiles__Function *from = profile->function[i];
		struct prof_function function = {
			.id = from->id,
			.name = (uint32_t)from->name,
			.system_name = (uint32_t)from->system_name,
			.file = (uint32_t)from->filename,
			.start_line = from->start_line,
		};

		assert_true(sink->function(sink, &function, &err));
	}
}

static void send_location(const message *profile, const message_location *from,
			  struct prof_sink *sink)
{
	struct prof_line *lines = calloc(from->n_line + 1, sizeof(*lines));
	struct prof_sink_location location = {
		.id = from->id,
		.address = from->address,
		.mapping = mapping_ref(profile, from->mapping_id),
		.folded = from->is_folded,
		.lines = lines,
		.line_count = (uint32_t)from->n_line,
	};

	assert_non_null(lines);
	for (size_t i = 0; i < from->n_line; i++) {
		lines[i] = (struct prof_line){
			function_ref(profile, from->line[i]->function_id),
			from->line[i]->line, from->line[i]->column
		};
	}
	assert_true(sink->location(sink, &location, &err));
	free(lines);
}

static void send_sample(const message *profile, const message_sample *from,
			struct prof_sink *sink)
{
	uint32_t depth = (uint32_t)from->n_location_id;
	uint32_t label_count = 0;
	uint32_t *frames = calloc(depth + 1, sizeof(*frames));
	struct prof_label *labels = calloc(from->n_label + 1, sizeof(*labels));
	struct prof_batch batch = { .count = 1,
				    .frames = frames,
				    .ends = &depth,
				    .values = from->value,
				    .labels = labels,
				    .label_ends = &label_count };

	assert_non_null(frames);
	assert_non_null(labels);
	for (uint32_t i = 0; i < depth; i++) {
		frames[i] = location_ref(profile, from->location_id[i]);
	}
	for (size_t i = 0; i < from->n_label; i++) {
		const Perftools__Profiles__Label *label = from->label[i];

		if (label->str != 0 || label->num != 0 || label->num_unit != 0) {
			labels[label_count++] =
				(struct prof_label){ (uint32_t)label->key,
						     (uint32_t)label->str, label->num,
						     (uint32_t)label->num_unit };
		}
	}
	assert_int_equal(from->n_value, profile->n_sample_type);
	assert_true(sink->samples(sink, &batch, &err));
	free(frames);
	free(labels);
}

static void send_end(const message *profile, struct prof_sink *sink)
{
	uint32_t *comments = calloc(profile->n_comment + 1, sizeof(*comments));
	struct prof_header header = {
		.time_ns = profile->time_nanos,
		.duration_ns = profile->duration_nanos,
		.period = profile->period,
		.default_type = (uint32_t)profile->default_sample_type,
		.doc_url = (uint32_t)profile->doc_url,
		.drop_frames = (uint32_t)profile->drop_frames,
		.keep_frames = (uint32_t)profile->keep_frames,
		.comments = comments,
		.comment_count = (uint32_t)profile->n_comment,
	};

	assert_non_null(comments);
	for (size_t i = 0; i < profile->n_comment; i++) {
		comments[i] = (uint32_t)profile->comment[i];
	}
	if (profile->period_type) {
		header.period_type.type = (uint32_t)profile->period_type->type;
		header.period_type.unit = (uint32_t)profile->period_type->unit;
	}
	assert_true(sink->end(sink, &header, &err));
	free(comments);
}

/* What protobuf-c unpacked, delivered as a reader would. */
static void send_message(const message *profile, struct prof_sink *sink)
{
	struct prof_value_type types[16];

	assert_true(profile->n_sample_type <= 16);
	for (size_t i = 0; i < profile->n_sample_type; i++) {
		types[i] = (struct prof_value_type){
			(uint32_t)profile->sample_type[i]->type,
			(uint32_t)profile->sample_type[i]->unit
		};
	}
	assert_true(sink->begin(sink, &err));
	send_tables(profile, sink);
	for (size_t i = 0; i < profile->n_location; i++) {
		send_location(profile, profile->location[i], sink);
	}
	assert_true(sink->types(sink, types, (uint32_t)profile->n_sample_type, &err));
	for (size_t i = 0; i < profile->n_sample; i++) {
		send_sample(profile, profile->sample[i], sink);
	}
	send_end(profile, sink);
}

static void both_read_the_same(const struct prof_buf *bytes)
{
	message *profile = unpack(bytes);
	struct record want = record_new(false);
	struct record got = record_new(false);

	send_message(profile, &want.sink);
	assert_true(record_read(&got, &prof_format_pprof, bytes, 0, &err));
	assert_string_equal(record_text(&got), record_text(&want));
	record_free(&want);
	record_free(&got);
	release(profile);
}

static struct prof_buf written(uint64_t seed, enum prof_build how)
{
	struct prof_profile *profile = random_profile(seed, seed % 2 == 0, how, &err);
	struct prof_write_options options = { 0 };
	struct prof_buf bytes = { 0 };

	assert_non_null(profile);
	assert_true(prof_format_pprof.write(profile, &options, &bytes, &err));
	prof_profile_free(profile);
	return bytes;
}

/* Inflated, if it is compressed. */
static struct prof_buf inflated_file(const char *name)
{
	struct prof_buf file = slurp_file(name);
	struct prof_limits limits = { 0 };
	struct prof_source *source = prof_source_memory(file.data, file.len);
	struct prof_window window = prof_window(source);
	struct prof_buf out = { 0 };
	uint64_t trailing = 0;

	if (file.len < 2 || memcmp(file.data, "\x1f\x8b", 2) != 0) {
		prof_source_free(source);
		return file;
	}
	assert_true(prof_window_need(&window, 2, &err));
	assert_true(slurp(prof_gzip_source(&window, &limits, &trailing), &out, &err));
	prof_window_free(&window);
	prof_source_free(source);
	prof_buf_free(&file);
	return out;
}

static void random_profiles_are_written_as_protobuf_c_packs_them(void **state)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct prof_buf bytes = written(seed, PROF_BUILD_AS_IS);
		message *profile = unpack(&bytes);
		size_t size = perftools__profiles__profile__get_packed_size(profile);
		uint8_t *packed = malloc(size);

		assert_non_null(packed);
		perftools__profiles__profile__pack(profile, packed);
		assert_int_equal(bytes.len, size);
		assert_memory_equal(bytes.data, packed, size);
		free(packed);
		release(profile);
		prof_buf_free(&bytes);
	}
}

static void random_profiles_are_read_as_protobuf_c_unpacks_them(void **state)
{
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct prof_buf bytes = written(seed, PROF_BUILD_AS_IS);

		both_read_the_same(&bytes);
		prof_buf_free(&bytes);
	}
}

/* hostile-names.pb.gz is not here: protobuf-c ends a string at its first NUL. */
static void real_profiles_are_read_as_protobuf_c_unpacks_them(void **state)
{
	static const char *const files[] = {
		"pprof/tiny.pb",
		"pprof/negative.pb",
		"pprof/unpacked.pb",
		"pprof/unknown-fields.pb",
		"pprof/empty-profile.pb",
		"pprof/no-samples.pb",
		"pprof/missing-mapping.pb",
		"pprof/go-cpu.pb.gz",
		"pprof/go-cpu-after.pb.gz",
		"pprof/go-heap-1.pb.gz",
		"pprof/go-heap-2.pb.gz",
		"pprof/go-heap-raw.pb",
		"pprof/go-allocs.pb.gz",
		"pprof/go-block.pb.gz",
		"pprof/go-mutex.pb.gz",
		"pprof/go-goroutine.pb.gz",
		"pprof/go-threadcreate.pb.gz",
		"pprof/pprof-proto-cpu.pb.gz",
		"pprof/two-members.pb.gz",
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct prof_buf bytes = inflated_file(files[i]);

		both_read_the_same(&bytes);
		prof_buf_free(&bytes);
	}
}

/* What is read from `bytes`, built and written again. */
static struct prof_buf rewritten(const struct prof_buf *bytes, enum prof_build how)
{
	struct prof_builder *builder = prof_builder_new(how);
	struct prof_source *source = prof_source_memory(bytes->data, bytes->len);
	struct prof_window window = prof_window(source);
	struct prof_profile *profile = NULL;
	struct prof_write_options options = { 0 };
	struct prof_buf out = { 0 };

	assert_non_null(builder);
	assert_true(prof_format_pprof.read(&window, prof_builder_sink(builder), &err));
	assert_true(prof_builder_finish(builder, &profile, &err));
	assert_true(prof_profile_validate(profile, &err));
	assert_true(prof_format_pprof.write(profile, &options, &out, &err));
	prof_profile_free(profile);
	prof_builder_free(builder);
	prof_window_free(&window);
	prof_source_free(source);
	return out;
}

static void what_was_written_is_written_the_same_again(void **state)
{
	static const enum prof_build hows[] = { PROF_BUILD_AS_IS,
						PROF_BUILD_CANONICAL };

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct prof_buf bytes = written(seed, hows[seed % 2]);
		struct prof_buf again = rewritten(&bytes, hows[seed % 2]);

		assert_int_equal(again.len, bytes.len);
		assert_memory_equal(again.data, bytes.data, bytes.len);
		prof_buf_free(&again);
		prof_buf_free(&bytes);
	}
}

static void names_that_are_not_text_survive(void **state)
{
	static const struct prof_text names[] = {
		{ "\x08nul\0byte", 9 },
		{ "invalid \xff\xfe utf-8 \xc3(", 18 },
		{ "surrogate \xed\xa0\x80", 13 },
		{ "line\nbreak\r\nand return", 22 },
	};
	struct prof_buf bytes = inflated_file("pprof/hostile-names.pb.gz");
	struct prof_buf once = rewritten(&bytes, PROF_BUILD_AS_IS);
	struct prof_buf twice = rewritten(&once, PROF_BUILD_AS_IS);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_non_null(
			memmem(once.data, once.len, names[i].data, names[i].len));
	}
	assert_int_equal(twice.len, once.len);
	assert_memory_equal(twice.data, once.data, once.len);
	prof_buf_free(&bytes);
	prof_buf_free(&once);
	prof_buf_free(&twice);
}

/* Ids of up to ten bytes, a stack that ends in the longest, and nothing at all. */
static void long_ids_and_empty_samples_are_written(void **state)
{
	static const uint64_t ids[] = { 1, UINT64_C(1) << 48, UINT64_C(1) << 49,
					UINT64_C(1) << 56, UINT64_MAX };
	struct prof_buf bytes = { 0 };
	struct prof_buf ids_packed = { 0 };
	struct prof_buf sample = { 0 };
	struct prof_buf again = { 0 };

	proto_type(&bytes, 1, 0);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		proto_varint(&ids_packed, ids[i]);
	}
	proto_message(&sample, 1, &ids_packed);
	proto_packed(&sample, 2, 1, UINT64_C(0));
	proto_message(&bytes, 2, &sample);
	proto_packed(&sample, 2, 1, (uint64_t)INT64_MIN);
	proto_message(&bytes, 2, &sample);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		proto_location(&bytes, ids[i], 0, 0);
	}
	proto_string(&bytes, "");
	proto_string(&bytes, "a");
	again = rewritten(&bytes, PROF_BUILD_AS_IS);
	assert_int_equal(again.len, bytes.len);
	assert_memory_equal(again.data, bytes.data, bytes.len);
	prof_buf_free(&bytes);
	prof_buf_free(&again);
}

static void a_label_that_is_nothing_is_told_as_a_loss(void **state)
{
	struct prof_text names[] = { prof_text(""), prof_text("key") };
	struct prof_value_type type = { 1, 0 };
	struct prof_label label = { .key = 1 };
	uint32_t none = 0;
	uint32_t one = 1;
	int64_t value = 1;
	struct prof_batch batch = { .count = 1,
				    .ends = &none,
				    .values = &value,
				    .labels = &label,
				    .label_ends = &one };
	struct prof_header header = { 0 };
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_sink *sink = prof_builder_sink(builder);
	struct prof_profile *profile = NULL;
	struct prof_buf loss = { 0 };
	struct prof_buf out = { 0 };
	struct prof_write_options options = { .loss = &loss };

	assert_true(sink->begin(sink, &err) && sink->strings(sink, names, 2, &err) &&
		    sink->types(sink, &type, 1, &err) &&
		    sink->samples(sink, &batch, &err) &&
		    sink->end(sink, &header, &err));
	assert_true(prof_builder_finish(builder, &profile, &err));
	assert_true(prof_format_pprof.write(profile, &options, &out, &err));
	prof_buf_addc(&loss, '\0');
	assert_string_equal(
		loss.data, "1 label of value 0 without a unit has no place in pprof\n");
	prof_profile_free(profile);
	prof_builder_free(builder);
	prof_buf_free(&loss);
	prof_buf_free(&out);
}

static void writing_reports_that_memory_ran_out(void **state)
{
	struct prof_profile *profile = random_profile(3, true, PROF_BUILD_AS_IS, &err);
	bool done = false;
	int64_t n = 0;

	assert_non_null(profile);
	for (; !done; n++) {
		struct prof_buf out = { 0 };

		prof_alloc_fail_after(n);
		done = prof_format_pprof.write(profile, NULL, &out, &err);
		prof_alloc_fail_after(-1);
		assert_true(done || err.code == PROF_ERR_NOMEM);
		prof_buf_free(&out);
	}
	assert_true(n > 2);
	prof_profile_free(profile);
}

TEST_MAIN(cmocka_unit_test(random_profiles_are_written_as_protobuf_c_packs_them),
	  cmocka_unit_test(random_profiles_are_read_as_protobuf_c_unpacks_them),
	  cmocka_unit_test(real_profiles_are_read_as_protobuf_c_unpacks_them),
	  cmocka_unit_test(what_was_written_is_written_the_same_again),
	  cmocka_unit_test(names_that_are_not_text_survive),
	  cmocka_unit_test(long_ids_and_empty_samples_are_written),
	  cmocka_unit_test(a_label_that_is_nothing_is_told_as_a_loss),
	  cmocka_unit_test(writing_reports_that_memory_ran_out))
