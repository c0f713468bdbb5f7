# SPDX-License-Identifier: MIT
#
# coverage.awk - gcov's report as a table, least covered first, with a total.

/^File '/ {
	file = $0
	gsub(/^File '|'$/, "", file)
}

/^Lines executed:/ && file !~ /^\/usr/ && file ~ /\.[ch]$/ && !(file in seen) {
	seen[file] = 1
	split($0, part, /[:% ]+/)
	percent = part[3]
	lines = part[5]
	covered += percent * lines / 100
	all += lines
	printf "%6.1f%%  %6d  %s\n", percent, lines, file | "sort -n"
}

END {
	close("sort -n")
	if (all)
		printf "%6.1f%%  %6d  total\n", 100 * covered / all, all
}
