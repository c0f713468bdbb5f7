/* SPDX-License-Identifier: MIT */
/*
 * prof_format_diagnose(): what people give to a profile reader by mistake, and what
 * would have been right.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "formats/format.h"

struct sign {
	size_t at;
	const char *bytes;
	size_t len;
	const char *diagnosis;
};

#define BYTES(literal)  literal, sizeof(literal) - 1
#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define ZLIB    "zlib data without a gzip header; decompress it first: pigz -dz <FILE"
#define PICTURE "not a profile; give the profile it was drawn from"

/* What stands at a fixed place. */
static const struct sign binaries[] = {
	{ 0, BYTES("PERFILE2"),
	  "perf.data; run: perf script -i FILE | stackcollapse-perf.pl | fgtool ..." },
	{ 0, BYTES("2ELIFREP"),
	  "perf.data; run on the machine it is from: perf script | stackcollapse-perf.pl" },
	{ 0, BYTES("JAVA PROFILE 1.0"),
	  "a Java heap dump (hprof); it holds objects, not stacks" },
	{ 0, BYTES("FLR\0"),
	  "a JFR recording; run: jfrconv -o collapsed FILE OUT.folded" },
	{ 0, BYTES("go 1."),
	  "a Go execution trace; run: go tool trace -pprof=sched FILE >OUT.pb.gz" },
	{ 0, BYTES("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0"),
	  "begins like a gperftools CPU profile, but its header is damaged" },
	{ 0, BYTES("\x89PNG"), "a PNG picture, " PICTURE },
	{ 0, BYTES("GIF8"), "a GIF picture, " PICTURE },
	{ 0, BYTES("\xff\xd8\xff"), "a JPEG picture, " PICTURE },
	{ 0, BYTES("%PDF-"), "a PDF document, " PICTURE },
	{ 257, BYTES("ustar"), "a tar archive; unpack it first: tar -xf FILE" },
	{ 0, BYTES("\x78\x01"), ZLIB },
	{ 0, BYTES("\x78\x9c"), ZLIB },
	{ 0, BYTES("\x78\xda"), ZLIB },
	{ 0, BYTES("SQLite format 3\0"), "an SQLite database, not a profile" },
	{ 0, BYTES("!<arch>\n"), "a static library, not a profile" },
	{ 0, BYTES("MZ"), "a Windows program, not a profile" },
	{ 0, BYTES("\xcf\xfa\xed\xfe"), "a macOS program, not a profile" },
};

/* Text that begins with this. */
static const struct sign texts[] = {
	{ 0, BYTES("heap profile:"),
	  "begins like a heap profile as text, but its first line is damaged" },
	{ 0, BYTES("--- "),
	  "begins like a profile of pprof's old text kinds, but is none" },
	{ 0, BYTES("goroutine profile:"),
	  "begins like a goroutine profile as text, but its first line is damaged" },
	{ 0, BYTES("goroutine "),
	  "a Go goroutine dump; fetch it with debug=0 instead of debug=2" },
	{ 0, BYTES("# callgrind format"),
	  "callgrind output; convert it to pprof or folded stacks first" },
	{ 0, BYTES("version: 1\ncreator: callgrind"),
	  "callgrind output; convert it to pprof or folded stacks first" },
	{ 0, BYTES("# To display the perf.data header"),
	  "perf report output; run: perf script | stackcollapse-perf.pl | fgtool ..." },
	{ 0, BYTES("#!"), "a script, not a profile" },
};

/* JSON that has this somewhere at its beginning. */
static const struct sign jsons[] = {
	{ 0, BYTES("speedscope.app/file-format-schema"),
	  "a speedscope profile; convert it to pprof or folded stacks first" },
	{ 0, BYTES("\"traceEvents\""),
	  "a Chrome trace; convert it to pprof or folded stacks first" },
	{ 0, BYTES("\"preprocessedProfileVersion\""),
	  "a Firefox profile; convert it to pprof or folded stacks first" },
	{ 0, BYTES("\"callFrame\""),
	  "a V8 profile; convert it to pprof or folded stacks first" },
	{ 0, BYTES("\"resourceProfiles\""),
	  "an OpenTelemetry profile as JSON; convert it to pprof first" },
};

static const char *find_binary(struct prof_head head)
{
	for (size_t i = 0; i < COUNT_OF(binaries); i++) {
		const struct sign *sign = &binaries[i];

		if (head.len >= sign->at + sign->len &&
		    memcmp(head.data + sign->at, sign->bytes, sign->len) == 0) {
			return sign->diagnosis;
		}
	}
	return NULL;
}

