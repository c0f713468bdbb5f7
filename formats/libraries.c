/* SPDX-License-Identifier: MIT */
#include "formats/libraries.h"

#include <libxml/xmlversion.h>
#include <protobuf-c/protobuf-c.h>
#include <zlib.h>
#include <zstd.h>

#include "formats/disasm.h"
#include "formats/elf.h"
#include "formats/gzip.h"

void prof_libraries(struct prof_buf *out)
{
	prof_buf_addf(out, "inflate: %s\n", prof_gzip_library());
	prof_buf_addf(out, "deflate: zlib %s\n", zlibVersion());
	prof_buf_addf(out, "zstd: %s\n", ZSTD_versionString());
	prof_buf_addf(out, "protobuf-c: %s\n", protobuf_c_version());
	prof_buf_addf(out, "libxml2: %s\n", LIBXML_DOTTED_VERSION);
	prof_buf_addf(out, "programs: %s\n",
		      prof_elf_library() ? prof_elf_library() : "no");
	prof_buf_addf(out, "disassembler: %s\n",
		      prof_disasm_library() ? prof_disasm_library() : "no");
}
