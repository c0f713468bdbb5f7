cd "$DATA/pprof" && fgtool tags -n 1 go-cpu.pb.gz
