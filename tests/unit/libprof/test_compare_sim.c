/* SPDX-License-Identifier: MIT */
/*
 * Whether the comparison is right as often as it says: thousands of comparisons of
 * worlds in which the truth is known. Seeds are fixed, so a failure is no bad luck.
 * SIMULATE=20 runs 20 times as many, for a closer look.
 */
#include "libprof/report/compare.h"

#include <math.h>
#include <stdlib.h>

#include "tests/test.h"
#include "tests/unit/libprof/simulate.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct world worlds[] = {
	{ "iid", 1, 0 },
	{ "bursts", 3, 0 },
	{ "run noise 2 %", 1, 0.02 },
	{ "bursts and run noise 2 %", 3, 0.02 },
	{ "run noise 5 %", 1, 0.05 },
};

/* A side of an experiment: what is true of it. */
struct plan {
	const struct world *world;
	uint32_t functions;
	uint32_t runs;
	double samples;    /* a run */
	double more_after; /* samples of after are so many times as many */
	double before[SIMULATED_MAX];
	double after[SIMULATED_MAX];
	struct prof_compare_options options;
};

/* What came of many comparisons. */
struct tally {
	uint32_t comparisons;
	uint32_t tests;      /* of functions that did not change */
	uint32_t low_p;      /* ... with p < .05 */
	uint32_t covered;    /* ... whose interval has the true ratio */
	uint32_t flagged;    /* comparisons with a false finding */
	uint32_t false_real; /* false findings */
	double false_share;  /* sum of false findings / findings */
	uint32_t changed;    /* functions that did change */
	uint32_t found;
	uint32_t naive; /* comparisons in which "1 % of the total and + 3 %" fires */
};

static uint32_t repeat(uint32_t count)
{
	const char *times = getenv("SIMULATE");
	long more = times ? strtol(times, NULL, 10) : 1;

	return count * (more > 1 && more < 1000 ? (uint32_t)more : 1);
}

static struct plan plan_of(const struct world *world, uint32_t functions, uint32_t runs,
			   double samples)
{
	struct plan plan = { .world = world,
			     .functions = functions,
			     .runs = runs,
			     .samples = samples,
			     .more_after = 1,
			     .options = prof_compare_defaults() };

	zipf(plan.before, functions);
	zipf(plan.after, functions);
	plan.options.normalize = PROF_NORMALIZE_NONE;
	return plan;
}

static struct prof_comparison *compare(const struct plan *plan, struct chance *chance)
{
	static struct simulated simulated;
	struct prof_compare *compare = prof_compare_new(&plan->options);
	struct prof_compare_run run = { .count_column = PROF_NONE, .work = 1 };
	struct prof_comparison *out = NULL;
	struct prof_error err = { 0 };

	assert_non_null(compare);
	simulate_init(&simulated, plan->functions);
	for (uint32_t i = 0; i < plan->runs; i++) {
		simulate(&simulated, chance, plan->world, plan->before, plan->samples);
		assert_true(prof_compare_add(compare, PROF_BEFORE, &simulated.profile,
					     &run, &err));
		simulate(&simulated, chance, plan->world, plan->after,
			 plan->samples * plan->more_after);
		assert_true(prof_compare_add(compare, PROF_AFTER, &simulated.profile,
					     &run, &err));
	}
	if (!prof_compare_finish(compare, &out, &err)) {
		fail_msg("%s", err.message);
	}
	prof_compare_free(compare);
	return out;
}

static void count_row(const struct plan *plan, const struct prof_compare_row *row,
		      struct tally *tally, uint32_t *real, uint32_t *wrong)
{
	uint32_t f = (uint32_t)strtoul(row->name.data + 1, NULL, 10);
	const struct prof_estimate *e = &row->flat;
	double truth = plan->after[f] / plan->before[f];

