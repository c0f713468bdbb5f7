cd "$DATA/pprof" && fgtool top --sample-type inuse_spaces go-heap-1.pb.gz
