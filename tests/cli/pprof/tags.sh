cd "$DATA/pprof" && fgtool pprof -symbolize=none -tags go-cpu.pb.gz
