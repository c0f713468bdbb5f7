/* SPDX-License-Identifier: MIT */
#include "cmd/pprof_load.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "cmd/input.h"
#include "cmd/suggest.h"
#include "libprof/base/alloc.h"
#include "libprof/model/amend.h"
#include "libprof/model/compat.h"
#include "libprof/model/copy.h"
#include "libprof/model/merge.h"
#include "libprof/model/plainname.h"
#include "libprof/model/tagframes.h"
#include "libprof/report/value.h"

static const char base_label[] = "pprof::base";

/* --- sources ------------------------------------------------------------------------- */

/* Profiles that are being combined. */
struct sources {
	struct prof_profile **items;
	size_t cap;
	size_t count;
	const char *binary; /* NULL: none was named */
	const char *build_id;
};

static void sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++) {
		prof_profile_free(sources->items[i]);
	}
	prof_free(sources->items);
	*sources = (struct sources){ 0 };
}

/* Whether the file is a program: of Linux, macOS or Windows. */
static bool is_program(const char *path)
{
	static const unsigned char magics[][4] = {
		{ 0x7f, 'E', 'L', 'F' },    { 0xfe, 0xed, 0xfa, 0xce },
		{ 0xfe, 0xed, 0xfa, 0xcf }, { 0xce, 0xfa, 0xed, 0xfe },
		{ 0xcf, 0xfa, 0xed, 0xfe }, { 0xca, 0xfe, 0xba, 0xbe },
	};
	unsigned char head[4] = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool found = false;

	if (fd < 0) {
		return false;
	}
	if (read(fd, head, sizeof(head)) == (ssize_t)sizeof(head)) {
		found = head[0] == 'M' && head[1] == 'Z';
		for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
			found = found || memcmp(head, magics[i], sizeof(head)) == 0;
		}
	}
	close(fd);
	return found;
}

/* What the command line says of the main binary. */
static bool name_binary(const struct sources *sources, struct prof_profile *profile,
			struct prof_error *err)
{
	struct prof_mapping *mapping = profile->mappings;

	if (sources->binary && !prof_amend_string(profile, prof_text(sources->binary),
						  &mapping->file, err)) {
		return false;
	}
	if (sources->build_id && *sources->build_id && mapping->build_id == 0) {
		return prof_amend_string(profile, prof_text(sources->build_id),
					 &mapping->build_id, err);
	}
	return true;
}

static bool read_source(struct sources *sources, const char *path,
			struct prof_error *err)
{
	const struct input_options plain = { 0 };
	struct prof_profile *profile = NULL;

	if (!input_one(&plain, path, &profile, err)) {
		return false;
	}
	if (!prof_amend_mapping(profile, err) || !name_binary(sources, profile, err)) {
		prof_profile_free(profile);
		return false;
	}
	if (!prof_reserve((void **)&sources->items, &sources->cap, sources->count + 1,
			  sizeof(*sources->items))) {
		prof_profile_free(profile);
		return prof_fail_nomem(err);
	}
	sources->items[sources->count++] = profile;
	return true;
}

/* Replace all by one. */
static bool combine(struct sources *sources, struct prof_error *err)
{
	struct prof_profile *merged = NULL;

	if (!prof_compat_types(sources->items, sources->count, err) ||
	    !prof_compat_units(sources->items, sources->count, err)) {
		return false;
	}
	if (sources->count == 1) {
		return true;
	}
	if (!prof_merge(sources->items, sources->count, PROF_BUILD_FIRST_USE, &merged,
			err)) {
		return false;
	}
	for (size_t i = 0; i < sources->count; i++) {
		prof_profile_free(sources->items[i]);
	}
	sources->items[0] = merged;
	sources->count = 1;
	return true;
}

static bool read_sources(struct sources *sources, int count, char **paths,
			 struct prof_error *err)
{
	int failed = 0;

	for (int i = 0; i < count; i++) {
		if (read_source(sources, paths[i], err)) {
			continue;
		}
		if (err->code == PROF_ERR_NOMEM || count == 1) {
			return false;
		}
		notice("%s", err->message);
		failed++;
	}
	if (sources->count == 0) {
		return prof_fail(err, PROF_ERR_IO,
				 "failed to fetch any source profiles");
	}
	if (failed > 0) {
		notice("fetched %d source profiles out of %d", count - failed, count);
	}
	return combine(sources, err);
}

/* --- the base ------------------------------------------------------------------------ */

