/* SPDX-License-Identifier: MIT */
#include "libprof/report/keyring.h"

#include "libprof/base/alloc.h"
#include "libprof/base/hash.h"

/*
 * Types and the default type are told last. Writers begin or end their string table
 * with them, so both ends of it are kept.
 */
enum { KEPT_REFS = PROF_KEYRING_RECENT, KEPT_BYTES = 1024 };

enum mapping_kind {
	MAPPING_NONE, /* none, or it does not matter */
	MAPPING_FILE, /* key.mapping is the string ref of its file */
	MAPPING_REF,  /* it has not come yet: key.mapping is its ref */
};

/* What does not matter for the granularity is 0. Hashed as bytes: no padding. */
struct prof_keyring_key {
	uint64_t address;
	int64_t line;
	uint32_t name;
	uint32_t file;
	uint32_t mapping;
	uint32_t mapping_kind;
	uint32_t node;
	uint32_t zero;
};

/* The bytes of a key that are compared. */
#define KEY_BYTES offsetof(struct prof_keyring_key, node)

struct prof_keyring_wanted {
	uint32_t ref;
	bool known;
	struct prof_text text;
};

struct prof_keyring_mapping {
	uint32_t ref;
	uint32_t file;
};

static uint64_t hash_ref(uint32_t ref)
{
	return prof_hash(&ref, sizeof(ref), prof_hash_seed());
}

static bool again(struct prof_error *err)
{
	return prof_fail(err, PROF_ERR_AGAIN, "names are not known in time");
}

static bool full(struct prof_error *err)
{
	return prof_fail(err, PROF_ERR_LIMIT, "more than %u keys", UINT32_MAX - 1);
}

/* strings */

static struct prof_keyring_wanted *find_wanted(const struct prof_keyring *ring,
					       uint32_t ref)
{
	struct prof_map_walk walk = prof_map_walk(&ring->wanted_map, hash_ref(ref));
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (ring->wanted[id].ref == ref) {
			return &ring->wanted[id];
		}
	}
	return NULL;
}

static bool keep_all(struct prof_keyring *ring, const struct prof_text *texts,
		     uint32_t count)
{
	if (!prof_reserve((void **)&ring->all, &ring->all_cap,
			  (size_t)ring->seen + count, sizeof(*ring->all))) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		const char *copy =
			prof_arena_copy(&ring->bytes, texts[i].data, texts[i].len);

		ring->all[ring->seen + i] = (struct prof_text){ copy, texts[i].len };
	}
	return !ring->bytes.failed;
}

static bool add_wanted(struct prof_keyring *ring, uint32_t ref)
{
	if (ring->wanted_count >= UINT32_MAX - 1 ||
	    !prof_reserve((void **)&ring->wanted, &ring->wanted_cap,
			  (size_t)ring->wanted_count + 1, sizeof(*ring->wanted)) ||
	    !prof_map_add(&ring->wanted_map, hash_ref(ref), ring->wanted_count)) {
		return false;
	}
	ring->wanted[ring->wanted_count++] = (struct prof_keyring_wanted){ .ref = ref };
	return true;
}

static void know(struct prof_keyring *ring, struct prof_keyring_wanted *wanted,
		 struct prof_text text)
{
	wanted->text.len = text.len;
	wanted->text.data = prof_arena_copy(&ring->bytes, text.data, text.len);
	wanted->known = true;
}

static bool keep_recent(struct prof_keyring *ring, uint32_t ref, struct prof_text text)
{
	struct prof_keyring_recent *recent = &ring->recent[ref % PROF_KEYRING_RECENT];

	prof_buf_clear(&recent->text);
	recent->ref = 0;
	if (text.len <= KEPT_BYTES) {
		prof_buf_add(&recent->text, text.data, text.len);
		recent->ref = ref;
	}
	return !recent->text.failed;
}

