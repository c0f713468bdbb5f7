cd "$DATA/pprof" && fgtool top --format json -n 3 go-heap-1.pb.gz
