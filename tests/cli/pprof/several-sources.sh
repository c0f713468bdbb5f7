cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -nodecount=10 go-cpu.pb.gz go-cpu-after.pb.gz
