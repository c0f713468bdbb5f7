cd "$DATA/pprof" && fgtool pprof -top -trim=maybe go-cpu.pb.gz
