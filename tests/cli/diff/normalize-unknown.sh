cd "$DATA/pprof" && fgtool diff --normalize mean go-cpu.pb.gz go-cpu-after.pb.gz
