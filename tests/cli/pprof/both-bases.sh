cd "$DATA/pprof" && fgtool pprof -top -base=go-cpu.pb.gz -diff_base=go-cpu.pb.gz go-cpu.pb.gz
