/* SPDX-License-Identifier: MIT */
/*
 * calltree.h - samples folded into one tree, root first or leaf first.
 *
 *	all 10 ---- main 10 --+-- parse 7 --- strtol 3      total = self + children
 *	                      `-- write 3                   self of parse = 4
 *
 * Units:   values are int64 in the unit of the chosen value type.
 * Frames:  as key.h has them; by module, neighbours in a stack of the same module are
 *          one frame.
 * Order:   nodes are an array in preorder; node 0 is the root, "all"; siblings sort by
 *          name, bytewise. A subtree is nodes [i, nodes[i].end).
 * Owns:    its names and nodes; independent of the profile once built.
 * Errors:  NOMEM; LIMIT when a sum does not fit int64 or there are 2^32 nodes.
 * Threads: immutable once built; may be read by many.
 * Cost:    sorts the stacks as rank sequences, two ranks per comparison, then one
 *          linear pass: no hash of (parent, frame). O(frames) memory.
 */
#ifndef PROF_REPORT_CALLTREE_H
#define PROF_REPORT_CALLTREE_H

#include <stdint.h>

#include "libprof/base/arena.h"
#include "libprof/report/key.h"

enum prof_frame_kind {
	PROF_FRAME_OTHER,
	PROF_FRAME_KERNEL,      /* in the kernel's mapping, or annotated _[k] */
	PROF_FRAME_JIT,         /* _[j], _[1] */
	PROF_FRAME_INLINED,     /* _[i], or every occurrence is inlined */
	PROF_FRAME_INTERPRETED, /* _[0] */
	PROF_FRAME_UNKNOWN,     /* no name: "[module]", "<unknown>" */
};

struct prof_tree_name {
	struct prof_text text; /* as it is in the profile: show it escaped */
	enum prof_frame_kind kind;
};

struct prof_tree_node {
	uint32_t name;   /* index into names; of the root: names[0] */
	uint32_t parent; /* a smaller index; the root's is itself */
	uint32_t end;    /* index behind the subtree */
	uint32_t depth;  /* the root's is 0 */
};

struct prof_calltree {
	struct prof_arena arena;

	struct prof_tree_name *names; /* [0] is "all"; the rest distinct, bytewise */
	uint32_t name_count;

	struct prof_tree_node *nodes;
	uint32_t node_count;
	uint32_t max_depth; /* of a node */

	/* One array per side: side 0, and side 1 when the tree compares two. */
	int64_t *total[2];
	int64_t *self[2];
	uint32_t side_count;
};

struct prof_calltree_options {
	struct prof_key_options key;
	uint32_t column;
	bool leaf_first; /* children of the root are the leaves */
};

/*
 * The tree of one column of `profile`. Samples with value 0 are left out; negative
 * values count with their sign.
 */
bool prof_calltree_build(const struct prof_profile *profile,
			 const struct prof_calltree_options *options,
			 struct prof_calltree **out,
			 struct prof_error *err) PROF_NODISCARD;

/* The union of two profiles in one tree: side 0 is `before`, side 1 `after`. */
bool prof_calltree_compare(const struct prof_profile *before,
			   const struct prof_profile *after, uint32_t before_column,
			   const struct prof_calltree_options *options,
			   struct prof_calltree **out,
			   struct prof_error *err) PROF_NODISCARD;

/* NULL is fine. */
void prof_calltree_free(struct prof_calltree *tree);

#endif
