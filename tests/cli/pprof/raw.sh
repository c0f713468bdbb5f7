cd "$DATA/pprof" && fgtool pprof -symbolize=none -raw go-mutex.pb.gz
