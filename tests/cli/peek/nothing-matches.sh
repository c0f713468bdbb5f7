cd "$DATA/pprof" && fgtool peek mallcgc go-cpu.pb.gz
