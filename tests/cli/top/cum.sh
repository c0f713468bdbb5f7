cd "$DATA/pprof" && fgtool top --cum -n 8 go-cpu.pb.gz
