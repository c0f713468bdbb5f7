fgtool filter --sample-type inuse_objects,inuse_space --drop-zero -o x.pb "$DATA/pprof/go-heap-1.pb.gz"
