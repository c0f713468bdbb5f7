/* SPDX-License-Identifier: MIT */
/* Runs to comparisons: of everything, and of the samples with one value of a label. */
#include <math.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/diff.h"
#include "cmd/pattern.h"
#include "libprof/base/alloc.h"
#include "libprof/model/copy.h"

enum {
	TYPES_SHOWN = 160, /* bytes of a list of types in a message */
};

static const char reference_prefix[] = "ref:";
static const char factor_prefix[] = "factor:";

/* What the engine borrows while it compares. */
struct setup {
	struct prof_compare_options options;
	struct pattern *patterns; /* one for each group */
	struct prof_rename *renames;
};

struct job {
	const struct diff_options *diff;
	struct diff_sides *sides;
	struct diff_result *result;
	struct setup setup;
	struct prof_text type; /* "cpu/nanoseconds": of the first run */
	bool keep;             /* profiles stay, for the parts */
	struct prof_profile **profiles[PROF_SAME_CODE + 1];
};

/* The run less its base, in its place. */
static bool take_base(const struct diff_options *diff, const struct diff_run *run,
		      struct prof_profile **profile, struct prof_error *err)
{
	struct prof_profile *base = NULL;
	struct prof_profile *rest = NULL;
	bool ok = input_one(&diff->input, run->base, &base, err);

	if (ok) {
		ok = diff_subtract(base, *profile, 1, &rest, err);
		if (!ok && err->code == PROF_ERR_MISMATCH) {
			struct prof_error plain = *err;

			prof_error_set(err, plain.code, "%s, %s: cannot subtract: %s",
				       input_name(run->base), input_name(run->path),
				       plain.message);
		}
	}
	prof_profile_free(base);
	if (ok) {
		prof_profile_free(*profile);
		*profile = rest;
	}
	return ok;
}

bool diff_run_prepare(const struct diff_options *diff, const struct diff_run *run,
		      struct prof_profile **profile, struct prof_error *err)
{
	return (!run->base || take_base(diff, run, profile, err)) &&
	       filter_profile(&diff->filter, profile, err);
}

bool diff_run_load(const struct diff_options *diff, const struct diff_run *run,
		   struct prof_profile **out, struct prof_error *err)
{
	struct prof_profile *profile = NULL;

	if (!input_one(&diff->input, run->path, &profile, err)) {
		return false;
	}
	if (!diff_run_prepare(diff, run, &profile, err)) {
		prof_profile_free(profile);
		return false;
	}
	*out = profile;
	return true;
}

/* options of the engine */

static bool starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool read_factor(const char *text, double *factor, struct prof_error *err)
{
	if (!option_parse_number(text, factor, err) || !isfinite(*factor) ||
	    *factor <= 0) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "--normalize: '%s' is no factor above 0", text);
	}
	return true;
}

static bool choose_normalize(const struct diff_options *diff,
			     struct prof_compare_options *options,
			     struct prof_error *err)
{
	static const char *const words[] = {
		[PROF_NORMALIZE_NONE] = "none",
		[PROF_NORMALIZE_TOTAL] = "total",
		[PROF_NORMALIZE_DURATION] = "duration",
		[PROF_NORMALIZE_STABLE] = "stable",
	};
	const char *how = diff->normalize;

	if (diff->per && how) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--per and --normalize exclude each other");
	}
	options->normalize = diff->per ? PROF_NORMALIZE_WORK : PROF_NORMALIZE_STABLE;
	if (!how) {
		return true;
	}
	if (starts(how, factor_prefix)) {
		options->normalize = PROF_NORMALIZE_FACTOR;
		return read_factor(how + strlen(factor_prefix), &options->factor, err);
	}
	if (starts(how, reference_prefix) && how[strlen(reference_prefix)]) {
		options->normalize = PROF_NORMALIZE_REFERENCE;
		return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(how, words[i]) == 0) {
			options->normalize = (enum prof_normalize)i;
			return true;
		}
	}
	return prof_fail(err, PROF_ERR_UNSUPPORTED,
			 "--normalize: '%s' is none of none, total, duration, stable, "
			 "ref:RE, factor:F",
			 how);
}

static bool in_group(void *context, uint32_t group, struct prof_text name)
{
	struct pattern *patterns = context;

	return pattern_match(&patterns[group], name.data, name.len);
}

