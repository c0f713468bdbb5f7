cd "$DATA/pprof" && fgtool tags go-cpu.pb.gz
