cd "$DATA/pprof" && fgtool diff --normalize=total -n 5 go-cpu.pb.gz go-cpu-after.pb.gz
