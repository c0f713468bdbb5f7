cd "$DATA/pprof" && fgtool check go-goroutine.pb.gz