	if (e->verdict == PROF_VERDICT_UNTESTED) {
		return;
	}
	*real += e->verdict == PROF_VERDICT_REAL;
	if (fabs(truth - 1) > 1e-9) {
		tally->changed++;
		tally->found += e->verdict == PROF_VERDICT_REAL;
		return;
	}
	*wrong += e->verdict == PROF_VERDICT_REAL;
	tally->tests++;
	tally->low_p += e->p < 0.05;
	tally->covered += e->ratio_low <= 1 && e->ratio_high >= 1;
}

static bool naive_rule(const struct prof_comparison *out)
{
	for (uint32_t i = 0; i < out->row_count; i++) {
		const struct prof_estimate *e = &out->rows[i].flat;

		if (e->expected >= 0.01 * out->total.expected && e->ratio > 1.03) {
			return true;
		}
	}
	return false;
}

static struct tally experiment(const struct plan *plan, uint32_t count, uint64_t seed)
{
	struct chance chance = { seed };
	struct tally tally = { 0 };

	for (uint32_t i = 0; i < repeat(count); i++) {
		struct prof_comparison *out = compare(plan, &chance);
		uint32_t real = 0;
		uint32_t wrong = 0;

		for (uint32_t row = 0; row < out->row_count; row++) {
			count_row(plan, &out->rows[row], &tally, &real, &wrong);
		}
		tally.comparisons++;
		tally.flagged += wrong > 0;
		tally.false_real += wrong;
		tally.false_share += real > 0 ? (double)wrong / real : 0;
		tally.naive += naive_rule(out);
		prof_comparison_free(out);
	}
	return tally;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* What may be measured in a short run where the truth is at most `most` percent. */
static double margin(double most)
{
	return repeat(1) > 1 ? most : most + 3;
}

static void say(const char *what, const struct plan *plan, const struct tally *t)
{
	printf("# %s, %s, %u v %u runs of %g: p < .05 %.2f %%, flagged %.1f %%, "
	       "coverage %.1f %%, found %.0f %%, false of findings %.1f %%, "
	       "naive rule %.0f %%\n",
	       what, plan->world->name, (unsigned)plan->runs, (unsigned)plan->runs,
	       plan->samples, percent(t->low_p, t->tests),
	       percent(t->flagged, t->comparisons), percent(t->covered, t->tests),
	       percent(t->found, t->changed), percent(t->false_share, t->comparisons),
	       percent(t->naive, t->comparisons));
}

/* false alarms */

static void of_several_equal_runs_few_comparisons_find_anything(void **state)
{
	static const uint32_t runs[] = { 2, 3, 5, 10 };

	for (size_t w = 0; w < COUNT(worlds); w++) {
		for (size_t r = 0; r < COUNT(runs); r++) {
			struct plan plan = plan_of(&worlds[w], 120, runs[r], 3000);
			struct tally t = experiment(&plan, 100, 11 * w + r);
			double p = percent(t.low_p, t.tests);
			double coverage = percent(t.covered, t.tests);

			say("same", &plan, &t);
			assert_true(p >= 2.5 && p <= 6.0);
			assert_true(percent(t.flagged, t.comparisons) <= margin(7));
			assert_true(coverage >= 93.5 && coverage <= 98);
			assert_true(percent(t.naive, t.comparisons) >= 85);
		}
	}
}

static void of_one_equal_pair_few_comparisons_find_anything(void **state)
{
	static const struct world noisy[] = {
		{ "iid", 1, 0 },
		{ "bursts", 3, 0 },
		{ "bursts and run noise 2 %", 3, 0.02 },
		{ "run noise 5 %", 1, 0.05 },
		{ "run noise 10 %", 1, 0.10 },
	};
	static const double samples[] = { 1000, 5000, 50000 };

	for (size_t w = 0; w < COUNT(noisy); w++) {
		for (size_t n = 0; n < COUNT(samples); n++) {
			struct plan plan = plan_of(&noisy[w], 200, 1, samples[n]);
			struct tally t = experiment(&plan, 100, 100 + 7 * w + n);

			say("same", &plan, &t);
			assert_true(percent(t.flagged, t.comparisons) <= 6);
		}
	}
}

/* The test can fail: the rule that others use, and Poisson where samples burst. */
static void rules_without_noise_are_wrong_nearly_always(void **state)
{
	struct plan plan = plan_of(&worlds[0], 200, 1, 5000);
	struct tally t = experiment(&plan, 100, 5);

	say("same", &plan, &t);
	assert_true(percent(t.naive, t.comparisons) >= 97);
	plan = plan_of(&worlds[4], 200, 1, 50000);
	plan.options.run_noise = 0;
	t = experiment(&plan, 50, 6);
	say("same, run noise denied", &plan, &t);
	assert_true(percent(t.flagged, t.comparisons) >= 50);
}

static void different_rates_of_sampling_are_no_difference(void **state)
{
	struct plan plan = plan_of(&worlds[0], 100, 1, 2000);
	struct tally t;

	plan.more_after = 10;
	plan.options.normalize = PROF_NORMALIZE_TOTAL;
	plan.options.run_noise = 0;
	t = experiment(&plan, 150, 21);
	say("ten times the rate", &plan, &t);
	assert_true(percent(t.low_p, t.tests) <= 6);
	assert_true(percent(t.flagged, t.comparisons) <= 7);
}

/*
 * A heap profiler sees an object of S bytes with 1 - exp(-S / rate), and writes what it
 * saw divided by that. The same allocations twice are no difference.
 */
static double binomial(struct chance *chance, double n, double p)
{
	double k = 0;

	if (n * p > 30) {
		double sd = sqrt(n * p * (1 - p));

		return fmin(n, fmax(0, nearbyint(n * p + sd * gauss(chance))));
	}
	for (double i = 0; i < n && p > 0; k++) {
		i += floor(log(uniform(chance)) / log1p(-p)) + 1;
		if (i > n) {
			return k;
		}
	}
	return k;
}

static void allocations_seen_by_chance_are_no_difference(void **state)
{
	enum { SIZES = 12, SITES = 60, RATE = 512 << 10 };
	static struct simulated heap;
	int64_t bytes[SITES] = { 0 };
	struct chance chance = { 81 };
	struct tally t = { 0 };

	simulate_init(&heap, SITES);
	simulate_heap(&heap, bytes, RATE);
	for (uint32_t i = 0; i < repeat(150); i++) {
		struct prof_compare_options options = prof_compare_defaults();
		struct prof_compare_run run = { .column = 1,
						.count_column = PROF_NONE };
		struct prof_compare *compare = NULL;
		struct prof_comparison *out = NULL;
		struct prof_error err = { 0 };
		uint32_t wrong = 0;

		options.normalize = PROF_NORMALIZE_NONE;
		options.run_noise = 0;
		compare = prof_compare_new(&options);
		for (uint32_t k = 0; k < 2; k++) {
			for (uint32_t site = 0; site < SITES; site++) {
				double size = 16 << (site % SIZES);
				double seen = -expm1(-size / RATE);
				double got = binomial(&chance, 0x1p28 / size, seen);

				heap.counts[site] = (int64_t)nearbyint(got / seen);
				bytes[site] = heap.counts[site] * (int64_t)size;
			}
			assert_true(prof_compare_add(compare,
						     k == 0 ? PROF_BEFORE : PROF_AFTER,
						     &heap.profile, &run, &err));
		}
		assert_true(prof_compare_finish(compare, &out, &err));
		assert_int_equal(out->sides[0].source, PROF_COUNT_HEAP);
		for (uint32_t row = 0; row < out->row_count; row++) {
			t.tests++;
			t.low_p += out->rows[row].flat.p < 0.05;
			wrong += out->rows[row].flat.verdict == PROF_VERDICT_REAL;
		}
		t.comparisons++;
		t.flagged += wrong > 0;
		prof_comparison_free(out);
		prof_compare_free(compare);
	}
	printf("# heap: p < .05 %.2f %%, flagged %.1f %%\n", percent(t.low_p, t.tests),
	       percent(t.flagged, t.comparisons));
	assert_true(percent(t.low_p, t.tests) <= 7);
	assert_true(percent(t.flagged, t.comparisons) <= margin(7));
}

/* power */

static struct plan changed(const struct world *world, uint32_t runs)
{
	struct plan plan = plan_of(world, 120, runs, 20000);

