/* SPDX-License-Identifier: MIT */
/* The readers of pprof's old formats. What they must give was seen in google/pprof. */
#include "formats/legacy.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"
#include "libprof/base/alloc.h"
#include "libprof/base/limits.h"
#include "libprof/model/builder.h"
#include "tests/slurp.h"
#include "tests/test.h"
#include "tests/unit/formats/record.h"

static struct prof_head head_of(const struct prof_buf *bytes)
{
	return (struct prof_head){ (const uint8_t *)bytes->data, bytes->len, true };
}

static struct prof_buf bytes_of(const char *text)
{
	struct prof_buf bytes = { 0 };

	prof_buf_adds(&bytes, text);
	return bytes;
}

/* Append the lines of `text` that begin with one of the letters. */
static void pick_lines(const char *text, const char *letters, struct prof_buf *out)
{
	while (*text != '\0') {
		const char *next = strchr(text, '\n') + 1;

		if (strchr(letters, *text) && strncmp(text, "string", 6) != 0) {
			prof_buf_add(out, text, (size_t)(next - text));
		}
		text = next;
	}
	prof_buf_addc(out, '\0');
}

/* The records with these first letters of `bytes`, which are freed. */
static struct prof_buf read_records(struct prof_buf bytes, const char *letters,
				    size_t step)
{
	const struct prof_format *format = prof_format_detect(head_of(&bytes));
	struct record record = record_new(step == 2);
	struct prof_error err = { 0 };
	struct prof_buf out = { 0 };

	assert_non_null(format);
	if (!record_read(&record, format, &bytes, step, &err)) {
		fail_msg("line %u: %s", err.line, err.message);
	}
	pick_lines(record_text(&record), letters, &out);
	record_free(&record);
	prof_buf_free(&bytes);
	return out;
}

static void assert_file(const char *name, const char *want)
{
	for (size_t step = 0; step < 4; step++) {
		struct prof_buf got = read_records(slurp_file(name), "mflts", step);

		assert_string_equal(got.data, want);
		prof_buf_free(&got);
	}
}

static void assert_read(const char *text, const char *letters, const char *want)
{
	struct prof_buf got = read_records(bytes_of(text), letters, 0);

	if (strcmp(got.data, want) != 0) {
		fail_msg("'%s' gives '%s', not '%s'", text, got.data, want);
	}
	prof_buf_free(&got);
}

static void assert_samples(const char *text, const char *want)
{
	assert_read(text, "s", want);
}

/* --- CPU profiles ------------------------------------------------------------------ */

#define SERVER_MAP(first, second)                                                  \
	"mapping 0 id 1 400000-420000 offset 0 file " first " build 0 flags 0\n"   \
	"mapping 1 id 2 7f0000000000-7f0000100000 offset 0 file " second " build " \
	"0 flags 0\n"

static void a_cpu_profile_may_have_any_words(void **state)
{
	static const char want[] =
		SERVER_MAP("5", "6") "location id 1 at 400100 mapping 0\n"
				     "location id 2 at 400200 mapping 0\n"
				     "location id 3 at 400300 mapping 0\n"
				     "location id 4 at 400180 mapping 0\n"
				     "location id 5 at 410000 mapping 0\n"
				     "types 1/2 3/4\n"
				     "sample 0 1 2 = 3 30000000\n"
				     "sample 3 1 2 = 2 20000000\n"
				     "sample 4 4 2 = 1 10000000\n";

	assert_file("legacy/words-32le.cpu", want);
	assert_file("legacy/words-32be.cpu", want);
	assert_file("legacy/words-64be.cpu", want);
}

static void add_words(struct prof_buf *out, const uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (unsigned byte = 0; byte < 4; byte++) {
			prof_buf_addc(out, (char)(words[i] >> 8 * byte));
		}
	}
}

#define WORDS(...)                         \
	(const uint32_t[]){ __VA_ARGS__ }, \
		sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t)

