cd "$DATA/pprof" && fgtool pprof -top -foucs=x go-cpu.pb.gz
