cd "$DATA/pprof" && fgtool tags go-mutex.pb.gz
