cd "$DATA/pprof" && fgtool digest trailing-zeros.pb.gz
