/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/report/graph_work.h"

/* --- stacks ------------------------------------------------------------------------- */

static bool fail_sum(const struct prof_graph_work *work, struct prof_error *err)
{
	const struct prof_profile *profile = work->profile;
	struct prof_text type =
		prof_string(profile, profile->types[work->options->column].type);

	return prof_fail(err, PROF_ERR_LIMIT,
			 "the sum of the '%.*s' values does not fit 64 bits",
			 (int)(type.len < 100 ? type.len : 100), type.data);
}

/* Add |value| to `sum`; false when it does not fit. */
static bool add_magnitude(int64_t *sum, int64_t value)
{
	return value < 0 ? !__builtin_sub_overflow(*sum, value, sum)
			 : !__builtin_add_overflow(*sum, value, sum);
}

bool prof_graph_add_stacks(struct prof_graph_work *work, struct prof_error *err)
{
	const struct prof_profile *profile = work->profile;
	size_t count = (size_t)profile->stack_count + 1;
	const int64_t *values;
	int64_t magnitude = 0;
	int64_t div_magnitude = 0;

	work->stack_value = prof_alloc_array(count, sizeof(*work->stack_value));
	work->stack_used = prof_alloc_array(count, sizeof(*work->stack_used));
	work->stack_div = work->options->mean
				  ? prof_alloc_array(count, sizeof(*work->stack_div))
				  : NULL;
	if (!work->stack_value || !work->stack_used ||
	    (work->options->mean && !work->stack_div)) {
		return prof_fail_nomem(err);
	}
	values = profile->sample_count > 0 ? profile->values[work->options->column]
					   : NULL;
	for (uint32_t i = 0; i < profile->sample_count; i++) {
		int64_t div = work->options->mean ? profile->values[0][i] : 0;
		uint32_t stack = profile->sample_stack[i];

		if (!add_magnitude(&magnitude, values[i]) ||
		    !add_magnitude(&div_magnitude, div)) {
			return fail_sum(work, err);
		}
		if (values[i] != 0 || div != 0) {
			work->stack_used[stack] = true;
			work->stack_value[stack] += values[i];
		}
		if (work->stack_div) {
			work->stack_div[stack] += div;
		}
	}
	return true;
}

/* --- nodes -------------------------------------------------------------------------- */

/* What a frame of the inner loop touches: one line of the cache. */
struct cell {
	int64_t cum;
	uint64_t stamp; /* the last stack that added, plus 1 */
};

struct adder {
	struct prof_graph_work *work;
	struct cell *cells; /* per node */
	int64_t value;      /* of the stack at hand */
	int64_t div;
	uint64_t stamp;
};

static inline void add_frame(const struct adder *adder, uint32_t node)
{
	struct cell *cell = &adder->cells[node];

	if (cell->stamp != adder->stamp) {
		cell->stamp = adder->stamp;
		cell->cum += adder->value;
		if (adder->div != 0) {
			adder->work->sums[node].cum_div += adder->div;
		}
	}
}

static bool add_stack(struct adder *adder, uint32_t stack)
{
	struct prof_graph_work *work = adder->work;
	struct prof_frames frames = prof_stack(work->profile, stack);
	uint32_t leaf;

	adder->value = work->stack_value[stack];
	adder->div = work->stack_div ? work->stack_div[stack] : 0;
	adder->stamp = (uint64_t)stack + 1;
	work->locations_walked += frames.count;
	for (size_t k = 0; k < frames.count; k++) {
		uint32_t only = work->only_frame[frames.data[k]];
		uint32_t first = work->first_frame[frames.data[k]];
		uint32_t end = work->first_frame[frames.data[k] + 1];

		if (only != PROF_NONE) {
			add_frame(adder, only);
			continue;
		}
		if (!prof_graph_count_frames(work, end - first)) {
			return false;
		}
		for (uint32_t i = first; i < end; i++) {
			add_frame(adder, work->frames[i]);
		}
	}
	if (frames.count > 0) {
		leaf = work->frames[work->first_frame[frames.data[0]]];
		work->sums[leaf].flat += adder->value;
		work->sums[leaf].flat_div += adder->div;
	}
	return true;
}

/* Some of the stacks, with sums of their own. */
struct half {
	struct prof_graph_work work;
	struct cell *cells;
	uint32_t first;
	uint32_t end;
	bool too_many;
};

static bool half_init(struct half *half, const struct prof_graph_work *work)
{
	size_t count = (size_t)work->node_count + 1;

	half->work = *work;
	half->work.sums = prof_alloc_array(count, sizeof(*half->work.sums));
	half->cells = prof_alloc_array(count, sizeof(*half->cells));
	return half->work.sums && half->cells;
}

static void half_free(struct half *half)
{
	prof_free(half->work.sums);
	prof_free(half->cells);
}

static void add_half(void *context)
{
	struct half *half = context;
	struct adder adder = { .work = &half->work, .cells = half->cells };

	for (uint32_t s = half->first; !half->too_many && s < half->end; s++) {
		half->too_many = half->work.stack_used[s] && !add_stack(&adder, s);
	}
}

static void give_sums(const struct half *half, struct prof_graph_work *work)
{
	for (uint32_t n = 0; n < work->node_count; n++) {
		const struct prof_graph_sums *sums = &half->work.sums[n];

		work->sums[n].flat += sums->flat;
		work->sums[n].flat_div += sums->flat_div;
		work->sums[n].cum += half->cells[n].cum;
		work->sums[n].cum_div += sums->cum_div;
	}
}

bool prof_graph_add_nodes(struct prof_graph_work *work, struct prof_error *err)
{
	uint32_t stacks = work->profile->stack_count;
	uint32_t middle = prof_graph_middle(work);
	struct half first = { .end = middle };
	struct half second = { .first = middle, .end = stacks };
	bool ok;

	work->node_count = work->info_count;
	work->sums =
		prof_alloc_array((size_t)work->node_count + 1, sizeof(*work->sums));
	ok = work->sums && half_init(&first, work) &&
	     (middle == stacks || half_init(&second, work));
	if (ok) {
		prof_graph_run_two(add_half, &first, middle < stacks ? &second : NULL);
		give_sums(&first, work);
	}
	if (ok && middle < stacks) {
		give_sums(&second, work);
	}
	half_free(&first);
	half_free(&second);
	if (first.too_many || second.too_many) {
		return prof_graph_fail_frames(err);
	}
	return ok || prof_fail_nomem(err);
}
