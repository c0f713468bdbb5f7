cd "$DATA/pprof" && fgtool pprof -symbolize=none -dot -nodecount=8 go-cpu.pb.gz
