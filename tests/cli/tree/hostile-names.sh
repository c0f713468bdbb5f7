cd "$DATA/pprof" && fgtool tree hostile-names.pb.gz
