/* SPDX-License-Identifier: MIT */
/*
 * filter_options.h - the filters that reports and profile commands share.
 *
 *	struct foo_options { struct filter_options filter; ... };
 *	...	OPTION_INCLUDE(struct foo_options, filter),
 *
 *	if (!input_profile(&foo.input, argc, argv, &profile, &err) ||
 *	    !filter_profile(&foo.filter, &profile, &err))
 *		...
 *
 * --focus --ignore --hide --show --show-from --prune-from match function names and
 * files, --tag-focus and --tag-ignore labels, --tag-show and --tag-hide label keys.
 * What they mean is told in libprof/model/filter.h and tagfilter.h. pprof's spellings
 * (tagfocus, show_from) are known too.
 *
 * Errors: SYNTAX "--focus: bad regular expression ...".
 */
#ifndef FGTOOL_FILTER_OPTIONS_H
#define FGTOOL_FILTER_OPTIONS_H

#include <stdbool.h>

#include "cmd/option.h"
#include "libprof/base/error.h"
#include "libprof/model/filter.h"
#include "libprof/model/profile.h"

struct filter_options {
	const char *focus; /* expressions as given; NULL or "" for none */
	const char *ignore;
	const char *hide;
	const char *show;
	const char *show_from;
	const char *prune_from;
	const char *tag_focus;
	const char *tag_ignore;
	const char *tag_show;
	const char *tag_hide;
};

extern const struct option_group filter_option_group;

/* Whether any of them is given: then a command needs the whole profile. */
bool filter_options_set(const struct filter_options *options);

/*
 * Put the filtered profile in the place of `*profile`, which is freed then; without
 * any option nothing happens. Says on stderr which filters matched nothing.
 */
bool filter_profile(const struct filter_options *options, struct prof_profile **profile,
		    struct prof_error *err) PROF_NODISCARD;

/*
 * The same for a filter that chooses columns or drops zeros as well: `base` has these,
 * and no matchers. `report` is filled and must be freed, whatever was set; it counts
 * in columns of the old profile.
 */
bool filter_profile_report(const struct filter_options *options,
			   const struct prof_filter *base,
			   struct prof_profile **profile,
			   struct prof_filter_report *report,
			   struct prof_error *err) PROF_NODISCARD;

/*
 * Cut what the profile itself asks to be cut (drop_frames and keep_frames), as pprof
 * does when it loads one. An expression that does not compile cuts nothing.
 */
bool filter_own_frames(struct prof_profile **profile,
		       struct prof_error *err) PROF_NODISCARD;

/* How the option of a step is written: "--show-from". */
const char *filter_step_option(enum prof_filter_step step);

#endif
