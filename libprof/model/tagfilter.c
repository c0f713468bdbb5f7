/* SPDX-License-Identifier: MIT */
#include "libprof/model/tagfilter.h"

#include "libprof/base/alloc.h"
#include "libprof/base/arena.h"
#include "libprof/base/buf.h"
#include "libprof/model/unit.h"

struct prof_tag_filter {
	struct prof_arena arena;
	struct prof_text key;
	bool has_key;

	bool range;
	bool has_low;
	bool has_high;
	double low;
	double high;
	struct prof_text unit; /* of both ends */

	struct prof_matcher *matchers;
	size_t matcher_count;
	struct prof_buf joined; /* "key:text" */
};

/* --- units of keys ------------------------------------------------------------------ */

bool prof_tag_units_init(struct prof_tag_units *units,
			 const struct prof_profile *profile, struct prof_error *err)
{
	size_t string_count = (size_t)profile->string_count + 1;
	uint32_t *met = prof_alloc_array(string_count, sizeof(*met));
	bool *seen = prof_alloc_array((size_t)profile->set_count + 1, sizeof(*seen));

	if (!met || !seen) {
		prof_free(met);
		prof_free(seen);
		return prof_fail_nomem(err);
	}
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		uint32_t set = profile->sample_set[i];
		struct prof_labels labels = prof_label_set(profile, set);

		for (size_t k = 0; !seen[set] && k < labels.count; k++) {
			const struct prof_label *label = &labels.data[k];

			if (label->text == 0 && met[label->key] == 0) {
				met[label->key] = label->unit;
			}
		}
		seen[set] = true;
	}
	prof_free(seen);
	units->units = met;
	return true;
}

struct prof_text prof_tag_unit(const struct prof_tag_units *units,
			       const struct prof_profile *profile, uint32_t key)
{
	struct prof_text name = prof_string(profile, key);

	if (units->units[key] != 0) {
		return prof_string(profile, units->units[key]);
	}
	if (prof_text_equal(name, prof_text("alignment")) ||
	    prof_text_equal(name, prof_text("request"))) {
		return prof_text("bytes");
	}
	return name;
}

void prof_tag_units_free(struct prof_tag_units *units)
{
	prof_free(units->units);
	units->units = NULL;
}

/* --- parsing -------------------------------------------------------------------------- */

static struct prof_text skip(struct prof_text text, size_t len)
{
	return (struct prof_text){ text.data + len, text.len - len };
}

/* The low end and what must follow it; false when the text is no range. */
static bool parse_low(struct prof_tag_filter *filter, struct prof_text *text)
{
	struct prof_text unit;
	int64_t value;
	size_t len = prof_unit_parse(*text, &value, &unit);
	struct prof_scaled low;

	if (len == 0) {
		return false;
	}
	low = prof_unit_scale(value, unit, unit);
	filter->has_low = true;
	filter->low = low.value;
	filter->unit = low.unit;
	*text = skip(*text, len);
	return true;
}

/* The high end, which must be all that is left of `text`. */
static bool parse_high(struct prof_tag_filter *filter, struct prof_text text)
{
	struct prof_text unit;
	int64_t value;
	size_t len = prof_unit_parse(text, &value, &unit);
	struct prof_scaled high;

	if (len == 0 || len != text.len) {
		return false;
	}
	high = prof_unit_scale(value, unit, filter->has_low ? filter->unit : unit);
	if (filter->has_low && !prof_text_equal(high.unit, filter->unit)) {
		return false;
	}
	filter->has_high = true;
	filter->high = high.value;
	filter->unit = high.unit;
	return true;
}

static bool parse_range(struct prof_tag_filter *filter, struct prof_text text)
{
	if (text.len > 0 && text.data[0] == ':') {
		return parse_high(filter, skip(text, 1));
	}
	if (!parse_low(filter, &text)) {
		return false;
	}
	if (text.len == 0) {
		filter->has_high = true;
		filter->high = filter->low;
		return true;
	}
	if (text.data[0] != ':') {
		return false;
	}
	return text.len == 1 || parse_high(filter, skip(text, 1));
}

static bool parse_expressions(struct prof_tag_filter *filter, struct prof_text text,
			      const struct prof_compiler *compiler,
			      struct prof_error *err)
{
	size_t count = 1;

