#!/bin/sh
# SPDX-License-Identifier: MIT
#
# completions.sh - the scripts of `fgtool completion` are sound for their shells.
# shellcheck source=/dev/null
. tests/docs/_shared

for shell in bash zsh fish; do
	script=$SCRATCH/completion.$shell
	check "fgtool completion $shell prints a script" fgtool completion $shell
	fgtool completion $shell >"$script"
	if command -v $shell >/dev/null; then
		check "$shell can parse it" $shell -n "$script"
	else
		passed "$shell can parse it # SKIP $shell is not installed"
	fi
done
if command -v shellcheck >/dev/null; then
	check "shellcheck finds no fault in that of bash" shellcheck "$SCRATCH/completion.bash"
else
	passed "shellcheck finds no fault in that of bash # SKIP shellcheck is not installed"
fi
finish