static bool compile_group(struct setup *setup, struct prof_text regex, const char *what,
			  struct prof_error *err)
{
	struct prof_error why = { 0 };
	struct prof_buf text = { 0 };
	bool ok = true;

	if (setup->options.group_count == PROF_COMPARE_GROUPS) {
		return prof_fail(err, PROF_ERR_LIMIT, "%s: more than %d names", what,
				 PROF_COMPARE_GROUPS);
	}
	prof_buf_add(&text, regex.data, regex.len);
	prof_buf_addc(&text, '\0');
	if (text.failed) {
		ok = prof_fail_nomem(err);
	} else if (!pattern_init(&setup->patterns[setup->options.group_count],
				 text.data, &why)) {
		ok = prof_fail(err, why.code, "%s: %s", what, why.message);
	} else {
		setup->options.group_count++;
	}
	prof_buf_free(&text);
	return ok;
}

/* A group for each name of a gate, and one for the reference. */
static bool compile_groups(struct job *job, struct prof_error *err)
{
	struct prof_compare_options *options = &job->setup.options;
	struct diff_result *result = job->result;

	job->setup.patterns = prof_alloc_array((size_t)result->gate_count + 1,
					       sizeof(*job->setup.patterns));
	if (!job->setup.patterns) {
		return prof_fail_nomem(err);
	}
	options->in_group = in_group;
	options->context = job->setup.patterns;
	for (uint32_t i = 0; i < result->gate_count; i++) {
		struct diff_gate_result *gate = &result->gates[i];

		gate->group = PROF_NONE;
		if (gate->gate.pattern.len > 0) {
			gate->group = options->group_count;
			if (!compile_group(&job->setup, gate->gate.pattern, "--gate",
					   err)) {
				return false;
			}
		}
	}
	if (options->normalize != PROF_NORMALIZE_REFERENCE) {
		return true;
	}
	options->reference = options->group_count;
	return compile_group(&job->setup,
			     prof_text(job->diff->normalize + strlen(reference_prefix)),
			     "--normalize", err);
}

static bool read_renames(struct job *job, struct prof_error *err)
{
	const struct option_list *list = &job->diff->renames;

	job->setup.renames = prof_alloc_array(list->count, sizeof(*job->setup.renames));
	if (!job->setup.renames) {
		return prof_fail_nomem(err);
	}
	for (size_t i = 0; i < list->count; i++) {
		const char *text = list->items[i];
		const char *equal = strchr(text, '=');

		if (!equal || equal == text || !equal[1]) {
			return prof_fail(err, PROF_ERR_SYNTAX,
					 "--rename: '%s' is not OLD=NEW", text);
		}
		job->setup.renames[i].from =
			(struct prof_text){ text, (size_t)(equal - text) };
		job->setup.renames[i].to = prof_text(equal + 1);
	}
	job->setup.options.renames = job->setup.renames;
	job->setup.options.rename_count = (uint32_t)list->count;
	return true;
}

static bool check_numbers(const struct diff_options *diff, struct prof_error *err)
{
	if (!(diff->alpha > 0 && diff->alpha < 0.5)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--alpha: %g is not between 0 and 0.5", diff->alpha);
	}
	if (!(diff->equiv > 0 && diff->equiv <= 1)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--equiv: %g is not between 0 and 100%%", diff->equiv);
	}
	if (!(diff->run_noise >= 0 && diff->run_noise <= 1)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--run-noise: %g is not between 0 and 100%%",
				 diff->run_noise);
	}
	if (!(diff->period >= 0) || !isfinite(diff->period)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED, "--period: %g is no period",
				 diff->period);
	}
	return true;
}

static bool set_up(struct job *job, struct prof_error *err)
{
	const struct diff_options *diff = job->diff;
	struct prof_compare_options *options = &job->setup.options;

	*options = prof_compare_defaults();
	options->paired = diff->paired;
	options->alpha = diff->alpha;
	options->equivalence = diff->equiv;
	options->run_noise = diff->run_noise;
	options->no_fdr = diff->no_fdr;
	options->keep_names = diff->fold_names != 0;
	options->accept_renames = diff->accept_renames;
	return check_numbers(diff, err) &&
	       report_key(&diff->report, &options->key, err) &&
	       choose_normalize(diff, options, err) && read_renames(job, err) &&
	       compile_groups(job, err);
}

