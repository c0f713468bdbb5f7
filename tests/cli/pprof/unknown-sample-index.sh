cd "$DATA/pprof" && fgtool pprof -top -sample_index=inuse_spcae go-heap-1.pb.gz
