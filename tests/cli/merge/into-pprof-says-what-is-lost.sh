fgtool merge --to folded "$DATA/pprof/go-heap-1.pb.gz" 2>&1 >/dev/null
