/* SPDX-License-Identifier: MIT */
/*
 * tagframes.h - labels as frames: stacks that begin, or end, with what a label says.
 *
 *	root keys "user,kind":  user=ann, kind=rpc      ann > rpc > main > parse
 *	leaf keys "size":       size=4096               main > parse > 4kB
 *
 * Every sample gets a frame per key, with an empty name when it lacks the label, so
 * all stacks grow alike. The frame is a function named as the label's values, in the
 * file named as the key: texts first, then numbers in their unit, joined by ','.
 *
 * Changes the profile in place: see amend.h. Afterwards some strings may be there
 * twice: prof_profile_copy_all() makes them one. After a failure the profile is good
 * for nothing but prof_profile_free().
 *
 * Source: google/pprof -tagroot and -tagleaf.
 */
#ifndef PROF_MODEL_TAGFRAMES_H
#define PROF_MODEL_TAGFRAMES_H

#include <stdbool.h>

#include "libprof/base/error.h"
#include "libprof/model/profile.h"

struct prof_tag_frames {
	struct prof_text root_keys; /* separated by ','; the first one is outermost */
	struct prof_text leaf_keys; /* the last one is the leaf */
	struct prof_text unit;      /* to show numbers in: "minimum", "kB" */
};

/* Add the frames. `*rooted` and `*leafed`: whether some sample has one of the labels. */
bool prof_tag_frames_add(struct prof_profile *profile,
			 const struct prof_tag_frames *options, bool *rooted,
			 bool *leafed, struct prof_error *err) PROF_NODISCARD;

#endif
