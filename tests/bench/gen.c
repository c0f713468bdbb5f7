/* SPDX-License-Identifier: MIT */
/*
 * gen.c - large profiles that look like real ones, the same bytes on every machine.
 *
 *	gen pprof  -s 200 -o p200w.pb.gz             as google/pprof writes
 *	gen pprof  -s 200 -r -o p200r.pb.gz          as the Go runtime writes
 *	gen pprof  -s 20 -l -o p20l.pb.gz            with labels
 *	gen fleet  -n 1000 -o fleet                  1000 small profiles of one program
 *	gen folded -s 200 -o f200.folded
 *
 * What is profiled is the made-up program of walk.h. Memory stays small: samples are
 * written as they are made, only the tables of a profile are kept.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "libprof/base/buf.h"
#include "tests/bench/walk.h"

#define SAMPLE_BYTES    UINT64_C(65) /* of pprof, all tables included */
#define LABELLED_BYTES  UINT64_C(88)
#define FLEET_FUNCTIONS 1700
#define FLEET_POOL      100000 /* stacks that all files of a fleet draw from */
#define MAPPING_START   UINT64_C(0x400000)
#define PERIOD_NS       10000000
#define TRACES_A_SAMPLE 4 /* samples that share one trace id, on average */

enum mode {
	MODE_PPROF,
	MODE_FLEET,
	MODE_FOLDED,
};

struct options {
	enum mode mode;
	uint64_t megabytes; /* of output before compression, roughly */
	uint64_t seed;
	uint32_t files;     /* of a fleet */
	bool runtime_order; /* tables before their first use, strings last */
	bool labels;        /* thread, endpoint and, on every second, trace_id */
	const char *level;  /* gzopen's: "6", or "T" for no compression */
	const char *out;    /* file, folder of a fleet, or NULL for standard output */
};

/* profile.proto's fields of Profile, and the strings that every profile has. */
enum field {
	FIELD_SAMPLE_TYPE = 1,
	FIELD_SAMPLE = 2,
	FIELD_MAPPING = 3,
	FIELD_LOCATION = 4,
	FIELD_FUNCTION = 5,
	FIELD_STRING = 6,
	FIELD_TIME_NANOS = 9,
	FIELD_DURATION_NANOS = 10,
	FIELD_PERIOD_TYPE = 11,
	FIELD_PERIOD = 12,
};

static const char *const fixed_strings[] = {
	"",     "samples", "count",    "cpu",      "nanoseconds", "/srv/shop/bin/shop",
	"3f9c", "thread",  "endpoint", "trace_id",
};

enum string {
	STRING_SAMPLES = 1,
	STRING_COUNT,
	STRING_CPU,
	STRING_NANOSECONDS,
	STRING_BINARY,
	STRING_BUILD_ID,
	STRING_THREAD,
	STRING_ENDPOINT,
	STRING_TRACE_ID,
	STRING_FIRST_FREE,
};

#define THREADS   200
#define ENDPOINTS 50

/*
 * One profile being written. Tables fill as samples use them; in runtime order they
 * are flushed before each sample, else once, after all of them.
 */
struct writer {
	const struct program *program;
	const struct options *options;
	gzFile out;
	struct prof_buf samples;
	struct prof_buf locations;
	struct prof_buf functions;
	struct prof_buf strings;
	struct prof_buf message; /* scratch: one record */
	struct prof_buf inner;   /* scratch: a record in it */
	uint32_t *location_id;   /* by site; 0 = not written yet, as below */
	uint32_t *function_id;   /* by function */
	uint32_t *file_string;   /* by file */
	uint32_t *label_string;  /* threads, endpoints, then trace ids */
	uint32_t trace_count;
	uint32_t location_count;
	uint32_t function_count;
	uint32_t string_count;
};

static void die(const char *fmt, ...) PROF_PRINTF(1, 2);

