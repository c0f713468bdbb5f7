cd "$DATA/pprof" && fgtool top go-cpu.pb.gz go-heap-1.pb.gz
