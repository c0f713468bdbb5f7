/* SPDX-License-Identifier: MIT */
#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"
#include "libprof/base/strings.h"
#include "libprof/report/graph_work.h"

/* What tells frames apart. Texts are ids, so that comparing is comparing words. */
struct identity {
	uint64_t address;
	int64_t start_line;
	int64_t line;
	int64_t column;
	uint32_t name;   /* string of the profile */
	uint32_t object; /* string of the profile */
	uint32_t file;   /* string of `files` */
	uint32_t nothing;
};

struct finder {
	struct prof_graph_work *work;
	struct identity *identities;
	size_t identity_cap;
	size_t info_cap;
	struct prof_map map;
	struct prof_strings files; /* trimmed and cleaned */
	uint32_t *file_ids;        /* per string of the profile: plus 1, or 0 */
};

static uint32_t file_id(struct finder *finder, uint32_t string)
{
	struct prof_graph_work *work = finder->work;
	struct prof_text file;

	if (finder->file_ids[string] == 0) {
		file = prof_path_trim(prof_string(work->profile, string),
				      &work->options->trim);
		if (file.len > 0) {
			file = prof_path_clean(file, &work->arena);
		}
		finder->file_ids[string] = prof_strings_add(&finder->files, file) + 1;
	}
	return finder->file_ids[string] - 1;
}

static struct identity identity_of(struct finder *finder, uint32_t location,
				   uint32_t line)
{
	const struct prof_profile *profile = finder->work->profile;
	const struct prof_location *at = &profile->locations[location];
	struct prof_lines lines = prof_location_lines(profile, location);
	struct identity identity = { .address = at->address };
	const struct prof_function *function;

	if (at->mapping != PROF_NONE) {
		identity.object = profile->mappings[at->mapping].file;
	}
	if (lines.count == 0) {
		return identity;
	}
	function = &profile->functions[lines.data[line].function];
	identity.name = function->name;
	identity.file = file_id(finder, function->file);
	identity.line = lines.data[line].line;
	identity.column = lines.data[line].column;
	identity.start_line = function->start_line;
	if (!finder->work->options->objects && function->name != 0) {
		identity.object = 0;
		identity.start_line = 0;
	}
	return identity;
}

/* Append an identity and what it looks like. */
static bool add_identity(struct finder *finder, const struct identity *identity,
			 uint32_t location, uint32_t line)
{
	struct prof_graph_work *work = finder->work;
	uint32_t count = work->info_count;

	if (count == PROF_NONE - 1 ||
	    !prof_reserve((void **)&finder->identities, &finder->identity_cap,
			  (size_t)count + 1, sizeof(*identity)) ||
	    !prof_reserve((void **)&work->infos, &finder->info_cap, (size_t)count + 1,
			  sizeof(*work->infos))) {
		return false;
	}
	finder->identities[count] = *identity;
	work->infos[count] =
		prof_frame_info(work->profile, location, line, &work->options->trim,
				work->options->objects, &work->arena);
	work->info_count++;
	return true;
}

static bool find_identity(struct finder *finder, uint32_t location, uint32_t line,
			  uint32_t *id)
{
	struct identity identity = identity_of(finder, location, line);
	uint64_t hash = prof_hash(&identity, sizeof(identity), prof_hash_seed());
	struct prof_map_walk walk = prof_map_walk(&finder->map, hash);

	while (prof_map_next(&walk, id)) {
		if (memcmp(&finder->identities[*id], &identity, sizeof(identity)) ==
		    0) {
			return true;
		}
	}
	*id = finder->work->info_count;
	return add_identity(finder, &identity, location, line) &&
	       prof_map_add(&finder->map, hash, *id);
}

/* Identities of all frames; marks those that are inlined. */
static bool find_all(struct finder *finder)
{
	struct prof_graph_work *work = finder->work;
	const struct prof_profile *profile = work->profile;
	uint32_t count = 0;

	for (uint32_t i = 0; i < profile->location_count; i++) {
		size_t lines = prof_location_lines(profile, i).count;
		uint32_t frames = lines > 0 ? (uint32_t)lines : 1;

		work->first_frame[i] = count;
		for (uint32_t k = 0; k < frames; k++) {
			if (!find_identity(finder, i, k, &work->frames[count++])) {
				return false;
			}
		}
		work->only_frame[i] = frames == 1 ? work->frames[count - 1] : PROF_NONE;
	}
	work->first_frame[profile->location_count] = count;
	work->names =
		prof_alloc_array((size_t)work->info_count + 1, sizeof(*work->names));
	work->inlinable = prof_alloc_array((size_t)work->info_count + 1,
					   sizeof(*work->inlinable));
	return work->names && work->inlinable;
}

static void mark_inlinable(struct prof_graph_work *work)
{
	for (uint32_t i = 0; i < work->profile->location_count; i++) {
		for (uint32_t k = work->first_frame[i];
		     k + 1 < work->first_frame[i + 1]; k++) {
			work->inlinable[work->frames[k]] = true;
		}
	}
}

bool prof_graph_find_frames(struct prof_graph_work *work, struct prof_error *err)
{
	const struct prof_profile *profile = work->profile;
	struct finder finder = { .work = work };
	size_t frames = (size_t)profile->line_count + profile->location_count;
	bool ok;

	if (frames >= PROF_GRAPH_MAX_FRAMES) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than 2^29 frames");
	}
	finder.file_ids =
		prof_alloc_array(profile->string_count, sizeof(*finder.file_ids));
	work->first_frame = prof_alloc_array((size_t)profile->location_count + 1,
					     sizeof(*work->first_frame));
	work->frames = prof_alloc_array(frames + 1, sizeof(*work->frames));
	work->only_frame = prof_alloc_array((size_t)profile->location_count + 1,
					    sizeof(*work->only_frame));
	ok = finder.file_ids && work->first_frame && work->frames && work->only_frame &&
	     find_all(&finder) && !finder.files.failed && !work->arena.failed;
	if (ok) {
		mark_inlinable(work);
	}
	prof_strings_free(&finder.files);
	prof_map_free(&finder.map);
	prof_free(finder.file_ids);
	prof_free(finder.identities);
	return ok || prof_fail_nomem(err);
}

struct prof_text prof_graph_name(struct prof_graph_work *work, uint32_t node)
{
	uint32_t id = prof_graph_info_of(work, node);
	const struct prof_frame_info *info = &work->infos[id];
	struct prof_text *name = &work->names[id];
	struct prof_buf text = { 0 };

	if (name->data) {
		return *name;
	}
	if (info->address == 0 && info->line == 0 && info->file.len == 0 &&
	    info->name.len > 0) {
		*name = info->name;
		return *name;
	}
	prof_frame_info_add(&text, info);
	*name = (struct prof_text){
		prof_arena_copy(&work->arena, text.data ? text.data : "", text.len),
		text.len,
	};
	work->arena.failed |= text.failed;
	prof_buf_free(&text);
	return name->data ? *name : (struct prof_text){ "", 0 };
}
