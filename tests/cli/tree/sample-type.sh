cd "$DATA/pprof" && fgtool tree --sample-type alloc_objects --min 10% go-heap-1.pb.gz
