/* SPDX-License-Identifier: MIT */
/*
 * json_text.h - strings and numbers as JSON has them.
 */
#ifndef FGTOOL_JSON_TEXT_H
#define FGTOOL_JSON_TEXT_H

#include "libprof/base/buf.h"
#include "libprof/base/text.h"

/*
 * Append `text` as a string with its quotes. What is unsafe to show is escaped, so that
 * it is exact for programs and harmless on a terminal; a byte that is not UTF-8 is
 * U+FFFD.
 */
void json_add_string(struct prof_buf *out, struct prof_text text);

/* Append the shortest decimal that reads back as `number`; null if it is not finite. */
void json_add_number(struct prof_buf *out, double number);

#endif
