/* SPDX-License-Identifier: MIT */
/*
 * replay.c - feed files to a fuzz target without libFuzzer, so that the corpora and the
 * inputs of old crashes run in every `make check`.
 *
 *	fuzz_folded PATH...		files, and folders with all that is in them
 *
 * Small files are also fed cut short and with bytes changed, the same way every time.
 * Prints TAP with one test: that it came to the end. The comment before each input
 * tells which one was running when it did not; running that file alone shows it again.
 */
#include <fts.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	INPUT_MAX = 4 << 20,    /* larger ones belong to the benchmarks */
	DAMAGED_MAX = 64 << 10, /* damage matters in headers and records, not in bulk */
	CUTS = 8,
	CHANGES = 8,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * The target gets a block of exactly the right size, so that the sanitizer sees the
 * first byte read too far.
 */
static bool replay_bytes(const uint8_t *data, size_t size)
{
	uint8_t *exact = malloc(size ? size : 1);

	if (!exact)
		return false;
	memcpy(exact, data, size);
	LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return true;
}

/* xorshift32: any sequence will do, as long as it never changes. */
static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static bool replay_damaged(uint8_t *data, size_t size)
{
	uint32_t random = 2463534242;

	for (size_t i = 0; i < CUTS; i++)
		if (!replay_bytes(data, size * i / CUTS))
			return false;
	for (size_t i = 0; i < CHANGES; i++) {
		for (size_t n = 0; n < 1 + size / 1024; n++)
			data[next_random(&random) % size] =
				(uint8_t)(next_random(&random) >> 8);
		if (!replay_bytes(data, size))
			return false;
	}
	return true;
}

static bool replay_file(const char *path)
{
	FILE *in = fopen(path, "rb");
	uint8_t *data = malloc(INPUT_MAX);
	bool done = false;

	if (in && data) {
		size_t size = fread(data, 1, INPUT_MAX, in);

		done = replay_bytes(data, size);
		if (done && size > 0 && size <= DAMAGED_MAX)
			done = replay_damaged(data, size);
	}
	free(data);
	if (in)
		fclose(in);
	return done;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* How many files were replayed; -1 when one could not be read. */
static long replay_all(char **paths)
{
	FTS *tree = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name);
	FTSENT *entry = NULL;
	long count = 0;

	if (!tree)
		return -1;
	while (count >= 0 && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_F)
			continue;
		printf("# %s\n", entry->fts_path);
		fflush(stdout);
		count = replay_file(entry->fts_path) ? count + 1 : -1;
	}
	fts_close(tree);
	return count;
}

int main(int argc, char **argv)
{
	long count = argc > 1 ? replay_all(argv + 1) : -1;

	printf("%sok 1 - %ld inputs replayed\n1..1\n", count > 0 ? "" : "not ", count);
	return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
