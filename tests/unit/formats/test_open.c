/* SPDX-License-Identifier: MIT */
#include "formats/open.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "formats/gzip.h"
#include "formats/zstd.h"
#include "libprof/base/alloc.h"
#include "tests/dribble.h"
#include "tests/slurp.h"
#include "tests/test.h"

#define TEXT(literal) ((struct prof_text){ literal, sizeof(literal) - 1 })

/* A format that keeps what it reads; `lazy` is content with the first byte. */
static struct prof_buf kept;
static bool lazy;

static bool keep(struct prof_window *in, struct prof_sink *out, struct prof_error *err)
{
	if (lazy) {
		return prof_window_need(in, 1, err);
	}
	while (!in->ended) {
		prof_buf_add(&kept, in->data, in->len);
		prof_window_skip(in, in->len);
		if (!prof_window_more(in, err)) {
			return false;
		}
	}
	prof_buf_add(&kept, in->data, in->len);
	return kept.failed ? prof_fail_nomem(err) : true;
}

static const struct prof_format keeper = { .name = "keeper", .read = keep };

static int teardown(void **state)
{
	prof_buf_free(&kept);
	lazy = false;
	return 0;
}

static struct prof_text view(const struct prof_buf *buf)
{
	return (struct prof_text){ buf->data, buf->len };
}

/* Compress by letters: "zg" is zstd around gzip. */
static struct prof_buf wrap(struct prof_text text, const char *layers)
{
	struct prof_buf data = { 0 };
	struct prof_error err = { 0 };

	prof_buf_add(&data, text.data, text.len);
	for (size_t i = strlen(layers); i > 0; i--) {
		struct prof_buf outer = { 0 };

		assert_true(layers[i - 1] == 'g'
				    ? prof_gzip_write(view(&data), 0, &outer, &err)
				    : prof_zstd_write(view(&data), 0, &outer, &err));
		prof_buf_free(&data);
		data = outer;
	}
	return data;
}

static bool read_source(struct prof_source *source, const struct prof_limits *limits,
			struct prof_error *err)
{
	struct prof_stream *stream = NULL;
	bool ok = prof_stream_open(source, limits, &keeper, &stream, err);

	prof_buf_clear(&kept);
	ok = ok && prof_stream_read(stream, NULL, err);
	prof_stream_free(stream);
	return ok;
}

static bool read_text(struct prof_text data, struct prof_error *err)
{
	struct prof_source *source = prof_source_memory(data.data, data.len);
	bool ok = read_source(source, NULL, err);

	prof_source_free(source);
	return ok;
}

static void assert_reads(struct prof_text data, struct prof_text expected)
{
	struct prof_error err = { 0 };

	for (size_t step = 0; step < 5; step++) {
		struct dribble in =
			dribble(data.data, data.len, step > 0 ? step : 65536);

		assert_true(read_source(&in.base, NULL, &err));
		assert_int_equal(kept.len, expected.len);
		if (kept.len > 0) {
			assert_memory_equal(kept.data, expected.data, kept.len);
		}
		prof_source_free(&in.base);
	}
	assert_true(read_text(data, &err));
	assert_int_equal(kept.len, expected.len);
}

static void assert_refused(struct prof_text data, enum prof_code code,
			   const char *message)
{
	for (size_t step = 0; step < 4; step++) {
		struct dribble in =
			dribble(data.data, data.len, step > 0 ? step : 65536);
		struct prof_error err = { 0 };

		assert_false(read_source(&in.base, NULL, &err));
		assert_int_equal(err.code, code);
		assert_string_equal(err.message, message);
		prof_source_free(&in.base);
	}
}

static void layers_of_compression_are_undone(void **state)
{
	static const char *const layers[] = { "", "g", "z", "zg", "gz", "ggg", "zzz" };
	static const char *const names[] = { "none",          "gzip",
					     "zstd",          "zstd+gzip",
					     "gzip+zstd",     "gzip+gzip+gzip",
					     "zstd+zstd+zstd" };
	struct prof_error err = { 0 };

	for (size_t i = 0; i < 7; i++) {
		struct prof_buf data = wrap(TEXT("main;parse 12\n"), layers[i]);
		struct prof_source *source = prof_source_memory(data.data, data.len);
		struct prof_stream *stream = NULL;

		assert_reads(view(&data), TEXT("main;parse 12\n"));
		assert_true(prof_stream_open(source, NULL, &keeper, &stream, &err));
		assert_string_equal(prof_stream_compression(stream), names[i]);
		assert_ptr_equal(prof_stream_format(stream), &keeper);
		assert_true(prof_stream_read(stream, NULL, &err));
		assert_int_equal(prof_stream_bytes(stream), 14);
		assert_int_equal(prof_stream_trailing(stream), 0);
		prof_stream_free(stream);
		prof_source_free(source);
		prof_buf_free(&data);
	}
}

