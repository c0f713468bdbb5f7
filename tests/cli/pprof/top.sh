cd "$DATA/pprof" && fgtool pprof -symbolize=none -top go-cpu.pb.gz
