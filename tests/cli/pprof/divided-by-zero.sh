cd "$DATA/pprof" && fgtool pprof -top -divide_by=0 go-cpu.pb.gz
