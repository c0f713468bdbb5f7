/* SPDX-License-Identifier: MIT */
#include "cmd/filter_options.h"

#include <string.h>

#include "cmd/command.h"
#include "cmd/pattern.h"
#include "cmd/suggest.h"
#include "libprof/base/alloc.h"
#include "libprof/base/buf.h"

static const struct option options[] = {
	{ 0, "focus", "RE", "keep samples with a frame whose function or file matches",
	  OPTION_TEXT(struct filter_options, focus) },
	{ 0, "ignore", "RE", "drop samples with a frame that matches",
	  OPTION_TEXT(struct filter_options, ignore) },
	{ 0, "hide", "RE", "cut frames that match out of the stacks",
	  OPTION_TEXT(struct filter_options, hide) },
	{ 0, "show", "RE", "keep only frames that match",
	  OPTION_TEXT(struct filter_options, show) },
	{ 0, "show-from", "RE", "cut the callers of the outermost frame that matches",
	  OPTION_TEXT(struct filter_options, show_from), .alias = "show_from" },
	{ 0, "prune-from", "RE", "cut what the innermost function that matches calls",
	  OPTION_TEXT(struct filter_options, prune_from), .alias = "prune_from" },
	{ 0, "tag-focus", "[KEY=]VALUE",
	  "keep samples with a label: RE,RE... or a range 4kb:, :2ms, 1:8",
	  OPTION_TEXT(struct filter_options, tag_focus), .alias = "tagfocus" },
	{ 0, "tag-ignore", "[KEY=]VALUE", "drop samples with a label",
	  OPTION_TEXT(struct filter_options, tag_ignore), .alias = "tagignore" },
	{ 0, "tag-show", "RE", "keep only labels whose key matches",
	  OPTION_TEXT(struct filter_options, tag_show), .alias = "tagshow" },
	{ 0, "tag-hide", "RE", "drop labels whose key matches",
	  OPTION_TEXT(struct filter_options, tag_hide), .alias = "taghide" },
	{ 0 },
};

const struct option_group filter_option_group = { "filters", options };

/* Expressions compiled for the time of one filtering. */
struct expression {
	struct expression *next;
	struct pattern pattern;
};

struct compiled {
	struct expression *expressions;
	struct prof_filter filter;
	const char *option; /* the one being compiled, for messages */
};

const char *filter_step_option(enum prof_filter_step step)
{
	static const char *const names[PROF_FILTER_STEPS] = {
		[PROF_FILTER_DROP] = "drop_frames",
		[PROF_FILTER_FOCUS] = "--focus",
		[PROF_FILTER_IGNORE] = "--ignore",
		[PROF_FILTER_HIDE] = "--hide",
		[PROF_FILTER_SHOW] = "--show",
		[PROF_FILTER_SHOW_FROM] = "--show-from",
		[PROF_FILTER_TAG_FOCUS] = "--tag-focus",
		[PROF_FILTER_TAG_IGNORE] = "--tag-ignore",
		[PROF_FILTER_TAG_SHOW] = "--tag-show",
		[PROF_FILTER_TAG_HIDE] = "--tag-hide",
		[PROF_FILTER_PRUNE_FROM] = "--prune-from",
		[PROF_FILTER_ZERO] = "--drop-zero",
	};

	return names[step];
}

static bool is_given(const char *text)
{
	return text && *text;
}

bool filter_options_set(const struct filter_options *given)
{
	return is_given(given->focus) || is_given(given->ignore) ||
	       is_given(given->hide) || is_given(given->show) ||
	       is_given(given->show_from) || is_given(given->prune_from) ||
	       is_given(given->tag_focus) || is_given(given->tag_ignore) ||
	       is_given(given->tag_show) || is_given(given->tag_hide);
}

static bool matches(void *context, struct prof_text text)
{
	return pattern_match(context, text.data, text.len);
}

/* Compile `regex`, which ends in a NUL, for the option being compiled. */
static bool compile_text(struct compiled *compiled, const char *regex,
			 struct prof_matcher *out, struct prof_error *err)
{
	struct expression *expression = prof_alloc_array(1, sizeof(*expression));
	struct prof_error why = { 0 };

	if (!expression) {
		return prof_fail_nomem(err);
	}
	if (!pattern_init(&expression->pattern, regex, &why)) {
		prof_free(expression);
		return prof_fail(err, why.code, "%s: %s", compiled->option,
				 why.message);
	}
	expression->next = compiled->expressions;
	compiled->expressions = expression;
	*out = (struct prof_matcher){ matches, &expression->pattern };
	return true;
}

/* One expression of a tag filter, a part of a longer text. */
static bool compile_part(void *context, struct prof_text regex,
			 struct prof_matcher *out, struct prof_error *err)
{
	struct prof_buf text = { 0 };
	bool ok;

