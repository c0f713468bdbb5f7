/* SPDX-License-Identifier: MIT */
/*
 * Writes a CPU profile, a sampled heap profile and the heap's growth, as gperftools
 * does: gperf FOLDER. See ../README.md.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include <gperftools/malloc_extension.h>
#include <gperftools/profiler.h>

#define NOINLINE __attribute__((noinline))

static volatile uint64_t sink;

NOINLINE static void checksum(const std::vector<uint64_t> &items)
{
	for (int round = 0; round < 400; round++) {
		for (uint64_t item : items) {
			sink = sink * 31 + item;
		}
	}
}

NOINLINE static std::vector<uint64_t> *load(size_t count)
{
	auto *items = new std::vector<uint64_t>;

	for (size_t i = 0; i < count; i++) {
		items->push_back(i * i);
	}
	return items;
}

NOINLINE static void quick(std::vector<uint64_t> *items, size_t first, size_t last)
{
	size_t middle = first;

	if (last - first < 2) {
		return;
	}
	for (size_t i = first + 1; i < last; i++) {
		if ((*items)[i] * 2654435761 % 4099 < (*items)[first] % 4099) {
			std::swap((*items)[++middle], (*items)[i]);
		}
	}
	std::swap((*items)[first], (*items)[middle]);
	quick(items, first, middle);
	quick(items, middle + 1, last);
}

static void write(const std::string &path, const std::string &text)
{
	FILE *out = fopen(path.c_str(), "wb");

	if (!out || fwrite(text.data(), 1, text.size(), out) != text.size() ||
	    fclose(out) != 0) {
		perror(path.c_str());
		exit(1);
	}
}

int main(int argc, char **argv)
{
	std::string folder = argc > 1 ? argv[1] : ".";
	std::vector<std::vector<uint64_t> *> kept;
	std::string text;

	ProfilerStart((folder + "/gperftools.cpu").c_str());
	for (int i = 0; i < 12; i++) {
		kept.push_back(load(100000 + (size_t)i * 20000));
		checksum(*kept.back());
		quick(kept.back(), 0, 20000);
	}
	ProfilerStop();
	MallocExtension::instance()->GetHeapSample(&text);
	write(folder + "/gperftools.heap", text);
	text.clear();
	MallocExtension::instance()->GetHeapGrowthStacks(&text);
	write(folder + "/gperftools.growth", text);
	return 0;
}
