cd "$DATA/pprof" && fgtool traces -n 1 --by line go-mutex.pb.gz
