cd "$DATA/pprof" && fgtool pprof -symbolize=none -peek='mallocgc$' go-cpu.pb.gz
