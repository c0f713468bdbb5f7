/* SPDX-License-Identifier: MIT */
/*
 * plainname.h - names of functions without their parameters, as pprof shows them.
 *
 *	std::vector<int>::push_back(int const&)    std::vector::push_back
 *	main.Map[go.shape.int]                     as it is: Go's brackets stay
 *
 * Only names that nobody has made readable yet: those that are empty, or are the same
 * as the system name. Of these only what looks like C++ is cut.
 *
 * Changes the profile in place: see amend.h.
 *
 * Source: the default of google/pprof for names that are no symbols to demangle.
 */
#ifndef PROF_MODEL_PLAINNAME_H
#define PROF_MODEL_PLAINNAME_H

#include <stdbool.h>

#include "libprof/base/error.h"
#include "libprof/model/profile.h"

struct prof_plain_names {
	bool again;     /* begin with the system name even if another is known */
	bool params;    /* cut (...) */
	bool templates; /* cut <...> */
};

bool prof_plain_names(struct prof_profile *profile,
		      const struct prof_plain_names *options,
		      struct prof_error *err) PROF_NODISCARD;

#endif
