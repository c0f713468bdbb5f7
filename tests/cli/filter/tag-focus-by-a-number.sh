fgtool filter --tag-focus 16 -o x.pb "$DATA/pprof/go-heap-1.pb.gz"