static bool negate(struct prof_profile *profile, struct prof_error *err)
{
	double *ratios = prof_alloc_array(profile->type_count, sizeof(*ratios));
	bool ok = true;

	if (!ratios) {
		return prof_fail_nomem(err);
	}
	for (uint32_t c = 0; c < profile->type_count; c++) {
		ratios[c] = -1;
	}
	ok = prof_amend_scale(profile, ratios, err);
	prof_free(ratios);
	return ok;
}

/* Subtract the base from the one profile there is. */
static bool subtract(struct sources *sources, const struct pprof_options *options,
		     struct prof_error *err)
{
	bool diff = options->diff_base && *options->diff_base;
	const char *path = diff ? options->diff_base : options->base;
	struct prof_profile *base = NULL;

	if (!path || !*path) {
		return true;
	}
	if (!read_source(sources, path, err)) {
		return false;
	}
	base = sources->items[1];
	if (diff &&
	    !prof_amend_label(base, prof_text(base_label), prof_text("true"), err)) {
		return false;
	}
	if (options->normalize &&
	    !prof_compat_normalize(sources->items[0], base, err)) {
		return false;
	}
	return negate(base, err) && combine(sources, err);
}

/* --- the profile --------------------------------------------------------------------- */

static bool is_scheme(char c)
{
	return isalnum((unsigned char)c) || c == '+' || c == '-' || c == '.';
}

/* Whether a name is "scheme:...": profiles fetched from servers have such mappings. */
static bool is_url(struct prof_text name)
{
	size_t at = 0;

	while (at < name.len && is_scheme(name.data[at])) {
		at++;
	}
	return at > 0 && at < name.len && name.data[at] == ':' &&
	       isalpha((unsigned char)name.data[0]);
}

static void forget_urls(struct prof_profile *profile)
{
	for (uint32_t i = 0; i < profile->mapping_count; i++) {
		struct prof_mapping *mapping = &profile->mappings[i];

		if (mapping->build_id == 0 &&
		    is_url(prof_string(profile, mapping->file))) {
			mapping->file = 0;
		}
	}
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return len == strlen(word) && strncasecmp(text, word, len) == 0;
}

/*
 * What pprof does to names after it has looked for symbols, which we do not: -symbolize
 * has words separated by ':'.
 */
static bool shorten_names(const char *how, struct prof_profile *profile,
			  struct prof_error *err)
{
	struct prof_plain_names plain = { .params = true, .templates = true };
	bool keep = false;

	while (how && *how) {
		size_t len = strcspn(how, ":");

		if (is_word(how, len, "none") || is_word(how, len, "no")) {
			return true;
		}
		if (len > 9 && strncasecmp(how, "demangle=", 9) == 0) {
			keep = is_word(how, len, "demangle=none");
			plain.again = true;
			plain.params = !is_word(how, len, "demangle=full");
			plain.templates = plain.params &&
					  !is_word(how, len, "demangle=templates");
		}
		plain.again = plain.again || is_word(how, len, "force");
		how += len + (how[len] == ':');
	}
	return keep || prof_plain_names(profile, &plain, err);
}

static bool finish(struct sources *sources, const struct pprof_options *options,
		   struct prof_error *err)
{
	struct prof_profile **profile = &sources->items[0];
	const char *comment = options->add_comment;

	if (options->all_frames) {
		(*profile)->header.drop_frames = 0;
		(*profile)->header.keep_frames = 0;
	}
	if (!shorten_names(options->symbolize, *profile, err) ||
	    !filter_own_frames(profile, err)) {
		return false;
	}
	forget_urls(*profile);
	return !comment || !*comment ||
	       prof_amend_comment(*profile, prof_text(comment), err);
}

bool pprof_load(const struct pprof_options *options, int count, char **operands,
		struct prof_profile **out, struct prof_error *err)
{
	struct sources sources = { .build_id = options->buildid };
	bool ok = true;

	if (count == 0) {
		return prof_fail(err, PROF_ERR_IO, "no profile source specified");
	}
	if (count > 1 && is_program(operands[0])) {
		sources.binary = operands[0];
		operands++;
		count--;
	}
	ok = read_sources(&sources, count, operands, err) &&
	     subtract(&sources, options, err) && finish(&sources, options, err);
	if (ok) {
		*out = sources.items[0];
		sources.count = 0;
	}
	sources_free(&sources);
	return ok;
}

/* --- the view ------------------------------------------------------------------------ */

static bool unknown_column(const struct prof_profile *profile, const char *name,
			   struct prof_error *err)
{
	struct suggest near = suggest_for(prof_text(name));
	struct prof_buf hint = { .max = 1024 };
	struct prof_buf types = { .max = 1024 };

	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text type = prof_string(profile, profile->types[c].type);

