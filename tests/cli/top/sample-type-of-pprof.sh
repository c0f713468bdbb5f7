cd "$DATA/pprof" && fgtool top -sample_index=alloc_objects -nodecount=5 go-heap-1.pb.gz
