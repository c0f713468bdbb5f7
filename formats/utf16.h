/* SPDX-License-Identifier: MIT */
/*
 * utf16.h - text that Windows tools wrote, as UTF-8.
 *
 * A surrogate without its partner becomes U+FFFD. Errors: SYNTAX for half a unit at
 * the end. Source: RFC 2781.
 */
#ifndef PROF_FORMATS_UTF16_H
#define PROF_FORMATS_UTF16_H

#include <stdbool.h>

#include "libprof/base/source.h"

/*
 * The unread bytes of `in`, without the byte order mark, as UTF-8. Borrows `in`, which
 * must outlive the source. NULL when out of memory.
 */
struct prof_source *prof_utf16_source(struct prof_window *in, bool big_endian);

#endif
