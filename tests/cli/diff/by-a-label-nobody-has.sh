cd "$DATA/pprof" && fgtool diff --by-label nowhere go-cpu.pb.gz go-cpu-after.pb.gz