static void assert_cpu(const uint32_t *words, size_t count, const char *want)
{
	struct prof_buf bytes = { 0 };
	struct prof_buf got = { 0 };

	add_words(&bytes, WORDS(0, 3, 0, 1000, 0));
	add_words(&bytes, words, count);
	got = read_records(bytes, "ls", 0);
	assert_string_equal(got.data, want);
	prof_buf_free(&got);
}

static void a_cpu_profile_may_lack_its_trailer(void **state)
{
	assert_cpu(WORDS(1, 1, 0x10), "location id 1 at 10 mapping 0\n"
				      "sample 0 = 1 1000000\n");
	assert_cpu(WORDS(0, 1, 0), "");
	assert_cpu(NULL, 0, "");
	assert_cpu(WORDS(7, 0, 5, 1, 0, 0, 1, 0), "location id 1 at 0\n"
						  "sample = 7 7000000\n"
						  "sample 0 = 5 5000000\n");
}

static void frames_of_the_signal_handler_are_cut_twice(void **state)
{
	assert_cpu(WORDS(1, 5, 0x10, 0x77, 0x78, 0x79, 0x30, /* */
			 2, 5, 0x12, 0x77, 0x78, 0x79, 0x31),
		   "location id 1 at 10 mapping 0\n"
		   "location id 2 at 78 mapping 0\n"
		   "location id 3 at 2f mapping 0\n"
		   "location id 4 at 12 mapping 0\n"
		   "location id 5 at 30 mapping 0\n"
		   "sample 0 1 2 = 1 1000000\n"
		   "sample 3 1 4 = 2 2000000\n");
	assert_cpu(WORDS(1, 2, 0x10, 0x77, 2, 1, 0x12),
		   "location id 1 at 10 mapping 0\n"
		   "location id 2 at 76 mapping 0\n"
		   "location id 3 at 12 mapping 0\n"
		   "sample 0 1 = 1 1000000\n"
		   "sample 2 = 2 2000000\n");
}

/* Its location is in use by then, and stays. */
static void a_leaf_that_comes_twice_is_cut_once(void **state)
{
	assert_cpu(WORDS(1, 3, 0x10, 0x10, 0x20, 1, 2, 0x30, 0x41),
		   "location id 1 at 10 mapping 0\n"
		   "location id 2 at f mapping 0\n"
		   "location id 3 at 1f mapping 0\n"
		   "location id 4 at 30 mapping 0\n"
		   "location id 5 at 40 mapping 0\n"
		   "sample 0 2 = 1 1000000\n"
		   "sample 3 4 = 1 1000000\n");
}

static void a_java_cpu_profile_has_symbols(void **state)
{
	assert_file("legacy/java.cpu",
		    "function id 1 name 5 system 5 file 6 start 0\n"
		    "function id 2 name 7 system 7 file 8 start 0\n"
		    "function id 3 name 9 system 9 file 10 start 0\n"
		    "function id 4 name 11 system 11 file 0 start 0\n"
		    "location id 1 at 0 (0 31 0)\n"
		    "location id 2 at 0 (1 0 0)\n"
		    "location id 3 at 0 (2 0 0)\n"
		    "location id 4 at 0 (3 0 0)\n"
		    "types 1/2 3/4\n"
		    "sample 0 1 = 3 30000000\n"
		    "sample 2 1 3 = 1 10000000\n");
}

/* --- heaps ------------------------------------------------------------------------- */

static void a_heap_of_the_heap_has_two_columns(void **state)
{
	assert_file(
		"legacy/growthz.heap",
		"mapping 0 id 1 0-ffffffffffffffff offset 0 file 0 build 0 flags 0\n"
		"location id 1 at 400100 mapping 0\n"
		"location id 2 at 400201 mapping 0\n"
		"types 1/2 3/4\n"
		"sample 0 1 = 3 300 {key 4 number 100 unit 0}\n");
}

