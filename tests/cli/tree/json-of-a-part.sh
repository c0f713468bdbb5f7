cd "$DATA/pprof" && fgtool tree --format json --depth 2 --min 20% go-heap-1.pb.gz
