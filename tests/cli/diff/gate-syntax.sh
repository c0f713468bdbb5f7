cd "$DATA/pprof" && fgtool diff --gate 'total>nan%' go-cpu.pb.gz go-cpu-after.pb.gz