static void sampled_heaps_are_scaled_up(void **state)
{
	assert_samples("heap profile: 1: 2 [1: 2] @ heap_v2/4\n1: 2 [1: 2] @ 0x10\n",
		       "sample 0 = 2 5 {key 4 number 2 unit 0}\n");
	assert_samples("heap profile: 1: 2 [1: 2] @ heap/8\n-1: -2 [1: 2] @\n",
		       "sample = -2 -5 {key 4 number 2 unit 0}\n");
	assert_samples("heap profile: 1:2[1:2]@heapprofile\n1: 2 [1: 2] @ 0x10\n",
		       "sample 0 = 1 2 {key 4 number 2 unit 0}\n");
	assert_samples("heap profile: 1: 2 [1: 2] @ heap_v2/1\n1: 2 [1: 2] @ 0x10\n",
		       "sample 0 = 1 2 {key 4 number 2 unit 0}\n");
	assert_samples("heap profile: 1: 2 [1: 2] @ heapz_v2/0\n7: 0 [1: 2] @ 0x10\n",
		       "sample 0 = 0 0 {key 4 number 0 unit 0}\n");
}

static void allocations_have_columns_when_they_are_news(void **state)
{
	assert_read("heap profile: 1: 2 [3: 9] @ heapprofile\n"
		    "0: 0 [2: 11] @ 0x10\n3: 7 [4: 12] @ 0x10\n0: 0 [0: 0] @\n",
		    "ts",
		    "types 1/2 3/4 5/2 6/4\n"
		    "sample 0 = 2 11 0 0 {key 4 number 5 unit 0}\n"
		    "sample 0 = 4 12 3 7 {key 4 number 2 unit 0}\n"
		    "sample = 0 0 0 0 {key 4 number 0 unit 0}\n");
	assert_read("heap profile: 1: 2 [0: 0] @ heapprofile\n", "t",
		    "types 1/2 3/4\n");
	assert_read("heap profile: 1: 2 [01: 2] @ heapprofile\n", "t",
		    "types 1/2 3/4 5/2 6/4\n");
}

static void samples_are_found_as_a_regular_expression_finds_them(void **state)
{
	static const char header[] = "heap profile: 1: 2 [1: 2] @ heapprofile\n";
	static const char *const lines[] = {
		"1: 2 [1: 2] @ 0x10 0xAB 0xab",
		"zz 1: 2 [1: 2] @0x10 20 zz 0x30",
		"5 1:2   [  1:  2  ] @ 0x10x20",
		"7: 1: 2 [1: 2] @ 00x10",
	};

	for (size_t i = 0; i < 4; i++) {
		struct prof_buf text = { 0 };

		prof_buf_addf(&text, "%s# comment\n \t\n%s\r\n", header, lines[i]);
		prof_buf_addc(&text, '\0');
		assert_samples(text.data, "sample 0 = 1 2 {key 4 number 2 unit 0}\n");
		prof_buf_free(&text);
	}
}

static void unsampling_truncates(void **state)
{
	int64_t count = 642;
	int64_t size = 6574080;

	assert_true(prof_legacy_unsample(&count, &size, 524288));
	assert_int_equal(count, 33192);
	assert_int_equal(size, 339890635);
	count = 107808742;
	size = 222;
	assert_false(prof_legacy_unsample(&count, &size, 524288));
	assert_int_equal(count, 107808742);
	assert_int_equal(size, 222);
}

/* --- other texts ------------------------------------------------------------------- */

