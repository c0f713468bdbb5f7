cd "$DATA/pprof" && fgtool info --format json go-cpu.pb.gz
