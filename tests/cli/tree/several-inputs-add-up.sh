cd "$DATA/pprof" && fgtool tree --min 10% go-heap-1.pb.gz go-heap-2.pb.gz
