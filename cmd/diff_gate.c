/* SPDX-License-Identifier: MIT */
#include "cmd/diff_gate.h"

#include <string.h>

#include "cmd/option.h"

enum { NUMBER_MAX = 40 /* characters of a threshold */ };

struct gate_reader {
	const char *text; /* all of it, for messages */
	const char *at;
};

/* "--gate 'EXPR': WHY at 'REST'" */
static bool refuse(const struct gate_reader *in, const char *why,
		   struct prof_error *err)
{
	if (*in->at == '\0') {
		return prof_fail(err, PROF_ERR_SYNTAX, "--gate '%s': %s at its end",
				 in->text, why);
	}
	return prof_fail(err, PROF_ERR_SYNTAX, "--gate '%s': %s at '%s'", in->text, why,
			 in->at);
}

static void skip_blanks(struct gate_reader *in)
{
	in->at += strspn(in->at, " \t");
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static struct prof_text read_word(struct gate_reader *in)
{
	const char *start = in->at;

	while (is_letter(*in->at)) {
		in->at++;
	}
	return (struct prof_text){ start, (size_t)(in->at - start) };
}

/* Past the bracket expression that `at` begins; a ']' that comes first is a member. */
static const char *past_brackets(const char *at)
{
	at++;
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']') {
		at += at[0] == '\\' && at[1] ? 2 : 1;
	}
	return *at ? at + 1 : at;
}

/* The parenthesis that closes the one before `at`, or NULL. */
static const char *closing(const char *at)
{
	size_t open = 1;

	while (*at) {
		if (*at == '[') {
			at = past_brackets(at);
			continue;
		}
		if (at[0] == '\\' && at[1]) {
			at++;
		} else if (*at == '(') {
			open++;
		} else if (*at == ')' && --open == 0) {
			return at;
		}
		at++;
	}
	return NULL;
}

static bool read_pattern(struct gate_reader *in, struct gate *gate,
			 struct prof_error *err)
{
	const char *end = NULL;

	if (*in->at != '(') {
		return true;
	}
	end = closing(in->at + 1);
	if (!end) {
		return refuse(in, "the parenthesis is not closed", err);
	}
	if (gate->metric == GATE_TOTAL || gate->metric == GATE_NEW) {
		return refuse(in, "only flat and cum take a name", err);
	}
	gate->pattern = (struct prof_text){ in->at + 1, (size_t)(end - in->at) - 1 };
	if (gate->pattern.len == 0) {
		return refuse(in, "a name is missing", err);
	}
	in->at = end + 1;
	return true;
}

static bool read_metric(struct gate_reader *in, struct gate *gate,
			struct prof_error *err)
{
	static const char *const names[] = {
		[GATE_TOTAL] = "total",
		[GATE_FLAT] = "flat",
		[GATE_CUM] = "cum",
		[GATE_NEW] = "new",
	};
	struct gate_reader before = *in;
	struct prof_text word = read_word(in);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (prof_text_equal(word, prof_text(names[i]))) {
			gate->metric = (enum gate_metric)i;
			skip_blanks(in);
			return read_pattern(in, gate, err);
		}
	}
	return refuse(&before, "total, flat, cum, new, flat(RE) or cum(RE) is expected",
		      err);
}

static bool read_operator(struct gate_reader *in, struct gate *gate,
			  struct prof_error *err)
{
	skip_blanks(in);
	if ((*in->at != '>' && *in->at != '<') || in->at[1] == '=') {
		return refuse(in, "'>' or '<' is expected", err);
	}
	gate->less = *in->at == '<';
	in->at++;
	skip_blanks(in);
	return true;
}

/* A decimal number, with a sign if that is wanted. */
static bool read_number(struct gate_reader *in, bool sign, double *number,
			struct prof_error *err)
{
	char digits[NUMBER_MAX];
	size_t start = sign && (*in->at == '+' || *in->at == '-') ? 1 : 0;
	size_t len = start + strspn(in->at + start, "0123456789.");
	double value = 0;

	if (len == start || len >= sizeof(digits)) {
		return refuse(in, "a number is expected", err);
	}
	memcpy(digits, in->at + start, len - start);
	digits[len - start] = '\0';
	if (!option_parse_number(digits, &value, err)) {
		return refuse(in, "a number is expected", err);
	}
	*number = *in->at == '-' ? -value : value;
	in->at += len;
	return true;
}

