/* SPDX-License-Identifier: MIT */
/*
 * pprof_cold.h - the messages that are few: packed and unpacked by protobuf-c.
 *
 * Private to formats/pprof. A profile has millions of samples, but a handful of value
 * types and mappings and one header: those follow the schema, pprof.proto, through the
 * code generated from it. Parts of a message written one after the other are that
 * message, so the hot records stand between two of these.
 */
#ifndef PROF_FORMATS_PPROF_COLD_H
#define PROF_FORMATS_PPROF_COLD_H

#include "libprof/base/buf.h"
#include "libprof/base/error.h"
#include "libprof/model/profile.h"

/* Numbers of a ValueType; false when the bytes are none, or memory ran out. */
bool prof_pprof_unpack_type(const uint8_t *data, size_t len, uint64_t *type,
			    uint64_t *unit) PROF_NODISCARD;

/* A Mapping whose names stay apart, for they are not checked yet. */
bool prof_pprof_unpack_mapping(const uint8_t *data, size_t len,
			       struct prof_mapping *mapping, uint64_t *file,
			       uint64_t *build_id) PROF_NODISCARD;

/* Append the sample types, all mappings, the rest of the header. */
void prof_pprof_pack_types(const struct prof_profile *profile, struct prof_buf *out);
void prof_pprof_pack_mappings(const struct prof_profile *profile, struct prof_buf *out);
void prof_pprof_pack_header(const struct prof_profile *profile, struct prof_buf *out);

#endif
