cd "$DATA/pprof" && fgtool diff go-cpu.pb.gz go-cpu.pb.gz
