cd "$DATA/pprof" && fgtool merge --common-types go-heap-1.pb.gz go-heap-2.pb.gz | fgtool digest && fgtool digest go-heap-1.pb.gz go-heap-2.pb.gz
