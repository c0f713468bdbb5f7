cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -nodecount=15 -base=go-cpu.pb.gz go-cpu-after.pb.gz