static void go_counts_stacks(void **state)
{
	assert_file("legacy/variables.txt",
		    "mapping 0 id 1 400000-420000 offset 0 file 3 build 4 flags 0\n"
		    "mapping 1 id 2 7f0000000000-7f0000100000 offset 0 file 5 build 0 "
		    "flags 0\n"
		    "location id 1 at 400100 mapping 0\n"
		    "types 1/2\n"
		    "sample 0 = 1\n"
		    "sample = 1\n");
	assert_samples("\n# x\nmine profile: total 3\r\n#\t0x1\n2 @ 0x10 0x1\r\n",
		       "sample 0 1 = 2\n");
	assert_samples("mine profile: total 3\n1 @ 0x10\n--- end\n1 @ 0x20\n",
		       "sample 0 = 1\n");
}

static void threads_are_counted(void **state)
{
	assert_file("legacy/threadz.txt",
		    SERVER_MAP("3", "4") "location id 1 at 400100 mapping 0\n"
					 "location id 2 at 400201 mapping 0\n"
					 "location id 3 at 400300 mapping 0\n"
					 "location id 4 at 4002ff mapping 0\n"
					 "location id 5 at 400401 mapping 0\n"
					 "types 1/2\n"
					 "sample 0 1 = 2\n"
					 "sample 2 4 = 1\n");
}

#define THREAD "--- Thread 7f (name: a (b)/1) stack: ---\n"

static void the_list_of_threads_may_begin_and_end_otherwise(void **state)
{
	assert_samples(THREAD "0x10 0x20\n 0x30\n" THREAD "\n"
			      "---- no stack trace for thread 9\n0x40\n",
		       "sample 0 1 2 = 2\n");
	assert_samples("#\n--- threadz 1 ---\n0x99\n" THREAD
		       "0x10\n--- Memory map: ---",
		       "sample 0 = 1\n");
	assert_samples("--- threadz 1 ---\nMAPPED_LIBRARIES:\n", "");
}

static void waiting_is_scaled_up(void **state)
{
	assert_file("legacy/contentionz.txt",
		    SERVER_MAP("5", "6") "location id 1 at 400100 mapping 0\n"
					 "location id 2 at 400201 mapping 0\n"
					 "location id 3 at 7f00000000ff mapping 1\n"
					 "location id 4 at 400301 mapping 0\n"
					 "types 1/2 3/4\n"
					 "sample 0 1 2 = 2700 608881724\n"
					 "sample 0 3 = 100 23992\n");
	assert_samples("--- mutex:\ncycles/second=3000000000\n"
		       "sampling period=5\n300 2 @ 0x10\n",
		       "sample 0 = 10 500\n");
	assert_samples("--- contention:\n#\nsampling period = 0x7\n300 2 @ 0x10\n",
		       "sample 0 = 14 300\n");
	assert_samples("--- mutex:\nsampling period=-3\nx 300   2 @0x10\n3002 @\n",
		       "sample 0 = 2 300\nsample = 2 300\n");
}

static void java_texts_have_symbols(void **state)
{
	assert_file("legacy/heapz.txt",
		    "function id 1 name 5 system 5 file 6 start 0\n"
		    "function id 2 name 7 system 7 file 8 start 0\n"
		    "function id 3 name 9 system 9 file 10 start 0\n"
		    "function id 4 name 11 system 11 file 0 start 0\n"
		    "location id 1 at 0 (0 31 0)\n"
		    "location id 2 at 0 (1 0 0)\n"
		    "location id 3 at 0 (2 0 0)\n"
		    "location id 4 at 0 (3 0 0)\n"
		    "types 1/2 3/4\n"
		    "sample 0 1 = 74 527819 {key 4 number 7048 unit 0}\n"
		    "sample 2 1 3 = 8941 4720968 {key 4 number 528 unit 0}\n");
	assert_file("legacy/java-contentionz.txt",
		    "function id 1 name 5 system 5 file 6 start 0\n"
		    "function id 2 name 7 system 7 file 8 start 0\n"
		    "location id 1 at 0 (0 31 0)\n"
		    "location id 2 at 0 (1 0 0)\n"
		    "types 1/2 3/4\n"
		    "sample 0 1 = 200 1400\n");
}

