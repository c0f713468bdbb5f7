cd "$DATA/pprof" && fgtool merge --common-types tiny.pb go-heap-1.pb.gz
