#!/bin/sh
# SPDX-License-Identifier: MIT
#
# legacy.sh - google/pprof finds the same in an old profile as in what fgtool makes of it.
# It is looked for on PATH and where `go install` puts it.
# shellcheck source=/dev/null
. tests/docs/_shared

PATH=$PATH:${GOPATH:-$HOME/go}/bin
if ! pprof -h 2>&1 | grep -q 'pprof <format>'; then
	echo '1..0 # SKIP google/pprof is not installed'
	exit
fi
mkdir "$SCRATCH/legacy" && cd "$SCRATCH/legacy" || exit 2
PPROF_TMPDIR=$PWD PPROF_BINARY_PATH=$PWD
export PPROF_TMPDIR PPROF_BINARY_PATH

# All that a profile holds, as text. Symbols are not looked for in this machine's files.
# A label 0 without a unit is lost in profile.proto.
raw() {
	pprof -raw -all_frames -symbolize=none "$1" 2>/dev/null | grep -v '^ *bytes:\[0\]$'
}

reads_alike() { # reads_alike PROFILE
	raw "$1" >want && [ -s want ] &&
		fgtool convert -o copy.pb.gz "$1" && raw copy.pb.gz | diff want -
}

# google/pprof refuses stacks without a frame, which Go writes.
for profile in "$DATA"/legacy/*.*; do
	case ${profile##*/} in
	variables.txt) continue ;;
	esac
	check "${profile##*/} reads alike" reads_alike "$profile"
done
finish
