/* SPDX-License-Identifier: MIT */
/*
 * libraries.h - which packages do the work, for `fgtool version --features`.
 */
#ifndef PROF_FORMATS_LIBRARIES_H
#define PROF_FORMATS_LIBRARIES_H

#include "libprof/base/buf.h"

/* Append a line "name: version" for each package formats/ is linked with. */
void prof_libraries(struct prof_buf *out);

#endif