static bool keep_wanted(struct prof_keyring *ring, const struct prof_text *texts,
			uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t ref = ring->seen + i;
		struct prof_keyring_wanted *wanted = find_wanted(ring, ref);

		if (!wanted && ref < KEPT_REFS && texts[i].len <= KEPT_BYTES) {
			if (!add_wanted(ring, ref)) {
				return false;
			}
			wanted = &ring->wanted[ring->wanted_count - 1];
		}
		if (wanted) {
			know(ring, wanted, texts[i]);
		} else if (!keep_recent(ring, ref, texts[i])) {
			return false;
		}
	}
	return !ring->bytes.failed;
}

/* A string that is wanted although it has passed. */
static bool recall(struct prof_keyring *ring, uint32_t ref, struct prof_error *err)
{
	const struct prof_keyring_recent *recent =
		&ring->recent[ref % PROF_KEYRING_RECENT];
	struct prof_text text = { recent->text.data, recent->text.len };

	if (recent->ref != ref) {
		return again(err);
	}
	if (!add_wanted(ring, ref)) {
		return prof_fail_nomem(err);
	}
	know(ring, &ring->wanted[ring->wanted_count - 1], text);
	return !ring->bytes.failed || prof_fail_nomem(err);
}

bool prof_keyring_strings(struct prof_keyring *ring, const struct prof_text *texts,
			  uint32_t count, struct prof_error *err)
{
	bool ok = false;

	if (count > UINT32_MAX - ring->seen) {
		return prof_fail(err, PROF_ERR_LIMIT, "more than %u strings",
				 UINT32_MAX);
	}
	if (ring->seen == 0 && ring->key_count == 0) {
		ring->keep_all = true;
	}
	ok = ring->keep_all ? keep_all(ring, texts, count)
			    : keep_wanted(ring, texts, count);
	ring->seen += count;
	return ok || prof_fail_nomem(err);
}

bool prof_keyring_want(struct prof_keyring *ring, uint32_t ref, struct prof_error *err)
{
	if (ref == 0 || ring->keep_all || find_wanted(ring, ref)) {
		return true;
	}
	if (ref < ring->seen) {
		return recall(ring, ref, err);
	}
	return add_wanted(ring, ref) || prof_fail_nomem(err);
}

bool prof_keyring_text(struct prof_keyring *ring, uint32_t ref, struct prof_text *text,
		       struct prof_error *err)
{
	const struct prof_keyring_wanted *wanted = NULL;

	if (ref == 0) {
		*text = (struct prof_text){ "", 0 };
		return true;
	}
	if (ring->keep_all) {
		if (ref >= ring->seen) {
			return again(err);
		}
		*text = ring->all[ref];
		return true;
	}
	if (!prof_keyring_want(ring, ref, err)) {
		return false;
	}
	wanted = find_wanted(ring, ref);
	if (!wanted->known) {
		return again(err);
	}
	*text = wanted->text;
	return true;
}

/* Whether the string is known to be empty. */
static bool is_empty(const struct prof_keyring *ring, uint32_t ref)
{
	return ref == 0 ||
	       (ring->keep_all && ref < ring->seen && ring->all[ref].len == 0);
}

/* mappings */

static const struct prof_keyring_mapping *find_mapping(const struct prof_keyring *ring,
						       uint32_t ref)
{
	struct prof_map_walk walk = prof_map_walk(&ring->mapping_map, hash_ref(ref));
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (ring->mappings[id].ref == ref) {
			return &ring->mappings[id];
		}
	}
	return NULL;
}

bool prof_keyring_mapping(struct prof_keyring *ring, const struct prof_mapping *mapping,
			  struct prof_error *err)
{
	if (!prof_keyring_want(ring, mapping->file, err)) {
		return false;
	}
	if (ring->mapping_count >= UINT32_MAX - 1) {
		return full(err);
	}
	if (!prof_reserve((void **)&ring->mappings, &ring->mapping_cap,
			  (size_t)ring->mapping_count + 1, sizeof(*ring->mappings)) ||
	    !prof_map_add(&ring->mapping_map, hash_ref(mapping->ref),
			  ring->mapping_count)) {
		return prof_fail_nomem(err);
	}
	ring->mappings[ring->mapping_count++] = (struct prof_keyring_mapping){
		.ref = mapping->ref,
		.file = mapping->file,
	};
	return true;
}

