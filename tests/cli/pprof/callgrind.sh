cd "$DATA/pprof" && fgtool pprof -symbolize=none -callgrind go-mutex.pb.gz
