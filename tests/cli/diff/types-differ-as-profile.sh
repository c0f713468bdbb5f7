cd "$DATA/pprof" && fgtool diff go-cpu.pb.gz go-heap-1.pb.gz --to pprof
