cd "$DATA/pprof" && fgtool pprof -top -lines -files go-cpu.pb.gz
