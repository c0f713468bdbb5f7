cd "$DATA/pprof" && fgtool top --by label:worker go-cpu.pb.gz
