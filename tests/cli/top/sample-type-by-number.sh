cd "$DATA/pprof" && fgtool top --sample-type 0 -n 2 go-cpu.pb.gz
