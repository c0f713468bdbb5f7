cd "$DATA/pprof" && fgtool top go-heap-1.pb.gz go-heap-2.pb.gz
