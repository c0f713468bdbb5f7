cd "$DATA/pprof" && fgtool top --unit ms go-heap-1.pb.gz
