cd "$DATA/pprof" && fgtool top --sample-type alloc_objects -n 5 go-heap-1.pb.gz
