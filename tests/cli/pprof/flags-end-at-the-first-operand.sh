cd "$DATA/pprof" && fgtool pprof -top go-cpu.pb.gz -cum
