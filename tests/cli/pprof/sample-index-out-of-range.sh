cd "$DATA/pprof" && fgtool pprof -top -sample_index=9 go-heap-1.pb.gz
