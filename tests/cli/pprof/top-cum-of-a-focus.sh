cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -cum -nodecount=10 -focus=json go-cpu.pb.gz
