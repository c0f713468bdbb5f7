cd "$DATA/pprof" && fgtool traces -n 1 --focus mallocgcTiny go-cpu.pb.gz
