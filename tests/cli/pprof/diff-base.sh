cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -nodecount=15 -diff_base=go-cpu.pb.gz go-cpu-after.pb.gz
