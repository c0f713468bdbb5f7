cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -noinlines -nodecount=15 go-cpu.pb.gz
