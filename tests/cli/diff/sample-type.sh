cd "$DATA/pprof" && fgtool diff go-heap-1.pb.gz go-heap-2.pb.gz --sample-type alloc_objects -n 4
