cd "$DATA/pprof" && fgtool info tiny.pb go-heap-1.pb.gz
