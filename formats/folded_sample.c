/* SPDX-License-Identifier: MIT */
#include "formats/folded_reader.h"

#include <string.h>

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

void prof_folded_block_free(struct prof_folded_block *block)
{
	if (block) {
		prof_free(block->frames);
		prof_free(block);
	}
}

static struct prof_folded_block *block_new(uint32_t columns, uint32_t depth)
{
	uint32_t cap = depth > FOLDED_BLOCK_FRAMES ? depth : FOLDED_BLOCK_FRAMES;
	size_t values = (size_t)FOLDED_BLOCK_SAMPLES * columns;
	struct prof_folded_block *block =
		prof_alloc(sizeof(*block) + values * sizeof(int64_t));

	if (!block) {
		return NULL;
	}
	*block = (struct prof_folded_block){ .frame_cap = cap };
	block->frames = prof_alloc_array(cap, sizeof(*block->frames));
	if (!block->frames) {
		prof_free(block);
		return NULL;
	}
	return block;
}

static bool add_block(struct prof_folded_reader *reader, uint32_t depth)
{
	struct prof_folded_block *block = block_new(reader->column_count, depth);

	if (!block) {
		return false;
	}
	block->decimals = reader->decimals;
	if (reader->last) {
		reader->last->next = block;
	} else {
		reader->first = block;
	}
	reader->last = block;
	return true;
}

bool prof_folded_block_rescale(struct prof_folded_block *block, uint32_t columns,
			       uint32_t decimals, struct prof_error *err)
{
	int64_t factor = prof_folded_power(decimals - block->decimals);

	for (size_t i = 0; factor != 1 && i < (size_t)block->count * columns; i++) {
		if (__builtin_mul_overflow(block->values[i], factor,
					   &block->values[i])) {
			return prof_fail(err, PROF_ERR_LIMIT,
					 "counts with %u decimals do not fit 64 bits",
					 decimals);
		}
	}
	block->decimals = decimals;
	return true;
}

/* The last block is full: an early sink gets it, for others it waits. */
static bool flush_early(struct prof_folded_reader *reader, struct prof_error *err)
{
	if (!reader->out->early || !reader->last) {
		return true;
	}
	prof_buf_clear(&reader->tails);
	reader->tail_count = 0;
	return prof_folded_send_tables(reader, err) &&
	       prof_folded_send_blocks(reader, err);
}

/* What was said to the sink is no longer true: it must start over. */
static bool fail_again(const struct prof_folded_reader *reader, struct prof_error *err)
{
	return prof_fail_line(
		err, PROF_ERR_AGAIN, reader->number,
		"the counts of this line differ in kind from those before");
}

/* Append the frames of the line, leaf first, without empty ones at its ends. */
static bool add_frames(struct prof_folded_reader *reader,
		       struct prof_folded_block *block, struct prof_error *err)
{
	const struct prof_folded_line *line = &reader->line;
	uint32_t *out = block->frames + block->frame_count;
	uint32_t begin = 0;
	uint32_t end = line->count;

	if (!line->gaps) {
		for (uint32_t i = 0; i < end; i++) {
			out[i] = line->ids[end - 1 - i];
		}
		block->frame_count += end;
		return true;
	}
	while (begin < end && line->ids[begin] == PROF_NONE) {
		begin++;
	}
	while (end > begin && line->ids[end - 1] == PROF_NONE) {
		end--;
	}
	if (begin == end) {
		return prof_fail_line(err, PROF_ERR_SYNTAX, reader->number,
				      "no stack before the sample count");
	}
	for (uint32_t i = end; i-- > begin;) {
		struct prof_text text = prof_text(FOLDED_UNKNOWN);
		uint32_t id = line->ids[i];

		if (id == PROF_NONE &&
		    !prof_folded_intern(
			    &reader->frames, text,
			    prof_hash(text.data, text.len, prof_hash_seed()), &id)) {
			return prof_fail_nomem(err);
		}
		*out++ = id;
	}
	block->frame_count += end - begin;
	return true;
}

/* Take over the decimals of `counts` and scale them to those of the block. */
static bool scale_counts(struct prof_folded_reader *reader,
			 struct prof_folded_block *block,
			 const struct prof_folded_count *counts, int64_t *values,
			 struct prof_error *err)
{
	for (uint32_t i = 0; i < reader->column_count; i++) {
		reader->rounded |= counts[i].rounded ? 1U << (i > 0) : 0;
		if (counts[i].decimals > reader->decimals) {
			if (reader->typed) {
				return fail_again(reader, err);
			}
			reader->decimals = counts[i].decimals;
		}
	}
	if (!prof_folded_block_rescale(block, reader->column_count, reader->decimals,
				       err)) {
		return false;
	}
	for (uint32_t i = 0; i < reader->column_count; i++) {
		int64_t factor =
			prof_folded_power(reader->decimals - counts[i].decimals);

		if (__builtin_mul_overflow(counts[i].value, factor, &values[i])) {
			return prof_fail_line(err, PROF_ERR_LIMIT, reader->number,
					      "a count with %u decimals does not fit "
					      "64 bits",
					      reader->decimals);
		}
	}
	return true;
}

bool prof_folded_add_sample(struct prof_folded_reader *reader, struct prof_text stack,
			    const struct prof_folded_count *counts,
			    struct prof_error *err)
{
	struct prof_folded_block *block = reader->last;
	int64_t *values;

	if (!prof_folded_read_stack(reader, stack, err)) {
		return false;
	}
	if (!block || block->count == FOLDED_BLOCK_SAMPLES ||
	    block->frame_cap - block->frame_count < reader->line.count) {
		if (!flush_early(reader, err)) {
			return false;
		}
		if (!add_block(reader, reader->line.count)) {
			return prof_fail_nomem(err);
		}
		block = reader->last;
	}
	values = block->values + (size_t)block->count * reader->column_count;
	if (!scale_counts(reader, block, counts, values, err) ||
	    !add_frames(reader, block, err)) {
		return false;
	}
	block->ends[block->count++] = block->frame_count;
	return true;
}

