#!/bin/sh
# SPDX-License-Identifier: MIT
#
# merge.sh - google/pprof reads what fgtool writes, and merges profiles to the same ones.
# It is looked for on PATH and where `go install` puts it.
# shellcheck source=/dev/null
. tests/docs/_shared

PATH=$PATH:${GOPATH:-$HOME/go}/bin
if ! pprof -h 2>&1 | grep -q 'pprof <format>'; then
	echo '1..0 # SKIP google/pprof is not installed'
	exit
fi
mkdir "$SCRATCH/merge" && cd "$SCRATCH/merge" || exit 2
PPROF_TMPDIR=$PWD PPROF_BINARY_PATH=$PWD
export PPROF_TMPDIR PPROF_BINARY_PATH

# All that a profile holds, as text. Symbols are not looked for in this machine's files.
raw() {
	pprof -raw -symbolize=none "$@" 2>/dev/null
}

reads_a_copy() { # reads_a_copy PROFILE
	raw "$1" >want &&
		fgtool convert -o copy.pb.gz "$1" && raw copy.pb.gz | diff want -
}

# Refused by google/pprof are streams, zstd, bytes behind the last member, and a profile
# without sample types; hostile-names has a label whose text is empty.
for profile in "$DATA"/pprof/*.pb*; do
	case ${profile##*/} in
	concat.* | delimited.* | *.zst | trailing-* | empty-* | hostile-*) continue ;;
	esac
	check "a copy of ${profile##*/} reads the same" reads_a_copy "$profile"
done

merges_alike() { # merges_alike PROFILE...: to the same samples
	pprof -proto -symbolize=none -output=want.pb.gz "$@" 2>/dev/null &&
		[ "$(fgtool digest "$@")" = "$(fgtool digest want.pb.gz)" ]
}

merges_in_its_order() { # merges_in_its_order PROFILE...: numbers, order and all
	raw "$@" >want &&
		fgtool merge --order pprof -o got.pb.gz "$@" && raw got.pb.gz | diff want -
}

ranks_alike() { # ranks_alike PROFILE...: the report on the canonical merge is the same
	pprof -top -symbolize=none "$@" >want 2>/dev/null &&
		fgtool merge -o got.pb.gz "$@" &&
		pprof -top -symbolize=none got.pb.gz 2>/dev/null | diff want -
}

merge() { # merge PROFILE...
	what=$*
	for name; do
		set -- "$@" "$DATA/pprof/$name"
		shift
	done
	check "$what: merged alike" merges_alike "$@"
	check "$what: merged in its order" merges_in_its_order "$@"
	check "$what: ranked alike" ranks_alike "$@"
}

merge go-heap-1.pb.gz go-heap-2.pb.gz
merge go-heap-2.pb.gz go-heap-1.pb.gz go-heap-raw.pb two-members.pb.gz go-heap-2.pb.gz
merge go-cpu.pb.gz go-cpu-after.pb.gz
merge go-cpu-after.pb.gz pprof-proto-cpu.pb.gz go-cpu.pb.gz
merge go-mutex.pb.gz go-mutex.pb.gz
merge go-block.pb.gz go-block.pb.gz
merge go-goroutine.pb.gz go-goroutine.pb.gz
finish