/* runs into the engine */

static void add_type(struct prof_buf *out, const struct prof_profile *profile,
		     uint32_t column)
{
	struct prof_text type = prof_string(profile, profile->types[column].type);
	struct prof_text unit = prof_string(profile, profile->types[column].unit);

	prof_buf_add(out, type.data, type.len);
	prof_buf_addc(out, '/');
	prof_buf_add(out, unit.data, unit.len);
}

static bool no_column(const struct prof_profile *profile, struct prof_text type,
		      struct prof_error *err)
{
	struct prof_buf types = { .max = TYPES_SHOWN };

	for (uint32_t c = 0; c < profile->type_count; c++) {
		prof_buf_adds(&types, c > 0 ? ", " : "");
		add_type(&types, profile, c);
	}
	prof_error_set(err, PROF_ERR_MISMATCH, "it has no sample type %.*s, but (%.*s)",
		       (int)type.len, type.data, (int)types.len,
		       types.data ? types.data : "");
	prof_buf_free(&types);
	return false;
}

/* All runs are compared by the type of the first, wherever their column is. */
static bool choose_column(struct job *job, const struct prof_profile *profile,
			  uint32_t *column, struct prof_error *err)
{
	struct prof_buf name = { 0 };
	char *copy = NULL;

	if (job->type.data) {
		return prof_find_column(profile, job->type, column) ||
		       no_column(profile, job->type, err);
	}
	if (profile->type_count == 0) {
		return prof_fail(err, PROF_ERR_MISMATCH, "it is empty");
	}
	if (!input_column(profile, job->diff->report.sample_type, column, err)) {
		return false;
	}
	add_type(&name, profile, *column);
	copy = name.failed ? NULL
			   : prof_arena_copy(&job->result->memory, name.data, name.len);
	job->type = (struct prof_text){ copy, name.len };
	prof_buf_free(&name);
	return copy || prof_fail_nomem(err);
}

static bool describe_run(const struct job *job, const struct prof_profile *profile,
			 struct diff_run *run, struct prof_compare_run *how,
			 struct prof_error *err)
{
	const struct diff_options *diff = job->diff;

	how->count_column = PROF_NONE;
	how->period = diff->period;
	if (diff->count_type && !prof_find_column(profile, prof_text(diff->count_type),
						  &how->count_column)) {
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "--count-type: there is no sample type '%s'",
				 diff->count_type);
	}
	if (diff->per && run->work <= 0) {
		run->work = diff_work_of(profile, diff_per_name(diff->per));
	}
	how->work = run->work;
	run->samples = profile->sample_count;
	run->duration_ns = profile->header.duration_ns;
	return prof_column_sum(profile, how->column, &run->value, err);
}

/* Without its base a run may be below 0: then it was no earlier state of the same. */
static bool check_base(const struct job *job, const struct prof_profile *profile,
		       const struct diff_run *run, uint32_t column,
		       struct prof_error *err)
{
	if (!run->base || job->diff->allow_negative) {
		return true;
	}
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		if (profile->values[column][i] < 0) {
			return prof_fail(
				err, PROF_ERR_MISMATCH,
				"it has less than its base %s: they are not two "
				"states of one process (--allow-negative "
				"compares the rest)",
				input_name(run->base));
		}
	}
	return true;
}

/* What fell since the base is left out, once that is allowed. */
static bool drop_negative(struct prof_profile **profile, uint32_t column,
			  struct prof_error *err)
{
	bool *keep = prof_alloc_array((*profile)->sample_count, sizeof(*keep));
	struct prof_profile *rest = NULL;
	bool ok = false;

	if (!keep) {
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < (*profile)->sample_count; i++) {
		keep[i] = (*profile)->values[column][i] >= 0;
	}
	ok = prof_profile_copy(*profile, keep, &rest, err);
	prof_free(keep);
	if (ok) {
		prof_profile_free(*profile);
		*profile = rest;
	}
	return ok;
}

