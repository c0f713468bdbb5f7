/* SPDX-License-Identifier: MIT */
/*
 * Runs read ahead of their use by two threads, and handed out in order. At most
 * AHEAD of them wait or are being read, so that memory does not grow with the runs.
 */
#include <pthread.h>

#include "cmd/diff.h"
#include "libprof/base/alloc.h"

enum {
	THREADS = 2,
	AHEAD = 2,
};

struct slot {
	const char *path;
	struct prof_profile *profile;
	struct prof_error error;
	bool ok;
	bool done;
};

struct diff_ahead {
	const struct input_options *input;
	struct slot *slots;
	uint32_t count;

	pthread_mutex_t lock;
	pthread_cond_t change;
	uint32_t started; /* guarded by lock, as are the slots' results */
	uint32_t taken;
	bool stop;

	pthread_t threads[THREADS];
	int thread_count;
};

static void read_slot(struct diff_ahead *ahead, struct slot *slot)
{
	struct prof_profile *profile = NULL;
	struct prof_error error = { 0 };
	bool ok = input_one(ahead->input, slot->path, &profile, &error);

	pthread_mutex_lock(&ahead->lock);
	slot->profile = profile;
	slot->error = error;
	slot->ok = ok;
	slot->done = true;
	pthread_cond_broadcast(&ahead->change);
	pthread_mutex_unlock(&ahead->lock);
}

/* The next run that nobody reads yet, once there is room for it; NULL: no more. */
static struct slot *next_slot(struct diff_ahead *ahead)
{
	struct slot *slot = NULL;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->stop && ahead->started < ahead->count &&
	       ahead->started >= ahead->taken + AHEAD) {
		pthread_cond_wait(&ahead->change, &ahead->lock);
	}
	if (!ahead->stop && ahead->started < ahead->count) {
		slot = &ahead->slots[ahead->started++];
	}
	pthread_mutex_unlock(&ahead->lock);
	return slot;
}

static void *read_slots(void *data)
{
	struct diff_ahead *ahead = data;
	struct slot *slot = NULL;

	while ((slot = next_slot(ahead)) != NULL) {
		read_slot(ahead, slot);
	}
	return NULL;
}

static void list_runs(struct diff_ahead *ahead, const struct diff_sides *sides)
{
	for (int side = 0; side <= PROF_SAME_CODE; side++) {
		for (uint32_t i = 0; i < sides->side[side].count; i++) {
			ahead->slots[ahead->count++].path =
				sides->side[side].runs[i].path;
		}
	}
}

struct diff_ahead *diff_ahead_new(const struct input_options *input,
				  const struct diff_sides *sides)
{
	struct diff_ahead *ahead = prof_alloc_array(1, sizeof(*ahead));
	size_t count = 0;

	for (int side = 0; side <= PROF_SAME_CODE; side++) {
		count += sides->side[side].count;
	}
	if (ahead) {
		ahead->slots = prof_alloc_array(count, sizeof(*ahead->slots));
	}
	if (!ahead || !ahead->slots) {
		prof_free(ahead);
		return NULL;
	}
	ahead->input = input;
	list_runs(ahead, sides);
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->change, NULL);
	while (ahead->thread_count < THREADS &&
	       pthread_create(&ahead->threads[ahead->thread_count], NULL, read_slots,
			      ahead) == 0) {
		ahead->thread_count++;
	}
	return ahead;
}

bool diff_ahead_take(struct diff_ahead *ahead, struct prof_profile **out,
		     struct prof_error *err)
{
	struct slot *slot = &ahead->slots[ahead->taken];

	if (ahead->thread_count == 0) {
		ahead->taken++;
		return input_one(ahead->input, slot->path, out, err);
	}
	pthread_mutex_lock(&ahead->lock);
	while (!slot->done) {
		pthread_cond_wait(&ahead->change, &ahead->lock);
	}
	ahead->taken++;
	pthread_cond_broadcast(&ahead->change);
	pthread_mutex_unlock(&ahead->lock);
	if (!slot->ok) {
		*err = slot->error;
		return false;
	}
	*out = slot->profile;
	slot->profile = NULL;
	return true;
}

void diff_ahead_free(struct diff_ahead *ahead)
{
	if (!ahead) {
		return;
	}
	pthread_mutex_lock(&ahead->lock);
	ahead->stop = true;
	pthread_cond_broadcast(&ahead->change);
	pthread_mutex_unlock(&ahead->lock);
	for (int i = 0; i < ahead->thread_count; i++) {
		pthread_join(ahead->threads[i], NULL);
	}
	for (uint32_t i = 0; i < ahead->count; i++) {
		prof_profile_free(ahead->slots[i].profile);
	}
	pthread_cond_destroy(&ahead->change);
	pthread_mutex_destroy(&ahead->lock);
	prof_free(ahead->slots);
	prof_free(ahead);
}
