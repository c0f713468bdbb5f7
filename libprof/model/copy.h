/* SPDX-License-Identifier: MIT */
/*
 * copy.h - a new profile from a changed view of another.
 *
 * Profiles are immutable. Who changes one makes a view of it: a struct prof_profile
 * that borrows what stays and replaces the arrays that do not, and has it copied:
 *
 *	struct prof_profile view = *profile;
 *
 *	view.values = scaled;
 *	if (!prof_profile_copy(&view, NULL, &out, err))
 *		...
 *
 * Kept:    what the samples use, in its order and with its ids, and the first mapping,
 *          which is the main binary. Strings, mappings, functions, locations and label
 *          sets that no sample uses stay behind.
 * View:    its stacks and label sets need not be distinct; the copy's are. Labels of a
 *          set must be in the order of profile.h.
 */
#ifndef PROF_MODEL_COPY_H
#define PROF_MODEL_COPY_H

#include "libprof/base/error.h"
#include "libprof/model/profile.h"

/*
 * Copy the samples of `view` for which `keep` is true; NULL keeps all. The copy is the
 * caller's and shares nothing with the view.
 */
bool prof_profile_copy(const struct prof_profile *view, const bool *keep,
		       struct prof_profile **out,
		       struct prof_error *err) PROF_NODISCARD;

/* The same, but strings, mappings, functions and locations all come along. */
bool prof_profile_copy_all(const struct prof_profile *view, const bool *keep,
			   struct prof_profile **out,
			   struct prof_error *err) PROF_NODISCARD;

#endif
