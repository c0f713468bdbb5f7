cd "$DATA/pprof" && fgtool diff --by file -n 4 go-heap-1.pb.gz go-heap-2.pb.gz
