#!/bin/sh
# SPDX-License-Identifier: MIT
#
# corpus.sh FGTOOL COLLECTION - read every file of COLLECTION/corpus that has a row in
# tests/corpus.tsv, and compare.
#
#	folder/file	type/unit=total ... samples=N merged=N
#	folder/file	refused: how the message begins	why
#
# Totals are sums of absolute values: of the file as it is, which has so many samples,
# and once more of what `fgtool merge` makes of it. tests/corpus-expect.py made the table
# with other programs. A file without a row fails, and so does a row without a file. The
# last line is `N passed, N failed`.

tool=$1
corpus=$2/corpus
table=$(dirname "$0")/corpus.tsv
tab=$(printf '\t')
passed=0 failed=0

if [ ! -x "$tool" ] || [ ! -d "$corpus" ]; then
	echo "usage: corpus.sh FGTOOL COLLECTION (a folder with corpus/ in it)" >&2
	exit 2
fi
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM

pass() {
	passed=$((passed + 1))
}

fail() { # fail FILE WHAT
	failed=$((failed + 1))
	printf 'not ok %s\n#   %s\n' "$1" "$2"
}

# `info --format json` prints a row to a line; no type in the table needs escapes.
totals() { # totals SAMPLES: what to call the number of samples
	awk -v samples="$1" '
	/^  "samples": / { count = $2 + 0 }
	/"kind":"sample type"/ {
		split($0, part, "\"")
		sub(/.*"total":/, "")
		sub(/,.*/, "")
		printf "%s/%s=%s ", part[8], part[12], $0
	}
	END { printf "%s=%s\n", samples, count }'
}

refuses() { # refuses NAME MESSAGE
	"$tool" info "$corpus/$1" >"$scratch/out" 2>"$scratch/err"
	status=$?
	message=$(head -n 1 "$scratch/err")
	message=${message#"fgtool: $corpus/$1"}
	message=${message#: }
	if [ -s "$scratch/out" ]; then
		fail "$1" 'not refused'
		return
	fi
	case $status-$message in
	2-"$2"*) pass ;;
	*) fail "$1" "exit $status: $message" ;;
	esac
}

reads() { # reads NAME EXPECTED
	only=${2% samples=*}
	got=$("$tool" info --format json "$corpus/$1" 2>&1 | totals samples)
	merged=$("$tool" merge --to pprof --compress none "$corpus/$1" 2>&1 |
		"$tool" info --format json 2>&1 | totals merged)
	got="$got${merged#"$only"}"
	if [ "$got" = "$2" ]; then
		pass
	else
		fail "$1" "want $2, got $got"
	fi
}

while IFS=$tab read -r name expected _; do
	case $name in '#'*) continue ;; esac
	if [ ! -f "$corpus/$name" ]; then
		fail "$name" 'no such file'
		continue
	fi
	case $expected in
	refused:*) refuses "$name" "${expected#refused: }" ;;
	*) reads "$name" "$expected" ;;
	esac
done <"$table"

cut -f 1 "$table" | grep -v '^#' | sort >"$scratch/known"
(cd "$corpus" && find folded pprof-delimited pprof-proto -type f) | sort >"$scratch/files"
comm -13 "$scratch/known" "$scratch/files" >"$scratch/unknown"
while read -r name; do
	fail "$name" 'no row in tests/corpus.tsv'
done <"$scratch/unknown"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
