cd "$DATA/pprof" && fgtool top --by address -n 5 go-mutex.pb.gz
