cd "$DATA/pprof" && fgtool tree --leaf-first --min 5% go-cpu.pb.gz
