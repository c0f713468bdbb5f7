cd "$DATA/pprof" && fgtool tags go-heap-1.pb.gz