static void a_fourth_layer_is_refused(void **state)
{
	struct prof_buf data = wrap(TEXT("main 1\n"), "gggg");

	assert_refused(view(&data), PROF_ERR_LIMIT, "compressed more than 3 times");
	prof_buf_free(&data);
}

static void other_compression_is_named_with_its_cure(void **state)
{
	assert_refused(TEXT("\xfd"
			    "7zXZ\0\0\4"),
		       PROF_ERR_UNSUPPORTED,
		       "xz data; decompress it first: xz -dc FILE | fgtool ...");
	assert_refused(TEXT("BZh91AY&SY...."), PROF_ERR_UNSUPPORTED,
		       "bzip2 data; decompress it first: bzip2 -dc FILE | fgtool ...");
	assert_refused(TEXT("\x04\x22\x4d\x18\x64\x40"), PROF_ERR_UNSUPPORTED,
		       "lz4 data; decompress it first: lz4 -dc FILE | fgtool ...");
	assert_refused(TEXT("PK\x03\x04\x14\0"), PROF_ERR_UNSUPPORTED,
		       "a zip archive; unpack it first: unzip -p FILE | fgtool ...");
	assert_reads(TEXT("BZhang;parse 12\n"), TEXT("BZhang;parse 12\n"));
}

static void a_byte_order_mark_is_no_part_of_the_text(void **state)
{
	assert_reads(TEXT("\xef\xbb\xbfmain 1\n"), TEXT("main 1\n"));
	assert_reads(TEXT("\xef\xbb\xbf"), TEXT(""));
	assert_reads(TEXT("\xff\xfe"), TEXT(""));
}

static void utf16_becomes_utf8(void **state)
{
	struct prof_buf data = wrap(TEXT("\xff\xfem\0\xe4\0\n\0"), "g");

	assert_reads(TEXT("\xff\xfem\0\xe4\0\xac\x20\x3d\xd8\x25\xdd\n\0"),
		     TEXT("m\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5\n"));
	assert_reads(TEXT("\xfe\xff\0m\0\xe4\x20\xac\xd8\x3d\xdd\x25\0\n"),
		     TEXT("m\xc3\xa4\xe2\x82\xac\xf0\x9f\x94\xa5\n"));
	assert_reads(view(&data), TEXT("m\xc3\xa4\n"));
	prof_buf_free(&data);
}

static void half_a_surrogate_pair_is_replaced(void **state)
{
	assert_reads(TEXT("\xff\xfe\x3d\xd8m\0"), TEXT("\xef\xbf\xbdm"));
	assert_reads(TEXT("\xff\xfe\x25\xdd\x3d\xd8"),
		     TEXT("\xef\xbf\xbd\xef\xbf\xbd"));
}

static void half_a_character_at_the_end_is_an_error(void **state)
{
	assert_refused(TEXT("\xff\xfem\0n"), PROF_ERR_SYNTAX,
		       "UTF-16 text ends within a character");
}

static void long_utf16_text_is_the_same_in_any_chunks(void **state)
{
	struct prof_buf wide = { 0 };
	struct prof_buf text = { 0 };

	prof_buf_add(&wide, "\xff\xfe", 2);
	for (int i = 0; i < 200000; i++) {
		prof_buf_add(&wide, i % 3 ? "m\0" : "\xac\x20", 2);
		prof_buf_adds(&text, i % 3 ? "m" : "\xe2\x82\xac");
	}
	assert_reads(view(&wide), view(&text));
	prof_buf_free(&wide);
	prof_buf_free(&text);
}

static void a_checksum_counts_even_for_a_reader_that_stops_early(void **state)
{
	struct prof_buf data = wrap(TEXT("main 1\n"), "g");

	lazy = true;
	data.data[data.len - 8] ^= 1;
	assert_refused(view(&data), PROF_ERR_SYNTAX, "gzip checksum does not match");
	data.data[data.len - 8] ^= 1;
	assert_reads(view(&data), TEXT(""));
	data.len--;
	assert_refused(view(&data), PROF_ERR_SYNTAX, "gzip data is cut short");
	prof_buf_free(&data);
}

