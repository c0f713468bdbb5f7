cd "$DATA/pprof" && fgtool info --max-input 10k go-heap-1.pb.gz
