cd "$DATA/pprof" && fgtool diff --format md -n 2 go-heap-1.pb.gz go-heap-2.pb.gz
