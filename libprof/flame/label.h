/* SPDX-License-Identifier: MIT */
/*
 * label.h - a name shortened to the cells there are, from its least useful end.
 *
 *	std::__1::vector<int, std::allocator<int>>::push_back(int const&)
 *	std::__1::vector<int, std::allocator<int>>::push_back     without parameters
 *	std::__1::vector<…>::push_back                            without arguments
 *	vector<…>::push_back                                      without namespaces,
 *	push_back                                                 one by one
 *	pus…_back                                                 the middle left out
 *
 * The first of these that fits is taken. Packages and paths (`a/b.(*T).m`, `java.util.
 * Map.get`) shorten alike; what a compiler appends (`.part.0`, `.func1`) and a file
 * name's ending stay with what they belong to. A pure function of name and cells:
 * formats/render/viewer.js has the same, and a test compares the two.
 */
#ifndef PROF_FLAME_LABEL_H
#define PROF_FLAME_LABEL_H

#include <stddef.h>

#include "libprof/base/buf.h"
#include "libprof/base/text.h"

enum {
	PROF_LABEL_MIN_CELLS = 2 /* below this a label is empty */
};

/*
 * Append `name`, which must be printable (see prof_text_escape()), in at most `cells`
 * terminal cells. Wide characters take two; a mark stays with its letter.
 */
void prof_label_fit(struct prof_buf *out, struct prof_text name, size_t cells);

#endif
