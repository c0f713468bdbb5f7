cd "$DATA/pprof" && fgtool pprof -list=nothing-is-called-so go-cpu.pb.gz
