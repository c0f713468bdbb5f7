cd "$DATA/pprof" && fgtool top --by file -n 8 go-cpu.pb.gz
