cd "$DATA/pprof" && fgtool diff --cum -n 8 go-cpu.pb.gz go-cpu-after.pb.gz
