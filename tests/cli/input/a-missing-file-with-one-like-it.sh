cd "$DATA/pprof" && fgtool info go-cpuu.pb.gz
