cd "$DATA/pprof" && fgtool pprof -symbolize=none -tree -nodecount=12 go-cpu.pb.gz
