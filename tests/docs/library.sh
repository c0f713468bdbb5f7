#!/bin/sh
# SPDX-License-Identifier: MIT
#
# library.sh - the program in README.md that uses the libraries compiles without a warning
# and runs.
# shellcheck source=/dev/null
. tests/docs/_shared

program=$SCRATCH/library
awk '/^```/ { inside = $0 == "```c"; next } inside' README.md >"$program.c"

# With the compiler and the flags of this tree, which may be those of a sanitizer.
compiles() {
	packages=$(sed -n 's/^packages := //p' Makefile)
	pkg-config --exists libisal && packages="$packages libisal"
	# Words of their own, all of them.
	# shellcheck disable=SC2046,SC2086
	$(cat "$TREE/flags") -Werror -o "$program" "$program.c" \
		"$TREE/libprofformats.a" "$TREE/libprof.a" $(pkg-config --libs $packages) -lm
}

agrees_with_top() {
	"$program" <"$DATA/pprof/go-cpu.pb.gz" >"$SCRATCH/of-library" || return
	fgtool top -n 5 --format=csv "$DATA/pprof/go-cpu.pb.gz" |
		awk -F, 'NR > 1 { print $1, $NF }' >"$SCRATCH/of-top"
	diff -u "$SCRATCH/of-top" "$SCRATCH/of-library"
}

refuses_what_is_no_profile() {
	! "$program" <README.md && "$program" <README.md 2>&1 | grep .
}

check "the program in README.md compiles" compiles
if [ -x "$program" ]; then
	check "it prints what fgtool top prints" agrees_with_top
	check "it refuses what is no profile" refuses_what_is_no_profile
fi
finish
