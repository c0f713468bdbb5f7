cd "$DATA/pprof" && fgtool peek --format json 'main.digest$' go-cpu.pb.gz
