cd "$DATA/pprof" && fgtool tree --by label:worker go-cpu.pb.gz
