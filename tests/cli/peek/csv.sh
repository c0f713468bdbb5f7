cd "$DATA/pprof" && fgtool peek --format csv 'main.digest$' go-cpu.pb.gz