static void die(const char *fmt, ...)
{
	va_list args;

	fputs("gen: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

/* ---- output ---- */

static gzFile open_output(const char *path, const char *level)
{
	char mode[4] = "wb";
	gzFile out;

	mode[2] = level[0];
	out = path != NULL ? gzopen(path, mode) : gzdopen(STDOUT_FILENO, mode);
	if (out == NULL || gzbuffer(out, 1 << 18) != 0) {
		die("cannot write '%s'", path != NULL ? path : "standard output");
	}
	return out;
}

/* Write what is in `buf` and empty it. */
static void flush(gzFile out, struct prof_buf *buf)
{
	if (buf->failed) {
		die("out of memory");
	}
	for (size_t done = 0; done < buf->len;) {
		const size_t rest = buf->len - done;
		const unsigned part = rest < 1 << 24 ? (unsigned)rest : 1U << 24;

		if (gzwrite(out, buf->data + done, part) != (int)part) {
			die("cannot write: output failed");
		}
		done += part;
	}
	prof_buf_clear(buf);
}

static void close_output(gzFile out)
{
	if (gzclose(out) != Z_OK) {
		die("cannot write: output failed");
	}
}

static void add_varint(struct prof_buf *out, uint64_t value)
{
	for (; value > 0x7f; value >>= 7) {
		prof_buf_addc(out, (char)((value & 0x7f) | 0x80));
	}
	prof_buf_addc(out, (char)value);
}

static void add_integer(struct prof_buf *out, uint32_t field, uint64_t value)
{
	add_varint(out, field << 3);
	add_varint(out, value);
}

/* Append `inner` as a field of bytes, and empty it. */
static void add_block(struct prof_buf *out, uint32_t field, struct prof_buf *inner)
{
	add_varint(out, field << 3 | 2);
	add_varint(out, inner->len);
	prof_buf_add(out, inner->data, inner->len);
	prof_buf_clear(inner);
}

/* ---- pprof ---- */

/* The id of the string that is in w->inner, which becomes empty. */
static uint32_t add_string(struct writer *w)
{
	add_block(&w->strings, FIELD_STRING, &w->inner);
	return w->string_count++;
}

static uint32_t file_string(struct writer *w, uint32_t function)
{
	const uint32_t file = function / FUNCTIONS_A_FILE;

	if (w->file_string[file] == 0) {
		prof_buf_adds(&w->inner, "/srv/shop/src/");
		add_path(&w->inner, file);
		prof_buf_adds(&w->inner, ".go");
		w->file_string[file] = add_string(w);
	}
	return w->file_string[file];
}

static uint32_t function_id(struct writer *w, uint32_t function)
{
	uint32_t name;
	uint32_t file;

	if (w->function_id[function] != 0) {
		return w->function_id[function];
	}
	w->function_id[function] = ++w->function_count;
	add_name(&w->inner, function);
	name = add_string(w);
	file = file_string(w, function);
	add_integer(&w->inner, 1, w->function_count);
	add_integer(&w->inner, 2, name);
	add_integer(&w->inner, 3, name);
	add_integer(&w->inner, 4, file);
	add_integer(&w->inner, 5, 10 + even(hash(7, function), 900));
	add_block(&w->functions, FIELD_FUNCTION, &w->inner);
	return w->function_count;
}

static void add_line(struct writer *w, struct prof_buf *location, uint32_t function,
		     uint64_t line)
{
	const uint32_t id = function_id(w, function);

	add_integer(&w->inner, 1, id);
	add_integer(&w->inner, 2, line);
	add_block(location, 4, &w->inner);
}

static uint32_t location_id(struct writer *w, uint32_t site)
{
	const struct program *const program = w->program;
	const uint32_t function = program->function_of[site];
	const uint64_t bits = hash(program->seed ^ 99, site);
	struct prof_buf location = { 0 };

	if (w->location_id[site] != 0) {
		return w->location_id[site];
	}
	w->location_id[site] = ++w->location_count;
	add_integer(&location, 1, w->location_count);
	add_integer(&location, 2, 1);
	add_integer(&location, 3, MAPPING_START + UINT64_C(37) * site + bits % 31);
	if (bits % 4 == 0) {
		const uint32_t inlined = skewed(bits, program->function_count);

		add_line(w, &location, inlined, 10 + bits % 990);
	}
	add_line(w, &location, function, 10 + even(bits, 990));
	add_block(&w->locations, FIELD_LOCATION, &location);
	prof_buf_free(&location);
	return w->location_count;
}

/* The id of label string `which`: a thread, an endpoint, or a trace. */
static uint32_t label_string(struct writer *w, uint32_t which)
{
	if (w->label_string[which] == 0) {
		if (which < THREADS) {
			prof_buf_addf(&w->inner, "worker-%u", which);
		} else if (which < THREADS + ENDPOINTS) {
			prof_buf_addf(&w->inner, "/api/v1/%s/%s", words[which & 31],
				      words[which * 7 & 31]);
		} else {
			prof_buf_addf(&w->inner, "%016llx",
				      (unsigned long long)hash(5, which));
		}
		w->label_string[which] = add_string(w);
	}
	return w->label_string[which];
}

static void add_label(struct writer *w, uint32_t key, uint32_t which)
{
	const uint32_t value = label_string(w, which);

	add_integer(&w->inner, 1, key);
	add_integer(&w->inner, 2, value);
	add_block(&w->message, 3, &w->inner);
}

static void add_labels(struct writer *w, uint64_t *rng)
{
	const uint64_t bits = next(rng);

	add_label(w, STRING_THREAD, skewed(bits, THREADS));
	add_label(w, STRING_ENDPOINT, THREADS + skewed(next(rng), ENDPOINTS));
	if (bits % 2 == 0) {
		add_label(w, STRING_TRACE_ID,
			  THREADS + ENDPOINTS + even(next(rng), w->trace_count));
	}
}

static void add_sample(struct writer *w, const struct stack *stack, uint64_t *rng)
{
	const uint64_t bits = next(rng);
	const uint64_t count = bits % 4 != 0 ? 1 : 1 + skewed(bits, 40);
	uint32_t ids[MAX_DEPTH];

	for (uint32_t i = 0; i < stack->depth; i++) {
		ids[i] = location_id(w, stack->site[stack->depth - 1 - i]);
	}
	for (uint32_t i = 0; i < stack->depth; i++) {
		add_varint(&w->inner, ids[i]);
	}
	add_block(&w->message, 1, &w->inner);
	add_varint(&w->inner, count);
	add_varint(&w->inner, count * PERIOD_NS);
	add_block(&w->message, 2, &w->inner);
	if (w->options->labels) {
		add_labels(w, rng);
	}
	if (w->options->runtime_order) {
		flush(w->out, &w->locations);
		flush(w->out, &w->functions);
	}
	add_block(&w->samples, FIELD_SAMPLE, &w->message);
	flush(w->out, &w->samples);
}

static void add_value_type(struct writer *w, uint32_t field, uint32_t type,
			   uint32_t unit)
{
	add_integer(&w->message, 1, type);
	add_integer(&w->message, 2, unit);
	add_block(&w->inner, field, &w->message);
	flush(w->out, &w->inner);
}

static void add_mapping(struct writer *w)
{
	add_integer(&w->message, 1, 1);
	add_integer(&w->message, 2, MAPPING_START);
	add_integer(&w->message, 3,
		    MAPPING_START + UINT64_C(64) * w->program->site_count);
	add_integer(&w->message, 5, STRING_BINARY);
	add_integer(&w->message, 6, STRING_BUILD_ID);
	add_integer(&w->message, 7, 1);
	add_block(&w->inner, FIELD_MAPPING, &w->message);
	flush(w->out, &w->inner);
}

static void writer_begin(struct writer *w, const char *path, uint64_t samples)
{
	const uint32_t functions = w->program->function_count;

	w->out = open_output(path, w->options->level);
	w->location_id = new_table(w->program->site_count);
	w->function_id = new_table(functions);
	w->file_string = new_table(functions / FUNCTIONS_A_FILE);
	w->trace_count = (uint32_t)(samples / TRACES_A_SAMPLE + 1);
	w->label_string = new_table(THREADS + ENDPOINTS + w->trace_count);
	for (uint32_t i = 0; i < STRING_FIRST_FREE; i++) {
		prof_buf_adds(&w->inner, fixed_strings[i]);
		add_string(w);
	}
	add_value_type(w, FIELD_SAMPLE_TYPE, STRING_SAMPLES, STRING_COUNT);
	add_value_type(w, FIELD_SAMPLE_TYPE, STRING_CPU, STRING_NANOSECONDS);
}

static void writer_end(struct writer *w, uint64_t number)
{
	add_mapping(w);
	flush(w->out, &w->locations);
	flush(w->out, &w->functions);
	if (!w->options->runtime_order) {
		flush(w->out, &w->strings);
	}
	add_integer(&w->inner, FIELD_TIME_NANOS,
		    UINT64_C(1767225600000000000) + number * UINT64_C(60000000000));
	add_integer(&w->inner, FIELD_DURATION_NANOS, UINT64_C(60000000000));
	flush(w->out, &w->inner);
	add_value_type(w, FIELD_PERIOD_TYPE, STRING_CPU, STRING_NANOSECONDS);
	add_integer(&w->inner, FIELD_PERIOD, PERIOD_NS);
	flush(w->out, &w->inner);
	flush(w->out, &w->strings);
	close_output(w->out);
}

static void writer_free(struct writer *w)
{
	prof_buf_free(&w->samples);
	prof_buf_free(&w->locations);
	prof_buf_free(&w->functions);
	prof_buf_free(&w->strings);
	prof_buf_free(&w->message);
	prof_buf_free(&w->inner);
	free(w->location_id);
	free(w->function_id);
	free(w->file_string);
	free(w->label_string);
}

/* ---- the three modes ---- */

static void make_pprof(const struct options *options)
{
	const uint64_t bytes = options->labels ? LABELLED_BYTES : SAMPLE_BYTES;
	const uint64_t samples = options->megabytes * 1000000 / bytes;
	struct program program = { 0 };
	struct stack stack = { 0 };
	struct writer w = { .program = &program, .options = options };
	uint64_t rng = hash(options->seed, 1);

	program_init(&program, options->seed, functions_for(samples));
	writer_begin(&w, options->out, samples);
	for (uint64_t i = 0; i < samples; i++) {
		walk(&program, &stack, pick_kept(&stack, &rng), &rng);
		add_sample(&w, &stack, &rng);
	}
	writer_end(&w, 0);
	fprintf(stderr, "gen: %llu samples, %u locations, %u functions, %u strings\n",
		(unsigned long long)samples, w.location_count, w.function_count,
		w.string_count);
	writer_free(&w);
	program_free(&program);
}

/* Stack `which` of the pool is a function of its number: nothing is kept. */
static void make_pooled(const struct program *program, struct stack *stack,
			uint32_t which)
{
	uint64_t rng = hash(program->seed ^ 3, which);

	walk(program, stack, 0, &rng);
}

static void make_member(const struct program *program, const struct options *options,
			uint32_t number)
{
	uint64_t rng = hash(options->seed, UINT64_C(1000) + number);
	const uint32_t samples = 1200 + even(next(&rng), 7200);
	bool *const used = calloc(FLEET_POOL, sizeof(*used));
	struct stack stack = { 0 };
	struct writer w = { .program = program, .options = options };
	char path[4096];

	if (used == NULL) {
		die("out of memory");
	}
	if (snprintf(path, sizeof(path), "%s/%04u.pb.gz", options->out, number) >=
	    (int)sizeof(path)) {
		die("path too long");
	}
	writer_begin(&w, path, samples);
	for (uint32_t i = 0; i < samples; i++) {
		const uint32_t which = skewed(next(&rng), FLEET_POOL);

		if (!used[which]) {
			used[which] = true;
			make_pooled(program, &stack, which);
			add_sample(&w, &stack, &rng);
		}
	}
	writer_end(&w, number);
	writer_free(&w);
	free(used);
}

static void make_fleet(const struct options *options)
{
	struct program program = { 0 };

	if (options->out == NULL) {
		die("a fleet needs a folder: -o DIR");
	}
	mkdir(options->out,
	      0777); /* there already: fine; other trouble shows on open */
	program_init(&program, options->seed, FLEET_FUNCTIONS);
	for (uint32_t i = 1; i <= options->files; i++) {
		make_member(&program, options, i);
	}
	program_free(&program);
}

static void make_folded(const struct options *options)
{
	const uint64_t size = options->megabytes * 1000000;
	struct program program = { 0 };
	struct stack stack = { 0 };
	struct prof_buf line = { 0 };
	uint64_t rng = hash(options->seed, 2);
	gzFile const out = open_output(options->out, options->level);

	program_init(&program, options->seed, functions_for(size / 600));
	for (uint64_t written = 0; written < size;) {
		walk(&program, &stack, pick_kept(&stack, &rng), &rng);
		for (uint32_t i = 0; i < stack.depth; i++) {
			if (i > 0) {
				prof_buf_addc(&line, ';');
			}
			add_short_name(&line, program.function_of[stack.site[i]]);
		}
		prof_buf_addf(&line, " %u\n", 1 + skewed(next(&rng), 200));
		written += line.len;
		flush(out, &line);
	}
	close_output(out);
	prof_buf_free(&line);
	program_free(&program);
}

/* ---- the command line ---- */

static const char usage[] =
	"usage: gen pprof|fleet|folded [-rl] [-s MB] [-n FILES] [-S SEED] [-z LEVEL] "
	"[-o OUT]\n"
	"  -s MB     size before compression (20)    -r  order of the Go runtime\n"
	"  -n FILES  profiles of a fleet (1000)      -l  with labels\n"
	"  -S SEED   other data of the same shape    -o  file, or folder of a fleet\n"
	"  -z LEVEL  of gzip, 0 = none (6; folded 0)\n";

static void usage_error(void)
{
	fputs(usage, stderr);
	exit(2);
}

static uint64_t parse_number(const char *text, uint64_t max)
{
	char *end;
	const unsigned long long value = strtoull(text, &end, 10);

	if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > max) {
		die("bad number '%s'", text);
	}
	return value;
}

static enum mode parse_mode(const char *text)
{
	static const char *const names[] = {
		[MODE_PPROF] = "pprof",
		[MODE_FLEET] = "fleet",
		[MODE_FOLDED] = "folded",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			return (enum mode)i;
		}
	}
	usage_error();
	return MODE_PPROF;
}

