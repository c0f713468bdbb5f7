#!/bin/sh
# SPDX-License-Identifier: MIT
#
# options.sh - every command has a manual page that says what its --help says.
# shellcheck source=/dev/null
. tests/docs/_shared

list_page_options() {
	awk -f tests/docs/page-options.awk "cmd/man/fgtool-$1.1" | sort
}

list_help_options() {
	fgtool "$1" --help | sed -n '/^  \(-.,\|   \) --[a-z]/ { s/^ *//; s/  .*//; p }' | sort
}

same_options() {
	list_help_options "$1" >"$SCRATCH/help-options"
	list_page_options "$1" >"$SCRATCH/page-options"
	[ -s "$SCRATCH/help-options" ] &&
		diff -u "$SCRATCH/help-options" "$SCRATCH/page-options"
}

# The words that a choice takes, as completion offers them.
names_values() {
	list_help_options "$1" | sed -n 's/^.*--\([a-z-]*\)=.*/\1/p' |
		while read -r option; do
			fgtool __complete "$1" "--$option=" | sed -n "s/^--$option=\(.*\)	.*/\1/p"
		done | while read -r value; do
		grep -qwF -e "$value" "cmd/man/fgtool-$1.1" || echo "'$value' is not in the page"
	done | { ! grep .; }
}

same_summary() {
	summary=$(fgtool __complete '' | awk -F '\t' -v name="$1" '$1 == name {
		print tolower(substr($2, 1, 1)) substr($2, 2) }')
	grep -xF -e ".Nd $summary" "cmd/man/fgtool-$1.1" ||
		{ echo "the page should have: .Nd $summary" && false; }
}

is_command() {
	list_commands | grep -qxF -e "$1"
}

list_commands >"$SCRATCH/commands"
while read -r command; do
	page=cmd/man/fgtool-$command.1
	if [ ! -f "$page" ]; then
		failed "$command has a manual page" "there is no $page"
		continue
	fi
	check "options of $command are those of its page" same_options "$command"
	check "the page of $command names every value of an option" names_values "$command"
	check "the page of $command has its summary" same_summary "$command"
	check "fgtool.1 refers to $command" grep -q "^\.It Xr fgtool-$command 1" cmd/man/fgtool.1
done <"$SCRATCH/commands"

for page in cmd/man/fgtool-*.1; do
	command=${page#cmd/man/fgtool-}
	check "$page is about a command" is_command "${command%.1}"
done
finish
