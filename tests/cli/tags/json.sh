cd "$DATA/pprof" && fgtool tags --format json --tag-show route go-cpu.pb.gz
