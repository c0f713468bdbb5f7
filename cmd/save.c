/* SPDX-License-Identifier: MIT */
#include "cmd/save.h"

#include <string.h>
#include <sys/stat.h>

#include "cmd/output.h"
#include "cmd/suggest.h"
#include "formats/format.h"
#include "formats/gzip.h"
#include "formats/zstd.h"

enum {
	GZIP_LEVEL_MAX = 9,
	ZSTD_LEVEL_MAX = 19,
};

enum compression {
	COMPRESS_AUTO,
	COMPRESS_NONE,
	COMPRESS_GZIP,
	COMPRESS_ZSTD,
};

static const char *const compressions[] = { "auto", "none", "gzip", "zstd", NULL };

static const struct option options[] = {
	{ 'o', "output", "FILE",
	  "write to FILE; its name chooses format and compression",
	  OPTION_TEXT(struct save_options, path) },
	{ 0, "to", "FORMAT", "write this format, whatever the name of the file",
	  OPTION_TEXT(struct save_options, format) },
	{ 0, "compress", "HOW", "compress the output; auto goes by the name",
	  OPTION_CHOICE(struct save_options, compress, compressions) },
	{ 0, "level", "N", "compression level: 1 is fast, 9 (zstd: 19) is small",
	  OPTION_INTEGER(struct save_options, level), .max = ZSTD_LEVEL_MAX },
	{ 0 },
};

const struct option_group save_option_group = { "output", options };

static bool ends_in(const char *path, const char *suffix)
{
	size_t len = strlen(path);
	size_t end = strlen(suffix);

	return len > end && strcmp(path + len - end, suffix) == 0;
}

/* The file name without .gz or .zst, which say how to compress what is left. */
static enum compression split_path(const char *path, char *stem, size_t size)
{
	enum compression found = COMPRESS_AUTO;
	size_t len = strlen(path);

	if (ends_in(path, ".gz")) {
		found = COMPRESS_GZIP;
		len -= 3;
	} else if (ends_in(path, ".zst")) {
		found = COMPRESS_ZSTD;
		len -= 4;
	}
	if (len >= size) {
		path += len - (size - 1);
		len = size - 1;
	}
	memcpy(stem, path, len);
	stem[len] = '\0';
	return found;
}

/* ".pb, .pprof, .prof, .folded": what the names of files may end in. */
static void list_endings(struct prof_buf *out)
{
	for (size_t i = 0; prof_formats[i]; i++) {
		const char *at = prof_formats[i]->extensions;

		while (prof_formats[i]->write && *at != '\0') {
			size_t len = strcspn(at, " ");

			prof_buf_adds(out, out->len > 0 ? ", ." : ".");
			prof_buf_add(out, at, len);
			at += len + strspn(at + len, " ");
		}
	}
}

static bool no_ending(const char *path, struct prof_error *err)
{
	struct prof_buf known = { .max = 1024 };

	list_endings(&known);
	prof_error_set(err, PROF_ERR_UNSUPPORTED,
		       "cannot tell the format from the name '%s': use --to, or one "
		       "of %.*s, and .gz or .zst behind it",
		       path, (int)known.len, known.data ? known.data : "");
	prof_buf_free(&known);
	return false;
}

static bool no_writer(const char *name, struct prof_error *err)
{
	struct suggest near = suggest_for(prof_text(name));
	struct prof_buf known = { .max = 1024 };
	struct prof_buf hint = { .max = 1024 };

	for (size_t i = 0; prof_formats[i]; i++) {
		if (prof_formats[i]->write) {
			suggest_add(&near, prof_text(prof_formats[i]->name));
			prof_buf_adds(&known, known.len > 0 ? ", " : "");
			prof_buf_adds(&known, prof_formats[i]->name);
		}
	}
	suggest_say(&near, "", &hint);
	prof_error_set(err, PROF_ERR_UNSUPPORTED,
		       "--to: cannot write the format '%s', only %.*s%.*s", name,
		       (int)known.len, known.data ? known.data : "", (int)hint.len,
		       hint.data ? hint.data : "");
	prof_buf_free(&hint);
	prof_buf_free(&known);
	return false;
}

/* Devices, pipes and what is no file at all have names that say nothing. */
static bool is_named_by_format(const char *path)
{
	struct stat info;

	return strncmp(path, "/dev/", 5) != 0 &&
	       (stat(path, &info) != 0 || S_ISREG(info.st_mode));
}

static bool choose(const struct save_options *save, const struct prof_format **format,
		   enum compression *compression, struct prof_error *err)
{
	bool to_file = save->path && strcmp(save->path, "-") != 0;
	enum compression by_name = COMPRESS_AUTO;
	char stem[4096] = "";

	*format = &prof_format_pprof;
	if (to_file) {
		by_name = split_path(save->path, stem, sizeof(stem));
	}
	if (save->format) {
		*format = prof_format_named(save->format);
		if (!*format || !(*format)->write) {
			return no_writer(save->format, err);
		}
	} else if (to_file && is_named_by_format(save->path)) {
		*format = prof_format_for_path(stem);
		if (!*format || !(*format)->write) {
			return no_ending(save->path, err);
		}
	}
	*compression = (enum compression)save->compress;
	if (*compression == COMPRESS_AUTO) {
		*compression = by_name;
	}
	if (*compression == COMPRESS_AUTO) {
		*compression = *format == &prof_format_pprof && !ends_in(stem, ".pb")
				       ? COMPRESS_GZIP
				       : COMPRESS_NONE;
	}
	if (*compression == COMPRESS_GZIP && save->level > GZIP_LEVEL_MAX) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--level: gzip has levels up to %d, zstd up to %d",
				 GZIP_LEVEL_MAX, ZSTD_LEVEL_MAX);
	}
	return true;
}

static bool compress_and_write(const struct save_options *save,
			       enum compression compression, struct prof_buf *plain,
			       bool binary, struct prof_error *err)
{
	struct prof_text data = { plain->data, plain->len };
	struct prof_buf packed = { 0 };
	bool ok = true;

	if (compression == COMPRESS_NONE) {
		return output_write(save->path, plain->data, plain->len, binary, err);
	}
	ok = compression == COMPRESS_GZIP
		     ? prof_gzip_write(data, (int)save->level, &packed, err)
		     : prof_zstd_write(data, (int)save->level, &packed, err);
	prof_buf_free(plain);
	ok = ok && output_write(save->path, packed.data, packed.len, true, err);
	prof_buf_free(&packed);
	return ok;
}

/* What has no place in the format, a notice for each line. */
static void say_loss(const struct prof_buf *loss)
{
	const char *line = loss->data;
	const char *end = line + loss->len;

	while (line < end) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		notice("%.*s", (int)(stop - line), line);
		line = stop + 1;
	}
}

bool save_profile(const struct save_options *save, const struct prof_profile *profile,
		  uint32_t column, struct prof_error *err)
{
	const struct prof_format *format = NULL;
	enum compression compression = COMPRESS_NONE;
	struct prof_buf plain = { 0 };
	struct prof_buf loss = { .max = 65536 };
	struct prof_write_options how = { .column = column, .loss = &loss };
	bool ok = false;

	if (!choose(save, &format, &compression, err)) {
		return false;
	}
	ok = format->write(profile, &how, &plain, err);
	if (ok && plain.failed) {
		ok = prof_fail_nomem(err);
	}
	ok = ok && compress_and_write(save, compression, &plain,
				      format == &prof_format_pprof, err);
	if (ok && loss.len > 0) {
		say_loss(&loss);
	}
	prof_buf_free(&loss);
	prof_buf_free(&plain);
	return ok;
}
