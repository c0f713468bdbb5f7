cd "$DATA/pprof" && fgtool info negative.pb