	prof_buf_add(&text, regex.data, regex.len);
	prof_buf_addc(&text, '\0');
	ok = text.failed ? prof_fail_nomem(err)
			 : compile_text(context, text.data, out, err);
	prof_buf_free(&text);
	return ok;
}

static bool compile_matcher(struct compiled *compiled, enum prof_filter_step step,
			    const char *regex, struct prof_matcher *out,
			    struct prof_error *err)
{
	compiled->option = filter_step_option(step);
	return !is_given(regex) || compile_text(compiled, regex, out, err);
}

static bool compile_tags(struct compiled *compiled, enum prof_filter_step step,
			 const char *text, struct prof_tag_filter **out,
			 struct prof_error *err)
{
	struct prof_compiler compiler = { compile_part, compiled };

	compiled->option = filter_step_option(step);
	if (!is_given(text)) {
		return true;
	}
	if (!prof_tag_filter_new(prof_text(text), &compiler, out, err)) {
		return false;
	}
	/* with a colon or a unit it was meant so */
	if (prof_tag_filter_is_range(*out) &&
	    strspn(text, "0123456789") == strlen(text)) {
		notice("%s: '%s' is read as a number, not as a regular expression",
		       compiled->option, text);
	}
	return true;
}

static bool compile(struct compiled *compiled, const struct filter_options *given,
		    struct prof_error *err)
{
	struct prof_filter *f = &compiled->filter;

	return compile_matcher(compiled, PROF_FILTER_FOCUS, given->focus, &f->focus,
			       err) &&
	       compile_matcher(compiled, PROF_FILTER_IGNORE, given->ignore, &f->ignore,
			       err) &&
	       compile_matcher(compiled, PROF_FILTER_HIDE, given->hide, &f->hide,
			       err) &&
	       compile_matcher(compiled, PROF_FILTER_SHOW, given->show, &f->show,
			       err) &&
	       compile_matcher(compiled, PROF_FILTER_SHOW_FROM, given->show_from,
			       &f->show_from, err) &&
	       compile_tags(compiled, PROF_FILTER_TAG_FOCUS, given->tag_focus,
			    &f->tag_focus, err) &&
	       compile_tags(compiled, PROF_FILTER_TAG_IGNORE, given->tag_ignore,
			    &f->tag_ignore, err) &&
	       compile_matcher(compiled, PROF_FILTER_TAG_SHOW, given->tag_show,
			       &f->tag_show, err) &&
	       compile_matcher(compiled, PROF_FILTER_TAG_HIDE, given->tag_hide,
			       &f->tag_hide, err) &&
	       compile_matcher(compiled, PROF_FILTER_PRUNE_FROM, given->prune_from,
			       &f->prune_from, err);
}

static void compiled_free(struct compiled *compiled)
{
	prof_tag_filter_free(compiled->filter.tag_focus);
	prof_tag_filter_free(compiled->filter.tag_ignore);
	while (compiled->expressions) {
		struct expression *expression = compiled->expressions;

		compiled->expressions = expression->next;
		pattern_free(&expression->pattern);
		prof_free(expression);
	}
}

static const char *text_of(const struct filter_options *filter,
			   enum prof_filter_step step)
{
	switch (step) {
	case PROF_FILTER_FOCUS:
		return filter->focus;
	case PROF_FILTER_IGNORE:
		return filter->ignore;
	case PROF_FILTER_HIDE:
		return filter->hide;
	case PROF_FILTER_SHOW:
		return filter->show;
	case PROF_FILTER_SHOW_FROM:
		return filter->show_from;
	case PROF_FILTER_PRUNE_FROM:
		return filter->prune_from;
	case PROF_FILTER_TAG_FOCUS:
		return filter->tag_focus;
	case PROF_FILTER_TAG_IGNORE:
		return filter->tag_ignore;
	case PROF_FILTER_TAG_SHOW:
		return filter->tag_show;
	case PROF_FILTER_TAG_HIDE:
		return filter->tag_hide;
	default:
		return NULL;
	}
}

/* The words an expression could have meant: names of functions. */
static void suggest_functions(const struct prof_profile *profile, struct suggest *near)
{
	for (uint32_t i = 0; i < profile->function_count; i++) {
		suggest_add_name(near,
				 prof_string(profile, profile->functions[i].name));
	}
}

/* ... or keys of labels, or what the labels of one key say. */
static void suggest_labels(const struct prof_profile *profile, struct prof_text key,
			   struct suggest *near)
{
	uint32_t count = profile->set_ends[profile->set_count];

	for (uint32_t i = 0; i < count; i++) {
		struct prof_text own = prof_string(profile, profile->labels[i].key);

		if (key.len == 0) {
			suggest_add(near, own);
		} else if (prof_text_equal(own, key)) {
			suggest_add(near,
				    prof_string(profile, profile->labels[i].text));
		}
	}
}

