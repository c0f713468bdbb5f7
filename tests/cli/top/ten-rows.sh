cd "$DATA/pprof" && fgtool top -n 10 go-cpu.pb.gz
