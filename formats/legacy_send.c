/* SPDX-License-Identifier: MIT */
/*
 * What happens to a legacy profile between its last sample and the sink.
 */
#include <string.h>

#include "formats/legacy.h"
#include "libprof/base/alloc.h"

/* Frames google/pprof takes out of a profile before it shows it, by what it counts. */
#define CPU_PROFILER                                                            \
	"ProfileData::Add|ProfileData::prof_handler|CpuProfiler::prof_handler|" \
	"__pthread_sighandler|__restore"

#define ALLOCATOR                                                                       \
	"calloc|cfree|malloc|free|memalign|do_memalign|(__)?posix_memalign|pvalloc|"    \
	"valloc|realloc|tcmalloc::.*|tc_calloc|tc_cfree|tc_malloc|tc_free|tc_memalign|" \
	"tc_posix_memalign|tc_pvalloc|tc_valloc|tc_realloc|tc_new|tc_delete|"           \
	"tc_newarray|tc_deletearray|tc_new_nothrow|tc_newarray_nothrow|"                \
	"malloc_zone_malloc|malloc_zone_calloc|malloc_zone_valloc|"                     \
	"malloc_zone_realloc|malloc_zone_memalign|malloc_zone_free|runtime\\..*|"       \
	"BaseArena::.*|(::)?do_malloc_no_errno|(::)?do_malloc_pages|(::)?do_malloc|"    \
	"DoSampledAllocation|MallocedMemBlock::MallocedMemBlock|_M_allocate|"           \
	"__builtin_(vec_)?delete|__builtin_(vec_)?new|"                                 \
	"__gnu_cxx::new_allocator::allocate|__libc_malloc|"                             \
	"__malloc_alloc_template::allocate|allocate|cpp_alloc|operator new(\\[\\])?|"   \
	"simple_alloc::allocate"

#define ALLOCATOR_KEPT "runtime\\.panic|runtime\\.reflectcall|runtime\\.call[0-9]*"

#define LOCK                                                                           \
	"RecordLockProfileData|(base::)?RecordLockProfileData.*|"                      \
	"(base::)?SubmitMutexProfileData.*|(base::)?SubmitSpinLockProfileData.*|"      \
	"(base::Mutex::)?AwaitCommon.*|(base::Mutex::)?Unlock.*|"                      \
	"(base::Mutex::)?UnlockSlow.*|(base::Mutex::)?ReaderUnlock.*|"                 \
	"(base::MutexLock::)?~MutexLock.*|(Mutex::)?AwaitCommon.*|(Mutex::)?Unlock.*|" \
	"(Mutex::)?UnlockSlow.*|(Mutex::)?ReaderUnlock.*|(MutexLock::)?~MutexLock.*|"  \
	"(SpinLock::)?Unlock.*|(SpinLock::)?SlowUnlock.*|"                             \
	"(SpinLockHolder::)?~SpinLockHolder.*"

enum {
	BATCH_SAMPLES = 1024, /* times PROF_MAX_DEPTH frames is still below 2^32 */
};

/* --- frames to be cut -------------------------------------------------------------- */

static size_t start_of(const struct prof_legacy *legacy, size_t sample)
{
	return sample > 0 ? legacy->samples[sample - 1].end : 0;
}

typedef bool cut_fn(const struct prof_legacy *legacy, uint32_t leaf, uint32_t second,
		    uint32_t handler);

/* Remove the second frame of all stacks where `cuts` says so. */
static void cut_seconds(struct prof_legacy *legacy, cut_fn *cuts, uint32_t handler)
{
	uint32_t *frames = legacy->frames;
	size_t start = 0;
	size_t kept = 0;

	for (size_t i = 0; frames && i < legacy->sample_count; i++) {
		size_t end = legacy->samples[i].end;
		size_t from = start;

		if (end - start >= 2 &&
		    cuts(legacy, frames[start], frames[start + 1], handler)) {
			frames[kept++] = frames[start];
			from = start + 2;
		}
		memmove(frames + kept, frames + from, (end - from) * sizeof(*frames));
		kept += end - from;
		legacy->samples[i].end = kept;
		start = end;
	}
	legacy->frame_count = kept;
	legacy->open = kept;
}

static bool is_handler(const struct prof_legacy *legacy, uint32_t leaf, uint32_t second,
		       uint32_t handler)
{
	(void)legacy;
	(void)leaf;
	return second == handler;
}

static bool is_leaf_again(const struct prof_legacy *legacy, uint32_t leaf,
			  uint32_t second, uint32_t handler)
{
	(void)handler;
	return legacy->locations[leaf].address == legacy->locations[second].address + 1;
}

