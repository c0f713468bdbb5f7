/* SPDX-License-Identifier: MIT */
#include "formats/inflate.h"

#define DIGITS(number) #number
#define TEXT(number)   DIGITS(number)

#ifdef PROF_HAVE_ISAL

#	include <isa-l.h>

#	include "libprof/base/alloc.h"

struct prof_inflate {
	struct inflate_state state;
};

struct prof_inflate *prof_inflate_new(void)
{
	/* Zeroed: damaged data must fail the same way every time. */
	struct prof_inflate *engine = prof_alloc_array(1, sizeof(*engine));

	if (engine) {
		prof_inflate_reset(engine);
	}
	return engine;
}

void prof_inflate_free(struct prof_inflate *engine)
{
	prof_free(engine);
}

void prof_inflate_reset(struct prof_inflate *engine)
{
	isal_inflate_init(&engine->state);
	engine->state.crc_flag = ISAL_GZIP_NO_HDR;
}

static uint32_t at_most_1g(size_t len)
{
	return len < UINT32_C(1) << 30 ? (uint32_t)len : UINT32_C(1) << 30;
}

enum prof_inflate_result prof_inflate_step(struct prof_inflate *engine,
					   struct prof_inflate_io *io)
{
	struct inflate_state *state = &engine->state;
	uint32_t in_len = at_most_1g(io->in_len);
	uint32_t out_len = at_most_1g(io->out_len);
	int result = 0;

	/* The library only reads there. */
	state->next_in = (uint8_t *)(uintptr_t)io->in;
	state->avail_in = in_len;
	state->next_out = io->out;
	state->avail_out = out_len;
	result = isal_inflate(state);
	io->in += in_len - state->avail_in;
	io->in_len -= in_len - state->avail_in;
	io->out += out_len - state->avail_out;
	io->out_len -= out_len - state->avail_out;
	if (result < 0) {
		return PROF_INFLATE_BAD;
	}
	return state->block_state == ISAL_BLOCK_FINISH ? PROF_INFLATE_DONE
						       : PROF_INFLATE_MORE;
}

uint32_t prof_inflate_crc(const struct prof_inflate *engine)
{
	return engine->state.crc;
}

/* Input goes through a word of bits; what is behind the last block is still in there. */
size_t prof_inflate_ahead(const struct prof_inflate *engine,
			  uint8_t bytes[PROF_INFLATE_AHEAD])
{
	const struct inflate_state *state = &engine->state;
	size_t bits = state->read_in_length > 0 ? (size_t)state->read_in_length : 0;
	uint64_t word = state->read_in >> bits % 8;

	for (size_t i = 0; i < bits / 8; i++) {
		bytes[i] = (uint8_t)(word >> 8 * i);
	}
	return bits / 8;
}

const char *prof_inflate_library(void)
{
	return "isa-l " TEXT(ISAL_MAJOR_VERSION) "." TEXT(ISAL_MINOR_VERSION) "." TEXT(
		ISAL_PATCH_VERSION);
}

#endif
