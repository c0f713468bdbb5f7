cd "$DATA/pprof" && fgtool top --unit kB -n 3 go-heap-1.pb.gz
