# SPDX-License-Identifier: MIT
#
# words.awk - what may not stand in a source file: a missing licence line, // comments,
# #if 0, and calls of functions that overrun, truncate in silence or keep state.

function refuse(why) {
	print FILENAME ":" FNR ": " why
	bad = 1
}

# The line without strings, character constants and comments, which say what they like.
function code(line,   start, end, rest) {
	gsub(/\\["'\\]/, "", line)
	gsub(/'"'/, "", line)
	gsub(/"[^"]*"/, "\"\"", line)
	while (1) {
		if (in_comment) {
			end = index(line, "*/")
			if (!end)
				return ""
			line = substr(line, end + 2)
			in_comment = 0
		}
		start = index(line, "/*")
		if (!start)
			return line
		rest = substr(line, start + 2)
		end = index(rest, "*/")
		if (!end) {
			in_comment = 1
			return substr(line, 1, start - 1)
		}
		line = substr(line, 1, start - 1) " " substr(rest, end + 2)
	}
}

BEGIN {
	banned = "(strcpy|strcat|strncpy|sprintf|vsprintf|strtok|gets|atoi|atol|alloca|" \
		"localtime)"
}

FNR == 1 {
	in_comment = 0
	if ($0 != "/* SPDX-License-Identifier: MIT */")
		refuse("the first line is not /* SPDX-License-Identifier: MIT */")
}

{
	text = code($0)
	if (text ~ /\/\//)
		refuse("a // comment")
	if (text ~ /^#[ \t]*if[ \t]+0/)
		refuse("#if 0")
	if (text ~ "(^|[^A-Za-z0-9_>.])" banned "[ \t]*\\(")
		refuse("a banned function: " text)
}

END { exit bad }