/* The only location that can be second in most stacks; PROF_NONE when none can. */
static uint32_t majority_second(const struct prof_legacy *legacy)
{
	uint32_t candidate = PROF_NONE;
	size_t lead = 0;

	for (size_t i = 0; i < legacy->sample_count; i++) {
		size_t start = start_of(legacy, i);
		uint32_t second = 0;

		if (legacy->samples[i].end - start < 2) {
			continue;
		}
		second = legacy->frames[start + 1];
		if (lead == 0) {
			candidate = second;
		}
		lead = second == candidate ? lead + 1 : lead - 1;
	}
	return candidate;
}

static size_t count_second(const struct prof_legacy *legacy, uint32_t location)
{
	size_t count = 0;

	for (size_t i = 0; i < legacy->sample_count; i++) {
		size_t start = start_of(legacy, i);

		count += legacy->samples[i].end - start >= 2 &&
			 legacy->frames[start + 1] == location;
	}
	return count;
}

void prof_legacy_cut_handler(struct prof_legacy *legacy)
{
	size_t enough = legacy->sample_count - legacy->sample_count / 32;

	for (int round = 0; round < 2; round++) {
		uint32_t handler = majority_second(legacy);

		if (handler == PROF_NONE || count_second(legacy, handler) < enough) {
			return;
		}
		cut_seconds(legacy, is_handler, handler);
	}
}

void prof_legacy_cut_leaf_twice(struct prof_legacy *legacy)
{
	cut_seconds(legacy, is_leaf_again, PROF_NONE);
}

/* --- locations --------------------------------------------------------------------- */

/* Put locations in order of first use by a sample; the others go. */
static bool order_locations(struct prof_legacy *legacy, struct prof_error *err)
{
	struct prof_legacy_location *ordered = NULL;
	uint32_t *places = NULL;
	uint32_t count = 0;

	if (legacy->location_count == 0) {
		return true;
	}
	ordered = prof_alloc_array(legacy->location_count, sizeof(*ordered));
	places = prof_alloc_array(legacy->location_count, sizeof(*places));
	if (!ordered || !places) {
		prof_free(ordered);
		prof_free(places);
		return prof_fail_nomem(err);
	}
	for (size_t i = 0; i < legacy->frame_count; i++) {
		uint32_t *place = &places[legacy->frames[i]];

		if (*place == 0) {
			ordered[count++] = legacy->locations[legacy->frames[i]];
			*place = count;
		}
		legacy->frames[i] = *place - 1;
	}
	prof_free(places);
	prof_free(legacy->locations);
	prof_map_clear(&legacy->location_map);
	legacy->locations = ordered;
	legacy->location_cap = legacy->location_count;
	legacy->location_count = count;
	return true;
}

/* Symbols take the place of a mapping, and address 0 is nowhere. */
static bool map_locations(struct prof_legacy *legacy, struct prof_error *err)
{
	if (!prof_memmap_index(&legacy->map, err)) {
		return false;
	}
	for (uint32_t i = 0; i < legacy->location_count; i++) {
		struct prof_legacy_location *location = &legacy->locations[i];

		if (location->address != 0 && location->function == PROF_NONE &&
		    !prof_memmap_find(&legacy->map, location->address,
				      &location->mapping, err)) {
			return false;
		}
	}
	return true;
}

bool prof_legacy_finish(struct prof_legacy *legacy, struct prof_text_lines *lines,
			struct prof_error *err)
{
	legacy->map.strings = &legacy->strings;
	return (!lines || prof_memmap_read(&legacy->map, lines, err)) &&
	       order_locations(legacy, err) && map_locations(legacy, err);
}

/* --- records ----------------------------------------------------------------------- */

/* Which frames are no news, by what is counted. */
static void set_dropped_frames(struct prof_legacy *legacy)
{
	struct prof_strings *strings = &legacy->strings;
	struct prof_text type =
		prof_strings_get(strings, legacy->types[legacy->type_count - 1].type);

	if (prof_text_equal(type, prof_text("space")) ||
	    prof_text_equal(type, prof_text("inuse_space"))) {
		legacy->header.drop_frames =
			prof_strings_add(strings, prof_text(ALLOCATOR));
		legacy->header.keep_frames =
			prof_strings_add(strings, prof_text(ALLOCATOR_KEPT));
	} else if (prof_text_equal(type, prof_text("delay"))) {
		legacy->header.drop_frames = prof_strings_add(strings, prof_text(LOCK));
	} else {
		legacy->header.drop_frames =
			prof_strings_add(strings, prof_text(CPU_PROFILER));
	}
}

