/* SPDX-License-Identifier: MIT */
#include "formats/pprof_cold.h"

#include "formats/pprof.pb-c.h"
#include "libprof/base/alloc.h"

typedef Perftools__Profiles__Profile Profile;
typedef Perftools__Profiles__ValueType ValueType;
typedef Perftools__Profiles__Mapping Mapping;

static void *take(void *context, size_t size)
{
	(void)context;
	return prof_alloc(size);
}

static void give(void *context, void *data)
{
	(void)context;
	prof_free(data);
}

/* protobuf-c wants it writable. */
static ProtobufCAllocator allocator = { take, give, NULL };

bool prof_pprof_unpack_type(const uint8_t *data, size_t len, uint64_t *type,
			    uint64_t *unit)
{
	ValueType *message =
		perftools__profiles__value_type__unpack(&allocator, len, data);

	if (!message) {
		return false;
	}
	*type = (uint64_t)message->type;
	*unit = (uint64_t)message->unit;
	perftools__profiles__value_type__free_unpacked(message, &allocator);
	return true;
}

bool prof_pprof_unpack_mapping(const uint8_t *data, size_t len,
			       struct prof_mapping *mapping, uint64_t *file,
			       uint64_t *build_id)
{
	Mapping *message = perftools__profiles__mapping__unpack(&allocator, len, data);

	if (!message) {
		return false;
	}
	*mapping = (struct prof_mapping){
		.id = message->id,
		.start = message->memory_start,
		.limit = message->memory_limit,
		.offset = message->file_offset,
		.flags = (message->has_functions ? PROF_HAS_FUNCTIONS : 0u) |
			 (message->has_filenames ? PROF_HAS_FILENAMES : 0u) |
			 (message->has_line_numbers ? PROF_HAS_LINES : 0u) |
			 (message->has_inline_frames ? PROF_HAS_INLINES : 0u),
	};
	*file = (uint64_t)message->filename;
	*build_id = (uint64_t)message->build_id;
	perftools__profiles__mapping__free_unpacked(message, &allocator);
	return true;
}

static void pack(const Profile *message, struct prof_buf *out)
{
	size_t size = perftools__profiles__profile__get_packed_size(message);

	if (prof_buf_reserve(out, size)) {
		perftools__profiles__profile__pack(message,
						   (uint8_t *)out->data + out->len);
		out->len += size;
	}
}

void prof_pprof_pack_types(const struct prof_profile *profile, struct prof_buf *out)
{
	for (uint32_t c = 0; c < profile->type_count; c++) {
		Profile message = PERFTOOLS__PROFILES__PROFILE__INIT;
		ValueType type = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
		ValueType *types = &type;

		type.type = profile->types[c].type;
		type.unit = profile->types[c].unit;
		message.n_sample_type = 1;
		message.sample_type = &types;
		pack(&message, out);
	}
}

void prof_pprof_pack_mappings(const struct prof_profile *profile, struct prof_buf *out)
{
	for (uint32_t i = 0; i < profile->mapping_count; i++) {
		const struct prof_mapping *from = &profile->mappings[i];
		Profile message = PERFTOOLS__PROFILES__PROFILE__INIT;
		Mapping mapping = PERFTOOLS__PROFILES__MAPPING__INIT;
		Mapping *mappings = &mapping;

		mapping.id = from->id;
		mapping.memory_start = from->start;
		mapping.memory_limit = from->limit;
		mapping.file_offset = from->offset;
		mapping.filename = from->file;
		mapping.build_id = from->build_id;
		mapping.has_functions = (from->flags & PROF_HAS_FUNCTIONS) != 0;
		mapping.has_filenames = (from->flags & PROF_HAS_FILENAMES) != 0;
		mapping.has_line_numbers = (from->flags & PROF_HAS_LINES) != 0;
		mapping.has_inline_frames = (from->flags & PROF_HAS_INLINES) != 0;
		message.n_mapping = 1;
		message.mapping = &mappings;
		pack(&message, out);
	}
}

void prof_pprof_pack_header(const struct prof_profile *profile, struct prof_buf *out)
{
	const struct prof_header *header = &profile->header;
	Profile message = PERFTOOLS__PROFILES__PROFILE__INIT;
	ValueType period_type = PERFTOOLS__PROFILES__VALUE_TYPE__INIT;
	int64_t *comments = prof_alloc_array(header->comment_count, sizeof(*comments));

	if (!comments) {
		out->failed = true;
		return;
	}
	for (uint32_t i = 0; i < header->comment_count; i++) {
		comments[i] = header->comments[i];
	}
	message.drop_frames = header->drop_frames;
	message.keep_frames = header->keep_frames;
	message.time_nanos = header->time_ns;
	message.duration_nanos = header->duration_ns;
	period_type.type = header->period_type.type;
	period_type.unit = header->period_type.unit;
	if (period_type.type != 0 || period_type.unit != 0) {
		message.period_type = &period_type;
	}
	message.period = header->period;
	message.n_comment = header->comment_count;
	message.comment = comments;
	message.default_sample_type = header->default_type;
	message.doc_url = header->doc_url;
	pack(&message, out);
	prof_free(comments);
}