static void parse_options(struct options *options, int argc, char **argv)
{
	static const char *const levels[] = { "T", "1", "2", "3", "4",
					      "5", "6", "7", "8", "9" };
	int option;

	while ((option = getopt(argc, argv, "rls:n:S:z:o:")) != -1) {
		switch (option) {
		case 'r':
			options->runtime_order = true;
			break;
		case 'l':
			options->labels = true;
			break;
		case 's':
			options->megabytes = parse_number(optarg, 10000);
			break;
		case 'n':
			options->files = (uint32_t)parse_number(optarg, 1000000);
			break;
		case 'S':
			options->seed = parse_number(optarg, UINT64_MAX);
			break;
		case 'z':
			options->level = levels[parse_number(optarg, 9)];
			break;
		case 'o':
			options->out = optarg;
			break;
		default:
			usage_error();
		}
	}
}

int main(int argc, char **argv)
{
	struct options options = { .megabytes = 20, .seed = 1, .files = 1000 };

	if (argc < 2) {
		usage_error();
	}
	options.mode = parse_mode(argv[1]);
	options.level = options.mode == MODE_FOLDED ? "T" : "6";
	parse_options(&options, argc - 1, argv + 1);
	if (options.megabytes == 0 || argv[optind + 1] != NULL) {
		usage_error();
	}
	switch (options.mode) {
	case MODE_PPROF:
		make_pprof(&options);
		break;
	case MODE_FLEET:
		make_fleet(&options);
		break;
	case MODE_FOLDED:
		make_folded(&options);
		break;
	}
	return 0;
}