static void assert_contains(struct record *record, const char *part)
{
	if (!strstr(record_text(record), part)) {
		fail_msg("no '%s' in '%s'", part, record_text(record));
	}
}

static void assert_symbol(const char *line, const char *name, const char *file,
			  int64_t number)
{
	struct record record = record_new(false);
	struct prof_error err = { 0 };
	struct prof_buf text = { 0 };
	char want[64];

	prof_buf_addf(&text,
		      "--- heapz 1 ---\nformat = java\nresolution = units\n"
		      "5 1 @ 0xab\n%s\n",
		      line);
	assert_true(record_read(&record, &prof_format_javatext, &text, 0, &err));
	snprintf(want, sizeof(want), "string 5 '%s'\n", name);
	assert_contains(&record, want);
	if (*file != '\0') {
		snprintf(want, sizeof(want), "string 6 '%s'\n", file);
		assert_contains(&record, want);
	}
	snprintf(want, sizeof(want), "at 0 (0 %" PRId64 " 0)\n", number);
	assert_contains(&record, want);
	record_free(&record);
	prof_buf_free(&text);
}

static void symbols_are_taken_apart(void **state)
{
	assert_symbol("0xab f (/x/b.java:9)", "f", "/x/b.java", 9);
	assert_symbol(" 0xAB\tf.g(int, char)\t(b.java:-9) ", "f.g(int, char)", "b.java",
		      0);
	assert_symbol("0xab f (b:1:2)", "f", "b:1", 2);
	assert_symbol("0xab a (b) (c)", "a (b)", "c", 0);
	assert_symbol("0xab f (/x/y/lib.so)", "f", "lib.so", 0);
	assert_symbol("0xab f (/a/b//)", "f", "b", 0);
	assert_symbol("0xab f ()", "f", ".", 0);
	assert_symbol("0xab f (/)", "f", "/", 0);
	assert_symbol("0xab f (:1)", "f", ":1", 0);
	assert_symbol("0xab f (x:99999999999999999999)", "f", "x", 0);
	assert_symbol("0xab a(x:1)", "a(x:1)", "", 0);
	assert_symbol("0xab (x:1)", "(x:1)", "", 0);
	assert_symbol("0xab f (X.java:9) generated stub/JIT", "STUB", "", 0);
	assert_symbol("0xab f\n0xzz g\nzz 0xab g\n0xabg", "f", "", 0);
}

/* --- all of them ------------------------------------------------------------------- */

struct bad {
	const char *name;
	uint32_t line;
	uint64_t offset;
	enum prof_code code;
	const char *message;
};

static const struct bad bads[] = {
	{ "cut-record.cpu", 0, 160, PROF_ERR_SYNTAX, "record is cut short" },
	{ "cut-word.cpu", 0, 120, PROF_ERR_SYNTAX, "record is cut short" },
	{ "deep-stack.cpu", 0, 160, PROF_ERR_LIMIT,
	  "a stack of more than 1048576 frames" },
	{ "long-time.cpu", 0, 40, PROF_ERR_LIMIT,
	  "the time of 4611686018427387904 samples does not fit 64 bits" },
	{ "unknown-kind.heap", 1, 0, PROF_ERR_UNSUPPORTED,
	  "heap profile of an unknown kind 'heapq'" },
	{ "no-sample.heap", 3, 0, PROF_ERR_SYNTAX,
	  "no heap sample 'N: BYTES [N: BYTES] @ ...'" },
	{ "no-objects.heap", 2, 0, PROF_ERR_SYNTAX, "5 bytes in no objects" },
	{ "wide-address.heap", 2, 0, PROF_ERR_SYNTAX,
	  "address '0x10000000000000000' has more than 64 bits" },
	{ "large-number.heap", 2, 0, PROF_ERR_LIMIT,
	  "scaled up by the sampling rate 4096, a number does not fit 64 bits" },
	{ "no-count.txt", 3, 0, PROF_ERR_SYNTAX, "no sample 'COUNT @ 0xADDRESS ...'" },
	{ "cut-threads.txt", 4, 0, PROF_ERR_SYNTAX,
	  "the list of threads is cut short: neither a memory map nor '---- no stack "
	  "trace for' ends it" },
	{ "no-thread.txt", 4, 0, PROF_ERR_SYNTAX,
	  "no thread '--- Thread HEX (name: NAME/ID) stack: ---'" },
	{ "unknown-attribute.txt", 3, 0, PROF_ERR_SYNTAX,
	  "unknown attribute 'colour'" },
	{ "bad-number.txt", 2, 0, PROF_ERR_SYNTAX, "bad number 'fast'" },
	{ "no-delay.txt", 3, 0, PROF_ERR_SYNTAX,
	  "no sample 'CYCLES COUNT @ 0xADDRESS ...'" },
	{ "no-resolution.txt", 3, 0, PROF_ERR_SYNTAX,
	  "no attribute 'resolution' before the samples" },
	{ "java-no-objects.txt", 4, 0, PROF_ERR_SYNTAX, "5 bytes in no objects" },
	{ "wide-symbol.txt", 5, 0, PROF_ERR_SYNTAX,
	  "a symbol's address has more than 64 bits" },
};

