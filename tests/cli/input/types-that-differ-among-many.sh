cd "$DATA/pprof" && fgtool info tiny.pb unpacked.pb negative.pb no-samples.pb go-heap-1.pb.gz go-mutex.pb.gz
