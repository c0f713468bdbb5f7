cd "$DATA/pprof" && fgtool pprof -top -cum -flat go-cpu.pb.gz