static bool add_tail(struct prof_folded_reader *reader, const char *begin,
		     const char *end, struct prof_error *err)
{
	prof_buf_add(&reader->tails, begin, (size_t)(end - begin));
	if (reader->tails.failed ||
	    !prof_reserve((void **)&reader->tail_ends, &reader->tail_cap,
			  reader->tail_count + 1, sizeof(*reader->tail_ends))) {
		return prof_fail_nomem(err);
	}
	reader->tail_ends[reader->tail_count++] = reader->tails.len;
	return true;
}

/* Give the leaf of sample `number` the tail back that looked like a count. */
static bool join_tail(struct prof_folded_reader *reader,
		      const struct prof_folded_frames *old, uint32_t leaf,
		      size_t number, uint32_t *id)
{
	size_t begin = number ? reader->tail_ends[number - 1] : 0;
	struct prof_text name = old->items[leaf];
	struct prof_buf joined = { 0 };
	bool ok;

	prof_buf_add(&joined, name.data, name.len);
	prof_buf_add(&joined, reader->tails.data + begin,
		     reader->tail_ends[number] - begin);
	ok = !joined.failed &&
	     prof_folded_intern(
		     &reader->frames, (struct prof_text){ joined.data, joined.len },
		     prof_hash(joined.data, joined.len, prof_hash_seed()), id);
	prof_buf_free(&joined);
	return ok;
}

/* The frames of one block once more, root first as on the first reading. */
static bool reread_block(struct prof_folded_reader *reader,
			 const struct prof_folded_frames *old,
			 struct prof_folded_block *block, size_t *number)
{
	uint32_t begin = 0;

	for (uint32_t i = 0; i < block->count; i++) {
		for (uint32_t k = block->ends[i]; k-- > begin + 1;) {
			struct prof_text text = old->items[block->frames[k]];
			uint64_t hash =
				prof_hash(text.data, text.len, prof_hash_seed());

			if (!prof_folded_intern(&reader->frames, text, hash,
						&block->frames[k])) {
				return false;
			}
		}
		if (!join_tail(reader, old, block->frames[begin], (*number)++,
			       &block->frames[begin])) {
			return false;
		}
		block->values[i] = block->values[2 * (size_t)i + 1];
		begin = block->ends[i];
	}
	return true;
}

/* The counts dropped may have been the only ones with so many decimals. */
static void drop_decimals(struct prof_folded_reader *reader)
{
	uint32_t needed = 0;

	for (struct prof_folded_block *block = reader->first; block;
	     block = block->next) {
		for (uint32_t i = 0; i < block->count; i++) {
			uint32_t decimals = block->decimals;
			int64_t value = block->values[i];

			while (decimals > needed && value % 10 == 0) {
				value /= 10;
				decimals--;
			}
			needed = decimals > needed ? decimals : needed;
		}
	}
	for (struct prof_folded_block *block = reader->first; block;
	     block = block->next) {
		uint32_t fewer =
			block->decimals > needed ? block->decimals - needed : 0;

		for (uint32_t i = 0; i < block->count; i++) {
			block->values[i] /= prof_folded_power(fewer);
		}
		block->decimals -= fewer;
	}
	reader->decimals = needed;
}

/*
 * A line has one count, so the lines before had one too, and names that end in a
 * number: read them again that way.
 */
static bool undo_differential(struct prof_folded_reader *reader, struct prof_error *err)
{
	struct prof_folded_frames old = reader->frames;
	size_t number = 0;
	bool ok = true;

	if (reader->typed) {
		return fail_again(reader, err);
	}
	reader->frames = (struct prof_folded_frames){ 0 };
	reader->line.data = NULL;
	reader->columns = FOLDED_COLUMNS_ONE;
	reader->column_count = 1;
	reader->rounded >>= 1;
	for (struct prof_folded_block *block = reader->first; block && ok;
	     block = block->next) {
		ok = reread_block(reader, &old, block, &number);
	}
	drop_decimals(reader);
	prof_folded_frames_free(&old);
	prof_buf_free(&reader->tails);
	return ok ? true : prof_fail_nomem(err);
}

/* Whether `rest` ends in a count once more, with a stack before it. */
static bool take_second_count(struct prof_text *rest, struct prof_folded_count *count)
{
	struct prof_text stack;
	struct prof_text token;

	if (!prof_folded_split(*rest, &stack, &token) || stack.len == 0 ||
	    prof_folded_count_parse(token, count) != PROF_OK) {
		return false;
	}
	*rest = stack;
	return true;
}

bool prof_folded_add_undecided(struct prof_folded_reader *reader,
			       struct prof_text stack, struct prof_folded_count last,
			       struct prof_error *err)
{
	struct prof_folded_count counts[2] = { { 0 }, last };
	const char *end = stack.data + stack.len;

	if (take_second_count(&stack, &counts[0])) {
		reader->columns = FOLDED_COLUMNS_DIFFERENTIAL;
		reader->column_count = 2;
		return prof_folded_add_sample(reader, stack, counts, err) &&
		       (reader->typed ||
			add_tail(reader, stack.data + stack.len, end, err));
	}
	if (reader->columns == FOLDED_COLUMNS_DIFFERENTIAL &&
	    !undo_differential(reader, err)) {
		return false;
	}
	reader->columns = FOLDED_COLUMNS_ONE;
	reader->column_count = 1;
	return prof_folded_add_sample(reader, stack, &last, err);
}
