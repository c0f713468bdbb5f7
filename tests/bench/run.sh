#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh FGTOOL - measure FGTOOL beside the programs people know.
#
# Large profiles are made once, in build/bench, by gen (see gen.c). Yardsticks that are
# not installed are left out, and named. Prints a table; a missed goal is no failure.
#
# Environment: BENCH_ROUNDS=5   rounds, of which medians are shown
#              BENCH_SMALL=1    20 MB and 100 files only, in less than a minute
#              BENCH_SLOW=1     google/pprof on 200 MB (a minute and 3 GB) as well
#              BENCH_DATA=DIR   where the data is kept (build/bench, 1.2 GB)

fgtool=$1
gen=$(dirname "$fgtool")/bench/gen
timed=$(dirname "$fgtool")/bench/timed
here=$(dirname "$0")
data=${BENCH_DATA:-build/bench}
rounds=${BENCH_ROUNDS:-5}
plan=$data/plan

if [ ! -x "$gen" ] || [ ! -x "$timed" ]; then
	echo "run.sh: no '$gen' or no '$timed'" >&2
	exit 2
fi
if ! command -v python3 >/dev/null; then
	echo "bench: skipped: python3 is not installed"
	exit 0
fi
mkdir -p "$data" || exit 2
trap 'exit 130' INT TERM

# ---- data: made again when the generator changes

make_file() { # make_file NAME MODE OPTIONS...: keep NAME if there, else make it
	name=$1
	shift
	[ -e "$data/$name" ] && return
	echo "bench: making $name" >&2
	rm -rf "$data/$name.tmp"
	"$gen" "$@" -o "$data/$name.tmp" 2>/dev/null && mv "$data/$name.tmp" "$data/$name"
}

version=$(cat "$here/gen.c" "$here/walk.h" | cksum)
if [ "$(cat "$data/version" 2>/dev/null)" != "$version" ]; then
	rm -rf "$data"/*.pb.gz "$data"/*.folded "$data"/fleet*
	echo "$version" >"$data/version"
fi
if [ -n "$BENCH_SMALL" ]; then
	sizes=20 files=100
else
	sizes="20 200" files=1000
fi
slow=0
[ -z "$BENCH_SLOW" ] || slow=1
make_file 1w.pb.gz pprof -s 1 || exit 2
make_file 20l.pb.gz pprof -s 20 -l || exit 2
make_file fleet$files fleet -n $files || exit 2
for size in $sizes; do
	make_file "${size}w.pb.gz" pprof -s "$size" || exit 2
	make_file "${size}r.pb.gz" pprof -s "$size" -r || exit 2
	make_file "$size.folded" folded -s "$size" || exit 2
done

# ---- yardsticks

absent=
find_program() { # find_program NAME: its path on standard output, if any
	PATH=$PATH:$(go env GOPATH 2>/dev/null)/bin:$HOME/.cargo/bin command -v "$1"
}
for tool in igzip pprof inferno-flamegraph flamegraph.pl; do
	[ -n "$(find_program $tool)" ] || absent="$absent $tool"
done
igzip=$(find_program igzip)
pprof=$(find_program pprof)
inferno=$(find_program inferno-flamegraph)
perl=$(find_program flamegraph.pl)

# ---- plan: see measure.py

line() { # line FIELD...: one line of the plan
	printf '%s' "$1" >>"$plan"
	shift
	printf '\t%s' "$@" >>"$plan"
	printf '\n' >>"$plan"
}
ours() { # ours CASE COMMAND
	line run "$1" fgtool - "$fgtool $2"
}
yard() { # yard CASE NAME PROGRAM ROUNDS GOAL ARGUMENTS: if PROGRAM is there
	[ -n "$3" ] || return 0
	line run "$1" "$2" "$4" "$3 $6"
	[ "$5" = - ] || line goal "$1" "$2" "$5"
}
inflated() { # inflated FILE: its size in MB when decompressed
	gzip -dc "$1" | wc -c | awk '{ print $1 / 1048576 }'
}

plan_top() { # plan_top CASE FILE IGZIP-GOAL GZIP-GOAL PPROF-GOAL PPROF-ROUNDS
	ours "$1" "top $2"
	yard "$1" "igzip -dc" "$igzip" - "$3" "-dc $2"
	yard "$1" "gzip -dc" gzip - "$4" "-dc $2"
	[ "$6" = 0 ] || yard "$1" "pprof -top" "$pprof" "$6" "$5" "-symbolize=none -top $2"
}

plan_sizes() { # plan_sizes MB PPROF-GOAL PPROF-ROUNDS
	w=$data/${1}w.pb.gz r=$data/${1}r.pb.gz text=$data/$1.folded
	plan_top "top $1 MB runtime" "$r" 1.4 0.5 "$2" "$3"
	line memory "top $1 MB runtime" 16
	plan_top "top $1 MB writer" "$w" 2.0 0.65 "$2" "$3"
	line memory "top $1 MB writer" "$(inflated "$w" | awk '{ print $1 * 1.05 }')"

	ours "top $1 MB folded" "top $text"
	yard "top $1 MB folded" "wc -l" wc - - "-l $text"
	line rate "top $1 MB folded" "${1}000000" 1.6

	case="flame $1 MB folded"
	ours "$case" "flame $text -o $data/out.svg"
	line rate "$case" "${1}000000" 0.6
	yard "$case" inferno-flamegraph "$inferno" 3 - "$text"
	yard "$case" flamegraph.pl "$perl" 1 0.025 "$text"
}

plan_merges() {
	case="merge $files files"
	fleet="$data/fleet$files/*.pb.gz"
	ours "$case" "merge -o $data/out.pb.gz $fleet"
	yard "$case" "igzip -dc" "$igzip" - 1.4 "-dc $fleet"
	yard "$case" "gzip -dc" gzip - 0.4 "-dc $fleet"
	yard "$case" "pprof -proto" "$pprof" 1 0.0556 \
		"-symbolize=none -proto -output=$data/peer.pb.gz $fleet"

	case="rewrite 20 MB"
	ours "$case" "merge -o $data/out.pb.gz $data/20w.pb.gz"
	yard "$case" "pprof -proto" "$pprof" 3 0.2 \
		"-symbolize=none -proto -output=$data/peer.pb.gz $data/20w.pb.gz"
}

: >"$plan"
plan_top "top 1 MB writer" "$data/1w.pb.gz" - - 0.04 -
plan_sizes 20 0.0167 2
plan_top "top 20 MB labelled" "$data/20l.pb.gz" - - - 0
plan_merges
if [ -z "$BENCH_SMALL" ]; then
	plan_sizes 200 0.0125 "$slow"
fi

# ---- measure, then compare numbers with pprof

[ -z "$absent" ] || echo "bench: not installed, left out:$absent"
cat "$data"/*.pb.gz "$data"/*.folded "$data"/fleet*/* >/dev/null
python3 "$here/measure.py" "$timed" "$rounds" <"$plan"
if [ -n "$pprof" ]; then
	for file in 1w 20w 20r; do
		printf '%s: ' "$file.pb.gz"
		python3 "$here/rows.py" "$fgtool" "$pprof" "$data/$file.pb.gz" 2>&1
	done
fi
exit 0
