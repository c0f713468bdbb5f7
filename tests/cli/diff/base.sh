cd "$DATA/pprof" && fgtool diff --base go-heap-1.pb.gz go-heap-2.pb.gz -n 5
