cd "$DATA/pprof" && fgtool merge go-heap-1.pb.gz go-heap-2.pb.gz | fgtool info
