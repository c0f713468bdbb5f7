/* SPDX-License-Identifier: MIT */
#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/command.h"
#include "cmd/diff.h"
#include "libprof/base/alloc.h"

enum { RUNS_MAX = 1 << 16 /* of a side */ };

/* The paths of a side while they are found. */
struct paths {
	const char **items;
	size_t count;
	size_t cap;
};

static bool add_path(struct diff_sides *sides, struct paths *paths, const char *path,
		     struct prof_error *err)
{
	char *copy = prof_arena_copy(&sides->memory, path, strlen(path));

	if (!copy || !prof_reserve((void **)&paths->items, &paths->cap,
				   paths->count + 1, sizeof(*paths->items))) {
		return prof_fail_nomem(err);
	}
	if (paths->count == RUNS_MAX) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than %d runs on a side",
				 RUNS_MAX);
	}
	if (strcmp(path, "-") == 0) {
		if (sides->stdin_used) {
			return prof_fail(err, PROF_ERR_UNSUPPORTED,
					 "standard input can be one run only");
		}
		sides->stdin_used = true;
	}
	paths->items[paths->count++] = copy;
	return true;
}

static bool is_folder(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A file, a folder of files or a pattern, whose matches are sorted by their bytes. */
static bool add_pattern(struct diff_sides *sides, struct paths *paths,
			const char *pattern, struct prof_error *err)
{
	struct prof_buf all = { 0 };
	glob_t found = { 0 };
	bool ok = true;
	int status = 0;

	prof_buf_addf(&all, is_folder(pattern) ? "%s/*" : "%s", pattern);
	prof_buf_addc(&all, '\0');
	status = all.failed ? GLOB_NOSPACE : glob(all.data, 0, NULL, &found);
	prof_buf_free(&all);
	if (status == GLOB_NOSPACE) {
		return prof_fail_nomem(err);
	}
	if (status != 0) {
		/* no match: a name as it is, or a mistake that opening it explains */
		return add_path(sides, paths, pattern, err);
	}
	for (size_t i = 0; i < found.gl_pathc && ok; i++) {
		ok = add_path(sides, paths, found.gl_pathv[i], err);
	}
	globfree(&found);
	return ok;
}

static bool add_patterns(struct diff_sides *sides, struct paths *paths,
			 const struct option_list *patterns, struct prof_error *err)
{
	for (size_t i = 0; i < patterns->count; i++) {
		if (!add_pattern(sides, paths, patterns->items[i], err)) {
			return false;
		}
	}
	return true;
}

static bool add_operands(struct diff_sides *sides, struct paths *paths, char **operands,
			 int count, struct prof_error *err)
{
	for (int i = 0; i < count; i++) {
		if (!add_path(sides, paths, operands[i], err)) {
			return false;
		}
	}
	return true;
}

static bool make_runs(struct diff_sides *sides, enum prof_side which,
		      const struct paths *paths, struct prof_error *err)
{
	struct diff_side *side = &sides->side[which];

	side->runs =
		prof_arena_array(&sides->memory, paths->count, sizeof(*side->runs));
	if (!side->runs) {
		return prof_fail_nomem(err);
	}
	for (size_t i = 0; i < paths->count; i++) {
		side->runs[i].path = paths->items[i];
	}
	side->count = (uint32_t)paths->count;
	return true;
}

/* Which operands belong to which side, once the command line makes sense. */
struct division {
	int before;
	int after;
};

/* When both sides are named by options, an operand is mostly what a shell expanded. */
static void divide_named(const struct command *self, const struct diff_options *diff,
			 int argc, int split, struct division *division)
{
	bool before = diff->before.count > 0;
	bool after = diff->after.count > 0;

	if (before && after && argc > 0) {
		usage_error(self, "--before and --after name all runs; quote their "
				  "patterns, so that the shell leaves them alone");
	}
	if (split > 0 && before) {
		usage_error(self, "what was before is named twice: by --before and by "
				  "operands before '--'");
	}
	division->before = after ? argc : 0;
	division->after = after ? 0 : argc;
	if (argc == 0 && !(before && after)) {
		usage_error(self, after ? "name what was before, too: --before PATTERN"
					: "name what is after, too: --after PATTERN");
	}
}

static struct division divide(const struct command *self,
			      const struct diff_options *diff, int argc, int split)
{
	struct division division = { 0 };

	if (diff->before.count > 0 || diff->after.count > 0) {
		divide_named(self, diff, argc, split, &division);
		return division;
	}
	if (split > 0) {
		division.before = split;
		division.after = argc - split;
		if (division.after == 0 && !diff->input.files_from) {
			usage_error(self, "name what is after, behind '--'");
		}
		return division;
	}
	if (argc > 2) {
		usage_error(self,
			    "which of the %d profiles were before? Put '--' "
			    "between them: BEFORE... -- AFTER...",
			    argc);
	}
	if (argc != 2) {
		usage_error(self,
			    "give two profiles, BEFORE and AFTER, or --base FILE");
	}
	return (struct division){ 1, 1 };
}

/* One base for all runs, one for each side, or one for each run. */
static void give_bases(const struct command *self, const struct diff_options *diff,
		       struct diff_sides *sides)
{
	const struct option_list *base = &diff->base;
	const struct diff_side *before = &sides->side[PROF_BEFORE];
	const struct diff_side *after = &sides->side[PROF_AFTER];
	size_t runs = (size_t)before->count + after->count;

	if (base->count == 0) {
		return;
	}
	if (base->count > 2 && base->count != runs) {
		usage_error(self,
			    "%zu bases for %zu runs: give one for all, one for each "
			    "side or one for each run",
			    base->count, runs);
	}
	for (size_t i = 0; i < runs; i++) {
		bool is_after = i >= before->count;
		size_t which = base->count == 1 ? 0 : is_after;

		which = base->count > 2 ? i : which;
		if (is_after) {
			after->runs[i - before->count].base = base->items[which];
		} else {
			before->runs[i].base = base->items[which];
		}
	}
}

/* --base alone: the operands, or standard input, are the same process later on. */
static bool choose_growth(const struct diff_options *diff, int argc, char **argv,
			  struct diff_sides *sides, struct prof_error *err)
{
	struct paths before = { 0 };
	struct paths after = { 0 };
	char standard_input[] = "-";
	char *nothing[] = { standard_input };
	bool none = argc == 0 && !diff->input.files_from;
	bool ok = true;

	sides->growth = true;
	for (size_t i = 0; i < diff->base.count && ok; i++) {
		ok = add_path(sides, &before, diff->base.items[i], err);
	}
	ok = ok &&
	     add_operands(sides, &after, none ? nothing : argv, none ? 1 : argc, err) &&
	     make_runs(sides, PROF_BEFORE, &before, err) &&
	     make_runs(sides, PROF_AFTER, &after, err);
	prof_free(before.items);
	prof_free(after.items);
	return ok;
}

static bool add_listed(const struct diff_options *diff, struct diff_sides *sides,
		       struct paths *after, struct prof_error *err)
{
	struct input_paths listed = { 0 };
	bool ok = true;

	if (!diff->input.files_from) {
		return true;
	}
	ok = input_paths(&diff->input, 0, NULL, &listed, err) &&
	     add_operands(sides, after, listed.items, listed.count, err);
	input_paths_free(&listed);
	return ok;
}

bool diff_sides_choose(const struct command *self, const struct diff_options *diff,
		       int argc, char **argv, int split, struct diff_sides *sides,
		       struct prof_error *err)
{
	struct paths found[PROF_SAME_CODE + 1] = { 0 };
	struct division division = { 0 };
	bool ok = true;

	if (diff->base.count > 0 && split <= 0 && diff->before.count == 0 &&
	    diff->after.count == 0) {
		return choose_growth(diff, argc, argv, sides, err);
	}
	division = divide(self, diff, argc, split);
	ok = add_patterns(sides, &found[PROF_BEFORE], &diff->before, err) &&
	     add_operands(sides, &found[PROF_BEFORE], argv, division.before, err) &&
	     add_patterns(sides, &found[PROF_AFTER], &diff->after, err) &&
	     add_operands(sides, &found[PROF_AFTER], argv + division.before,
			  division.after, err) &&
	     add_listed(diff, sides, &found[PROF_AFTER], err) &&
	     add_patterns(sides, &found[PROF_SAME_CODE], &diff->noise_from, err);
	for (int i = 0; i <= PROF_SAME_CODE; i++) {
		ok = ok && make_runs(sides, (enum prof_side)i, &found[i], err);
		prof_free(found[i].items);
	}
	if (ok) {
		give_bases(self, diff, sides);
	}
	return ok;
}

void diff_sides_free(struct diff_sides *sides)
{
	prof_arena_free(&sides->memory);
}

bool diff_not_comparable(const struct diff_sides *sides, struct prof_error *err)
{
	const struct diff_side *before = &sides->side[PROF_BEFORE];
	const struct diff_side *after = &sides->side[PROF_AFTER];
	struct prof_error plain = *err;

	if (plain.code == PROF_ERR_MISMATCH && before->count > 0 && after->count > 0) {
		prof_error_set(err, plain.code, "%s, %s: cannot compare: %s",
			       input_name(before->runs[0].path),
			       input_name(after->runs[0].path), plain.message);
	}
	return false;
}
