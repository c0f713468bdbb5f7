cd "$DATA/pprof" && fgtool tree --depth 4 go-heap-1.pb.gz
