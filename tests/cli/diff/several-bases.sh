cd "$DATA/pprof" && fgtool diff -b go-heap-1.pb.gz -b go-heap-1.pb.gz go-heap-2.pb.gz -n 5