static void a_bad_input_is_an_error_at_its_place(void **state)
{
	for (size_t i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		for (size_t step = 0; step < 3; step++) {
			struct record record = record_new(false);
			struct prof_error err = { 0 };
			struct prof_buf bytes = { 0 };
			char name[64];

			snprintf(name, sizeof(name), "legacy/bad/%s", bads[i].name);
			bytes = slurp_file(name);
			assert_false(record_read(&record,
						 prof_format_detect(head_of(&bytes)),
						 &bytes, step, &err));
			assert_string_equal(err.message, bads[i].message);
			assert_int_equal(err.code, bads[i].code);
			assert_int_equal(err.line, bads[i].line);
			assert_int_equal(err.offset, bads[i].offset);
			assert_int_equal(err.located, bads[i].line == 0);
			record_free(&record);
			prof_buf_free(&bytes);
		}
	}
}

static const char *const claims[][2] = {
	{ ".cpu", "cpuprof" },           { ".heap", "heaptext" },
	{ ".growth", "heaptext" },       { "go-heap", "heaptext" },
	{ "go-gor", "countprofile" },    { "go-thr", "countprofile" },
	{ "variables", "countprofile" }, { "go-block", "contention" },
	{ "go-mutex", "contention" },    { "java-c", "javatext" },
	{ "heapz", "javatext" },         { "contentionz", "contention" },
	{ "threadz", "threadz" },
};

static const char *format_of(const char *name)
{
	for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
		if (strstr(name, claims[i][0])) {
			return claims[i][1];
		}
	}
	return "none";
}

static void claim_and_build(const char *name)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct prof_profile *profile = NULL;
	struct prof_error err = { 0 };
	struct prof_buf bytes = { 0 };
	struct prof_source *source = NULL;
	struct prof_window window;
	char path[512];
	int bidders = 0;

	snprintf(path, sizeof(path), "legacy/%s", name);
	bytes = slurp_file(path);
	source = prof_source_memory(bytes.data, bytes.len);
	window = prof_window(source);
	print_message("# %s\n", path);
	assert_string_equal(prof_format_detect(head_of(&bytes))->name, format_of(name));
	for (size_t i = 0; prof_formats[i]; i++) {
		bidders += prof_formats[i]->bid(head_of(&bytes)) > 32;
	}
	assert_in_range(bidders, 1, 2); /* a contentionz of Java or not */
	assert_true(prof_format_detect(head_of(&bytes))
			    ->read(&window, prof_builder_sink(builder), &err));
	assert_true(prof_builder_finish(builder, &profile, &err));
	assert_true(prof_profile_validate(profile, &err));
	assert_true(profile->sample_count > 0);
	prof_profile_free(profile);
	prof_builder_free(builder);
	prof_window_free(&window);
	prof_source_free(source);
	prof_buf_free(&bytes);
}

