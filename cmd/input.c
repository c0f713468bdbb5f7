/* SPDX-License-Identifier: MIT */
#include "cmd/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/input_file.h"
#include "cmd/suggest.h"
#include "formats/format.h"
#include "formats/open.h"
#include "libprof/base/alloc.h"

static const struct option options[] = {
	{ 0, "max-input", "SIZE", "refuse more decompressed bytes than this (8GiB)",
	  OPTION_SIZE(struct input_options, max_input) },
	{ 0, "from", "FORMAT", "read the input as this, do not detect it",
	  OPTION_TEXT(struct input_options, format) },
	{ 0, "files-from", "FILE", "read the names of inputs from FILE, a line each",
	  OPTION_TEXT(struct input_options, files_from) },
	{ 0 },
};

const struct option_group input_option_group = { "input", options };

/* What a file is read into, in one go: a sink, and who is asking. */
struct reading {
	const struct input_options *options;
	const char *path;
	struct prof_sink *sink;
	struct input_description *description; /* may be NULL */
};

const char *input_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

void input_blame(struct prof_error *err, const char *path)
{
	struct prof_error plain = *err;
	const char *name = input_name(path);

	if (plain.line > 0) {
		prof_error_set(err, plain.code, "%s:%" PRIu32 ": %s", name, plain.line,
			       plain.message);
	} else if (plain.located) {
		prof_error_set(err, plain.code, "%s: at byte %" PRIu64 ": %s", name,
			       plain.offset, plain.message);
	} else {
		prof_error_set(err, plain.code, "%s: %s", name, plain.message);
	}
}

static bool wanted_format(const char *name, const struct prof_format **out,
			  struct prof_error *err)
{
	struct suggest near = suggest_for(prof_text(name ? name : ""));
	struct prof_buf hint = { 0 };
	bool ok = true;

	*out = name ? prof_format_named(name) : NULL;
	if (name && (!*out || !(*out)->read)) {
		for (size_t i = 0; prof_formats[i]; i++) {
			if (prof_formats[i]->read) {
				suggest_add(&near, prof_text(prof_formats[i]->name));
			}
		}
		suggest_say(&near, "", &hint);
		ok = prof_fail(err, PROF_ERR_UNSUPPORTED,
			       "--from: cannot read the format '%s', see "
			       "'fgtool formats'%.*s",
			       name, (int)hint.len, hint.data ? hint.data : "");
		prof_buf_free(&hint);
	}
	return ok;
}

static void describe(struct reading *reading, const struct prof_stream *stream,
		     uint64_t file_bytes)
{
	struct input_description *to = reading->description;

	if (to) {
		to->format = prof_stream_format(stream)->name;
		snprintf(to->compression, sizeof(to->compression), "%s",
			 prof_stream_compression(stream));
		to->file_bytes = file_bytes;
		to->bytes = prof_stream_bytes(stream);
	}
}

static bool read_stream(struct reading *reading, struct prof_source *source,
			struct prof_error *err)
{
	struct prof_limits limits = { .max_input = reading->options->max_input };
	const struct prof_format *format = NULL;
	struct prof_stream *stream = NULL;
	bool ok = false;

	if (!wanted_format(reading->options->format, &format, err)) {
		return false;
	}
	if (!prof_stream_open(source, &limits, format, &stream, err)) {
		input_blame(err, reading->path);
		return false;
	}
	ok = prof_stream_read(stream, reading->sink, err);
	if (!ok && err->code != PROF_ERR_AGAIN && err->code != PROF_ERR_MISMATCH) {
		input_blame(err, reading->path);
	}
	if (ok && prof_stream_trailing(stream) > 0) {
		notice("%s: ignored %" PRIu64 " bytes after the last gzip member",
		       input_name(reading->path), prof_stream_trailing(stream));
	}
	if (ok) {
		describe(reading, stream, source->size_hint);
	}
	prof_stream_free(stream);
	return ok;
}

static bool read_file(struct reading *reading, struct prof_error *err)
{
	struct prof_source *source = NULL;
	uint64_t size = 0;
	int fd = input_file_open(reading->path, &size, err);
	bool ok = false;

	if (fd < 0) {
		return false;
	}
	source = prof_source_file(fd, size);
	ok = source ? read_stream(reading, source, err) : prof_fail_nomem(err);
	prof_source_free(source);
	input_file_close(fd);
	return ok;
}

static bool finish(struct prof_builder *builder, const char *path,
		   struct prof_profile **out, struct prof_error *err)
{
	struct prof_profile *profile = NULL;

	if (!prof_builder_finish(builder, &profile, err)) {
		input_blame(err, path);
		return false;
	}
	if (!prof_profile_validate(profile, err)) {
		input_blame(err, path);
		prof_profile_free(profile);
		return false;
	}
	*out = profile;
	return true;
}

bool input_described(const struct input_options *opts, const char *path,
		     struct prof_profile **out, struct input_description *description,
		     struct prof_error *err)
{
	struct prof_builder *builder = prof_builder_new(PROF_BUILD_AS_IS);
	struct reading reading = { .options = opts, .path = path };
	bool ok = false;

	if (!builder) {
		return prof_fail_nomem(err);
	}
	reading.sink = prof_builder_sink(builder);
	reading.description = description;
	ok = read_file(&reading, err);
	if (!ok && err->code == PROF_ERR_MISMATCH) {
		input_blame(err, path);
	}
	if (ok && description) {
		description->profiles = prof_builder_inputs(builder);
	}
	ok = ok && finish(builder, path, out, err);
	prof_builder_free(builder);
	return ok;
}