static bool has_key(const struct prof_profile *profile, struct prof_text key)
{
	uint32_t count = profile->set_ends[profile->set_count];

	for (uint32_t i = 0; i < count; i++) {
		if (prof_text_equal(prof_string(profile, profile->labels[i].key),
				    key)) {
			return true;
		}
	}
	return false;
}

/* Filters that match nothing are mostly mistyped. */
static void tell_nothing(const struct prof_profile *profile, const char *text,
			 enum prof_filter_step step)
{
	bool tags = step == PROF_FILTER_TAG_FOCUS || step == PROF_FILTER_TAG_IGNORE;
	bool keys = step == PROF_FILTER_TAG_SHOW || step == PROF_FILTER_TAG_HIDE;
	const char *equals = tags ? strchr(text, '=') : NULL;
	struct prof_text key = { text, equals ? (size_t)(equals - text) : 0 };
	struct suggest near = suggest_for(prof_text(equals ? equals + 1 : text));
	struct prof_buf hint = { .max = 1024 };

	if (equals && !has_key(profile, key)) {
		near = suggest_for(key);
		key.len = 0;
	}
	if (tags || keys) {
		suggest_labels(profile, key, &near);
	} else {
		suggest_functions(profile, &near);
	}
	suggest_say(&near, "", &hint);
	notice("%s: '%s' matches nothing%.*s", filter_step_option(step), text,
	       (int)hint.len, hint.len > 0 ? hint.data : "");
	prof_buf_free(&hint);
}

static void tell_unmatched(const struct compiled *compiled,
			   const struct filter_options *filter,
			   const struct prof_profile *profile,
			   const struct prof_filter_report *report)
{
	uint64_t hard = 0;

	for (int i = 0; i < PROF_FILTER_STEPS; i++) {
		const struct prof_filter_count *count = &report->steps[i];
		const char *text = text_of(filter, (enum prof_filter_step)i);

		if (count->used && count->matched == 0 && text) {
			tell_nothing(profile, text, (enum prof_filter_step)i);
		}
	}
	for (const struct expression *e = compiled->expressions; e; e = e->next) {
		hard += pattern_gave_up(&e->pattern);
	}
	if (hard > 0) {
		notice("%llu names were too hard to match and count as different",
		       (unsigned long long)hard);
	}
}

bool filter_profile_report(const struct filter_options *filter,
			   const struct prof_filter *base,
			   struct prof_profile **profile,
			   struct prof_filter_report *report, struct prof_error *err)
{
	struct compiled compiled = { .filter = *base };
	struct prof_profile *filtered = NULL;
	bool ok = compile(&compiled, filter, err) &&
		  prof_filter(*profile, &compiled.filter, &filtered, report, err);

	if (ok) {
		tell_unmatched(&compiled, filter, *profile, report);
		prof_profile_free(*profile);
		*profile = filtered;
	}
	compiled_free(&compiled);
	return ok;
}

bool filter_profile(const struct filter_options *filter, struct prof_profile **profile,
		    struct prof_error *err)
{
	struct prof_filter none = { 0 };
	struct prof_filter_report report;

	if (!filter_options_set(filter)) {
		return true;
	}
	if (!filter_profile_report(filter, &none, profile, &report, err)) {
		return false;
	}
	prof_filter_report_free(&report);
	return true;
}

/* Compile a string of the profile so that it has to match a whole name. */
static bool compile_own(struct compiled *compiled, struct prof_text regex,
			struct prof_matcher *out, struct prof_error *err)
{
	struct prof_buf text = { 0 };
	bool ok;

	prof_buf_adds(&text, "^(");
	prof_buf_add(&text, regex.data, regex.len);
	prof_buf_adds(&text, ")$");
	ok = text.failed
		     ? prof_fail_nomem(err)
		     : compile_part(compiled, (struct prof_text){ text.data, text.len },
				    out, err);
	prof_buf_free(&text);
	return ok;
}

bool filter_own_frames(struct prof_profile **profile, struct prof_error *err)
{
	const struct prof_header *header = &(*profile)->header;
	struct compiled compiled = {
		.option = "drop_frames",
		.filter.keep_unused = true,
	};
	struct prof_profile *filtered = NULL;
	bool ok;

	if (header->drop_frames == 0) {
		return true;
	}
	ok = compile_own(&compiled, prof_string(*profile, header->drop_frames),
			 &compiled.filter.drop, err) &&
	     (header->keep_frames == 0 ||
	      compile_own(&compiled, prof_string(*profile, header->keep_frames),
			  &compiled.filter.keep, err));
	if (!ok && err->code != PROF_ERR_NOMEM) {
		notice("%s", err->message);
		compiled_free(&compiled);
		return true;
	}
	ok = ok && prof_filter(*profile, &compiled.filter, &filtered, NULL, err);
	compiled_free(&compiled);
	if (ok) {
		prof_profile_free(*profile);
		*profile = filtered;
	}
	return ok;
}
