#!/bin/sh
# SPDX-License-Identifier: MIT
#
# layers.sh FILE... - who may include whom. The law of the house:
#
#	cmd -> formats -> libprof
#	libprof:  report, flame -> model -> base        sampler -> base
#	formats:  one format never includes another; what they share is no format
#
# Packages: none in libprof, all in formats, PCRE2 alone in cmd.

# A format is what formats.c lists: `&prof_format_folded`.
formats=$(sed -n 's/.*&prof_format_\([a-z0-9_]*\).*/\1/p' formats/formats.c 2>/dev/null)

grep -Hn '^# *include' /dev/null "$@" | awk -v formats="$formats" '
function refuse(why) {
	print file ":" line ": " why ": " $0
	bad = 1
}

# The room of a path: "libprof/model", "formats", "cmd", "tests".
function room(path,   part) {
	split(path, part, "/")
	return part[1] == "libprof" ? part[1] "/" part[2] : part[1]
}

# The format that a file in formats/ belongs to: pprof for pprof.pb-c.h and pprof_write.c.
function format_of(path,   name, best) {
	name = path
	sub(/^formats\//, "", name)
	if (name ~ /\//)
		return ""
	sub(/\..*/, "", name)
	best = ""
	for (f in is_format)
		if ((name == f || index(name, f "_") == 1) && length(f) > length(best))
			best = f
	return best
}

BEGIN {
	n = split(formats, list, "\n")
	for (i = 1; i <= n; i++)
		is_format[list[i]] = 1
	may["libprof/base"] = " libprof/base "
	may["libprof/model"] = " libprof/base libprof/model "
	may["libprof/report"] = " libprof/base libprof/model libprof/report "
	may["libprof/flame"] = " libprof/base libprof/model libprof/flame "
	may["libprof/sampler"] = " libprof/base libprof/sampler "
	any = " libprof/base libprof/model libprof/report libprof/flame libprof/sampler "
	may["formats"] = any "formats "
	may["cmd"] = any "formats cmd "
	may["tests"] = any "formats cmd tests "
	packages = "capstone|zlib|zconf|zstd|isa-l|igzip|cairo|libxml|protobuf|pcre2|elfutils|dwarf|" \
		"gelf|libelf|demangle|libiberty"
}

{
	split($0, field, ":")
	file = field[1]
	line = field[2]
	sub(/^[^:]*:[^:]*:/, "")
	from = room(file)
}

/<.*>/ {
	if ($0 ~ "<(" packages ")") {
		if (from ~ /^libprof/)
			refuse("libprof uses no package")
		if (from == "cmd" && $0 !~ /<pcre2/)
			refuse("packages are for formats/")
	}
	next
}

/"/ {
	split($0, quoted, "\"")
	to = room(quoted[2])
	if (!(from in may))
		refuse("unknown room " from)
	else if (index(may[from], " " to " ") == 0)
		refuse(from " may not include " to)
	mine = format_of(file)
	other = format_of(quoted[2])
	if (from == "formats" && to == "formats" && other != "" && mine != other &&
	    file !~ /^formats\/formats\.[ch]$/)
		refuse("a format may not include another")
}

END { exit bad }'
