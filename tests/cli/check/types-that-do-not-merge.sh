cd "$DATA/pprof" && fgtool check tiny.pb go-heap-1.pb.gz
