cd "$DATA/pprof" && fgtool traces -n 2 go-cpu.pb.gz
