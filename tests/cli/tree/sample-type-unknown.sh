cd "$DATA/pprof" && fgtool tree --sample-type inuse go-heap-1.pb.gz
