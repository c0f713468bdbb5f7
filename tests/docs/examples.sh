#!/bin/sh
# SPDX-License-Identifier: MIT
#
# examples.sh - every example of --help, of the help topics and of the manual pages can be
# pasted: it runs, in the order shown, in a folder that holds what is in testdata/.
# shellcheck source=/dev/null
. tests/docs/_shared

help_examples() {
	fgtool "$1" --help | sed -n '/^examples:/,/^$/ s/^  \([^ ].*\)/\1/p'
}

recipes() {
	fgtool help recipes | sed -n 's/^.*  \([a-z]* .*\)/\1/p'
}

first_steps() {
	fgtool help | sed -n '/^examples:/,/^$/ s/^  \(fgtool .*[^ ]\)   .*/\1/p'
}

run_lines() { # run_lines WHERE: every line of standard input is an example
	folder=$SCRATCH/examples/$1
	(fill_playground "$folder") || exit 2
	lines=0
	while IFS= read -r line; do
		lines=$((lines + 1))
		run_example "$folder" "$line" >/dev/null 2>"$folder/.err"
		case $?:$(cat "$folder/.err") in
		*"matches nothing"*) failed "$1: $line" "$(cat "$folder/.err")" ;;
		0:*) passed "$1: $line" ;;
		77:*) passed "$1: $line # SKIP needs a program that is not installed" ;;
		*) failed "$1: $line" "$(cat "$folder/.err")" ;;
		esac
	done <"$SCRATCH/lines"
	[ $lines -gt 0 ] || failed "$1 has examples" "it has none"
	rm -rf "$folder"
}

for command in $(list_commands); do
	help_examples "$command" >"$SCRATCH/lines"
	run_lines "$command --help"
done
recipes >"$SCRATCH/lines"
run_lines "help recipes"
first_steps >"$SCRATCH/lines"
run_lines "help"
for page in cmd/man/*.[17]; do
	awk -f tests/docs/page-examples.awk "$page" >"$SCRATCH/lines"
	run_lines "$(basename "$page")"
done
finish
