cd "$DATA/pprof" && fgtool peek 'mallocgc$' go-cpu.pb.gz
