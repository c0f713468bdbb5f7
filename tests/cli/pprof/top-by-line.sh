cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -lines -nodecount 15 go-cpu.pb.gz