	for (size_t i = 0; i < text.len; i++) {
		count += text.data[i] == ',';
	}
	filter->matchers =
		prof_arena_array(&filter->arena, count, sizeof(*filter->matchers));
	if (!filter->matchers) {
		return prof_fail_nomem(err);
	}
	while (filter->matcher_count < count) {
		const char *comma =
			text.len > 0 ? memchr(text.data, ',', text.len) : NULL;
		size_t len = comma ? (size_t)(comma - text.data) : text.len;
		struct prof_text regex = { text.data, len };

		if (!compiler->compile(compiler->context, regex,
				       &filter->matchers[filter->matcher_count], err)) {
			return false;
		}
		filter->matcher_count++;
		text = comma ? skip(text, len + 1) : text;
	}
	return true;
}

bool prof_tag_filter_new(struct prof_text text, const struct prof_compiler *compiler,
			 struct prof_tag_filter **out, struct prof_error *err)
{
	struct prof_tag_filter *filter = prof_alloc_array(1, sizeof(*filter));
	const char *equals;

	if (!filter) {
		return prof_fail_nomem(err);
	}
	text.data = prof_arena_copy(&filter->arena, text.data, text.len);
	if (!text.data) {
		prof_tag_filter_free(filter);
		return prof_fail_nomem(err);
	}
	equals = memchr(text.data, '=', text.len);
	if (equals) {
		filter->key =
			(struct prof_text){ text.data, (size_t)(equals - text.data) };
		filter->has_key = filter->key.len > 0;
		text = skip(text, filter->key.len + 1);
	}
	filter->range = parse_range(filter, text);
	if (!filter->range && !parse_expressions(filter, text, compiler, err)) {
		prof_tag_filter_free(filter);
		return false;
	}
	*out = filter;
	return true;
}

bool prof_tag_filter_is_range(const struct prof_tag_filter *filter)
{
	return filter->range;
}

bool prof_tag_filter_failed(const struct prof_tag_filter *filter)
{
	return filter->joined.failed;
}

void prof_tag_filter_free(struct prof_tag_filter *filter)
{
	if (filter) {
		prof_buf_free(&filter->joined);
		prof_arena_free(&filter->arena);
		prof_free(filter);
	}
}

/* --- matching --------------------------------------------------------------------------- */

static bool has_wanted_key(const struct prof_tag_filter *filter,
			   const struct prof_profile *profile,
			   const struct prof_label *label)
{
	return !filter->has_key ||
	       prof_text_equal(prof_string(profile, label->key), filter->key);
}

static bool match_range(const struct prof_tag_filter *filter,
			const struct prof_profile *profile,
			const struct prof_tag_units *units, struct prof_labels labels)
{
	for (size_t i = 0; i < labels.count; i++) {
		const struct prof_label *label = &labels.data[i];
		struct prof_scaled scaled;

		if (label->text != 0 || !has_wanted_key(filter, profile, label)) {
			continue;
		}
		scaled = prof_unit_scale(label->number,
					 prof_tag_unit(units, profile, label->key),
					 filter->unit);
		if (prof_text_equal(scaled.unit, filter->unit) &&
		    (!filter->has_low || scaled.value >= filter->low) &&
		    (!filter->has_high || scaled.value <= filter->high)) {
			return true;
		}
	}
	return false;
}

/* Whether the text of some label matches; with a key the text alone. */
static bool matches_some(struct prof_tag_filter *filter,
			 const struct prof_matcher *matcher,
			 const struct prof_profile *profile, struct prof_labels labels)
{
	for (size_t i = 0; i < labels.count; i++) {
		const struct prof_label *label = &labels.data[i];
		struct prof_text key = prof_string(profile, label->key);
		struct prof_text text = prof_string(profile, label->text);

		if (label->text == 0 || !has_wanted_key(filter, profile, label)) {
			continue;
		}
		if (!filter->has_key) {
			prof_buf_clear(&filter->joined);
			prof_buf_add(&filter->joined, key.data, key.len);
			prof_buf_addc(&filter->joined, ':');
			prof_buf_add(&filter->joined, text.data, text.len);
			if (filter->joined.failed) {
				return false;
			}
			text = (struct prof_text){ filter->joined.data,
						   filter->joined.len };
		}
		if (matcher->match(matcher->context, text)) {
			return true;
		}
	}
	return false;
}

bool prof_tag_filter_match(struct prof_tag_filter *filter,
			   const struct prof_profile *profile,
			   const struct prof_tag_units *units,
			   struct prof_labels labels)
{
	if (filter->range) {
		return match_range(filter, profile, units, labels);
	}
	for (size_t i = 0; i < filter->matcher_count && !filter->joined.failed; i++) {
		bool one = matches_some(filter, &filter->matchers[i], profile, labels);

		/* with a key any of the expressions will do, without one each must */
		if (one == filter->has_key) {
			return one;
		}
	}
	return !filter->has_key && !filter->joined.failed;
}
