#!/bin/sh
# SPDX-License-Identifier: MIT
#
# readme.sh - README.md tells the truth: what it shows is what the programs print, its
# tables are those of fgtool, what it names exists. BLESS=1 writes into README.md and
# testdata/demo/ what is true now.
# shellcheck source=/dev/null
. tests/docs/_shared

# A ```console block is commands after "$ ", a trailing \ continues, and their output.
with_real_output() { # with_real_output FOLDER: README.md with the output of today
	where=text
	while IFS= read -r line; do
		case $where:$line in
		'text:```console') where=output ;;
		'output:```') where=text ;;
		'output:$ '*) where=command command=${line#??} ;;
		output:*) continue ;; # of another day
		command:*) command=$command$line ;;
		esac
		printf '%s\n' "$line"
		case $where:$command in
		command:*\\) command=${command%?} ;;
		command:*)
			run_example "$1" "$command" 2>&1 || echo "exit status $?"
			where=output
			;;
		esac
	done <README.md
}

shows_what_is_true() {
	with_real_output "$SCRATCH/readme" >"$SCRATCH/README.md"
	[ ! "$BLESS" ] || cmp -s README.md "$SCRATCH/README.md" ||
		cp "$SCRATCH/README.md" README.md
	diff -u README.md "$SCRATCH/README.md"
}

# Every row that `fgtool formats` prints for Markdown is in the README.
has_the_formats() {
	fgtool formats --format=md | grep '^|' | while IFS= read -r row; do
		grep -qxF -e "$row" README.md || printf 'missing: %s\n' "$row"
	done | { ! grep .; }
}

has_the_commands() {
	list_commands | while read -r command; do
		grep -q "^| .*\`$command\`.* |" README.md || echo "not in a table: $command"
	done | { ! grep .; }
}

names_targets() {
	grep -o 'make [a-z][a-z-]*' README.md | sort -u | while read -r _ target; do
		grep -q "^$target:" Makefile || echo "no such target: make $target"
	done | { ! grep .; }
}

links_to_files() {
	grep -o '](\([^)#]*\))' README.md | sed 's/^](//; s/)$//' | grep -v '^https:' |
		while read -r path; do
			[ -e "$path" ] || echo "no such file: $path"
		done | { ! grep .; }
}

shows_the_picture() {
	fgtool flame "$DATA/pprof/go-cpu.pb.gz" -o "$SCRATCH/flame.svg" || return
	if [ "$BLESS" ] && ! cmp -s "$SCRATCH/flame.svg" "$DATA/demo/flame.svg"; then
		mkdir -p "$DATA/demo" && cp "$SCRATCH/flame.svg" "$DATA/demo/flame.svg"
	fi
	cmp "$SCRATCH/flame.svg" "$DATA/demo/flame.svg"
}

(fill_playground "$SCRATCH/readme") || exit 2
if command -v bash >/dev/null; then
	check "the output that it shows is real" shows_what_is_true
else
	passed "the output that it shows is real # SKIP bash is not installed"
fi
check "the picture is what fgtool draws" shows_the_picture
check "all formats are in it" has_the_formats
check "all commands are in it" has_the_commands
check "the make targets that it names exist" names_targets
check "the files that it links to exist" links_to_files
finish
