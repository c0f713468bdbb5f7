fgtool diff -o d.json "$DATA/pprof/go-cpu.pb.gz" "$DATA/pprof/go-cpu-after.pb.gz" && head -n 2 d.json