/* ELF header: byte 5 is the byte order, 16 and 17 the type. */
static const char *find_elf(struct prof_head head)
{
	uint8_t type = 0;

	if (head.len < 18 || memcmp(head.data,
				    "\x7f"
				    "ELF",
				    4) != 0) {
		return NULL;
	}
	type = head.data[5] == 2 ? head.data[17] : head.data[16];
	switch (type) {
	case 1:
		return "an ELF object file, not a profile";
	case 4:
		return "a core dump, not a profile";
	default:
		return "an ELF executable, not a profile; give the profile it wrote";
	}
}

static bool starts_with(struct prof_text text, const struct sign *sign)
{
	return text.len >= sign->len && memcmp(text.data, sign->bytes, sign->len) == 0;
}

static bool starts_with_word(struct prof_text text, const char *word)
{
	size_t len = strlen(word);

	return text.len >= len && strncasecmp(text.data, word, len) == 0;
}

static bool contains(struct prof_text text, const char *bytes, size_t len)
{
	return memmem(text.data, text.len, bytes, len) != NULL;
}

static const char *find_markup(struct prof_text text)
{
	if (text.data[0] != '<') {
		return NULL;
	}
	if (starts_with_word(text, "<!doctype html") ||
	    starts_with_word(text, "<html") || starts_with_word(text, "<head")) {
		return "an HTML page, probably an error from a web server; read it, then "
		       "fetch the profile again";
	}
	if (contains(text, BYTES("<svg"))) {
		return "an SVG picture, " PICTURE;
	}
	return "XML of a kind that is not read; convert it to pprof or folded stacks "
	       "first";
}

static const char *find_json(struct prof_text text)
{
	if (text.data[0] != '{' && text.data[0] != '[') {
		return NULL;
	}
	for (size_t i = 0; i < COUNT_OF(jsons); i++) {
		if (contains(text, jsons[i].bytes, jsons[i].len)) {
			return jsons[i].diagnosis;
		}
	}
	/* "[unknown];main" and the like are stacks. */
	if (text.len > 1 && text.data[0] == '[' &&
	    isalpha((unsigned char)text.data[1])) {
		return NULL;
	}
	return "JSON of a kind that is not read; convert it to pprof or folded stacks first";
}

/* A line that begins with a blank and an address, as perf script prints frames. */
static bool has_perf_frames(struct prof_text text)
{
	for (size_t i = 0; i + 1 < text.len; i++) {
		size_t digits = 0;

		if (text.data[i] != '\n' || text.data[i + 1] != '\t') {
			continue;
		}
		for (i += 2; i < text.len && text.data[i] == ' '; i++) {
		}
		while (i + digits < text.len &&
		       isxdigit((unsigned char)text.data[i + digits])) {
			digits++;
		}
		if (digits >= 4 && i + digits < text.len &&
		    text.data[i + digits] == ' ') {
			return true;
		}
	}
	return false;
}

static const char *find_text(struct prof_text text)
{
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		if (starts_with(text, &texts[i])) {
			return texts[i].diagnosis;
		}
	}
	if (has_perf_frames(text)) {
		return "perf script output; run: stackcollapse-perf.pl FILE | fgtool ...";
	}
	return "text without counts; folded stacks are lines like 'main;parse 12'";
}

static bool is_text(struct prof_head head)
{
	for (size_t i = 0; i < head.len; i++) {
		uint8_t byte = head.data[i];

		if (byte == 0 || (byte < 0x20 && !strchr("\t\n\v\f\r\x1b", byte))) {
			return false;
		}
	}
	return true;
}

const char *prof_format_diagnose(struct prof_head head)
{
	const char *diagnosis = find_elf(head);
	struct prof_text text = { (const char *)head.data, head.len };

	if (!diagnosis) {
		diagnosis = find_binary(head);
	}
	while (text.len > 0 && isspace((unsigned char)text.data[0])) {
		text.data++;
		text.len--;
	}
	if (text.len == 0) {
		return "empty; whatever should have written it may have failed";
	}
	if (!diagnosis && is_text(head)) {
		diagnosis = find_markup(text);
		diagnosis = diagnosis ? diagnosis : find_json(text);
		diagnosis = diagnosis ? diagnosis : find_text(text);
	}
	return diagnosis ? diagnosis
			 : "no profile of a kind known here; see fgtool formats";
}
