cd "$DATA/pprof" && fgtool pprof -svg go-cpu.pb.gz
