cd "$DATA/pprof" && fgtool info go-threadcreate.pb.gz
