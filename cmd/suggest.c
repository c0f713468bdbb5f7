/* SPDX-License-Identifier: MIT */
#include "cmd/suggest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct suggest suggest_for(struct prof_text typed)
{
	return (struct suggest){ .typed = typed };
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t limit_of(const struct suggest *near)
{
	size_t third = near->typed.len / 3;

	return third > 1 ? third : 1;
}

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool begins_with(struct prof_text word, struct prof_text start)
{
	if (word.len < start.len) {
		return false;
	}
	for (size_t i = 0; i < start.len; i++) {
		if (lower(word.data[i]) != lower(start.data[i])) {
			return false;
		}
	}
	return true;
}

/*
 * Optimal string alignment distance of a and b if it is at most `limit`, else something
 * larger. rows[i % 3][j] is the distance of the first i bytes of a and j bytes of b.
 */
static size_t distance(struct prof_text a, struct prof_text b, size_t limit)
{
	size_t rows[3][SUGGEST_MAX_LEN + 1];
	size_t gap = a.len > b.len ? a.len - b.len : b.len - a.len;

	if (gap > limit || a.len > SUGGEST_MAX_LEN || b.len > SUGGEST_MAX_LEN) {
		return limit + 1;
	}
	for (size_t j = 0; j <= b.len; j++) {
		rows[0][j] = j;
	}
	for (size_t i = 1; i <= a.len; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i - 1) % 3];
		const size_t *twice = rows[(i + 1) % 3];
		size_t least = i;

		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			bool same = lower(a.data[i - 1]) == lower(b.data[j - 1]);

			row[j] = smaller(above[j], row[j - 1]) + 1;
			row[j] = smaller(row[j], above[j - 1] + !same);
			if (i > 1 && j > 1 &&
			    lower(a.data[i - 1]) == lower(b.data[j - 2]) &&
			    lower(a.data[i - 2]) == lower(b.data[j - 1])) {
				row[j] = smaller(row[j], twice[j - 2] + 1);
			}
			least = smaller(least, row[j]);
		}
		/* A swap reaches back two rows, but never below this one less one. */
		if (least > limit + 1) {
			return limit + 1;
		}
	}
	return rows[a.len % 3][b.len];
}

static bool is_nearer(const struct suggestion *a, const struct suggestion *b)
{
	if (a->distance != b->distance) {
		return a->distance < b->distance;
	}
	return prof_text_compare(a->word, b->word) < 0;
}

static void keep(struct suggest *near, struct suggestion found)
{
	size_t at = near->count;

	for (size_t i = 0; i < near->count; i++) {
		if (prof_text_equal(near->best[i].word, found.word)) {
			return;
		}
	}
	while (at > 0 && is_nearer(&found, &near->best[at - 1])) {
		at--;
	}
	if (at >= SUGGEST_MAX) {
		return;
	}
	if (near->count < SUGGEST_MAX) {
		near->count++;
	}
	for (size_t i = near->count - 1; i > at; i--) {
		near->best[i] = near->best[i - 1];
	}
	near->best[at] = found;
}

/* Distance of `word` from what was typed; above limit_of() + 1 when it is not near. */
static size_t measure(const struct suggest *near, struct prof_text word)
{
	size_t limit = limit_of(near);
	size_t steps = distance(near->typed, word, limit);

	if (steps <= limit) {
		return steps;
	}
	/* Unfinished, not misspelt: after all those that are. */
	return near->typed.len > 1 && begins_with(word, near->typed) ? limit + 1
								     : limit + 2;
}

void suggest_add(struct suggest *near, struct prof_text word)
{
	size_t steps = near->typed.len > 0 ? measure(near, word) : SIZE_MAX;

	if (steps <= limit_of(near) + 1) {
		keep(near, (struct suggestion){ word, steps });
	}
}

/* What follows the last separator of a name, without its argument list. */
static struct prof_text last_part(struct prof_text name)
{
	const char *open = name.len > 0 ? memchr(name.data, '(', name.len) : NULL;
	size_t end = name.len;
	size_t start = 0;

	/* Not the receiver of Go's pkg.(*T).method. */
	if (open && open > name.data && open[-1] != '.') {
		end = (size_t)(open - name.data);
	}
	for (size_t i = 0; i < end; i++) {
		if (strchr("./:", name.data[i]) && name.data[i]) {
			start = i + 1;
		}
	}
	return (struct prof_text){ name.data + start, end - start };
}

void suggest_add_name(struct suggest *near, struct prof_text name)
{
	size_t whole = 0;
	size_t part = 0;

	if (near->typed.len == 0 || name.len == 0) {
		return;
	}
	whole = measure(near, name);
	part = measure(near, last_part(name));
	whole = smaller(whole, part);
	if (whole <= limit_of(near) + 1) {
		keep(near, (struct suggestion){ name, whole });
	}
}

void suggest_say(const struct suggest *near, const char *prefix, struct prof_buf *out)
{
	for (size_t i = 0; i < near->count; i++) {
		const char *before = "; did you mean ";

		if (i > 0) {
			before = i + 1 < near->count ? ", " : " or ";
		}
		prof_buf_addf(out, "%s'%s", before, prefix);
		prof_text_escape(out, near->best[i].word);
		prof_buf_addc(out, '\'');
	}
	if (near->count > 0) {
		prof_buf_addc(out, '?');
	}
}

void suggest_words(const char *typed, const char *prefix, const char *const *words,
		   char *out, size_t size)
{
	struct suggest near = suggest_for(prof_text(typed));
	struct prof_buf said = { 0 };

	for (; *words; words++) {
		suggest_add(&near, prof_text(*words));
	}
	suggest_say(&near, prefix, &said);
	snprintf(out, size, "%.*s", (int)said.len, said.data ? said.data : "");
	prof_buf_free(&said);
}
