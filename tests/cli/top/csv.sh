cd "$DATA/pprof" && fgtool top --format csv go-mutex.pb.gz
