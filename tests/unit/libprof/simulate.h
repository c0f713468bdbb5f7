/* SPDX-License-Identifier: MIT */
/*
 * simulate.h - worlds of noise, and profiles drawn from them.
 *
 *	iid         every sample falls by chance alone
 *	bursts      samples come in runs of the same function: phi 3
 *	run noise   every run has shares of its own: sigma
 *
 * A profile has one function per stack. Which counts it has is all that varies, so one
 * set of tables serves for thousands of them. Same seed, same numbers.
 */
#ifndef TESTS_SIMULATE_H
#define TESTS_SIMULATE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "libprof/model/profile.h"

struct world {
	const char *name;
	double phi;
	double sigma;
};

struct chance {
	uint64_t state;
};

/* Uniform in (0, 1). SplitMix64. */
static inline double uniform(struct chance *chance)
{
	uint64_t z = chance->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

/* Box and Muller. */
static inline double gauss(struct chance *chance)
{
	double r = sqrt(-2 * log(uniform(chance)));

	return r * cos(2 * M_PI * uniform(chance));
}

/* Rejection from a table mountain: Hoermann (1993), PTRS. */
static inline double poisson_large(struct chance *chance, double mu)
{
	double b = 0.931 + 2.53 * sqrt(mu);
	double a = -0.059 + 0.02483 * b;
	double inverse = 1.1239 + 1.1328 / (b - 3.4);
	double sure = 0.9277 - 3.6224 / (b - 2);

	for (;;) {
		double u = uniform(chance) - 0.5;
		double v = uniform(chance);
		double us = 0.5 - fabs(u);
		double k = floor((2 * a / us + b) * u + mu + 0.43);

		if (us >= 0.07 && v <= sure) {
			return k;
		}
		if (k < 0 || (us < 0.013 && v > us)) {
			continue;
		}
		if (log(v * inverse / (a / (us * us) + b)) <=
		    k * log(mu) - mu - lgamma(k + 1)) {
			return k;
		}
	}
}

static inline double poisson(struct chance *chance, double mu)
{
	double limit = exp(-mu);
	double product = 1;
	double k = -1;

	if (mu >= 30) {
		return poisson_large(chance, mu);
	}
	if (!(mu > 0)) {
		return 0;
	}
	do {
		product *= uniform(chance);
		k++;
	} while (product > limit);
	return k;
}

/* Of shape at least 1: Marsaglia and Tsang (2000). */
static inline double gamma_of(struct chance *chance, double shape)
{
	double d = shape - 1.0 / 3;
	double c = 1 / sqrt(9 * d);

	for (;;) {
		double x = gauss(chance);
		double v = 1 + c * x;

		v = v * v * v;
		if (v > 0 &&
		    log(uniform(chance)) < 0.5 * x * x + d - d * v + d * log(v)) {
			return d * v;
		}
	}
}

/* The count of one function in one run: bursts are geometric, of mean (phi + 1) / 2. */
static inline double draw(struct chance *chance, const struct world *world, double mu)
{
	double burst = (world->phi + 1) / 2;
	double bursts = 0;

	if (world->sigma > 0) {
		mu *= exp(world->sigma * gauss(chance) -
			  world->sigma * world->sigma / 2);
	}
	if (world->phi == 1) {
		return poisson(chance, mu);
	}
	bursts = poisson(chance, mu / burst);
	if (bursts == 0) {
		return 0;
	}
	return bursts + poisson(chance, gamma_of(chance, bursts) * (burst - 1));
}

enum { SIMULATED_MAX = 256 };

struct simulated {
	struct prof_profile profile;
	struct prof_text strings[SIMULATED_MAX + 6];
	char names[SIMULATED_MAX][12];
	struct prof_value_type types[2];
	struct prof_function functions[SIMULATED_MAX];
	struct prof_location locations[SIMULATED_MAX + 1];
	struct prof_line lines[SIMULATED_MAX];
	uint64_t stack_ends[SIMULATED_MAX + 1];
	uint32_t frames[SIMULATED_MAX];
	uint32_t set_ends[2];
	uint32_t sets[SIMULATED_MAX];
	int64_t counts[SIMULATED_MAX];
	int64_t *columns[2];
};

/* A profile of `count` functions, each of which has one stack and one sample. */
static inline void simulate_init(struct simulated *s, uint32_t count)
{
	*s = (struct simulated){ 0 };
	s->strings[0] = prof_text("");
	s->strings[1] = prof_text("samples");
	s->strings[2] = prof_text("count");
	s->types[0] = (struct prof_value_type){ 1, 2 };
	s->columns[0] = s->counts;
	for (uint32_t i = 0; i < count; i++) {
		snprintf(s->names[i], sizeof(s->names[i]), "f%u", (unsigned)i);
		s->strings[i + 3] = prof_text(s->names[i]);
		s->functions[i] = (struct prof_function){ .id = i + 1, .name = i + 3 };
		s->locations[i] = (struct prof_location){ .id = i + 1,
							  .mapping = PROF_NONE,
							  .first_line = i };
		s->lines[i] = (struct prof_line){ .function = i };
		s->frames[i] = i;
		s->stack_ends[i + 1] = i + 1;
	}
	s->locations[count].first_line = count;
	s->profile = (struct prof_profile){
		.strings = s->strings,
		.string_count = count + 3,
		.types = s->types,
		.type_count = 1,
		.functions = s->functions,
		.function_count = count,
		.locations = s->locations,
		.location_count = count,
		.lines = s->lines,
		.line_count = count,
		.stack_ends = s->stack_ends,
		.stack_count = count,
		.frames = s->frames,
		.set_ends = s->set_ends,
		.set_count = 1,
		.sample_stack = s->frames,
		.sample_set = s->sets,
		.values = s->columns,
		.sample_count = count,
	};
}

/* Make it a heap profile: counts are objects, `bytes` their bytes. */
static inline void simulate_heap(struct simulated *s, int64_t *bytes, int64_t rate)
{
	uint32_t more = s->profile.string_count;

	s->strings[1] = prof_text("inuse_objects");
	s->strings[more] = prof_text("inuse_space");
	s->strings[more + 1] = prof_text("bytes");
	s->strings[more + 2] = prof_text("space");
	s->types[1] = (struct prof_value_type){ more, more + 1 };
	s->columns[1] = bytes;
	s->profile.type_count = 2;
	s->profile.string_count += 3;
	s->profile.header.period_type = (struct prof_value_type){ more + 2, more + 1 };
	s->profile.header.period = rate;
}

/* Shares as 1/1, 1/2, 1/3 ...: some functions are hot, many are not. */
static inline void zipf(double *shares, uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		sum += 1.0 / (i + 1);
	}
	for (uint32_t i = 0; i < count; i++) {
		shares[i] = 1.0 / (i + 1) / sum;
	}
}

/* Draw one run of about `samples`. */
static inline void simulate(struct simulated *s, struct chance *chance,
			    const struct world *world, const double *shares,
			    double samples)
{
	for (uint32_t i = 0; i < s->profile.sample_count; i++) {
		s->counts[i] = (int64_t)draw(chance, world, samples * shares[i]);
	}
}

#endif
