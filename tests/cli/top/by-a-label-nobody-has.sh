cd "$DATA/pprof" && fgtool top --by label:nobody go-cpu.pb.gz
