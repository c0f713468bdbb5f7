cd "$DATA/pprof" && fgtool info empty-profile.pb tiny.pb go-heap-1.pb.gz
