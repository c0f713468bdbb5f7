cd "$DATA/pprof" && fgtool top --unit auto -n 12 go-heap-1.pb.gz
