cd "$DATA/pprof" && fgtool diff --gate 'new>+1pp' -b go-heap-1.pb.gz go-heap-2.pb.gz