static bool send_mappings(const struct prof_legacy *legacy, struct prof_sink *sink,
			  struct prof_error *err)
{
	for (uint32_t i = 0; i < legacy->map.count; i++) {
		struct prof_mapping mapping = legacy->map.items[i];

		mapping.id = i + UINT64_C(1);
		mapping.ref = i;
		if (!sink->mapping(sink, &mapping, err)) {
			return false;
		}
	}
	return true;
}

/* Those in use, in the order of the locations that use them. */
static bool send_functions(struct prof_legacy *legacy, struct prof_sink *sink,
			   struct prof_error *err)
{
	uint32_t refs = 0;

	for (uint32_t i = 0; i < legacy->location_count; i++) {
		uint32_t id = legacy->locations[i].function;
		struct prof_function record = { 0 };

		if (id == PROF_NONE || legacy->functions[id].ref != PROF_NONE) {
			continue;
		}
		legacy->functions[id].ref = refs++;
		record.id = refs;
		record.name = legacy->functions[id].name;
		record.system_name = record.name;
		record.file = legacy->functions[id].file;
		if (!sink->function(sink, &record, err)) {
			return false;
		}
	}
	return true;
}

static bool send_locations(const struct prof_legacy *legacy, struct prof_sink *sink,
			   struct prof_error *err)
{
	for (uint32_t i = 0; i < legacy->location_count; i++) {
		const struct prof_legacy_location *location = &legacy->locations[i];
		bool named = location->function != PROF_NONE;
		struct prof_line line = {
			.function =
				named ? legacy->functions[location->function].ref : 0,
			.line = location->line,
		};
		struct prof_sink_location record = {
			.id = i + UINT64_C(1),
			.address = legacy->symbolized ? 0 : location->address,
			.mapping = location->mapping,
			.lines = &line,
			.line_count = named,
		};

		if (!sink->location(sink, &record, err)) {
			return false;
		}
	}
	return true;
}

/* One batch, of the samples from `first` on. */
static bool send_batch(const struct prof_legacy *legacy, size_t first, uint32_t bytes,
		       struct prof_sink *sink, struct prof_error *err)
{
	uint32_t ends[BATCH_SAMPLES];
	uint32_t label_ends[BATCH_SAMPLES];
	struct prof_label labels[BATCH_SAMPLES];
	int64_t values[BATCH_SAMPLES * PROF_LEGACY_TYPES];
	size_t start = start_of(legacy, first);
	struct prof_batch batch = {
		.frames = legacy->frames ? legacy->frames + start : NULL,
		.ends = ends,
		.values = values,
		.labels = labels,
		.label_ends =
			legacy->has_blocks && !sink->no_labels ? label_ends : NULL,
	};

	while (batch.count < BATCH_SAMPLES &&
	       first + batch.count < legacy->sample_count) {
		uint32_t i = batch.count++;
		const struct prof_legacy_sample *sample = &legacy->samples[first + i];

		ends[i] = (uint32_t)(sample->end - start);
		labels[i] =
			(struct prof_label){ .key = bytes, .number = sample->block };
		label_ends[i] = batch.count;
		memcpy(values + (size_t)i * legacy->type_count, sample->values,
		       legacy->type_count * sizeof(*values));
	}
	return sink->samples(sink, &batch, err);
}

static bool send_samples(const struct prof_legacy *legacy, uint32_t bytes,
			 struct prof_sink *sink, struct prof_error *err)
{
	for (size_t i = 0; i < legacy->sample_count; i += BATCH_SAMPLES) {
		if (!send_batch(legacy, i, bytes, sink, err)) {
			return false;
		}
	}
	return true;
}

bool prof_legacy_send(struct prof_legacy *legacy, struct prof_sink *sink,
		      struct prof_error *err)
{
	struct prof_strings *strings = &legacy->strings;
	uint32_t bytes =
		legacy->has_blocks ? prof_strings_add(strings, prof_text("bytes")) : 0;

	set_dropped_frames(legacy);
	if (strings->failed) {
		return prof_fail_nomem(err);
	}
	return sink->begin(sink, err) &&
	       sink->strings(sink, strings->items, strings->count, err) &&
	       send_mappings(legacy, sink, err) && send_functions(legacy, sink, err) &&
	       send_locations(legacy, sink, err) &&
	       sink->types(sink, legacy->types, legacy->type_count, err) &&
	       send_samples(legacy, bytes, sink, err) &&
	       sink->end(sink, &legacy->header, err);
}
