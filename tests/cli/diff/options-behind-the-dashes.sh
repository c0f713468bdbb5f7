cd "$DATA/pprof" && fgtool diff go-cpu.pb.gz -- go-cpu-after.pb.gz -n 1 --format md | head -n 1
