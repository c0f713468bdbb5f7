cd "$DATA/pprof" && fgtool pprof -peek=nothing-is-called-so go-cpu.pb.gz