/* keys */

static void set_mapping(const struct prof_keyring *ring, struct prof_keyring_key *key,
			uint32_t ref)
{
	const struct prof_keyring_mapping *mapping = NULL;

	if (ref == PROF_NONE) {
		return;
	}
	mapping = find_mapping(ring, ref);
	if (!mapping) {
		key->mapping = ref;
		key->mapping_kind = MAPPING_REF;
	} else if (!is_empty(ring, mapping->file)) {
		key->mapping = mapping->file;
		key->mapping_kind = MAPPING_FILE;
	}
}

/* Keep what matters of a frame; the mapping does when there is nothing else to show. */
static struct prof_keyring_key key_of(const struct prof_keyring *ring,
				      const struct prof_ref_frame *frame)
{
	uint32_t name = is_empty(ring, frame->name) ? 0 : frame->name;
	uint32_t file = is_empty(ring, frame->file) ? 0 : frame->file;
	struct prof_keyring_key key = { 0 };

	switch (ring->by) {
	case PROF_BY_FUNCTION:
	case PROF_BY_LABEL:
		key.name = name;
		break;
	case PROF_BY_FILE:
		key.file = file;
		break;
	case PROF_BY_ADDRESS:
	case PROF_BY_LINE:
		key.address = ring->by == PROF_BY_ADDRESS ? frame->address : 0;
		key.line = frame->line;
		key.name = name;
		key.file = file;
		break;
	case PROF_BY_MODULE:
		break;
	}
	if (key.name == 0 && key.file == 0 && key.line == 0) {
		set_mapping(ring, &key, frame->mapping);
	}
	return key;
}

static bool mapping_file(const struct prof_keyring *ring,
			 const struct prof_keyring_key *key, uint32_t *file,
			 struct prof_error *err)
{
	const struct prof_keyring_mapping *mapping = NULL;

	*file = key->mapping_kind == MAPPING_FILE ? key->mapping : 0;
	if (key->mapping_kind == MAPPING_REF) {
		mapping = find_mapping(ring, key->mapping);
		if (!mapping && ring->keep_all) {
			return again(err);
		}
		*file = mapping ? mapping->file : 0;
	}
	return true;
}

/* The text of a key, in the scratch buffer. */
static bool compose(struct prof_keyring *ring, const struct prof_keyring_key *key,
		    struct prof_error *err)
{
	struct prof_key_frame frame = { .address = key->address, .line = key->line };
	uint32_t file = 0;

	if (!mapping_file(ring, key, &file, err) ||
	    !prof_keyring_text(ring, key->name, &frame.name, err) ||
	    !prof_keyring_text(ring, key->file, &frame.file, err) ||
	    !prof_keyring_text(ring, file, &frame.mapping, err)) {
		return false;
	}
	if ((key->name != 0 && frame.name.len == 0) ||
	    (key->file != 0 && frame.file.len == 0)) {
		return again(err);
	}
	prof_buf_clear(&ring->scratch);
	prof_key_add(&ring->scratch, ring->by, &frame);
	return !ring->scratch.failed || prof_fail_nomem(err);
}

/* The node of the text in the scratch buffer. */
static bool node_of_text(struct prof_keyring *ring, uint32_t *node,
			 struct prof_error *err)
{
	struct prof_text text = { ring->scratch.data, ring->scratch.len };
	uint32_t id = prof_strings_add(&ring->names, text);

	if (ring->names.failed) {
		return prof_fail_nomem(err);
	}
	*node = id;
	return true;
}

