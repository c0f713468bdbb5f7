cd "$DATA/pprof" && fgtool top hostile-names.pb.gz
