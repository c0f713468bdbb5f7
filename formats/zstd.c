/* SPDX-License-Identifier: MIT */
#include "formats/zstd.h"

#include <zstd.h>
#include <zstd_errors.h>

#include "formats/budget.h"
#include "libprof/base/alloc.h"

enum { WINDOW_LOG_MAX = 27 };

struct zstd {
	struct prof_source base;
	struct prof_window *in;
	struct prof_budget budget;
	ZSTD_DCtx *context;
	uint64_t start; /* of the first frame in the offsets of `in` */
	uint64_t made;
	bool inside; /* a frame has begun and not ended */
};

static bool fail(size_t result, struct prof_error *err)
{
	switch (ZSTD_getErrorCode(result)) {
	case ZSTD_error_memory_allocation:
		return prof_fail_nomem(err);
	case ZSTD_error_frameParameter_windowTooLarge:
		return prof_fail(err, PROF_ERR_LIMIT,
				 "zstd data with a window of more than 128 MiB");
	case ZSTD_error_dictionary_wrong:
		return prof_fail(err, PROF_ERR_UNSUPPORTED,
				 "zstd data that needs a dictionary");
	case ZSTD_error_prefix_unknown:
		return prof_fail(err, PROF_ERR_SYNTAX,
				 "other bytes behind the zstd data");
	case ZSTD_error_checksum_wrong:
		return prof_fail(err, PROF_ERR_SYNTAX, "zstd checksum does not match");
	default:
		return prof_fail(err, PROF_ERR_SYNTAX, "zstd data is damaged");
	}
}

static uint64_t taken(const struct zstd *zstd)
{
	return zstd->in->offset - zstd->start;
}

/* More input if there is none. False in `*go` at the end, which is between frames. */
static bool have_input(struct zstd *zstd, bool *go, struct prof_error *err)
{
	struct prof_window *in = zstd->in;

	if (in->len == 0 && !prof_window_more(in, err)) {
		return false;
	}
	*go = in->len > 0;
	if (!*go && zstd->inside) {
		return prof_fail_at(err, PROF_ERR_SYNTAX, in->offset,
				    "zstd data is cut short");
	}
	return true;
}

/* One call of the library. Its output may be held back until there is room. */
static bool decompress(struct zstd *zstd, ZSTD_outBuffer *out, struct prof_error *err)
{
	struct prof_window *in = zstd->in;
	ZSTD_inBuffer input = { in->data, in->len, 0 };
	size_t before = out->pos;
	size_t result = ZSTD_decompressStream(zstd->context, out, &input);

	if (ZSTD_isError(result)) {
		return fail(result, err);
	}
	prof_window_skip(in, input.pos);
	zstd->made += out->pos - before;
	zstd->inside = result != 0;
	return prof_budget_check(&zstd->budget, zstd->made, taken(zstd), err);
}

/* Always fills all of `out` but at the end: chunks do not depend on how bytes came. */
static bool zstd_fill(struct prof_source *source, uint8_t *out, size_t cap, size_t *len,
		      struct prof_error *err)
{
	struct zstd *zstd = (struct zstd *)source;
	ZSTD_outBuffer output = { out, cap, 0 };

	while (output.pos < output.size) {
		size_t before = output.pos;
		bool go = false;

		if (zstd->in->len == 0 && zstd->inside) {
			/* What the library still holds comes without input. */
			if (!decompress(zstd, &output, err)) {
				return false;
			}
			if (output.pos > before) {
				continue;
			}
		}
		if (!have_input(zstd, &go, err)) {
			return false;
		}
		if (!go) {
			break;
		}
		if (!decompress(zstd, &output, err)) {
			return false;
		}
	}
	*len = output.pos;
	return true;
}

static void zstd_stop(struct prof_source *source)
{
	prof_source_stop(((struct zstd *)source)->in->source);
}

static void zstd_free(struct prof_source *source)
{
	struct zstd *zstd = (struct zstd *)source;

	ZSTD_freeDCtx(zstd->context);
	prof_free(zstd);
}

struct prof_source *prof_zstd_source(struct prof_window *in,
				     const struct prof_limits *limits)
{
	struct zstd *zstd = prof_alloc(sizeof(*zstd));

	if (!zstd) {
		return NULL;
	}
	*zstd = (struct zstd){
		.base = { .next = prof_source_next_filled,
			  .fill = zstd_fill,
			  .stop = zstd_stop,
			  .free = zstd_free },
		.in = in,
		.budget = prof_budget(limits),
		.context = ZSTD_createDCtx(),
		.start = in->offset,
	};
	if (!zstd->context ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(zstd->context, ZSTD_d_windowLogMax,
						WINDOW_LOG_MAX))) {
		zstd_free(&zstd->base);
		return NULL;
	}
	return &zstd->base;
}

bool prof_zstd_write(struct prof_text data, int level, struct prof_buf *out,
		     struct prof_error *err)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t bound = ZSTD_compressBound(data.len);
	size_t result = 0;
	bool ok = false;

	if (!context || ZSTD_isError(bound) || !prof_buf_reserve(out, bound)) {
		ZSTD_freeCCtx(context);
		return prof_fail_nomem(err);
	}
	(void)ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
	(void)ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	result = ZSTD_compress2(context, out->data + out->len, out->cap - out->len,
				data.data, data.len);
	ok = !ZSTD_isError(result);
	ZSTD_freeCCtx(context);
	if (!ok) {
		return prof_fail(err, PROF_ERR_NOMEM, "cannot compress: %s",
				 ZSTD_getErrorName(result));
	}
	out->len += result;
	return true;
}
