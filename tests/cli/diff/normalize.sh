cd "$DATA/pprof" && fgtool diff --normalize -n 5 go-cpu.pb.gz go-cpu-after.pb.gz
