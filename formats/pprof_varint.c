/* SPDX-License-Identifier: MIT */
#include "formats/pprof_varint.h"

static inline void put(struct prof_pprof_refs *refs, uint32_t id)
{
	uint32_t ref = id - 1;

	*refs->out++ = ref;
	refs->beyond |= ref >= refs->limit;
}

/* As prof_pprof_scalar(), for less than four bytes. */
static const uint8_t *tail(const uint8_t *at, const uint8_t *end,
			   struct prof_pprof_refs *refs)
{
	uint32_t id = 0;
	uint32_t shift = 0;

	for (const uint8_t *next = at; next < end; next++) {
		id |= (uint32_t)(*next & 0x7f) << shift;
		shift += 7;
		if (*next < 0x80) {
			put(refs, id);
			id = 0;
			shift = 0;
			at = next + 1;
		}
	}
	return at;
}

const uint8_t *prof_pprof_scalar(const uint8_t *at, const uint8_t *end,
				 struct prof_pprof_refs *refs)
{
	struct prof_pprof_refs local = *refs;

	while (end - at >= 4) {
		uint32_t id = at[0];

		if (id < 0x80) {
			at += 1;
		} else if (at[1] < 0x80) {
			id = (id & 0x7f) | (uint32_t)at[1] << 7;
			at += 2;
		} else if (at[2] < 0x80) {
			id = (id & 0x7f) | (at[1] & 0x7fu) << 7 | (uint32_t)at[2] << 14;
			at += 3;
		} else if (at[3] < 0x80) {
			id = (id & 0x7f) | (at[1] & 0x7fu) << 7 |
			     (at[2] & 0x7fu) << 14 | (uint32_t)at[3] << 21;
			at += 4;
		} else {
			*refs = local;
			return at;
		}
		put(&local, id);
	}
	at = tail(at, end, &local);
	*refs = local;
	return at;
}

#if defined(__x86_64__)

#	include <immintrin.h>

#	define VBMI2                  \
		__attribute__((target( \
			"bmi,bmi2,popcnt,avx512f,avx512bw,avx512vbmi,avx512vbmi2")))

/*
 * Sixteen varints of one to four of the 64 bytes, those from `nth` on, given the places
 * of all first and last bytes: spread to four bytes each, then 7 + 7 and 14 + 14 bits
 * joined. Less 1.
 */
VBMI2 static inline __m512i join_16(__m512i bytes, __m512i first, __m512i last,
				    char nth)
{
	const __m512i every_4th = _mm512_set_epi32(
		0x0f0f0f0f, 0x0e0e0e0e, 0x0d0d0d0d, 0x0c0c0c0c, 0x0b0b0b0b, 0x0a0a0a0a,
		0x09090909, 0x08080808, 0x07070707, 0x06060606, 0x05050505, 0x04040404,
		0x03030303, 0x02020202, 0x01010101, 0x00000000);
	const __m512i steps = _mm512_set1_epi32(0x03020100);
	const __m512i by_128 =
		_mm512_set1_epi16(INT16_MIN + 1); /* 1 and unsigned 128 */
	const __m512i by_16384 = _mm512_set1_epi32(0x40000001);
	__m512i which = _mm512_add_epi8(every_4th, _mm512_set1_epi8(nth));
	__m512i index = _mm512_add_epi8(_mm512_permutexvar_epi8(which, first), steps);
	__m512i to = _mm512_permutexvar_epi8(which, last);
	__mmask64 inside = _mm512_cmple_epu8_mask(index, to);
	__m512i spread = _mm512_maskz_permutexvar_epi8(inside, index, bytes);
	__m512i low = _mm512_and_si512(spread, _mm512_set1_epi8(0x7f));
	__m512i ids = _mm512_madd_epi16(_mm512_maddubs_epi16(by_128, low), by_16384);

	return _mm512_sub_epi32(ids, _mm512_set1_epi32(1));
}

/*
 * Take the varints that end in the `valid` ones of the next 64 bytes, 32 at most. The
 * place behind them: `at` itself when there is none, or one of more than four bytes.
 */
VBMI2 static inline const uint8_t *step_vbmi2(const uint8_t *at, uint64_t valid,
					      struct prof_pprof_refs *refs)
{
	const __m512i places = _mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130,
						0x2f2e2d2c2b2a2928, 0x2726252423222120,
						0x1f1e1d1c1b1a1918, 0x1716151413121110,
						0x0f0e0d0c0b0a0908, 0x0706050403020100);
	const __m512i limit = _mm512_set1_epi32((int32_t)refs->limit);
	__m512i bytes = _mm512_maskz_loadu_epi8(valid, at);
	uint64_t more = _mm512_movepi8_mask(bytes);
	uint64_t lasts = ~more & valid;
	__m512i last = _mm512_maskz_compress_epi8(lasts, places);
	__m512i first = _mm512_maskz_compress_epi8(lasts << 1 | 1, places);
	uint32_t count = (uint32_t)_mm_popcnt_u64(lasts);
	__m512i low = join_16(bytes, first, last, 0);
	__m512i high = join_16(bytes, first, last, 16);
	uint32_t some = 0;

	if ((more & more << 1 & more << 2 & more << 3) != 0 || count == 0) {
		return at;
	}
	count = count < 32 ? count : 32;
	some = _bzhi_u32(UINT32_MAX, count);
	_mm512_storeu_si512(refs->out, low);
	_mm512_storeu_si512(refs->out + 16, high);
	refs->beyond |= (_mm512_mask_cmpge_epu32_mask((__mmask16)some, low, limit) |
			 _mm512_mask_cmpge_epu32_mask((__mmask16)(some >> 16), high,
						      limit)) != 0;
	refs->out += count;
	return at + _tzcnt_u64(_pdep_u64(UINT64_C(1) << (count - 1), lasts)) + 1;
}

/* Bytes that are masked out are not read, whatever they are of. */
VBMI2 static const uint8_t *kernel_vbmi2(const uint8_t *at, const uint8_t *end,
					 struct prof_pprof_refs *refs)
{
	struct prof_pprof_refs local = *refs;

	while (at < end) {
		size_t left = (size_t)(end - at);
		uint64_t valid =
			left < 64 ? _bzhi_u64(UINT64_MAX, (uint32_t)left) : UINT64_MAX;
		const uint8_t *next = step_vbmi2(at, valid, &local);

		if (next == at) {
			at = prof_pprof_scalar(at, end, &local);
			break;
		}
		at = next;
	}
	*refs = local;
	return at;
}

prof_pprof_kernel *prof_pprof_best_kernel(void)
{
	if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
	    __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx512f") &&
	    __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx512vbmi") &&
	    __builtin_cpu_supports("avx512vbmi2")) {
		return kernel_vbmi2;
	}
	return prof_pprof_scalar;
}

#else

prof_pprof_kernel *prof_pprof_best_kernel(void)
{
	return prof_pprof_scalar;
}

#endif
