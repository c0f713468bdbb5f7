/* SPDX-License-Identifier: MIT */
/*
 * shorten.h - names short enough for a box: without packages, name spaces, arguments.
 *
 *	net/http.(*conn).serve                          http.(*conn).serve
 *	java.bar.foo.FooBar.run(java.lang.Runnable)     FooBar.run
 *	cpp::namespace::Class::method<int>()            Class::method<int>
 *
 * Cost:   linear in the name.
 * Source: the same rules as google/pprof internal/graph, ShortenFunctionName.
 */
#ifndef PROF_REPORT_SHORTEN_H
#define PROF_REPORT_SHORTEN_H

#include "libprof/base/buf.h"
#include "libprof/base/text.h"

/* Append the short form of `name`; `name` itself when no rule applies. */
void prof_shorten(struct prof_buf *out, struct prof_text name);

#endif
