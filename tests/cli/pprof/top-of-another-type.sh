cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -sample_index=alloc_objects -nodecount=10 go-heap-1.pb.gz