		suggest_add(&near, type);
		prof_buf_addc(&types, ' ');
		prof_buf_add(&types, type.data, type.len);
	}
	suggest_say(&near, "", &hint);
	prof_error_set(err, PROF_ERR_UNSUPPORTED,
		       "sample_index '%s' must be one of:%.*s%.*s", name,
		       (int)types.len, types.data ? types.data : "", (int)hint.len,
		       hint.data ? hint.data : "");
	prof_buf_free(&hint);
	prof_buf_free(&types);
	return false;
}

static bool find_type(const struct prof_profile *profile, const char *name,
		      uint32_t *column)
{
	const char *plain = strncmp(name, "inuse_", 6) == 0 ? name + 6 : name;

	for (uint32_t c = 0; c < profile->type_count; c++) {
		struct prof_text type = prof_string(profile, profile->types[c].type);

		if (prof_text_equal(type, prof_text(name)) ||
		    prof_text_equal(type, prof_text(plain))) {
			*column = c;
			return true;
		}
	}
	return false;
}

static bool choose_column(const struct prof_profile *profile, const char *name,
			  uint32_t *column, struct prof_error *err)
{
	char *end = NULL;
	long long number = strtoll(name, &end, 10);

	if (profile->type_count == 0) {
		return prof_fail(err, PROF_ERR_SYNTAX, "profile has no samples");
	}
	if (!*name) {
		*column = prof_default_column(profile);
		return true;
	}
	if (*end == '\0' && !isspace((unsigned char)*name)) {
		if (number < 0 || number >= profile->type_count) {
			return prof_fail(err, PROF_ERR_UNSUPPORTED,
					 "sample_index %s is outside the range "
					 "[0..%" PRIu32 "]",
					 name, profile->type_count - 1);
		}
		*column = (uint32_t)number;
		return true;
	}
	return find_type(profile, name, column) || unknown_column(profile, name, err);
}

static struct prof_text text_or_none(const char *text)
{
	return prof_text(text ? text : "");
}

static bool add_tag_frames(const struct pprof_options *options,
			   struct prof_profile **profile, struct prof_error *err)
{
	struct prof_tag_frames wanted = {
		.root_keys = text_or_none(options->tagroot),
		.leaf_keys = text_or_none(options->tagleaf),
		.unit = prof_text(options->unit),
	};
	struct prof_profile *copy = NULL;
	bool rooted = false;
	bool leafed = false;

	if (wanted.root_keys.len == 0 && wanted.leaf_keys.len == 0) {
		return true;
	}
	if (!prof_tag_frames_add(*profile, &wanted, &rooted, &leafed, err) ||
	    !prof_profile_copy_all(*profile, NULL, &copy, err)) {
		return false;
	}
	prof_profile_free(*profile);
	*profile = copy;
	if (wanted.root_keys.len > 0 && !rooted) {
		notice("-tagroot matched no samples");
	}
	if (wanted.leaf_keys.len > 0 && !leafed) {
		notice("-tagleaf matched no samples");
	}
	return true;
}

static bool filter(const struct pprof_options *options, struct prof_profile **profile,
		   struct prof_error *err)
{
	/* units are known by string ids, and -raw shows what no sample uses */
	const struct prof_filter keep = { .keep_unused = true };
	struct prof_filter_report report;

	if (!filter_options_set(&options->filter)) {
		return true;
	}
	if (!filter_profile_report(&options->filter, &keep, profile, &report, err)) {
		return false;
	}
	prof_filter_report_free(&report);
	return true;
}

static bool prepare(struct pprof_view *view, const struct pprof_options *options,
		    struct prof_error *err)
{
	bool first = options->relative_percentages;

	return add_tag_frames(options, &view->profile, err) &&
	       prof_tag_units_init(&view->units, view->profile, err) &&
	       choose_column(view->profile, options->sample_index, &view->column,
			     err) &&
	       (!first || filter(options, &view->profile, err)) &&
	       prof_value_total(view->profile, view->column, options->mean,
				&view->total, err) &&
	       (first || filter(options, &view->profile, err));
}

bool pprof_view_init(struct pprof_view *view, const struct pprof_options *options,
		     struct prof_profile *profile, struct prof_error *err)
{
	struct pprof_view made = { .profile = profile };

	if (!prepare(&made, options, err)) {
		pprof_view_free(&made);
		return false;
	}
	*view = made;
	return true;
}

void pprof_view_free(struct pprof_view *view)
{
	prof_profile_free(view->profile);
	prof_tag_units_free(&view->units);
	*view = (struct pprof_view){ 0 };
}
