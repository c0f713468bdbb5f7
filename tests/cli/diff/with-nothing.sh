cd "$DATA/pprof" && fgtool diff -n 3 empty-profile.pb go-heap-1.pb.gz
