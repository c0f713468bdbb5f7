/* SPDX-License-Identifier: MIT */
#include "cmd/pprof_reports.h"
#include "libprof/report/tags.h"

/* "1.56MB (63.37%)": of the report's total, if there is one. */
static void add_weight(const struct pprof_job *job, int64_t value, struct prof_buf *out)
{
	prof_value_add(out, &job->style, value);
	if (job->style.total > 0) {
		prof_buf_adds(out, " (");
		prof_value_add_percent(out, &job->style, value);
		prof_buf_addc(out, ')');
	}
}

static size_t characters(const char *data, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++) {
		count += ((unsigned char)data[i] & 0xc0) != 0x80;
	}
	return count;
}

/* Width of the widest cell of a key. */
static size_t widest(const struct pprof_job *job, const struct prof_tag_key *key,
		     struct prof_buf *scratch)
{
	size_t width = 0;

	for (uint32_t i = 0; i < key->value_count; i++) {
		size_t count = 0;

		prof_buf_clear(scratch);
		add_weight(job, key->values[i].value, scratch);
		count = characters(scratch->data, scratch->len);
		width = count > width ? count : width;
	}
	return width;
}

static void add_key(const struct pprof_job *job, const struct prof_tag_key *key,
		    struct prof_buf *scratch, struct prof_buf *out)
{
	size_t indent = characters(key->key.data, key->key.len) + 2;
	size_t width = widest(job, key, scratch) + 2;

	prof_buf_addc(out, ' ');
	prof_buf_add(out, key->key.data, key->key.len);
	prof_buf_adds(out, ": Total ");
	prof_value_add(out, &job->style, key->total);
	if (job->style.total > 0) {
		prof_buf_adds(out, " of ");
		prof_value_add(out, &job->style, job->style.total);
		prof_buf_adds(out, " (");
		prof_value_add_percent(out, &job->style, key->total);
		prof_buf_addc(out, ')');
	}
	prof_buf_addc(out, '\n');
	for (uint32_t i = 0; i < key->value_count; i++) {
		const struct prof_tag_value *value = &key->values[i];
		size_t start = out->len;

		add_weight(job, value->value, out);
		prof_buf_addc(out, ':');
		pprof_align_right(out, start, indent + width);
		prof_buf_addc(out, ' ');
		prof_buf_add(out, value->text.data, value->text.len);
		prof_buf_addc(out, '\n');
	}
	prof_buf_addc(out, '\n');
}

bool pprof_tags(const struct pprof_job *job, struct prof_buf *out,
		struct prof_error *err)
{
	const struct pprof_view *view = &job->view;
	struct prof_tags *tags = NULL;
	struct prof_buf scratch = { 0 };

	if (!prof_tags_build(view->profile, view->column, &view->units, job->style.show,
			     &tags, err)) {
		return false;
	}
	for (uint32_t k = 0; k < tags->key_count; k++) {
		add_key(job, &tags->keys[k], &scratch, out);
	}
	out->failed = out->failed || scratch.failed;
	prof_buf_free(&scratch);
	prof_tags_free(tags);
	return !out->failed || prof_fail_nomem(err);
}
