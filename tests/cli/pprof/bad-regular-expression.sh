cd "$DATA/pprof" && fgtool pprof -top '-focus=(' go-cpu.pb.gz
