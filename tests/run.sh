#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh TREE - run every test with prove; exit non-zero if any failed.
#
# A test is a stream of TAP, made by tests/stream.sh:
#   libprof/test_x          a unit test program in TREE/tests
#   fuzz/fuzz_x             a fuzz target, over every file of testdata/
#   cli/AREA                the cases of tests/cli/AREA, see tests/cli.sh
#   browser/x docs/x peer/x programs in these folders of tests/, *.sh and *.py; a _*.py is
#                           what they share
#
# FILTER=cli/top runs only the streams and cases whose name contains it; BLESS=1 rewrites
# the goldens of command-line cases; JOBS=2 is how many streams run at once; VERBOSE=1
# shows every test. The last line is `N passed, N failed`, or with `, N skipped`.

root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
TREE=$(cd "$1" && pwd) || exit 2
DATA=$root/testdata
PATH=$TREE:$PATH
LC_ALL=C TZ=UTC
export TREE DATA PATH LC_ALL TZ
export CMOCKA_MESSAGE_OUTPUT=TAP
export LSAN_OPTIONS="suppressions=$root/tests/leaks.txt:print_suppressions=0"
unset MAKEFLAGS MFLAGS MAKELEVEL BUILD
cd "$root" || exit 2

SCRATCH=$(mktemp -d) || exit 2
export SCRATCH
trap 'rm -rf "$SCRATCH"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$SCRATCH/logs"

# By the sources: what an older build left behind is no test.
list_streams() {
	for source in tests/unit/*/test_*.c; do
		name=${source#tests/unit/}
		[ ! -f "$source" ] || echo "${name%.c}"
	done
	for source in tests/fuzz/fuzz_*.c; do
		name=${source#tests/}
		[ ! -f "$source" ] || echo "${name%.c}"
	done
	for folder in tests/cli/*/; do
		[ ! -d "$folder" ] || echo "cli/$(basename "$folder")"
	done
	for script in tests/docs/*.sh tests/peer/*.sh tests/browser/*.sh \
		tests/browser/[!_]*.py; do
		[ ! -f "$script" ] || echo "${script#tests/}"
	done
}

# The filter may also be in the name of a case.
wanted() {
	while read -r stream; do
		[ -z "$FILTER" ] || printf '%s\n' "$stream" "tests/$stream"/*.sh |
			grep -qF -e "$FILTER" || continue
		echo "$stream"
	done
}

list_streams | wanted >"$SCRATCH/streams"
if [ ! -s "$SCRATCH/streams" ]; then
	echo "no test is called '$FILTER'" >&2
	exit 2
fi
# Slow streams first (browsers, replays), so that none runs alone at the end.
{
	grep '^browser\|^fuzz' "$SCRATCH/streams"
	grep -v '^browser\|^fuzz' "$SCRATCH/streams"
} | prove ${VERBOSE:+-v} -j "${JOBS:-2}" --exec 'sh tests/stream.sh' -
status=$?

# prove adds up streams; this adds up tests. A stream that died counts as one more.
count() { # count WHAT: the sum of that column over all streams
	awk -v what="$1" '$1 == what { n += $2 } END { print n + 0 }' "$SCRATCH"/logs/*.count
}
passed=$(count passed) failed=$(count failed) skipped=$(count skipped)
[ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
if [ "$skipped" -gt 0 ]; then
	echo "$passed passed, $failed failed, $skipped skipped"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