static bool key_new(struct prof_keyring *ring, struct prof_keyring_key key,
		    uint64_t hash, uint32_t *node, struct prof_error *err)
{
	if (ring->key_count >= UINT32_MAX - 1) {
		return full(err);
	}
	key.node = ring->key_count;
	if (ring->keep_all) {
		if (!compose(ring, &key, err) || !node_of_text(ring, &key.node, err)) {
			return false;
		}
	} else if (!prof_keyring_want(ring, key.name, err) ||
		   !prof_keyring_want(ring, key.file, err)) {
		return false;
	}
	if (!prof_reserve((void **)&ring->keys, &ring->key_cap,
			  (size_t)ring->key_count + 1, sizeof(*ring->keys)) ||
	    !prof_map_add(&ring->key_map, hash, ring->key_count)) {
		return prof_fail_nomem(err);
	}
	ring->keys[ring->key_count++] = key;
	*node = key.node;
	return true;
}

bool prof_keyring_node(struct prof_keyring *ring, const struct prof_ref_frame *frame,
		       uint32_t *node, struct prof_error *err)
{
	struct prof_keyring_key key = key_of(ring, frame);
	uint64_t hash = prof_hash(&key, KEY_BYTES, prof_hash_seed());
	struct prof_map_walk walk = prof_map_walk(&ring->key_map, hash);
	uint32_t id = 0;

	while (prof_map_next(&walk, &id)) {
		if (memcmp(&ring->keys[id], &key, KEY_BYTES) == 0) {
			*node = ring->keys[id].node;
			return true;
		}
	}
	return key_new(ring, key, hash, node, err);
}

bool prof_keyring_by_function(const struct prof_keyring *ring,
			      const struct prof_ref_frame *frame)
{
	return (ring->by == PROF_BY_FUNCTION && !is_empty(ring, frame->name)) ||
	       (ring->by == PROF_BY_FILE && !is_empty(ring, frame->file));
}

bool prof_keyring_label(struct prof_keyring *ring, struct prof_text key,
			struct prof_labels labels, uint32_t *node,
			struct prof_error *err)
{
	if (!ring->keep_all) {
		return again(err);
	}
	for (size_t i = 0; i < labels.count; i++) {
		const struct prof_label *label = &labels.data[i];

		if (label->key >= ring->seen || label->text >= ring->seen ||
		    label->unit >= ring->seen) {
			return again(err);
		}
	}
	prof_buf_clear(&ring->scratch);
	prof_key_add_label(&ring->scratch, key, ring->all, labels);
	if (ring->scratch.failed) {
		return prof_fail_nomem(err);
	}
	return node_of_text(ring, node, err);
}

uint32_t prof_keyring_nodes(const struct prof_keyring *ring)
{
	return ring->keep_all ? ring->names.count : ring->key_count;
}

bool prof_keyring_name(struct prof_keyring *ring, uint32_t node, struct prof_text *name,
		       struct prof_error *err)
{
	if (ring->keep_all) {
		*name = prof_strings_get(&ring->names, node);
		return true;
	}
	if (!compose(ring, &ring->keys[node], err)) {
		return false;
	}
	*name = (struct prof_text){ ring->scratch.data, ring->scratch.len };
	return true;
}

void prof_keyring_clear(struct prof_keyring *ring)
{
	enum prof_by by = ring->by;

	prof_keyring_free(ring);
	ring->by = by;
}

void prof_keyring_free(struct prof_keyring *ring)
{
	prof_arena_free(&ring->bytes);
	prof_free(ring->all);
	prof_free(ring->wanted);
	prof_map_free(&ring->wanted_map);
	prof_free(ring->mappings);
	prof_map_free(&ring->mapping_map);
	prof_free(ring->keys);
	prof_map_free(&ring->key_map);
	prof_strings_free(&ring->names);
	prof_buf_free(&ring->scratch);
	for (int i = 0; i < PROF_KEYRING_RECENT; i++) {
		prof_buf_free(&ring->recent[i].text);
	}
	*ring = (struct prof_keyring){ 0 };
}
