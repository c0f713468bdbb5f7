cd "$DATA/pprof" && fgtool pprof go-cpu.pb.gz
