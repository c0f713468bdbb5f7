cd "$DATA/pprof" && fgtool merge go-cpu.pb.gz go-heap-1.pb.gz
