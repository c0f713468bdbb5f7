#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cli.sh cli/AREA - the command-line cases of tests/cli/AREA as one stream of TAP.
#
# A case is NAME.sh, one or two lines of shell. It runs in an empty directory with
# fgtool on PATH and $DATA pointing at testdata/. What it prints must equal NAME.out and
# NAME.err (empty if absent), its status NAME.exit (0 if absent). A case that cannot run
# here prints `skip: WHY` as its only output. BLESS=1 rewrites the goldens from what
# happened; read the diff before you commit it.

area=tests/$1
root=$PWD
scratch=${SCRATCH:?}/$(echo "$1" | tr / .)
out=$scratch/out err=$scratch/err exit=$scratch/exit
mkdir "$scratch" || exit 2
number=0 status=0

same() { # same GOLDEN GOT
	if [ "$BLESS" ]; then
		if [ -s "$2" ]; then
			cmp -s "$1" "$2" || cp "$2" "$1"
		else
			rm -f "$1"
		fi
		return 0
	fi
	if [ -s "$1" ]; then
		cmp -s "$1" "$2"
	else
		[ ! -s "$2" ]
	fi
}

differs() { # differs GOLDEN GOT: say how, as TAP comments
	golden=$1
	[ -e "$golden" ] || golden=/dev/null
	same "$1" "$2" ||
		diff -au --label "$1" --label got "$golden" "$2" | head -n 60 | sed 's/^/# /'
}

for script in "$area"/*.sh; do
	want=${script%.sh}
	name=${want#tests/}
	case $name in *"$FILTER"*) ;; *) continue ;; esac
	number=$((number + 1))
	mkdir "$scratch/$number" && cd "$scratch/$number" || exit 2
	sh -eu "$root/$script" >"$out" 2>"$err" </dev/null
	code=$?
	cd "$root" || exit 2
	: >"$exit"
	[ $code -eq 0 ] || echo $code >"$exit"
	if [ $code -eq 0 ] && read -r word why <"$out" && [ "$word" = skip: ]; then
		echo "ok $number - $name # SKIP $why"
	elif same "$want.out" "$out" && same "$want.err" "$err" &&
		same "$want.exit" "$exit"; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		status=1
		{
			differs "$want.out" "$out"
			differs "$want.err" "$err"
			differs "$want.exit" "$exit"
		} >&2
	fi
done
echo "1..$number"
exit $status
