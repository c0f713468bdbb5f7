/* SPDX-License-Identifier: MIT */
/*
 * prof_source_ahead(): one thread makes chunks, another uses them.
 *
 *	slot      0        1        2        3
 *	        [kept]   [taken]  [ready]  [being filled]
 *	           `- its tail is joined to the next one
 *
 * Chunks are counted from the start of the input; chunk n lives in slot n % SLOTS.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/source.h"

enum {
	SLOTS = 4,
	KEPT = 2, /* the consumer's: the last one and the one before */
};

#define SLOT_SIZE ((size_t)PROF_SOURCE_HEADROOM + PROF_SOURCE_CHUNK + PROF_SOURCE_PAD)

struct ahead {
	struct prof_source base;
	struct prof_source *inner; /* the thread's, once it runs */
	uint8_t *slots;
	pthread_t thread;

	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t changed;
	size_t lens[SLOTS];
	uint64_t made;
	uint64_t taken;
	bool done; /* there will be no chunk `made`: the end, or a failure */
	bool stopped;
	struct prof_error failure;
};

static uint8_t *slot_data(const struct ahead *ahead, uint64_t chunk)
{
	return ahead->slots + chunk % SLOTS * SLOT_SIZE + PROF_SOURCE_HEADROOM;
}

/* Chunks that the producer may overwrite. */
static uint64_t released(const struct ahead *ahead)
{
	return ahead->taken > KEPT ? ahead->taken - KEPT : 0;
}

static bool wait_for_slot(struct ahead *ahead)
{
	bool go = false;

	pthread_mutex_lock(&ahead->lock);
	while (!ahead->stopped && ahead->made - released(ahead) >= SLOTS) {
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	}
	go = !ahead->stopped;
	pthread_mutex_unlock(&ahead->lock);
	return go;
}

/* Fill the next slot. False when it was the last one. */
static bool produce(struct ahead *ahead)
{
	uint8_t *data = slot_data(ahead, ahead->made);
	struct prof_error err = { 0 };
	size_t len = 0;
	bool done =
		!ahead->inner->fill(ahead->inner, data, PROF_SOURCE_CHUNK, &len, &err);

	done = done || len == 0;
	if (!done) {
		memset(data + len, 0, PROF_SOURCE_PAD);
	}
	pthread_mutex_lock(&ahead->lock);
	if (done) {
		ahead->done = true;
		ahead->failure = err;
	} else {
		ahead->lens[ahead->made % SLOTS] = len;
		ahead->made++;
	}
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	return !done;
}

static void *producer(void *argument)
{
	struct ahead *ahead = argument;

	while (wait_for_slot(ahead) && produce(ahead)) {
	}
	return NULL;
}

/* With the lock held: the next chunk, an empty one at the end, or the failure. */
static bool take(struct ahead *ahead, struct prof_chunk *chunk, struct prof_error *err)
{
	if (ahead->made > ahead->taken) {
		*chunk = (struct prof_chunk){ slot_data(ahead, ahead->taken),
					      ahead->lens[ahead->taken % SLOTS],
					      PROF_SOURCE_HEADROOM, true };
		ahead->taken++;
		pthread_cond_broadcast(&ahead->changed);
		return true;
	}
	if (!ahead->done) {
		return prof_fail(err, PROF_ERR_IO, "cannot read: stopped");
	}
	if (ahead->failure.code != PROF_OK) {
		*err = ahead->failure;
		return false;
	}
	*chunk = (struct prof_chunk){ .data = ahead->slots };
	return true;
}

static bool ahead_next(struct prof_source *source, struct prof_chunk *chunk,
		       struct prof_error *err)
{
	struct ahead *ahead = (struct ahead *)source;
	bool ok = false;

	pthread_mutex_lock(&ahead->lock);
	while (ahead->made == ahead->taken && !ahead->done && !ahead->stopped) {
		pthread_cond_wait(&ahead->changed, &ahead->lock);
	}
	ok = take(ahead, chunk, err);
	pthread_mutex_unlock(&ahead->lock);
	return ok;
}

static void ahead_stop(struct prof_source *source)
{
	struct ahead *ahead = (struct ahead *)source;

	pthread_mutex_lock(&ahead->lock);
	ahead->stopped = true;
	pthread_cond_broadcast(&ahead->changed);
	pthread_mutex_unlock(&ahead->lock);
	prof_source_stop(ahead->inner);
}

static void release(struct ahead *ahead)
{
	pthread_cond_destroy(&ahead->changed);
	pthread_mutex_destroy(&ahead->lock);
	prof_free(ahead->slots);
	prof_free(ahead);
}

/* The producer may wait for a pipe nobody writes to: it is stopped, not waited for. */
static void ahead_free(struct prof_source *source)
{
	struct ahead *ahead = (struct ahead *)source;

	ahead_stop(source);
	pthread_join(ahead->thread, NULL);
	prof_source_free(ahead->inner);
	release(ahead);
}

/* Signals are for the threads of the program we are part of. */
static bool start(struct ahead *ahead)
{
	sigset_t all;
	sigset_t old;
	int failed = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	failed = pthread_create(&ahead->thread, NULL, producer, ahead);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return failed == 0;
}

struct prof_source *prof_source_ahead(struct prof_source *inner)
{
	struct ahead *ahead = NULL;
	uint8_t *slots = NULL;

	if (!inner || !inner->fill) {
		return inner;
	}
	ahead = prof_alloc(sizeof(*ahead));
	slots = prof_alloc(SLOTS * SLOT_SIZE);
	if (!ahead || !slots) {
		prof_free(slots);
		prof_free(ahead);
		prof_source_free(inner);
		return NULL;
	}
	*ahead = (struct ahead){
		.base = { .next = ahead_next,
			  .free = ahead_free,
			  .stop = ahead_stop,
			  .size_hint = inner->size_hint },
		.inner = inner,
		.slots = slots,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.changed = PTHREAD_COND_INITIALIZER,
	};
	if (!start(ahead)) {
		release(ahead);
		return inner;
	}
	return &ahead->base;
}