bool input_one(const struct input_options *opts, const char *path,
	       struct prof_profile **out, struct prof_error *err)
{
	return input_described(opts, path, out, NULL, err);
}

/* Read paths[first], paths[first + step] ... into the builder, in this order. */
static bool read_in_turn(const struct input_options *opts,
			 const struct input_paths *paths, struct prof_builder *builder,
			 struct prof_error *err)
{
	const char *typed = NULL; /* the input that set the sample types */

	for (int i = 0; i < paths->count; i++) {
		struct reading reading = {
			.options = opts,
			.path = paths->items[i],
			.sink = prof_builder_sink(builder),
		};

		if (!read_file(&reading, err)) {
			if (err->code == PROF_ERR_MISMATCH) {
				struct prof_error plain = *err;

				prof_error_set(
					err, plain.code, "%s, %s: cannot merge: %s",
					input_name(typed ? typed : paths->items[i]),
					input_name(paths->items[i]), plain.message);
			}
			return false;
		}
		if (!typed && prof_builder_typed(builder)) {
			typed = paths->items[i];
		}
	}
	return true;
}

/* What no single input is to blame for. */
static bool cannot_merge(struct prof_error *err)
{
	struct prof_error plain = *err;

	if (plain.code == PROF_ERR_LIMIT) {
		prof_error_set(err, plain.code, "cannot merge: %s", plain.message);
	}
	return false;
}

static bool merge_in_turn(const struct input_options *opts,
			  const struct input_paths *paths, enum prof_build how,
			  struct prof_profile **out, struct prof_error *err)
{
	struct prof_builder *builder = prof_builder_new(how);
	bool ok = false;

	if (!builder) {
		return prof_fail_nomem(err);
	}
	ok = read_in_turn(opts, paths, builder, err);
	if (ok && paths->count > 1) {
		ok = prof_builder_finish(builder, out, err) || cannot_merge(err);
	} else if (ok) {
		ok = finish(builder, paths->items[0], out, err);
	}
	prof_builder_free(builder);
	return ok;
}

bool input_read_into(const struct input_options *opts, const char *path,
		     struct prof_sink *sink, struct prof_error *err)
{
	struct reading reading = { .options = opts, .path = path, .sink = sink };

	return read_file(&reading, err);
}

static bool merge_paths(const struct input_options *opts,
			const struct input_paths *paths, enum prof_build how,
			struct prof_profile **out, struct prof_error *err)
{
	/*
	 * Two threads say which file is bad only as chance has it: when they fail,
	 * reading in turn finds the first one.
	 */
	if (how == PROF_BUILD_CANONICAL && paths->count >= 4 &&
	    input_regular(paths->count, paths->items) &&
	    input_merge_threads(opts, paths, out, err)) {
		return true;
	}
	return merge_in_turn(opts, paths, how, out, err);
}

bool input_merged(const struct input_options *opts, int count, char **operands,
		  enum prof_build how, struct prof_profile **out,
		  struct prof_error *err)
{
	struct input_paths paths = { 0 };
	bool ok = input_paths(opts, count, operands, &paths, err) &&
		  merge_paths(opts, &paths, how, out, err);

	input_paths_free(&paths);
	return ok;
}

bool input_profile(const struct input_options *opts, int count, char **operands,
		   struct prof_profile **out, struct prof_error *err)
{
	struct input_paths paths = { 0 };
	bool ok = input_paths(opts, count, operands, &paths, err);

	if (ok && paths.count == 1) {
		ok = input_one(opts, paths.items[0], out, err);
	} else if (ok) {
		ok = merge_paths(opts, &paths, PROF_BUILD_CANONICAL, out, err);
	}
	input_paths_free(&paths);
	return ok;
}

bool input_stream(const struct input_options *opts, int count, char **operands,
		  struct prof_sink *sink, struct prof_error *err)
{
	struct input_paths paths = { 0 };
	bool ok = input_paths(opts, count, operands, &paths, err);

	for (int i = 0; ok && i < paths.count; i++) {
		ok = input_read_into(opts, paths.items[i], sink, err);
		if (!ok && err->code == PROF_ERR_MISMATCH && i > 0) {
			struct prof_error plain = *err;

			prof_error_set(err, plain.code, "%s, %s: cannot add up: %s",
				       input_name(paths.items[0]),
				       input_name(paths.items[i]), plain.message);
		}
	}
	input_paths_free(&paths);
	return ok;
}

static void list_types(const struct prof_profile *profile, struct prof_buf *out)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text type = prof_string(profile, profile->types[c].type);

		prof_buf_adds(out, c > 0 ? ", " : "");
		prof_buf_add(out, type.data, type.len);
	}
}

bool input_column(const struct prof_profile *profile, const char *name,
		  uint32_t *column, struct prof_error *err)
{
	struct suggest near = suggest_for(prof_text(name ? name : ""));
	struct prof_buf types = { .max = 1024 };
	struct prof_buf hint = { .max = 1024 };

	if (!name) {
		*column = prof_default_column(profile);
		return true;
	}
	if (prof_find_column(profile, prof_text(name), column)) {
		return true;
	}
	for (uint32_t c = 0; c < profile->type_count; c++) {
		suggest_add(&near, prof_string(profile, profile->types[c].type));
	}
	suggest_say(&near, "", &hint);
	list_types(profile, &types);
	prof_error_set(err, PROF_ERR_UNSUPPORTED,
		       "no sample type '%s'%.*s; the profile has: %.*s", name,
		       (int)hint.len, hint.data ? hint.data : "",
		       types.data ? (int)types.len : 4,
		       types.data ? types.data : "none");
	prof_buf_free(&types);
	prof_buf_free(&hint);
	return false;
}
