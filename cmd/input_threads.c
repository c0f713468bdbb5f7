/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdatomic.h>

#include "cmd/input_file.h"

/* What the two threads share: who takes the next file is left to chance. */
struct shared {
	const struct input_options *options;
	const struct input_paths *paths;
	atomic_int next;
	atomic_bool failed;
};

struct worker {
	struct shared *shared;
	struct prof_builder *builder;
	struct prof_error err;
	bool ok;
};

static void *work(void *context)
{
	struct worker *worker = context;
	struct shared *shared = worker->shared;

	worker->ok = true;
	while (worker->ok && !atomic_load(&shared->failed)) {
		int i = atomic_fetch_add(&shared->next, 1);

		if (i >= shared->paths->count) {
			break;
		}
		worker->ok = input_read_into(shared->options, shared->paths->items[i],
					     prof_builder_sink(worker->builder),
					     &worker->err);
	}
	if (!worker->ok) {
		atomic_store(&shared->failed, true);
	}
	return NULL;
}

static bool run(struct worker *own, struct worker *other)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, other) != 0) {
		own->shared->failed = true;
		return false;
	}
	work(own);
	pthread_join(thread, NULL);
	return own->ok && other->ok && !own->shared->failed;
}

bool input_merge_threads(const struct input_options *options,
			 const struct input_paths *paths, struct prof_profile **out,
			 struct prof_error *err)
{
	struct shared shared = { .options = options, .paths = paths };
	struct worker workers[2] = {
		{ .shared = &shared,
		  .builder = prof_builder_new(PROF_BUILD_CANONICAL) },
		{ .shared = &shared,
		  .builder = prof_builder_new(PROF_BUILD_CANONICAL) },
	};
	bool ok = workers[0].builder && workers[1].builder &&
		  run(&workers[0], &workers[1]) &&
		  prof_builder_absorb(workers[0].builder, workers[1].builder, err) &&
		  prof_builder_finish(workers[0].builder, out, err);

	prof_builder_free(workers[0].builder);
	prof_builder_free(workers[1].builder);
	return ok;
}
