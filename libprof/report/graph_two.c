/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "libprof/report/graph_work.h"

/* Below this many frames a second thread costs more than it brings. */
#define ENOUGH_FRAMES UINT64_C(1000000)

struct job {
	void (*run)(void *context);
	void *context;
};

static void *run_job(void *context)
{
	const struct job *job = context;

	job->run(job->context);
	return NULL;
}

uint32_t prof_graph_middle(const struct prof_graph_work *work)
{
	const struct prof_profile *profile = work->profile;
	uint64_t frames = profile->stack_ends[profile->stack_count];
	uint32_t low = 0;
	uint32_t high = profile->stack_count;

	if (frames < ENOUGH_FRAMES) {
		return profile->stack_count;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (profile->stack_ends[middle] < frames / 2) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

void prof_graph_run_two(void (*run)(void *context), void *first, void *second)
{
	struct job job = { run, second };
	pthread_t thread;
	bool threaded = second && pthread_create(&thread, NULL, run_job, &job) == 0;

	run(first);
	if (threaded) {
		pthread_join(thread, NULL);
	} else if (second) {
		run(second);
	}
}