static void trailing_bytes_are_counted_and_no_error(void **state)
{
	struct prof_buf data = wrap(TEXT("main 1\n"), "g");
	struct prof_source *source = NULL;
	struct prof_stream *stream = NULL;
	struct prof_error err = { 0 };

	prof_buf_adds(&data, "rest");
	source = prof_source_memory(data.data, data.len);
	assert_true(prof_stream_open(source, NULL, &keeper, &stream, &err));
	assert_true(prof_stream_read(stream, NULL, &err));
	assert_int_equal(prof_stream_trailing(stream), 4);
	assert_int_equal(prof_stream_bytes(stream), 7);
	prof_stream_free(stream);
	prof_source_free(source);
	prof_buf_free(&data);
}

static void plain_bytes_have_a_limit_too(void **state)
{
	struct prof_limits limits = { .max_input = 1000 };
	struct prof_buf data = { 0 };
	struct prof_error err = { 0 };

	for (int i = 0; i < 1001; i++) {
		prof_buf_addc(&data, 'x');
	}
	for (size_t over = 0; over < 2; over++) {
		struct dribble in = dribble(data.data, 1000 + over, 7);

		assert_true(read_source(&in.base, &limits, &err) == (over == 0));
		prof_source_free(&in.base);
	}
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_string_equal(
		err.message,
		"more than 1000 bytes of data; raise the limit with --max-input");
	prof_buf_free(&data);
}

static void a_stream_nobody_reads_can_be_freed(void **state)
{
	struct prof_buf data = { 0 };
	struct prof_buf packed = { 0 };

	for (uint32_t i = 0; i < 5000000; i++) {
		prof_buf_addc(&data, (char)(i * i >> 8));
	}
	packed = wrap(view(&data), "zg");
	for (size_t step = 100; step < 100000000; step *= 10) {
		struct dribble in = dribble(packed.data, packed.len, step);
		struct prof_stream *stream = NULL;
		struct prof_error err = { 0 };

		assert_true(prof_stream_open(&in.base, NULL, &keeper, &stream, &err));
		prof_stream_free(stream);
		prof_source_free(&in.base);
	}
	prof_buf_free(&packed);
	prof_buf_free(&data);
}

/* The thread waits for the last bytes of a pipe that stays open; nobody waits for it. */
static void a_pipe_that_stays_open_can_be_let_go(void **state)
{
	char *zeros = calloc(2 << 20, 1);
	struct prof_buf data = wrap((struct prof_text){ zeros, 2 << 20 }, "g");
	struct prof_source *source = NULL;
	struct prof_stream *stream = NULL;
	struct prof_error err = { 0 };
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], data.data, data.len - 4), data.len - 4);
	source = prof_source_file(ends[0], 0);
	assert_true(prof_stream_open(source, NULL, &keeper, &stream, &err));
	prof_stream_free(stream);
	prof_source_free(source);
	close(ends[0]);
	close(ends[1]);
	prof_buf_free(&data);
	free(zeros);
}

static bool open_all(const struct prof_buf *data, struct prof_error *err)
{
	struct prof_source *source = prof_source_memory(data->data, data->len);
	bool ok = source ? read_source(source, NULL, err) : prof_fail_nomem(err);

	prof_source_free(source);
	return ok;
}

static void any_allocation_may_fail(void **state)
{
	struct prof_buf data = wrap(TEXT("\xff\xfem\0\n\0"), "gg");
	struct prof_error err = { 0 };
	bool ok = false;

	for (int64_t n = 0; !ok; n++) {
		prof_buf_free(&kept);
		prof_alloc_fail_after(n);
		ok = open_all(&data, &err);
		prof_alloc_fail_after(-1);
		assert_true(ok || err.code == PROF_ERR_NOMEM);
	}
	assert_memory_equal(kept.data, "m\n", 2);
	prof_buf_free(&data);
}

/* How many formats bid highest for the bytes that `kept` holds, and one of them. */
static size_t highest_bidders(const struct prof_format **best)
{
	struct prof_head head = { (const uint8_t *)kept.data,
				  kept.len < 65536 ? kept.len : 65536,
				  kept.len <= 65536 };
	size_t count = 0;
	int highest = 1;

	for (size_t i = 0; prof_formats[i]; i++) {
		int bid = prof_formats[i]->bid ? prof_formats[i]->bid(head) : 0;

		if (bid > highest) {
			highest = bid;
			count = 0;
		}
		if (bid == highest) {
			*best = prof_formats[i];
			count++;
		}
	}
	if (count > 0) {
		assert_ptr_equal(prof_format_detect(head), *best);
	}
	return count;
}

