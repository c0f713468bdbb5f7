cd "$DATA/pprof" && fgtool top --unit parsec go-heap-1.pb.gz
