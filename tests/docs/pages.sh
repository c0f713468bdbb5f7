#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pages.sh - manual pages are sound mdoc, refer to pages that exist, and list what there
# is to list.
# shellcheck source=/dev/null
. tests/docs/_shared

refers_to_pages() {
	sed -n 's/^\.\(It \)\?Xr \(fgtool[a-z-]*\) \([17]\).*/\2.\3/p' "$1" | sort -u |
		while read -r other; do
			[ -f "cmd/man/$other" ] || echo "there is no page $other"
		done | { ! grep .; }
}

has_sections() {
	for section; do
		grep -qx "\.Sh $section" "$page" || echo "$page has no section $section"
	done | { ! grep .; }
}

lists_findings() {
	grep -oh '"C[0-9][0-9]"' libprof/report/checkup.c cmd/cmd_check.c | tr -d '"' |
		sort -u >"$SCRATCH/ids"
	sed -n 's/^\.It \(C[0-9][0-9]\) .*/\1/p' cmd/man/fgtool-check.1 |
		diff -u "$SCRATCH/ids" -
}

names_topics() {
	fgtool help | sed -n '/^topics/,/^$/s/^  \([a-z-]*\) .*/\1/p' | while read -r topic; do
		grep -qwF -e "$topic" cmd/man/fgtool-help.1 || echo "not named: $topic"
	done | { ! grep .; }
}

for page in cmd/man/*.[17]; do
	if command -v mandoc >/dev/null; then
		check "$page passes mandoc -Tlint" mandoc -Tlint -W warning "$page"
	else
		passed "$page passes mandoc -Tlint # SKIP mandoc is not installed"
	fi
	check "$page refers to pages that exist" refers_to_pages "$page"
	case $page in
	*.1) check "$page has all sections" has_sections NAME SYNOPSIS DESCRIPTION OPTIONS \
		'EXIT STATUS' EXAMPLES 'SEE ALSO' ;;
	esac
done
check "fgtool-check.1 lists the ids of all findings" lists_findings
check "fgtool-help.1 names all topics" names_topics
finish
