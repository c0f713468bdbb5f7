/* SPDX-License-Identifier: MIT */
/*
 * frames.h - the frames of profiles as numbers that sort as their names do.
 *
 *	prof_frames_add(&names, profile, by, used, &table)   for each profile
 *	prof_frames_rank(&names, &sorted)
 *
 * Afterwards location l of a profile has the frames table.names[table.first[l] ..
 * table.first[l + 1]), innermost first, and names.rank[] of those is their place among
 * all names, from 1, bytewise.
 *
 * Owns:    nothing but its tables; names are copies.
 * Errors:  NOMEM.
 */
#ifndef PROF_REPORT_FRAMES_H
#define PROF_REPORT_FRAMES_H

#include "libprof/base/strings.h"
#include "libprof/report/calltree.h"
#include "libprof/report/key.h"

struct prof_frame_names {
	struct prof_strings strings;
	uint8_t *marks; /* per string: what its occurrences are, see frames.c */
	size_t mark_cap;
	uint32_t mark_count;
	uint32_t *rank; /* per string, from 1 */
	struct prof_buf scratch;
};

struct prof_frame_table {
	uint64_t *first; /* per location, and one more */
	uint32_t *names; /* string ids, later ranks */
};

/*
 * Name the frames of those locations that are `used`; the others get none. By label
 * there are no frames to name.
 */
bool prof_frames_add(struct prof_frame_names *names, const struct prof_profile *profile,
		     enum prof_by by, const bool *used, struct prof_frame_table *table,
		     struct prof_error *err) PROF_NODISCARD;

/* The string id of the label value of a set. */
bool prof_frames_add_label(struct prof_frame_names *names,
			   const struct prof_profile *profile, uint32_t set,
			   struct prof_text key, uint32_t *name,
			   struct prof_error *err) PROF_NODISCARD;

/*
 * Rank all names. `sorted` gets their number plus one: "all" first, then each name
 * with its kind; it lives in `arena`, to which the bytes of the names pass.
 */
bool prof_frames_rank(struct prof_frame_names *names, struct prof_arena *arena,
		      struct prof_tree_name **sorted, uint32_t *count,
		      struct prof_error *err) PROF_NODISCARD;

void prof_frame_table_free(struct prof_frame_table *table);
void prof_frame_names_free(struct prof_frame_names *names);

#endif
