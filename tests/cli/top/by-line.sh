cd "$DATA/pprof" && fgtool top --by line -n 8 go-cpu.pb.gz
