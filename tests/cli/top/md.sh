cd "$DATA/pprof" && fgtool top --format md -n 3 go-heap-1.pb.gz
