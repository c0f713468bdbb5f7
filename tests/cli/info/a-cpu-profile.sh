cd "$DATA/pprof" && fgtool info go-cpu.pb.gz