static bool read_threshold(struct gate_reader *in, struct gate *gate,
			   struct prof_error *err)
{
	if (!read_number(in, true, &gate->threshold, err)) {
		return false;
	}
	skip_blanks(in);
	if (*in->at == '%') {
		in->at++;
		gate->measure = GATE_PERCENT;
		gate->threshold /= 100;
		return true;
	}
	gate->unit = read_word(in);
	gate->measure = GATE_UNIT;
	if (gate->unit.len == 0 || prof_text_equal(gate->unit, prof_text("where"))) {
		in->at = gate->unit.data;
		return refuse(in, "%, pp or a unit such as ms is expected", err);
	}
	if (prof_text_equal(gate->unit, prof_text("pp"))) {
		gate->unit = (struct prof_text){ 0 };
		gate->measure = GATE_POINTS;
		gate->threshold /= 100;
	}
	return true;
}

static bool read_share(struct gate_reader *in, struct gate *gate,
		       struct prof_error *err)
{
	skip_blanks(in);
	if (in->at[0] != '>' || in->at[1] != '=') {
		return refuse(in, "'>=' is expected", err);
	}
	in->at += 2;
	skip_blanks(in);
	if (!read_number(in, false, &gate->min_share, err)) {
		return false;
	}
	skip_blanks(in);
	if (*in->at != '%' || gate->min_share > 100) {
		return refuse(in, "a share of at most 100% is expected", err);
	}
	in->at++;
	gate->min_share /= 100;
	return true;
}

/* The value goes to the end: it may hold anything. */
static bool read_label(struct gate_reader *in, struct gate *gate,
		       struct prof_error *err)
{
	const char *equal = NULL;

	skip_blanks(in);
	equal = strchr(in->at, '=');
	if (!equal || equal == in->at) {
		return refuse(in, "KEY=VALUE is expected", err);
	}
	gate->label_key = (struct prof_text){ in->at, (size_t)(equal - in->at) };
	gate->label_value = prof_text(equal + 1);
	in->at += strlen(in->at);
	return true;
}

static bool read_condition(struct gate_reader *in, struct gate *gate,
			   struct prof_error *err)
{
	struct gate_reader before;
	struct prof_text word;

	skip_blanks(in);
	if (*in->at == '\0') {
		return true;
	}
	before = *in;
	if (!prof_text_equal(read_word(in), prof_text("where"))) {
		return refuse(&before, "'where' is expected", err);
	}
	skip_blanks(in);
	before = *in;
	word = read_word(in);
	if (prof_text_equal(word, prof_text("share"))) {
		return read_share(in, gate, err);
	}
	if (prof_text_equal(word, prof_text("label"))) {
		return read_label(in, gate, err);
	}
	return refuse(&before, "'share>=N%' or 'label KEY=VALUE' is expected", err);
}

/* What can be read but says nothing that can be true or false. */
static bool check_sense(const struct gate_reader *in, const struct gate *gate,
			struct prof_error *err)
{
	if (gate->metric == GATE_NEW && gate->measure == GATE_PERCENT) {
		return prof_fail(
			err, PROF_ERR_SYNTAX,
			"--gate '%s': what is new grew by no percentage; write %gpp",
			in->text, gate->threshold * 100);
	}
	if (gate->metric == GATE_NEW && (gate->less || gate->threshold < 0)) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "--gate '%s': what is new is never below 0", in->text);
	}
	if (gate->measure == GATE_PERCENT && gate->threshold < -1) {
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "--gate '%s': nothing falls by more than 100%%",
				 in->text);
	}
	return true;
}

bool gate_parse(const char *text, struct gate *out, struct prof_error *err)
{
	struct gate gate = { .text = text };
	struct gate_reader in = { .text = text, .at = text };

	skip_blanks(&in);
	if (!read_metric(&in, &gate, err) || !read_operator(&in, &gate, err) ||
	    !read_threshold(&in, &gate, err) || !read_condition(&in, &gate, err)) {
		return false;
	}
	skip_blanks(&in);
	if (*in.at != '\0') {
		return refuse(&in, "the end is expected", err);
	}
	if (!check_sense(&in, &gate, err)) {
		return false;
	}
	*out = gate;
	return true;
}
