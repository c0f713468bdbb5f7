fgtool filter --sample-type inuse_spase "$DATA/pprof/go-heap-1.pb.gz"
