cd "$DATA/pprof" && fgtool pprof -top -normalize go-cpu.pb.gz
