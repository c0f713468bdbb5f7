fgtool filter --tag-focus bytes=4kb: -o x.pb "$DATA/pprof/go-heap-1.pb.gz"
