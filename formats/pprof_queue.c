/* SPDX-License-Identifier: MIT */
#include "formats/pprof_queue.h"

#include <string.h>

#include "libprof/base/alloc.h"

#define NO_SPAN SIZE_MAX

enum { BLOCK_SIZE = 1 << 20 };

struct prof_pprof_block {
	struct prof_pprof_block *next;
	size_t len;
	size_t cap;
	uint8_t data[];
};

struct span {
	uint64_t offset;
	uint64_t len;
};

static bool add_block(struct prof_pprof_queue *queue, size_t need)
{
	size_t room = BLOCK_SIZE - sizeof(struct prof_pprof_block);
	size_t cap = need > room ? need : room;
	struct prof_pprof_block *block = NULL;

	block = prof_alloc(sizeof(*block) + cap);
	if (!block) {
		return false;
	}
	block->next = NULL;
	block->len = 0;
	block->cap = cap;
	if (queue->last) {
		queue->last->next = block;
	} else {
		queue->first = block;
		queue->at = 0;
	}
	queue->last = block;
	queue->open = NO_SPAN;
	return true;
}

static struct span span_at(const struct prof_pprof_block *block, size_t at)
{
	struct span span = { 0 };

	memcpy(&span, block->data + at, sizeof(span));
	return span;
}

/* Append the bytes to the open span, which they follow. */
static void extend(struct prof_pprof_queue *queue, const uint8_t *data, size_t len)
{
	struct prof_pprof_block *block = queue->last;
	struct span span = span_at(block, queue->open);

	span.len += len;
	memcpy(block->data + queue->open, &span, sizeof(span));
	memcpy(block->data + block->len, data, len);
	block->len += len;
	queue->next_offset += len;
	queue->bytes += len;
}

bool prof_pprof_queue_add(struct prof_pprof_queue *queue,
			  const struct prof_pprof_record *record)
{
	const uint8_t *end = record->field.bytes + record->field.len;
	size_t len = (size_t)(end - record->start);
	struct span span = { record->offset, 0 };
	struct prof_pprof_block *block = queue->last;

	if (!block || block->cap - block->len < sizeof(span) ||
	    block->cap - block->len - sizeof(span) < len) {
		if (!add_block(queue, sizeof(span) + len)) {
			return false;
		}
		block = queue->last;
	}
	if (queue->open == NO_SPAN || queue->next_offset != record->offset) {
		queue->open = block->len;
		memcpy(block->data + block->len, &span, sizeof(span));
		block->len += sizeof(span);
		queue->next_offset = record->offset;
	}
	extend(queue, record->start, len);
	return true;
}

static void drop_first(struct prof_pprof_queue *queue)
{
	struct prof_pprof_block *block = queue->first;

	queue->first = block->next;
	queue->at = 0;
	if (!queue->first) {
		queue->last = NULL;
		queue->open = NO_SPAN;
	}
	prof_free(block);
}

bool prof_pprof_queue_take(struct prof_pprof_queue *queue, struct prof_pprof_run *run)
{
	struct prof_pprof_block *block = NULL;
	struct span span = { 0 };

	while ((block = queue->first) && queue->at == block->len) {
		drop_first(queue);
	}
	if (!block) {
		return false;
	}
	span = span_at(block, queue->at);
	queue->at += sizeof(span);
	run->start = block->data + queue->at;
	run->wire.at = run->start;
	run->wire.end = run->start + span.len;
	run->offset = span.offset;
	queue->at += (size_t)span.len;
	if (block == queue->last && queue->at == block->len) {
		queue->open = NO_SPAN;
	}
	return true;
}

void prof_pprof_queue_split(struct prof_pprof_queue *queue,
			    struct prof_pprof_queue *half)
{
	struct prof_pprof_block *cut = queue->first;
	uint64_t len = 0;

	if (!cut) {
		return;
	}
	for (len = cut->len; len < queue->bytes / 2 && cut->next; len += cut->len) {
		cut = cut->next;
	}
	if (!cut->next) {
		return; /* one block is one thread's */
	}
	*half = (struct prof_pprof_queue){ .first = cut->next,
					   .last = queue->last,
					   .open = NO_SPAN };
	cut->next = NULL;
	queue->last = cut;
	queue->open = NO_SPAN;
}

void prof_pprof_queue_free(struct prof_pprof_queue *queue)
{
	while (queue->first) {
		drop_first(queue);
	}
	*queue = (struct prof_pprof_queue){ .open = NO_SPAN };
}
