fgtool merge -o x.folded "$DATA/pprof/go-heap-1.pb.gz"