static void assert_claimed(const char *folder, const char *file)
{
	const struct prof_format *best = NULL;
	const char *expected = strstr(file, "delimited") ? "delimited" : folder;
	struct prof_error err = { 0 };
	struct prof_buf data = { 0 };
	char name[300];

	snprintf(name, sizeof(name), "%s/%s", folder, file);
	data = slurp_file(name);
	print_message("# %s\n", name);
	assert_true(read_text(view(&data), &err));
	assert_int_equal(highest_bidders(&best), 1);
	assert_string_equal(best->name, expected);
	prof_buf_free(&data);
}

static void claim_folder(const char *folder)
{
	const char *data = getenv("DATA");
	struct dirent *entry = NULL;
	char path[4096];
	DIR *dir = NULL;

	snprintf(path, sizeof(path), "%s/%s", data ? data : "testdata", folder);
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (strchr(entry->d_name, '.') && entry->d_name[0] != '.') {
			assert_claimed(folder, entry->d_name);
		}
	}
	closedir(dir);
}

static void every_good_input_has_exactly_one_highest_bidder(void **state)
{
	claim_folder("pprof");
	claim_folder("folded");
}

static void detection_is_the_same_however_bytes_come(void **state)
{
	struct prof_buf data = slurp_file("pprof/go-cpu.pb.gz");

	for (size_t step = 1; step < 100000; step = step * 3 + 1) {
		struct dribble in = dribble(data.data, data.len, step);
		struct prof_stream *stream = NULL;
		struct prof_error err = { 0 };

		assert_true(prof_stream_open(&in.base, NULL, NULL, &stream, &err));
		assert_ptr_equal(prof_stream_format(stream), &prof_format_pprof);
		assert_string_equal(prof_stream_compression(stream), "gzip");
		prof_stream_free(stream);
		prof_source_free(&in.base);
	}
	prof_buf_free(&data);
}

static const char *diagnose(struct prof_text text)
{
	struct prof_head head = { (const uint8_t *)text.data, text.len, true };

	return prof_format_diagnose(head);
}

static void assert_diagnosed(struct prof_text text, const char *beginning)
{
	const char *diagnosis = diagnose(text);

	assert_non_null(diagnosis);
	if (strncmp(diagnosis, beginning, strlen(beginning)) != 0) {
		fail_msg("'%s' does not begin with '%s'", diagnosis, beginning);
	}
}

static void what_is_no_profile_is_named(void **state)
{
	assert_diagnosed(TEXT(""), "empty");
	assert_diagnosed(TEXT(" \n\n"), "empty");
	assert_diagnosed(TEXT("\x7f"
			      "ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0"),
			 "an ELF executable");
	assert_diagnosed(TEXT("\x7f"
			      "ELF\2\2\1\0\0\0\0\0\0\0\0\0\0\4\x3e\0"),
			 "a core dump");
	assert_diagnosed(TEXT("<!DOCTYPE html>\n<p>502 Bad Gateway"), "an HTML page");
	assert_diagnosed(TEXT("\n <HTML>"), "an HTML page");
	assert_diagnosed(TEXT("<?xml version=\"1.0\"?>\n<svg width=\"1\">"),
			 "an SVG picture");
	assert_diagnosed(TEXT("<?xml version=\"1.0\"?>\n<a/>"), "XML of a kind");
	assert_diagnosed(TEXT("{\"a\": 1}"), "JSON of a kind");
	assert_diagnosed(TEXT("[]"), "JSON of a kind");
	assert_diagnosed(TEXT("{\"traceEvents\": []}"), "a Chrome trace");
	assert_diagnosed(TEXT("\x89PNG\r\n\x1a\n\0\0\0\0"), "a PNG picture");
	assert_diagnosed(TEXT("PERFILE2\0\0\0\0"), "perf.data; run: perf script");
	assert_diagnosed(TEXT("FLR\0\0\2"), "a JFR recording");
	assert_diagnosed(TEXT("JAVA PROFILE 1.0.2\0"), "a Java heap dump");
	assert_diagnosed(TEXT("go 1.22 trace\0\0\0"), "a Go execution trace");
	assert_diagnosed(TEXT("\x78\x9c\x03\0\0\0\0\1"), "zlib data");
	assert_diagnosed(TEXT("heap profile: 1: 2 [3: 4] @ heap/1\n"),
			 "begins like a heap");
	assert_diagnosed(TEXT("goroutine 1 [running]:\nmain.main()\n"),
			 "a Go goroutine dump");
	assert_diagnosed(TEXT("a 1 [000] 1.0: cycles:\n\t    7f0012 main (/a)\n\n"),
			 "perf script output");
	assert_diagnosed(TEXT("Dear reader,\nthis is a letter.\n"),
			 "text without counts");
	assert_diagnosed(TEXT("\1\2\3\4\0\0"), "no profile of a kind known here");
}