/* Call `visit` for every file of testdata/legacy. */
static void visit_files(void (*visit)(const char *name))
{
	const char *data = getenv("DATA");
	struct dirent *entry = NULL;
	char path[4096];
	DIR *dir = NULL;

	snprintf(path, sizeof(path), "%s/legacy", data ? data : "testdata");
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (strchr(entry->d_name, '.') && entry->d_name[0] != '.') {
			visit(entry->d_name);
		}
	}
	closedir(dir);
}

static void every_good_file_is_claimed_and_is_a_valid_profile(void **state)
{
	visit_files(claim_and_build);
}

static void fail_allocations(const char *name)
{
	struct prof_buf bytes = { 0 };
	char path[512];

	snprintf(path, sizeof(path), "legacy/%s", name);
	bytes = slurp_file(path);
	for (int64_t n = 0;; n++) {
		struct record record = record_new(false);
		struct prof_error err = { 0 };
		bool ok = false;

		assert_true(prof_buf_reserve(&record.out, 1 << 20));
		prof_alloc_fail_after(n);
		ok = record_read(&record, prof_format_detect(head_of(&bytes)), &bytes,
				 0, &err);
		prof_alloc_fail_after(-1);
		record_free(&record);
		if (ok) {
			break;
		}
		assert_int_equal(err.code, PROF_ERR_NOMEM);
	}
	prof_buf_free(&bytes);
}

static void any_allocation_may_fail(void **state)
{
	visit_files(fail_allocations);
}

static void a_deep_stack_has_a_limit(void **state)
{
	struct prof_buf text = { 0 };
	struct record record = record_new(false);
	struct prof_error err = { 0 };

	prof_buf_adds(&text, "x profile: total 1\n\n1 @");
	for (uint32_t i = 0; i <= PROF_MAX_DEPTH; i++) {
		prof_buf_adds(&text, " 0x5");
	}
	assert_false(record_read(&record, &prof_format_countprofile, &text, 0, &err));
	assert_int_equal(err.code, PROF_ERR_LIMIT);
	assert_int_equal(err.line, 3);
	assert_string_equal(err.message, "a stack of more than 1048576 frames");
	record_free(&record);
	prof_buf_free(&text);
}

TEST_MAIN(cmocka_unit_test(a_cpu_profile_may_have_any_words),
	  cmocka_unit_test(a_cpu_profile_may_lack_its_trailer),
	  cmocka_unit_test(frames_of_the_signal_handler_are_cut_twice),
	  cmocka_unit_test(a_leaf_that_comes_twice_is_cut_once),
	  cmocka_unit_test(a_java_cpu_profile_has_symbols),
	  cmocka_unit_test(a_heap_of_the_heap_has_two_columns),
	  cmocka_unit_test(sampled_heaps_are_scaled_up),
	  cmocka_unit_test(allocations_have_columns_when_they_are_news),
	  cmocka_unit_test(samples_are_found_as_a_regular_expression_finds_them),
	  cmocka_unit_test(unsampling_truncates), cmocka_unit_test(go_counts_stacks),
	  cmocka_unit_test(threads_are_counted),
	  cmocka_unit_test(the_list_of_threads_may_begin_and_end_otherwise),
	  cmocka_unit_test(waiting_is_scaled_up),
	  cmocka_unit_test(java_texts_have_symbols),
	  cmocka_unit_test(symbols_are_taken_apart),
	  cmocka_unit_test(a_bad_input_is_an_error_at_its_place),
	  cmocka_unit_test(every_good_file_is_claimed_and_is_a_valid_profile),
	  cmocka_unit_test(any_allocation_may_fail),
	  cmocka_unit_test(a_deep_stack_has_a_limit))