static bool add_run(struct job *job, struct prof_compare *compare, enum prof_side side,
		    struct diff_run *run, struct prof_profile **profile,
		    struct prof_error *err)
{
	struct prof_compare_run how = { 0 };
	struct prof_text name = { 0 };
	bool ok = choose_column(job, *profile, &how.column, err) &&
		  check_base(job, *profile, run, how.column, err) &&
		  (!run->base || !job->diff->allow_negative ||
		   drop_negative(profile, how.column, err)) &&
		  describe_run(job, *profile, run, &how, err);

	if (ok && job->diff->per && how.work <= 0) {
		name = diff_per_name(job->diff->per);
		ok = prof_fail(err, PROF_ERR_MISMATCH,
			       "it does not say its %.*s: there is no comment "
			       "'fgtool.work: %.*s=N'",
			       (int)name.len, name.data, (int)name.len, name.data);
	}
	ok = ok && prof_compare_add(compare, side, *profile, &how, err);
	if (!ok && (err->code == PROF_ERR_MISMATCH || err->code == PROF_ERR_LIMIT)) {
		input_blame(err, run->path);
	}
	return ok;
}

static bool add_side(struct job *job, struct diff_ahead *ahead,
		     struct prof_compare *compare, enum prof_side side,
		     struct prof_error *err)
{
	struct diff_side *runs = &job->sides->side[side];
	bool ok = true;

	for (uint32_t i = 0; i < runs->count && ok; i++) {
		struct prof_profile *profile = NULL;

		ok = diff_ahead_take(ahead, &profile, err) &&
		     diff_run_prepare(job->diff, &runs->runs[i], &profile, err) &&
		     add_run(job, compare, side, &runs->runs[i], &profile, err);
		if (ok && job->keep) {
			job->profiles[side][i] = profile;
		} else {
			prof_profile_free(profile);
		}
	}
	return ok;
}

static bool compare_whole(struct job *job, struct prof_error *err)
{
	struct prof_compare *compare = prof_compare_new(&job->setup.options);
	struct diff_ahead *ahead = diff_ahead_new(&job->diff->input, job->sides);
	bool ok = compare && ahead ? true : prof_fail_nomem(err);

	for (int side = 0; side <= PROF_SAME_CODE && ok; side++) {
		ok = add_side(job, ahead, compare, (enum prof_side)side, err);
	}
	diff_ahead_free(ahead);
	ok = ok && prof_compare_finish(compare, &job->result->whole, err);
	prof_compare_free(compare);
	return ok;
}

static bool keep_profiles(struct job *job, struct prof_error *err)
{
	job->keep = true;
	for (int side = 0; side <= PROF_SAME_CODE; side++) {
		job->profiles[side] = prof_alloc_array(job->sides->side[side].count,
						       sizeof(*job->profiles[side]));
		if (!job->profiles[side]) {
			return prof_fail_nomem(err);
		}
	}
	return true;
}

static void release(struct job *job)
{
	for (int side = 0; side <= PROF_SAME_CODE; side++) {
		for (uint32_t i = 0;
		     job->profiles[side] && i < job->sides->side[side].count; i++) {
			prof_profile_free(job->profiles[side][i]);
		}
		prof_free(job->profiles[side]);
	}
	for (uint32_t i = 0; i < job->setup.options.group_count; i++) {
		pattern_free(&job->setup.patterns[i]);
	}
	prof_free(job->setup.patterns);
	prof_free(job->setup.renames);
}

bool diff_run_all(const struct diff_options *diff, struct diff_sides *sides,
		  struct diff_result *result, struct prof_error *err)
{
	struct job job = { .diff = diff, .sides = sides, .result = result };
	bool parts = diff_parts_wanted(diff, result);
	bool ok = set_up(&job, err) &&
		  (!diff->per || diff_per_parse(diff->per, sides, err)) &&
		  (!parts || keep_profiles(&job, err)) &&
		  (compare_whole(&job, err) || diff_not_comparable(sides, err));

	result->key = job.setup.options.key;
	if (ok && parts) {
		const struct diff_kept kept = {
			.options = &job.setup.options,
			.type = job.type,
			.profiles = { job.profiles[PROF_BEFORE],
				      job.profiles[PROF_AFTER],
				      job.profiles[PROF_SAME_CODE] },
		};

		ok = diff_parts_make(diff, sides, &kept, result, err);
	}
	release(&job);
	return ok;
}
