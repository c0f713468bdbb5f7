cd "$DATA/pprof" && fgtool pprof -top -tree go-cpu.pb.gz
