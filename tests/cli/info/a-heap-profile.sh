cd "$DATA/pprof" && fgtool info go-heap-1.pb.gz