	plan.after[2] *= 1.10;
	plan.after[12] *= 1.25;
	return plan;
}

static void changes_are_found_among_several_runs(void **state)
{
	static const struct {
		size_t world;
		uint32_t runs;
		double found;
	} cases[] = { { 0, 3, 60 }, { 2, 3, 50 }, { 0, 5, 93 }, { 2, 5, 72 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct plan plan = changed(&worlds[cases[i].world], cases[i].runs);
		struct tally t = experiment(&plan, 80, 31 + i);

		say("two changed", &plan, &t);
		assert_true(percent(t.found, t.changed) >= cases[i].found);
		assert_true(percent(t.false_share, t.comparisons) <= 7);
	}
}

static void a_function_twice_as_slow_is_found_in_one_pair(void **state)
{
	struct plan plan = plan_of(&worlds[0], 200, 1, 5000);
	struct tally t;

	plan.after[2] *= 2;
	t = experiment(&plan, 100, 41);
	say("one doubled", &plan, &t);
	assert_true(percent(t.found, t.changed) >= 95);
	assert_true(percent(t.false_share, t.comparisons) <= 7);
}

/* normalisation */

static void a_function_that_doubles_does_not_make_others_faster(void **state)
{
	struct plan plan = plan_of(&worlds[0], 150, 1, 20000);
	double ratios = 0;
	uint32_t count = repeat(60);
	struct chance chance = { 51 };
	struct tally t;

	for (uint32_t i = 0; i < plan.functions; i++) {
		plan.before[i] = i == 0 ? 0.2 : plan.before[i] * 0.97;
		plan.after[i] = i == 0 ? 0.4 : plan.before[i];
	}
	plan.options.run_noise = 0;
	plan.options.normalize = PROF_NORMALIZE_STABLE;
	t = experiment(&plan, 60, 50);
	say("stable", &plan, &t);
	assert_true(t.false_real <= 0.2 * t.comparisons);
	assert_true(t.found == t.changed);
	for (uint32_t i = 0; i < count; i++) {
		struct prof_comparison *out = compare(&plan, &chance);

		ratios += out->rows[0].flat.ratio / count;
		prof_comparison_free(out);
	}
	assert_true(ratios > 1.95 && ratios < 2.05);
	plan.options.normalize = PROF_NORMALIZE_TOTAL;
	t = experiment(&plan, 20, 50);
	say("total", &plan, &t);
	assert_true(percent(t.flagged, t.comparisons) >= 50);
}

/* gates */

/* How often a gate of + 3 % over functions of 1 % fails. */
static double gate_fails(struct plan *plan, enum prof_gate_mode mode, uint32_t count,
			 uint64_t seed)
{
	const struct prof_gate gate = { .mode = mode, .threshold = 0.03 };
	struct chance chance = { seed };
	uint32_t fails = 0;

	count = repeat(count);
	for (uint32_t i = 0; i < count; i++) {
		struct prof_comparison *out = compare(plan, &chance);
		struct prof_gate_test tests[SIMULATED_MAX] = { { 0 } };
		enum prof_gate_outcome outcome = PROF_GATE_PASSES;
		struct prof_error err = { 0 };
		uint32_t used = 0;

		for (uint32_t row = 0; row < out->row_count; row++) {
			const struct prof_estimate *e = &out->rows[row].flat;

			if (e->expected >= 0.01 * out->total.expected) {
				tests[used++].estimate = e;
			}
		}
		assert_true(prof_compare_gate(out, &gate, tests, used, &outcome, &err));
		fails += outcome == PROF_GATE_FAILS;
		prof_comparison_free(out);
	}
	return percent(fails, count);
}

static void a_proven_gate_fails_for_real_changes_only(void **state)
{
	for (size_t w = 0; w < COUNT(worlds); w += 3) {
		struct plan plan = plan_of(&worlds[w], 60, 5, 3000);
		double same = gate_fails(&plan, PROF_GATE_PROVEN, 120, 61);
		double likely = gate_fails(&plan, PROF_GATE_LIKELY, 120, 61);
		double point = gate_fails(&plan, PROF_GATE_POINT, 30, 61);
		double bound = 0;
		double slower = 0;

		for (uint32_t i = 0; i < plan.functions; i++) {
			plan.after[i] *= 1.03;
		}
		bound = gate_fails(&plan, PROF_GATE_PROVEN, 120, 62);
		zipf(plan.after, plan.functions);
		plan.after[1] *= 1.25;
		slower = gate_fails(&plan, PROF_GATE_PROVEN, 60, 63);
		printf("# gate +3 %%, %s: same %.1f %% (likely %.1f, point %.0f), "
		       "all +3 %% %.1f %%, one +25 %% %.0f %%\n",
		       worlds[w].name, same, likely, point, bound, slower);
		assert_true(same <= 2 && likely <= margin(6) && bound <= margin(6));
		assert_true(point >= 95);
		assert_true(slower >= (w == 0 ? 95 : 50));
	}
}

/* invariants */

static void swapping_the_sides_inverts_ratios_and_keeps_p(void **state)
{
	static const enum prof_normalize modes[] = { PROF_NORMALIZE_NONE,
						     PROF_NORMALIZE_TOTAL,
						     PROF_NORMALIZE_STABLE };
	static struct simulated profile[6];

	for (uint32_t i = 0; i < 6; i++) {
		struct plan plan = changed(&worlds[3], 1);
		struct chance chance = { 70 + i };

		simulate_init(&profile[i], 120);
		simulate(&profile[i], &chance, plan.world,
			 i % 2 ? plan.after : plan.before, 2000);
	}
	for (size_t m = 0; m < COUNT(modes) * 2; m++) {
		uint32_t runs = m % 2 ? 6 : 2;
		struct prof_comparison *out[2] = { NULL };

		for (uint32_t swap = 0; swap < 2; swap++) {
			struct prof_compare_options options = prof_compare_defaults();
			struct prof_compare_run run = { .count_column = PROF_NONE };
			struct prof_error err = { 0 };
			struct prof_compare *compare = NULL;

			options.normalize = modes[m / 2];
			compare = prof_compare_new(&options);
			for (uint32_t i = 0; i < runs; i++) {
				enum prof_side side =
					(i + swap) % 2 ? PROF_AFTER : PROF_BEFORE;

				assert_true(prof_compare_add(compare, side,
							     &profile[i].profile, &run,
							     &err));
			}
			assert_true(prof_compare_finish(compare, &out[swap], &err));
			prof_compare_free(compare);
		}
		for (uint32_t row = 0; row < out[0]->row_count; row++) {
			const struct prof_estimate *a = &out[0]->rows[row].flat;
			const struct prof_estimate *b = &out[1]->rows[row].flat;

			assert_true(fabs(a->p - b->p) <= 1e-12);
			if (a->value[0] > 0 && a->value[1] > 0) {
				assert_true(fabs(a->ratio * b->ratio - 1) < 1e-12);
			}
		}
		prof_comparison_free(out[0]);
		prof_comparison_free(out[1]);
	}
}

TEST_MAIN(cmocka_unit_test(of_several_equal_runs_few_comparisons_find_anything),
	  cmocka_unit_test(of_one_equal_pair_few_comparisons_find_anything),
	  cmocka_unit_test(rules_without_noise_are_wrong_nearly_always),
	  cmocka_unit_test(different_rates_of_sampling_are_no_difference),
	  cmocka_unit_test(allocations_seen_by_chance_are_no_difference),
	  cmocka_unit_test(changes_are_found_among_several_runs),
	  cmocka_unit_test(a_function_twice_as_slow_is_found_in_one_pair),
	  cmocka_unit_test(a_function_that_doubles_does_not_make_others_faster),
	  cmocka_unit_test(a_proven_gate_fails_for_real_changes_only),
	  cmocka_unit_test(swapping_the_sides_inverts_ratios_and_keeps_p))
