cd "$DATA/pprof" && fgtool info go-cpu.pb.gz go-cpu-after.pb.gz
