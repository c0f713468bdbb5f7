cd "$DATA/pprof" && fgtool pprof -symbolize=none -traces go-mutex.pb.gz
