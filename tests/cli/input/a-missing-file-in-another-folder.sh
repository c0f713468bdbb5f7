cd "$DATA" && fgtool info pprof/go-heap1.pb.gz
