cd "$DATA/pprof" && fgtool peek --by line 'main.digest' go-cpu.pb.gz
