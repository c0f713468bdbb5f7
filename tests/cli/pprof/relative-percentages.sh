cd "$DATA/pprof" && fgtool pprof -symbolize=none -top -relative_percentages -focus=json -nodecount=5 go-cpu.pb.gz