static void a_tar_archive_is_known_by_its_257th_byte(void **state)
{
	char block[512] = "cpu.pb";

	memcpy(block + 257, "ustar", 5);
	assert_diagnosed((struct prof_text){ block, sizeof(block) }, "a tar archive");
	assert_diagnosed((struct prof_text){ block, 260 }, "no profile");
}

static void what_no_format_claims_is_refused_by_name(void **state)
{
	static const char *const names[] = { "program.elf", "page.html", "notes.json",
					     "picture.png" };
	static const char *const beginnings[] = { "an ELF", "an HTML", "JSON",
						  "a PNG" };

	for (size_t i = 0; i < 4; i++) {
		struct prof_stream *stream = NULL;
		struct prof_source *source = NULL;
		struct prof_error err = { 0 };
		struct prof_buf data = { 0 };
		char name[64];

		snprintf(name, sizeof(name), "pprof/bad/%s", names[i]);
		data = slurp_file(name);
		source = prof_source_memory(data.data, data.len);
		assert_false(prof_stream_open(source, NULL, NULL, &stream, &err));
		assert_int_equal(err.code, PROF_ERR_UNSUPPORTED);
		assert_memory_equal(err.message, beginnings[i], strlen(beginnings[i]));
		assert_null(stream);
		prof_source_free(source);
		prof_buf_free(&data);
	}
}

static void formats_are_found_by_name_and_by_path(void **state)
{
	assert_ptr_equal(prof_format_named("folded"), &prof_format_folded);
	assert_ptr_equal(prof_format_named("pprof"), &prof_format_pprof);
	assert_null(prof_format_named("Folded"));
	assert_null(prof_format_named(""));
	assert_ptr_equal(prof_format_for_path("out/x.folded"), &prof_format_folded);
	assert_ptr_equal(prof_format_for_path("a.b.COLLAPSED"), &prof_format_folded);
	assert_ptr_equal(prof_format_for_path("x.gz.pb"), &prof_format_pprof);
	assert_null(prof_format_for_path("folded"));
	assert_null(prof_format_for_path(".xyz"));
	assert_null(prof_format_for_path(""));
}

TEST_MAIN(
	cmocka_unit_test_teardown(layers_of_compression_are_undone, teardown),
	cmocka_unit_test_teardown(a_fourth_layer_is_refused, teardown),
	cmocka_unit_test_teardown(other_compression_is_named_with_its_cure, teardown),
	cmocka_unit_test_teardown(a_byte_order_mark_is_no_part_of_the_text, teardown),
	cmocka_unit_test_teardown(utf16_becomes_utf8, teardown),
	cmocka_unit_test_teardown(half_a_surrogate_pair_is_replaced, teardown),
	cmocka_unit_test_teardown(half_a_character_at_the_end_is_an_error, teardown),
	cmocka_unit_test_teardown(long_utf16_text_is_the_same_in_any_chunks, teardown),
	cmocka_unit_test_teardown(a_checksum_counts_even_for_a_reader_that_stops_early,
				  teardown),
	cmocka_unit_test_teardown(trailing_bytes_are_counted_and_no_error, teardown),
	cmocka_unit_test_teardown(plain_bytes_have_a_limit_too, teardown),
	cmocka_unit_test_teardown(a_stream_nobody_reads_can_be_freed, teardown),
	cmocka_unit_test_teardown(a_pipe_that_stays_open_can_be_let_go, teardown),
	cmocka_unit_test_teardown(any_allocation_may_fail, teardown),
	cmocka_unit_test_teardown(every_good_input_has_exactly_one_highest_bidder,
				  teardown),
	cmocka_unit_test_teardown(detection_is_the_same_however_bytes_come, teardown),
	cmocka_unit_test(what_is_no_profile_is_named),
	cmocka_unit_test(a_tar_archive_is_known_by_its_257th_byte),
	cmocka_unit_test(what_no_format_claims_is_refused_by_name),
	cmocka_unit_test(formats_are_found_by_name_and_by_path))
