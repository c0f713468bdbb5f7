cd "$DATA/pprof" && fgtool tree --min 5% go-cpu.pb.gz
