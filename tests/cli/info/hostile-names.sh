cd "$DATA/pprof" && fgtool info hostile-names.pb.gz
